import type {
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INode,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';
import attempt from 'lodash/attempt';
import keyBy from 'lodash/keyBy';
import mapValues from 'lodash/mapValues';

import { toNodeError } from '../errors/nodeErrors';
import { readList } from '../http/response';
import { InvalidValueError } from '../values/invalidValue';
import { readNumber } from '../values/number';
import { toBoolean } from './formValues';
import type { ItemContext, Operation, Run, Service } from './operation';
import { type ItemSettings, readItemSettings } from './options';
import { failedItem } from './runProgress';
import { recordShaper } from './output';
import { type CallSettings, prepareRequest } from './request';
import { type RunContext, UNCHECKED, errorContextOf, itemIndexesOf, openRun } from './run';
import { type RecordOrder, startInTurn } from './startInTurn';

const DEFAULT_LIMIT = 50;

/**
 * Runs the operations of a node in a workflow. n8n's own engine for declarative nodes evaluates every parameter three
 * times an item, starts the calls of all items at once and drops the item links.
 */
export function customOperations(service: Service): NonNullable<INodeType['customOperations']> {
	const executor = (operation: Operation) =>
		async function (this: IExecuteFunctions) {
			return [await executeOperation(this, service, operation)];
		};
	return mapValues(keyBy(service.resources, 'value'), ({ operations }) =>
		mapValues(keyBy(operations, 'value'), executor),
	);
}

/** Runs one item as a tool of an AI agent: there n8n's engine for declarative nodes runs the node. */
export function executeTool(service: Service) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const read = (name: string) => this.getNodeParameter(name, '', UNCHECKED);
		const operation = chosenOperation(service, this.getNode(), read('resource'), read('operation'));
		return await executeOperation(this, service, operation);
	};
}

/**
 * What keeps a run from starting keeps every item from it. Left to n8n, an error with the error output on would send all
 * items out of the success output, unchanged.
 */
async function executeOperation(
	context: RunContext,
	service: Service,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const { executeBatch = executeItems } = operation;
	const node = context.getNode();
	try {
		const run = await openRun(context, service, operation);
		await executeBatch(run);
		if ('addExecutionHints' in context) run.hints.show(context);
		return run.progress.result();
	} catch (error) {
		if (!context.continueOnFail()) throw toNodeError({ node, action: operation.action }, error);
		return itemIndexesOf(context).map((item) =>
			failedItem(toNodeError(errorContextOf(node, service, operation, item), error), { item }),
		);
	}
}

/** An item whose turn it is, with its settings or what is wrong with them. */
interface Turn {
	item: ItemContext;
	settings: ItemSettings | Error;
}

/**
 * One call for each item, as many at once as the account's limiter allows, at most 'Concurrency Limit'. An error stops the run:
 * no further call is made.
 */
async function executeItems(run: Run): Promise<void> {
	const { operation, progress, hints, order, startedAt } = run;
	function* turns(): Generator<Turn> {
		for (const itemIndex of run.itemIndexes) {
			const item = run.openItem(itemIndex);
			yield { item, settings: attempt(() => readItemSettings(item, startedAt)) };
		}
	}
	const paceOf = ({ settings }: Turn) => (settings instanceof Error ? undefined : settings);
	await startInTurn(turns(), run, paceOf, async ({ item, settings }) => {
		const { itemIndex } = item;
		try {
			if (settings instanceof Error) throw settings;
			progress.end([{ itemIndex, records: await executeItem(item, operation, settings, order) }]);
		} catch (reason) {
			const error = toNodeError(item, reason);
			progress.end([{ itemIndex, error }], error);
		}
		hints.note(item.leftOut);
	});
}

/**
 * Life of an item: its parameters become a request, the response becomes records.
 *
 * @param order of the run: changes of the same record keep the order of the items
 * @returns the records as they come out, at most 'Limit' of them
 * @throws InvalidValueError for a parameter; NodeApiError for what the service refuses
 */
async function executeItem(
	item: ItemContext,
	operation: Operation,
	settings: CallSettings,
	order: RecordOrder,
): Promise<IDataObject[]> {
	const { output, sendAll, postReceive } = operation;
	const limit = output.kind === 'list' ? readLimit(item) : Number.POSITIVE_INFINITY;
	const shape = recordShaper(item.read, output);
	const request = await prepareRequest(item, operation, settings);
	if (output.kind === 'list') request.records = limit;
	const changed = request.record ? [request.record.toLowerCase()] : [];
	const body = await order.run(changed, async () =>
		sendAll ? await sendAll(item, request, limit) : (await item.call(request)).body,
	);
	const response = postReceive ? postReceive(item, body) : body;
	if (output.kind !== 'record') {
		const records = readList(response) ?? [];
		item.leftOut = Math.max(0, records.length - limit);
		return records.slice(0, limit).map(shape);
	}
	if (response === undefined || response === null) return [{ success: true }];
	return [typeof response === 'string' ? { success: true, response } : shape(response)];
}

function readLimit({ node, read }: ItemContext): number {
	if (toBoolean(read('returnAll') ?? false, 'Return All')) return Number.POSITIVE_INFINITY;
	if ((node.parameters.limit ?? '') === '') return DEFAULT_LIMIT;
	return readNumber(read('limit'), 'Limit', {
		least: 1,
		isWhole: true,
		hint: ", or switch on 'Return All'",
	});
}

function chosenOperation(service: Service, node: INode, resource: unknown, operation: unknown): Operation {
	const found = service.resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found) return found;
	const invalid = new InvalidValueError(
		'Operation',
		`is '${String(operation)}' of '${String(resource)}', which does not exist`,
		'Choose a resource and an operation from the lists',
	);
	throw toNodeError({ node, action: 'Choose operation' }, invalid);
}
