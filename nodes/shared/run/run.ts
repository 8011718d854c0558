import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import compact from 'lodash/compact';
import range from 'lodash/range';

import { type Account, openAccount } from '../auth/account';
import { checkSameForAllItems } from '../auth/sameForAll';
import { type ErrorContext, isTool, toNodeError } from '../errors/nodeErrors';
import { filledIn } from '../form/values';
import { readList } from '../http/response';
import { readLimit } from '../operation/nodeForm';
import {
	type FailedItem,
	type ItemContext,
	type ItemResult,
	type Operation,
	type PlannedCall,
	type PreparedItem,
	type Run,
	type Service,
	findOperation,
} from '../operation/operation';
import { readRunSettings } from '../operation/options';
import { recordShaper } from '../operation/output';
import type { ShapeContext } from '../output/recordView';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { CallSender } from './callSender';
import { describeAsked } from './describeAsked';
import { ItemResults, failedItem } from './itemResults';
import { LookUps } from './lookUps';
import { createParameterReader } from './parameterReader';
import { outputForTool, showHint } from './reportOmitted';
import { prepareRequest } from './request';

/** A form without an expression is the same for all items. Automatic mapping has none either, but each item of a batch is prepared. */
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
	const input = context.getInputData();
	const count = input.length;
	const results = new ItemResults(context, count);
	let errorContext: ErrorContext = { node, action: 'Run node' };
	try {
		const operation = findOperation(service, (name) => {
			return context.getNodeParameter(name, 0, '', UNCHECKED);
		});
		errorContext = errorContextOf(node, service, operation);
		refuseRetry(node, operation);
		const account = await openAccount(context, service.credential);
		errorContext.secrets = () => account.currentSecrets();
		await checkSameForAllItems(context, service.credential, account.credentials);
		const run = openRun({ context, operation, account, errorContext, results });
		if (operation.planCalls) await runBatches(run, count, operation.planCalls);
		else await runItems(run, count);
		const hint = results.omitted.describe(account.currentSecrets());
		showHint(context, hint);
	} catch (error) {
		// An error of the run's settings fails every item: otherwise n8n would send them to the success output.
		if (!context.continueOnFail()) throw toNodeError(errorContext, error);
		for (const itemIndex of range(count)) {
			const failed = failedItem({ ...errorContext, itemIndex }, error);
			results.add(failed);
		}
	}
	const rows = results.result();
	if (!isTool(node)) return [rows];
	const secrets = errorContext.secrets?.() ?? [];
	return [outputForTool(rows, results.omitted, secrets)];
}

function errorContextOf(node: INode, service: Service, operation: Operation): ErrorContext {
	return {
		node,
		action: operation.action,
		addressField: service.addressField,
		statusWords: { ...service.statusWords, ...operation.statusWords },
		inRun: true,
	};
}

/** @throws InvalidValueError for a node that changes something: n8n would run all items again, also those that succeeded */
function refuseRetry(node: INode, operation: Operation): void {
	const onlyReads = operation.recordFields.length === 0;
	if (!node.retryOnFail || onlyReads) return;
	const hint = "Switch it off in the node's settings. The node itself retries what is safe";
	throw new InvalidValueError('Retry On Fail', 'is on, which would make changes twice', hint);
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
	const signals = compact([context.getExecutionCancelSignal(), stop.signal]);
	const signal = AbortSignal.any(signals);
	const form = JSON.stringify(node.parameters);
	const isSameForAll = !ITEM_DEPENDENT.test(form);
	const input = context.getInputData();
	const inputOf = (itemIndex: number) => input[itemIndex]?.json;
	const parametersOf = createParameterReader(node.parameters, inputOf, (name, itemIndex) => {
		return context.getNodeParameter(name, itemIndex, '', UNCHECKED);
	});
	const parameterOfFirst = parametersOf(0);

	function end(ended: readonly ItemResult[]): void {
		for (const result of ended) {
			const endsRun = results.add(result);
			if (endsRun) stop.abort();
		}
	}

	function openItem(itemIndex: number): ItemContext {
		const isLikeFirst = isSameForAll || itemIndex === 0;
		const parameterOf = isLikeFirst ? parameterOfFirst : parametersOf(itemIndex);
		const place = { ...errorContext, itemIndex };
		return {
			...place,
			account,
			omitted: results.omitted,
			getParameter(name) {
				const value = filledIn(parameterOf(name));
				return withInput(value, inputOf(itemIndex));
			},
			async call(request) {
				return await account.call({ ...request, signal }, place);
			},
		};
	}

	const settings = readRunSettings({ getParameter: parameterOfFirst, node });
	return { operation, account, settings, signal, isSameForAll, end, openItem };
}

