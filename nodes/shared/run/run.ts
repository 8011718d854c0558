import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import attempt from 'lodash/attempt';
import isError from 'lodash/isError';
import noop from 'lodash/noop';

import { type Account, checkSameForAllItems, openAccount } from '../auth/account';
import { type ErrorContext, isTool, toNodeError } from '../errors/nodeErrors';
import { readList } from '../http/response';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { readLimit } from '../operation/nodeForm';
import { filledIn } from '../form/values';
import { outputForTool } from './omitted';
import {
	type ItemContext,
	type Operation,
	type PlannedCall,
	type PreparedItem,
	type Run,
	type Service,
	findOperation,
} from '../operation/operation';
import { readRunSettings } from '../operation/options';
import { ItemResults } from './itemResults';
import { recordShaper } from '../operation/output';
import { createParameterReader } from './parameterReader';
import { prepareRequest } from './request';

/** An expression. Columns that are mapped automatically go with a batch, each item of which is prepared. */
const ITEM_DEPENDENT = /"=/;

/** Skips n8n's own check of a value, whose message names the parameter by its internal name. */
const UNCHECKED = { skipValidation: true };

/**
 * Runs a node, in a workflow or as a tool of an AI agent: checks the request of each item, sends the requests (those for
 * the same record in order) and returns the outcomes in the order of the items.
 *
 * @returns the items of the one output; n8n moves those with an error to the error output
 * @throws NodeApiError or NodeOperationError: with 'Stop Workflow' the first failure, which says what became of the others
 */
export async function executeNode(
	context: IExecuteFunctions,
	service: Service,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const count = context.getInputData().length;
	const outcomes = new ItemResults(context, count);
	let errorContext: ErrorContext = { node, action: 'Run node' };
	try {
		const operation = findOperation(service, (name) =>
			context.getNodeParameter(name, 0, '', UNCHECKED),
		);
		const statusWords = { ...service.statusWords, ...operation.statusWords };
		const { addressField } = service;
		errorContext = { node, action: operation.action, addressField, statusWords, inRun: true };
		refuseRetry(node, operation);
		const account = await openAccount(context, service.credential);
		await checkSameForAllItems(context, service.credential, account.credentials);
		const run = openRun(context, operation, account, errorContext, outcomes);
		await sendInOrder(plannedCalls(run, count), run);
		outcomes.omitted.show(context);
	} catch (error) {
		// An error of the run's settings fails every item: otherwise n8n would send them to the success output.
		if (!context.continueOnFail()) throw toNodeError(errorContext, error);
		for (let itemIndex = 0; itemIndex < count; itemIndex++)
			outcomes.add({ itemIndex, error: toNodeError({ ...errorContext, itemIndex }, error) });
	}
	const rows = outcomes.result();
	return [isTool(node) ? outputForTool(rows, outcomes.omitted) : rows];
}

/** @throws InvalidValueError for a node that changes something: n8n would run all items again, also those that succeeded */
function refuseRetry({ retryOnFail }: INode, { recordFields }: Operation): void {
	if (!retryOnFail || recordFields.length === 0) return;
	throw new InvalidValueError(
		'Retry On Fail',
		'is on, which would make changes twice',
		"Switch it off in the node's settings. The node itself retries what is safe",
	);
}

/**
 * Opens what all items share: the settings of the run, and access to each item.
 *
 * @throws InvalidValueError for a setting
 */
function openRun(
	context: IExecuteFunctions,
	operation: Operation,
	account: Account,
	errorContext: ErrorContext,
	outcomes: ItemResults,
): Run {
	const { node } = errorContext;
	const input = context.getInputData();
	const parametersOf = createParameterReader(
		node.parameters,
		(itemIndex) => input[itemIndex]?.json,
		(name, itemIndex) => context.getNodeParameter(name, itemIndex, '', UNCHECKED),
	);
	const parameterOfFirst = parametersOf(0);
	const isSameForAll = !ITEM_DEPENDENT.test(JSON.stringify(node.parameters));
	const stop = new AbortController();
	const cancel = context.getExecutionCancelSignal();
	const signal = cancel ? AbortSignal.any([cancel, stop.signal]) : stop.signal;
	return {
		operation,
		account,
		settings: readRunSettings({ getParameter: parameterOfFirst, node }),
		signal,
		isSameForAll,
		end(ended) {
			for (const outcome of ended) if (outcomes.add(outcome)) stop.abort();
		},
		openItem(itemIndex) {
			const ofItem = { ...errorContext, itemIndex };
			const parameterOf =
				isSameForAll || itemIndex === 0 ? parameterOfFirst : parametersOf(itemIndex);
			return {
				...ofItem,
				account,
				omitted: outcomes.omitted,
				getParameter(name) {
					const value = filledIn(parameterOf(name));
					// The values of a resource mapper that maps automatically are those of the input item.
					const isAutoMapped = isRecord(value) && value.mappingMode === 'autoMapInputData';
					return isAutoMapped ? { ...value, value: input[itemIndex]?.json ?? {} } : value;
				},
				call: async (request) => await account.call({ ...request, signal }, ofItem),
			};
		},
	};
}

