import type { IDataObject } from 'n8n-workflow';

import { callError, noDataFault } from '../errors/callErrors';
import type { RecordOrder } from '../http/concurrency/recordOrder';
import { readNumber } from '../values/number';
import type { ItemContext } from './itemContext';
import { isEmptyValue, toBoolean } from './formValues';
import { recordShaper } from './output';
import type { Operation, Service } from './operation';
import { type CallSettings, prepareRequest, recordsOf } from './request';

const DEFAULT_LIMIT = 50;

/**
 * Life of an item: its parameters become a request, the response becomes records.
 *
 * @param order of the run: changes of the same record keep the order of the items
 * @returns the records as they come out, at most 'Limit' of them
 * @throws InvalidValueError for a parameter; NodeApiError for what the service refuses
 */
export async function executeItem(
	item: ItemContext,
	service: Service,
	operation: Operation,
	settings: CallSettings,
	order: RecordOrder,
): Promise<IDataObject[]> {
	const { output, sendAll, postReceive } = operation;
	const limit = output.kind === 'list' ? readLimit(item) : Number.POSITIVE_INFINITY;
	const shape = recordShaper(item, output);
	const request = await prepareRequest(item, service, operation, settings);
	if (output.kind === 'list') request.records = limit;
	const body = await order.run(recordsOf(operation, request), async () =>
		sendAll ? await sendAll(item, request, limit) : (await item.call(request)).body,
	);
	const response = postReceive ? postReceive(item, body) : body;
	if (output.kind !== 'record') return readList(item, response).slice(0, limit).map(shape);
	if (response === undefined || response === null) return [{ success: true }];
	return [typeof response === 'string' ? { success: true, response } : shape(response)];
}

function readLimit({ node, read }: ItemContext): number {
	const all = read('returnAll');
	if (!isEmptyValue(all) && toBoolean(all, 'Return All')) return Number.POSITIVE_INFINITY;
	if (isEmptyValue(node.parameters.limit)) return DEFAULT_LIMIT;
	return readNumber(read('limit'), 'Limit', {
		least: 1,
		isWhole: true,
		hint: ", or switch on 'Return All'",
	});
}

function readList(item: ItemContext, body: unknown): unknown[] {
	if (body === undefined) return [];
	if (Array.isArray(body)) return body;
	throw callError(item, noDataFault(200, 'something that is not a list'));
}