/** @returns a parameter's value; that of a resource mapper which maps automatically holds the input item */
function withInput(value: unknown, json: IDataObject = {}): unknown {
	if (!isRecord(value) || value.mappingMode !== 'autoMapInputData') return value;
	return { ...value, value: json };
}

/** Checks the items one by one and sends the call of each when its turn comes. */
async function runItems(run: Run, count: number): Promise<void> {
	const sender = new CallSender(run);
	const lookUps = new LookUps(run);
	let first: PreparedItem | undefined;
	for (const itemIndex of range(count)) {
		if (run.signal.aborted) break;
		const item = run.openItem(itemIndex);
		// Where no parameter depends on the item, the first serves all.
		const ready = run.isSameForAll && first;
		const prepared = ready ? { ...ready, item } : await prepareItem(item, run, lookUps);
		if ('error' in prepared) {
			run.end([prepared]);
			continue;
		}
		first = prepared;
		const call = planCall(prepared, run.operation);
		await sender.start(call);
	}
	await sender.allEnded();
}

/** Checks all items, so that the bad ones are named together, and then sends the calls, which take several items each. */
async function runBatches(
	run: Run,
	count: number,
	planCalls: NonNullable<Operation['planCalls']>,
): Promise<void> {
	const lookUps = new LookUps(run);
	const good: PreparedItem[] = [];
	const bad: FailedItem[] = [];
	for (const itemIndex of range(count)) {
		if (run.signal.aborted) break;
		const item = run.openItem(itemIndex);
		const prepared = await prepareItem(item, run, lookUps);
		if ('error' in prepared) bad.push(prepared);
		else good.push(prepared);
	}
	const calls = planCalls(good, run);
	run.end(bad);
	const sender = new CallSender(run);
	for (const call of calls) {
		if (run.signal.aborted) break;
		await sender.start(call);
	}
	await sender.allEnded();
}

/**
 * Finds what the item names in other words than the service's, and checks its values.
 *
 * @returns the failure of an item with a wrong value, or with an expression that n8n cannot evaluate
 */
async function prepareItem(
	item: ItemContext,
	run: Run,
	lookUps: LookUps,
): Promise<PreparedItem | FailedItem> {
	try {
		const resolved = await lookUps.resolve(item);
		return checkItem(resolved, run);
	} catch (error) {
		return failedItem(item, error);
	}
}

/** @throws InvalidValueError for a parameter; n8n's own error for an expression */
function checkItem(item: ItemContext, { operation, settings }: Run): PreparedItem {
	const { output } = operation;
	const limit = output.kind === 'list' ? readLimit(item) : Infinity;
	const request = prepareRequest(item, operation, settings);
	const { account, omitted } = item;
	if (isTool(item.node)) omitted.asked = describeAsked(item, operation);
	const context: ShapeContext = {
		timeZone: account.timeZone,
		language: account.language,
		statusRoles: account.statusRoles,
		reportCut: (path) => omitted.texts.add(path),
	};
	const shape = recordShaper(item, output, context);
	return { item, request, limit, shape };
}

function planCall(prepared: PreparedItem, operation: Operation): PlannedCall {
	const { item, request } = prepared;
	const receive = operation.output.kind === 'list' ? receiveList : receiveRecord;
	return {
		items: [item],
		changes: compact([request.changedRecordKey]),
		async send() {
			const records = await receive(prepared, operation);
			return [{ itemIndex: item.itemIndex, records }];
		},
	};
}

/** @returns the records to output, at most 'Limit' */
async function receiveList(prepared: PreparedItem, operation: Operation): Promise<IDataObject[]> {
	const { item, limit, shape } = prepared;
	const records = await receiveRecords(prepared, operation);
	const shown = records.slice(0, limit);
	item.omitted.records += records.length - shown.length;
	return shown.map((record) => shape(record));
}

async function receiveRecords(prepared: PreparedItem, operation: Operation): Promise<unknown[]> {
	const { item, request, limit } = prepared;
	if (operation.sendAll) return await operation.sendAll(item, request, limit);
	const { body } = await item.call(request);
	return readList(body) ?? [];
}

/** @returns the one record to output */
async function receiveRecord(prepared: PreparedItem, operation: Operation): Promise<IDataObject[]> {
	const { item, request, shape } = prepared;
	const { body, headers } = await item.call(request);
	const { postReceive } = operation;
	const response = postReceive ? postReceive(item, body) : body;
	if (response === undefined || response === null) return [{ success: true }];
	if (typeof response === 'string') return [{ success: true, response }];
	const record = shape(response);
	for (const name of operation.output.headers ?? []) {
		record[name] = headers[name.toLowerCase()] ?? null;
	}
	return [record];
}
