import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';
import has from 'lodash/has';
import isNil from 'lodash/isNil';
import mapValues from 'lodash/mapValues';
import omitBy from 'lodash/omitBy';

import type { Field } from '../form/fields';
import { readParameter } from '../form/readParameter';
import type { ItemContext, ItemRequest, Operation, RunSettings } from '../operation/operation';
import { checkOptions, readSystem } from '../operation/options';
import { readRelated } from '../operation/output';
import { fillPath } from '../values/address';
import { LongNumber } from '../values/longNumber';
import { valuesWithoutAgentBlanks } from './agentBlanks';
import { readBody } from './readBody';
import { readSections, valuesOf } from './readSections';

/**
 * The request of one item, with all values checked.
 *
 * @throws InvalidValueError that names the parameter as displayed
 */
export function prepareRequest(
	item: ItemContext,
	operation: Operation,
	settings: RunSettings,
): ItemRequest {
	const { body, output, recordFields } = operation;
	const { pathFields = [], query = [] } = operation;
	const onlyReads = recordFields.length === 0;
	for (const field of operation.parameters ?? []) readParameter(item, field);
	checkOptions(item, operation);
	const pathValues = readSections([{ fields: pathFields }], item);
	const readValues = onlyReads ? valuesWithoutAgentBlanks : valuesOf;
	const queryValues = readSections(query, item, readValues);
	const { related } = output;
	if (related) queryValues[related.field.path] = readRelated(item, output);
	const request: ItemRequest = {
		method: operation.method,
		path: fillPath(operation.path, pathValues),
		query: asQuery(queryValues),
		expects: output.schema === undefined ? 'text' : output.kind,
		mayBeEmpty: mayBeEmpty(operation),
		timeout: settings.timeout,
		giveUpAfterMs: settings.giveUpAfterMs,
	};
	if (body) {
		const field = pathFields[0];
		const label = field?.property.displayName ?? '';
		const value = field && pathValues[field.path];
		request.body = readBody(body, item, { label, value });
	}
	request.system = operation.takesSystem ? readSystem(item) : false;
	operation.preSend?.(item, request);
	if (!onlyReads) nameChangedRecord(request, recordFields, pathValues);
	return request;
}

/** A change that is answered 2xx has been made; what is read needs its body. */
function mayBeEmpty({ recordFields, resultIsInBody }: Operation): boolean | undefined {
	if (resultIsInBody) return false;
	const onlyReads = recordFields.length === 0;
	return onlyReads ? undefined : true;
}

function asQuery(values: Record<string, unknown>): IDataObject {
	const given = omitBy(values, isNil);
	return mapValues(given, withAllDigits) as IDataObject;
}

function withAllDigits(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withAllDigits);
	if (value instanceof LongNumber) return value.toString();
	return value;
}

/** Says in a request that changes a record which one that is: in the words of the form, and as the key of the order. */
function nameChangedRecord(
	request: ItemRequest,
	recordFields: readonly Field[],
	pathValues: object,
): void {
	const values: unknown = { ...Object(request.body), ...request.query, ...pathValues };
	const labels: string[] = [];
	const ids: string[] = [];
	for (const { path, property } of recordFields) {
		if (!has(values, path)) continue;
		const id = String(get(values, path));
		ids.push(id);
		labels.push(`'${property.displayName}' ${id}`);
	}
	request.changedRecordLabel = labels.join(', ');
	request.changedRecordKey = ids.join(' ').toLowerCase();
}
