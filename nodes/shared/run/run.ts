import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { type Account, openAccount } from '../auth/account';
import { checkSameForAllItems } from '../auth/sameForAll';
import { type ErrorContext, isTool, toNodeError } from '../errors/nodeErrors';
import { readList } from '../http/response';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { describeAsked } from './asked';
import { CallSender } from './callSender';
import { readLimit } from '../operation/nodeForm';
import { filledIn } from '../form/values';
import { LookUps } from './lookUps';
import { outputForTool } from './omitted';
import {
	type ItemContext,
	type FailedItem,
	type ItemResult,
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
	const results = new ItemResults(context, count);
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
		const run = openRun({ context, operation, account, errorContext, results });
		if (operation.planCalls) await runBatches(run, count, operation.planCalls);
		else await runItems(run, count);
		results.omitted.show(context);
	} catch (error) {
		// An error of the run's settings fails every item: otherwise n8n would send them to the success output.
		if (!context.continueOnFail()) throw toNodeError(errorContext, error);
		for (let itemIndex = 0; itemIndex < count; itemIndex++)
			results.add({ itemIndex, error: toNodeError({ ...errorContext, itemIndex }, error) });
	}
	const rows = results.result();
	return [isTool(node) ? outputForTool(rows, results.omitted) : rows];
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

/** What a run is made of. */
interface RunParts {
	context: IExecuteFunctions;
	operation: Operation;
	account: Account;
	errorContext: ErrorContext;
	results: ItemResults;
}

/**
 * Opens what all items share: the settings of the run, and access to each item.
 *
 * @throws InvalidValueError for a setting
 */
function openRun({ context, operation, account, errorContext, results }: RunParts): Run {
	const { node } = errorContext;
	const stop = new AbortController();
	const cancel = context.getExecutionCancelSignal();
	const signal = cancel ? AbortSignal.any([cancel, stop.signal]) : stop.signal;
	const isSameForAll = !ITEM_DEPENDENT.test(JSON.stringify(node.parameters));
	const input = context.getInputData();
	const inputOf = (itemIndex: number): IDataObject | undefined => input[itemIndex]?.json;
	const parametersOf = createParameterReader(node.parameters, inputOf, (name, itemIndex) =>
		context.getNodeParameter(name, itemIndex, '', UNCHECKED),
	);
	const parameterOfFirst = parametersOf(0);

	function end(ended: readonly ItemResult[]): void {
		for (const result of ended) {
			const endsRun = results.add(result);
			if (endsRun) stop.abort();
		}
	}

	function openItem(itemIndex: number): ItemContext {
		const place = { ...errorContext, itemIndex };
		const isLikeFirst = isSameForAll || itemIndex === 0;
		const parameterOf = isLikeFirst ? parameterOfFirst : parametersOf(itemIndex);
		return {
			...place,
			account,
			omitted: results.omitted,
			getParameter: (name) => withInput(filledIn(parameterOf(name)), inputOf(itemIndex)),
			call: async (request) => await account.call({ ...request, signal }, place),
		};
	}

	const settings = readRunSettings({ getParameter: parameterOfFirst, node });
	return { operation, account, settings, signal, isSameForAll, end, openItem };
}

/** @returns a parameter's value; that of a resource mapper which maps automatically holds the input item */
function withInput(value: unknown, json: IDataObject = {}): unknown {
	const isAutoMapped = isRecord(value) && value.mappingMode === 'autoMapInputData';
	return isAutoMapped ? { ...value, value: json } : value;
}

/** Checks the items one by one and sends the call of each when its turn comes. */
async function runItems(run: Run, count: number): Promise<void> {
	const { operation, signal, isSameForAll } = run;
	const sender = new CallSender(run);
	const lookUps = new LookUps(run);
	let first: PreparedItem | undefined;
	for (let itemIndex = 0; itemIndex < count && !signal.aborted; itemIndex++) {
		const item = run.openItem(itemIndex);
		// It serves all items where no parameter depends on the item.
		const prepared =
			isSameForAll && first ? { ...first, item } : await lookUpAndPrepare(item, run, lookUps);
		if ('error' in prepared) {
			run.end([prepared]);
			continue;
		}
		first = prepared;
		await sender.start(planCall(prepared, operation));
	}
	await sender.allEnded();
}

/** Checks all items, so that the bad ones are named together, and then sends the calls, which take several items each. */
async function runBatches(
	run: Run,
	count: number,
	planCalls: NonNullable<Operation['planCalls']>,
): Promise<void> {
	const { signal } = run;
	const good: PreparedItem[] = [];
	const bad: ItemResult[] = [];
	for (let itemIndex = 0; itemIndex < count && !signal.aborted; itemIndex++) {
		const prepared = prepareItem(run.openItem(itemIndex), run);
		if ('error' in prepared) bad.push(prepared);
		else good.push(prepared);
	}
	const calls = planCalls(good, run);
	run.end(bad);
	const sender = new CallSender(run);
	for (const call of calls) {
		if (signal.aborted) break;
		await sender.start(call);
	}
	await sender.allEnded();
}

/** Finds what the item names in other words than the service's, and prepares it. */
async function lookUpAndPrepare(
	item: ItemContext,
	run: Run,
	lookUps: LookUps,
): Promise<PreparedItem | FailedItem> {
	try {
		return prepareItem(await lookUps.resolve(item), run);
	} catch (error) {
		return { itemIndex: item.itemIndex, error: toNodeError(item, error) };
	}
}

/** @returns the failure of an item with a wrong value, or with an expression that n8n cannot evaluate */
function prepareItem(item: ItemContext, run: Run): PreparedItem | FailedItem {
	try {
		return checkItem(item, run);
	} catch (error) {
		return { itemIndex: item.itemIndex, error: toNodeError(item, error) };
	}
}

/** @throws InvalidValueError for a parameter; n8n's own error for an expression */
function checkItem(item: ItemContext, { operation, settings }: Run): PreparedItem {
	const { output } = operation;
	const limit = output.kind === 'list' ? readLimit(item) : Number.POSITIVE_INFINITY;
	const request = prepareRequest(item, operation, settings);
	if (isTool(item.node)) item.omitted.asked = describeAsked(item, operation);
	const { timeZone, language, statusRoles } = item.account;
	const reportCut = (path: string) => item.omitted.texts.add(path);
	const shape = recordShaper(item, output, { timeZone, language, statusRoles, reportCut });
	return { item, request, limit, shape };
}

function planCall(prepared: PreparedItem, operation: Operation): PlannedCall {
	const { item, request } = prepared;
	return {
		items: [item],
		changes: request.changedRecordKey ? [request.changedRecordKey] : [],
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
