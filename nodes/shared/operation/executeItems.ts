import { type IExecuteFunctions, type INodeExecutionData, type INodeType, sleep } from 'n8n-workflow';

import { RecordOrder } from '../http/concurrency/recordOrder';
import { startInTurn } from '../http/concurrency/startInTurn';
import { executeItem } from './executeItem';
import { UNCHECKED, createItemContext, errorContextOf } from './itemContext';
import { linkedItems } from './itemOutput';
import type { Operation, Service } from './operation';
import { createParameterReader } from './parameters';
import { readRunSettings } from './runSettings';
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
						const execute = operation.executeBatch ?? executeItems;
						return await execute(this, service, operation);
					},
				]),
			),
		]),
	);
}

/**
 * One call for each item, as many at once as the account's limiter allows, at most 'Calls at Once'. An error stops the run:
 * no further call is made.
 */
async function executeItems(
	context: IExecuteFunctions,
	service: Service,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const settings = await readRunSettings(context, service, operation);
	const { queue, batchSize, batchInterval, callsAtOnce, timeZone } = settings;
	const node = context.getNode();
	const parametersOf = readParameters(context);
	const signal = context.getExecutionCancelSignal();
	const order = new RecordOrder();
	const items = context.getInputData();
	const results: INodeExecutionData[][] = [];
	const progress = new RunProgress(items.length);
	const execute = async (itemIndex: number) => {
		const errorContext = errorContextOf(node, service, operation, itemIndex);
		await progress.follow(itemIndex, async () => {
			results[itemIndex] = await linkedItems(context, errorContext, async () => {
				const item = createItemContext(context, errorContext, timeZone, parametersOf(itemIndex));
				return await executeItem(item, service, operation, settings, order);
			});
		});
	};

	const isOver = () => progress.hasFailed;
	const pause = async (index: number) => {
		if (batchInterval > 0 && index > 0 && index % batchSize === 0) await sleep(batchInterval, signal);
	};
	const rules = { queue, ceiling: callsAtOnce, signal, isOver, pause };
	await startInTurn(items.keys(), rules, execute);
	progress.throwFirstError();
	return [results.flat()];
}

/** @returns for an item (from 0) a function from a parameter's name to its value, '' when it is not on the form */
export function readParameters(context: IExecuteFunctions): (itemIndex: number) => (name: string) => unknown {
	return createParameterReader(context, (name, itemIndex) =>
		context.getNodeParameter(name, itemIndex, '', UNCHECKED),
	);
}
