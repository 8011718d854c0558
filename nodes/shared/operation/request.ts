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
export type CallSettings = Pick<ServiceRequest, 'network' | 'giveUpAt' | 'largestMb'>;

/**
 * The request of one item, everything in it checked.
 *
 * @throws InvalidValueError that names the parameter as displayed
 */
export async function prepareRequest(
	item: ItemContext,
	{ credential }: Service,
	operation: Operation,
	{ network, giveUpAt, largestMb }: CallSettings,
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
		largestMb,
		method,
		path: fillPath(path, pathValues),
		query: Object.assign({}, ...query.map((part) => readQuery(part, item))) as IDataObject,
		documented: responseFields[output.schema ?? ''],
		acceptsText: output.schema === undefined,
		...(body ? { body: readBody(body, item) } : {}),
	};
	applyOptions(request, item.options, item.node.parameters.options, takesSystem);
	await preSend?.(item, request);
	request.record = recordNamed(operation, request, pathValues);
	return request;
}

/** @returns the record that a request changes, in a text; none where it only reads */
export function recordsOf({ record }: Operation, request: ItemRequest): string[] {
	const value: unknown = record === undefined ? undefined : get(request, record);
	return value === undefined || value === '' ? [] : [String(value).toLowerCase()];
}

/** @returns the record that a request changes, as the form names it */
function recordNamed(
	{ record, pathFields = [], query = [], body }: Operation,
	request: ItemRequest,
	pathValues: Record<string, unknown>,
): string | undefined {
	const [part, ...at] = record?.split('.') ?? [];
	if (part === undefined) return undefined;
	const inPath = pathFields.map(({ placeholder, property }) => [property, pathValues[placeholder]] as const);
	const fields = [...query, ...(body?.sections ?? [])].flatMap((own) => own.fields);
	const inBody = fields
		.filter((field) => field.at === at.join('.'))
		.map(({ property }) => [property, get(request, record ?? '')] as const);
	return [...(part === 'path' ? inPath : inBody)]
		.filter(([, value]) => value !== undefined)
		.map(([{ displayName }, value]) => `'${displayName}' ${String(value)}`)
		.join(', ');
}

function readQuery({ shownFor, collection, fields }: QueryPart, item: ItemContext): Record<string, unknown> {
	if (shownFor && item.read(shownFor.parameter) !== shownFor.value) return {};
	const values = collection ? item.read(collection.name) : readTopLevel(fields, item.read);
	if (!isRecord(values)) return {};
	const given = fields.filter(({ narrows, property }) => narrows || !isEmptyValue(values[property.name]));
	return toObject(given, values, item.timeZone);
}
