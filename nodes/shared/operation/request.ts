import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';

import { responseFields } from '../contract/responseFields';
import type { ServiceRequest } from '../http/send';
import { checkPathValue, fillPath } from '../values/address';
import { isRecord } from '../values/record';
import { toObject } from './fields';
import { isEmptyValue } from './formValues';
import type { ItemContext } from './itemContext';
import type { ItemRequest, Operation, QueryPart, Service } from './operation';
import { applyOptions } from './options';
import { readBody, readTopLevel } from './readBody';

/** What the requests of all items of a run share. */
export type CallSettings = Pick<ServiceRequest, 'network' | 'giveUpAt'>;

/**
 * The request of one item, everything in it checked.
 *
 * @throws InvalidValueError that names the parameter as displayed
 */
export async function prepareRequest(
	item: ItemContext,
	{ credential }: Service,
	operation: Operation,
	{ network, giveUpAt }: CallSettings,
): Promise<ItemRequest> {
	const { method, path, pathFields = [], query = [], body, takesSystem = true, output, preSend } = operation;
	const pathValues = Object.fromEntries(
		pathFields.map(({ placeholder, kind, property }) => [
			placeholder,
			checkPathValue(item.read(property.name), kind, property.displayName),
		]),
	);
	const request: ItemRequest = {
		credential,
		network,
		giveUpAt,
		method,
		path: fillPath(path, pathValues),
		query: Object.assign({}, ...query.map((part) => readQuery(part, item))) as IDataObject,
		documented: responseFields[output.schema ?? ''],
		acceptsText: output.schema === undefined,
		...(body ? { body: readBody(body, item) } : {}),
	};
	applyOptions(request, item.options, item.node.parameters.options, takesSystem);
	await preSend?.(item, request);
	return request;
}

/** @returns the record that a request changes, in a text; none where it only reads */
export function recordsOf({ record }: Operation, request: ItemRequest): string[] {
	const value: unknown = record === undefined ? undefined : get(request, record);
	return value === undefined || value === '' ? [] : [String(value).toLowerCase()];
}

function readQuery({ shownFor, collection, fields }: QueryPart, item: ItemContext): Record<string, unknown> {
	if (shownFor && item.read(shownFor.parameter) !== shownFor.value) return {};
	const values = collection ? item.read(collection.name) : readTopLevel(fields, item.read);
	if (!isRecord(values)) return {};
	const given = fields.filter(({ narrows, property }) => narrows || !isEmptyValue(values[property.name]));
	return toObject(given, values, item.timeZone);
}
