import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';

import { responseFields } from '../contract/responseFields';
import type { ServiceRequest } from '../auth/account';
import { fillPath } from '../values/address';
import { readBody } from './body';
import { toObject } from './fields';
import { isEmptyValue } from './formValues';
import type { ItemContext } from './itemContext';
import type { ItemRequest, Operation } from './operation';
import { applyOptions } from './options';
import { type Section, readSection } from './sections';

/** What the requests of all items of a run share. */
export type CallSettings = Pick<ServiceRequest, 'network' | 'giveUpAt' | 'largestMb'>;

/**
 * The request of one item, everything in it checked.
 *
 * @throws InvalidValueError that names the parameter as displayed
 */
export async function prepareRequest(
	item: ItemContext,
	operation: Operation,
	{ network, giveUpAt, largestMb }: CallSettings,
): Promise<ItemRequest> {
	const { method, path, pathFields = [], query = [], body, takesSystem = true, output, preSend } = operation;
	const pathValues = Object.fromEntries(
		pathFields.map(({ at, property, serialize }) => [
			at,
			serialize(item.read(property.name), item.timeZone) as string,
		]),
	);
	const request: ItemRequest = {
		network,
		giveUpAt,
		largestMb,
		method,
		path: fillPath(path, pathValues),
		query: Object.assign({}, ...query.map((part) => readQuery(part, item))) as IDataObject,
		documented: responseFields[output.schema ?? ''],
		accepts: output.schema === undefined ? 'text' : undefined,
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
	if (record === undefined) return undefined;
	const place = record.slice(record.indexOf('.') + 1);
	const fields = [...query, ...(body?.sections ?? [])].flatMap((own) => own.fields);
	const naming = record === 'path' ? pathFields : fields.filter(({ at }) => at === place);
	const values = naming.map(({ at, property: { displayName } }) => {
		const value: unknown = record === 'path' ? pathValues[at] : get(request, record);
		return value === undefined ? '' : `'${displayName}' ${String(value)}`;
	});
	return values.filter(Boolean).join(', ');
}

function readQuery(section: Section, { read, timeZone }: ItemContext): Record<string, unknown> {
	const values = readSection(section, read);
	const given = section.fields.filter(
		({ narrows, property }) => narrows || !isEmptyValue(values[property.name]),
	);
	return toObject(given, values, timeZone);
}