/**
 * Checks the items one by one and plans their calls: one per item when its turn comes or, if a call takes several items,
 * all of them after every item is checked.
 */
function* plannedCalls(run: Run, count: number): Generator<PlannedCall> {
	const { operation, signal, isSameForAll } = run;
	const prepared: PreparedItem[] = [];
	let first: PreparedItem | undefined;
	for (let itemIndex = 0; itemIndex < count && !signal.aborted; itemIndex++) {
		const item = run.openItem(itemIndex);
		const ready =
			isSameForAll && first ? { ...first, item } : attempt(() => prepareItem(item, run));
		if (isError(ready)) run.end([{ itemIndex, error: toNodeError(item, ready) }]);
		else if (operation.planCalls) prepared.push(ready);
		else yield planCall((first = ready), run);
	}
	if (operation.planCalls && !signal.aborted) yield* operation.planCalls(prepared, run);
}

/** @throws InvalidValueError for a parameter; n8n's own error for an expression */
function prepareItem(item: ItemContext, { operation, settings }: Run): PreparedItem {
	const { output } = operation;
	const limit = output.kind === 'list' ? readLimit(item) : Number.POSITIVE_INFINITY;
	const request = prepareRequest(item, operation, settings);
	return { item, request, limit, shape: recordShaper(item, output, item.account) };
}

function planCall(prepared: PreparedItem, { operation }: Run): PlannedCall {
	const { item, request } = prepared;
	return {
		items: [item],
		changes: request.record ? [request.record.toLowerCase()] : [],
		send: async () => [
			{ itemIndex: item.itemIndex, records: await receiveRecords(prepared, operation) },
		],
	};
}

/** @returns the records to output, at most 'Limit' */
async function receiveRecords(
	{ item, request, limit, shape }: PreparedItem,
	{ output, sendAll, postReceive }: Operation,
): Promise<IDataObject[]> {
	const { body, headers = {} } = sendAll
		? { body: await sendAll(item, request, limit) }
		: await item.call(request);
	const response = postReceive ? postReceive(item, body) : body;
	if (output.kind !== 'record') {
		const records = readList(response) ?? [];
		item.omitted.records += Math.max(0, records.length - limit);
		return records.slice(0, limit).map((record) => shape(record));
	}
	if (response === undefined || response === null) return [{ success: true }];
	if (typeof response === 'string') return [{ success: true, response }];
	const named = (output.headers ?? []).map((name) => [name, headers[name.toLowerCase()] ?? null]);
	return [{ ...shape(response), ...(Object.fromEntries(named) as IDataObject) }];
}

/**
 * Sends calls in order. Each waits until the account's queue is ready, fewer than 'Concurrency Limit' are in flight, and
 * all earlier calls that change the same record have ended. Nothing more is sent once the run is over.
 */
export async function sendInOrder(calls: Iterable<PlannedCall>, run: Run): Promise<void> {
	const { account, settings, signal } = run;
	const running = new Set<Promise<void>>();
	const lastChange = new Map<string, Promise<void>>();
	let freed = noop;
	for (const call of calls) {
		const earlier = call.changes.flatMap((record) => lastChange.get(record) ?? []);
		const sent =
			earlier.length > 0
				? Promise.all(earlier).then(() => sendCall(call, run))
				: sendCall(call, run);
		const ended = sent.then(() => {
			running.delete(ended);
			freed();
		});
		running.add(ended);
		for (const record of call.changes) lastChange.set(record, ended);
		while (running.size >= settings.concurrencyLimit)
			await new Promise<void>((resolve) => (freed = resolve));
		await account.queue.ready(signal).catch(noop);
		if (signal.aborted) break;
	}
	await Promise.all(running);
}

/** Never rejects: an error becomes the outcome of its items. */
async function sendCall({ items, send }: PlannedCall, { end, signal }: Run): Promise<void> {
	if (signal.aborted) return;
	try {
		end(await send());
	} catch (reason) {
		// Not sent, because the run ended.
		if (signal.aborted && reason === signal.reason) return;
		end(items.map((item) => ({ itemIndex: item.itemIndex, error: toNodeError(item, reason) })));
	}
}
