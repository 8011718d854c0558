import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';
import has from 'lodash/has';
import isNil from 'lodash/isNil';
import mapValues from 'lodash/mapValues';
import omitBy from 'lodash/omitBy';

import { readParameter } from '../form/readParameter';
import type { ItemContext, ItemRequest, Operation, RunSettings } from '../operation/operation';
import { checkOptions, readSystem } from '../operation/options';
import { readRelated } from '../operation/output';
import { fillPath } from '../values/address';
import { LongNumber } from '../values/longNumber';
import { readBody } from './readBody';
import { readFilters, readSections } from './readSections';

/**
 * The request of one item, with all values checked.
 *
 * @throws InvalidValueError that names the parameter as displayed
 */
export function prepareRequest(
	item: ItemContext,
	operation: Operation,
	{ timeout, giveUpAfterMs }: RunSettings,
): ItemRequest {
	const { method, output, pathFields = [], query = [], recordFields } = operation;
	const onlyReads = recordFields.length === 0;
	for (const field of operation.parameters ?? []) readParameter(item, field);
	checkOptions(item, operation);
	const pathValues = readSections([{ fields: pathFields }], item);
	const request: ItemRequest = {
		method,
		path: fillPath(operation.path, pathValues),
		query: asQuery({
			...(onlyReads ? readFilters(query, item) : readSections(query, item)),
			...relatedOf(item, output),
		}),
		expects: output.schema === undefined ? 'text' : output.kind,
		mayBeEmpty: mayBeEmpty(operation),
		timeout,
		giveUpAfterMs,
	};
	if (operation.body) {
		const { path = '', property } = pathFields[0] ?? {};
		const idInPath = { label: property?.displayName ?? '', value: pathValues[path] };
		request.body = readBody(operation.body, item, idInPath);
	}
	request.system = operation.takesSystem ? readSystem(item) : false;
	operation.preSend?.(item, request);
	nameChangedRecord(request, operation, {
		...Object(request.body),
		...request.query,
		...pathValues,
	});
	return request;
}

/** A change that is answered 2xx has been made; what is read needs its body. */
function mayBeEmpty({ recordFields, resultIsInBody }: Operation): boolean | undefined {
	if (resultIsInBody) return false;
	return recordFields.length > 0 ? true : undefined;
}

/** @returns what the output needs besides the records, under the name of its parameter */
function relatedOf(item: ItemContext, output: Operation['output']): Record<string, unknown> {
	const { related } = output;
	return related ? { [related.field.path]: readRelated(item, output) } : {};
}

function asQuery(values: Record<string, unknown>): IDataObject {
	return mapValues(omitBy(values, isNil), withAllDigits) as IDataObject;
}

function withAllDigits(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withAllDigits);
	return value instanceof LongNumber ? value.toString() : value;
}

/** Says in a request that changes a record which one that is: in the words of the form, and as the key of the order. */
function nameChangedRecord(request: ItemRequest, operation: Operation, values: object): void {
	if (operation.recordFields.length === 0) return;
	const fields = operation.recordFields.filter(({ path }) => has(values, path));
	const ids = fields.map(({ path }) => String(get(values, path)));
	const labels = fields.map(({ property }, index) => `'${property.displayName}' ${ids[index]}`);
	request.changedRecordLabel = labels.join(', ');
	request.changedRecordKey = ids.join(' ').toLowerCase();
}
