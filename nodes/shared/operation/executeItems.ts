import {
	type IExecuteFunctions,
	type IExecutePaginationFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	sleep,
} from 'n8n-workflow';

import { toNodeError } from '../errors/nodeErrors';
import { RecordOrder } from '../http/concurrency/recordOrder';
import { startInTurn } from '../http/concurrency/startInTurn';
import { InvalidValueError } from '../values/invalidValue';
import { executeItem } from './executeItem';
import { type ItemContext, UNCHECKED, createItemContext, errorContextOf } from './itemContext';
import { failedItem, linkedItems } from './output';
import { type Operation, type Service, findOperation } from './operation';
import { createParameterReader } from './parameters';
import { type ItemSettings, openRun, readItemSettings, readTimeZone } from './runSettings';
import { RunProgress } from './runProgress';

/**
 * Runs the operations of a node in a workflow. n8n's own engine for declarative nodes evaluates every parameter three
 * times an item, starts the calls of all items at once and drops the item links.
 */
export function customOperations(service: Service): NonNullable<INodeType['customOperations']> {
	return Object.fromEntries(
		service.resources.map((resource) => [
			resource.value,
			Object.fromEntries(
				resource.operations.map((operation) => [
					operation.value,
					async function (this: IExecuteFunctions) {
						return await executeOperation(this, service, operation);
					},
				]),
			),
		]),
	);
}

/**
 * What keeps a run from starting keeps every item from it. Left to n8n, an error with the error output on would send all
 * items out of the success output, unchanged.
 */
async function executeOperation(
	context: IExecuteFunctions,
	service: Service,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const execute = operation.executeBatch ?? executeItems;
	try {
		return await execute(context, service, operation);
	} catch (error) {
		const node = context.getNode();
		if (!context.continueOnFail()) throw toNodeError({ node, action: operation.action }, error);
		const failed = Array.from(context.getInputData().keys(), (itemIndex) => ({
			...failedItem(toNodeError(errorContextOf(node, service, operation, itemIndex), error)),
			pairedItem: { item: itemIndex },
		}));
		return [failed];
	}
}

/** An item whose turn it is, with its settings or what is wrong with them. */
type Turn = { item: ItemContext } & (
	{ settings: ItemSettings; invalid?: undefined } | { settings?: undefined; invalid: unknown }
);

/**
 * One call for each item, as many at once as the account's limiter allows, at most 'Calls at Once'. An error stops the run:
 * no further call is made.
 */
async function executeItems(
	context: IExecuteFunctions,
	service: Service,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const { queue, timeZone, startedAt } = await openRun(context, service, operation);
	const node = context.getNode();
	const parametersOf = readParameters(context);
	const signal = context.getExecutionCancelSignal();
	const order = new RecordOrder();
	const items = context.getInputData();
	const results: INodeExecutionData[][] = [];
	const progress = new RunProgress(items.length);
	const open = (itemIndex: number): Turn => {
		const errorContext = errorContextOf(node, service, operation, itemIndex);
		const item = createItemContext(context, errorContext, timeZone, parametersOf(itemIndex));
		try {
			return { item, settings: readItemSettings(item, startedAt) };
		} catch (invalid) {
			return { item, invalid };
		}
	};
	function* turns(): Generator<Turn> {
		for (const itemIndex of items.keys()) yield open(itemIndex);
	}
	const execute = async ({ item, settings, invalid }: Turn) => {
		await progress.follow(item.itemIndex, async () => {
			results[item.itemIndex] = await linkedItems(context, item, async () => {
				if (!settings) throw invalid;
				return await executeItem(item, service, operation, settings, order);
			});
		});
	};

	const rules = {
		queue,
		ceilingOf: ({ settings }: Turn) => settings?.callsAtOnce ?? Infinity,
		signal,
		isOver: () => progress.hasFailed,
		pause: async (index: number, { settings }: Turn) => {
			const { batchInterval = 0, batchSize = 1 } = settings ?? {};
			if (batchInterval > 0 && index > 0 && index % batchSize === 0) await sleep(batchInterval, signal);
		},
	};
	await startInTurn(turns(), rules, execute);
	progress.throwFirstError();
	return [results.flat()];
}

/** @returns for an item (from 0) a function from a parameter's name to its value, '' when it is not on the form */
export function readParameters(context: IExecuteFunctions): (itemIndex: number) => (name: string) => unknown {
	return createParameterReader(context, (name, itemIndex) =>
		context.getNodeParameter(name, itemIndex, '', UNCHECKED),
	);
}

/** Runs one item as a tool of an AI agent: there n8n's engine for declarative nodes runs the node. */
export function executeTool(service: Service) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const node = this.getNode();
		const read = (name: string) => this.getNodeParameter(name, '', UNCHECKED);
		const operation = chosenOperation(service, node, read('resource'), read('operation'));
		const errorContext = errorContextOf(node, service, operation, this.getItemIndex());
		return await linkedItems(this, errorContext, async () => {
			const timeZone = await readTimeZone(this, service, operation);
			const item = createItemContext(this, errorContext, timeZone, read);
			const settings = readItemSettings(item, Date.now());
			return await executeItem(item, service, operation, settings, new RecordOrder());
		});
	};
}

function chosenOperation(service: Service, node: INode, resource: unknown, operation: unknown): Operation {
	const found = findOperation(service, resource, operation);
	if (found) return found;
	const invalid = new InvalidValueError(
		'Operation',
		`is '${String(operation)}' of '${String(resource)}', which does not exist`,
		'Choose a resource and an operation from the lists',
	);
	throw toNodeError({ node, action: 'Choose operation' }, invalid);
}
