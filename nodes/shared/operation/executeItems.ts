import { type IExecuteFunctions, type INodeExecutionData, type INodeType, sleep } from 'n8n-workflow';
import chunk from 'lodash/chunk';
import pLimit from 'p-limit';

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

/** One call for each item, at most 'Calls at Once' under way. An error stops the run: no further call is made. */
async function executeItems(
	context: IExecuteFunctions,
	service: Service,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const { network, batchSize, batchInterval, callsAtOnce, timeZone } = await readRunSettings(
		context,
		service,
		operation,
	);
	const node = context.getNode();
	const parametersOf = readParameters(context);
	const signal = context.getExecutionCancelSignal();
	const items = context.getInputData();
	const results: INodeExecutionData[][] = [];
	const progress = new RunProgress(items.length);
	const execute = async (itemIndex: number) => {
		if (progress.hasFailed || signal?.aborted) return;
		const errorContext = errorContextOf(node, service, operation, itemIndex);
		await progress.follow(itemIndex, async () => {
			results[itemIndex] = await linkedItems(context, errorContext, async () => {
				const item = createItemContext(context, errorContext, timeZone, parametersOf(itemIndex));
				return await executeItem(item, service, operation, network);
			});
		});
	};

	const limit = pLimit(callsAtOnce);
	const itemIndexes = [...items.keys()];
	const batches = batchInterval > 0 ? chunk(itemIndexes, batchSize) : [itemIndexes];
	const calls: Array<Promise<void>> = [];
	for (const [index, batch] of batches.entries()) {
		if (index > 0) await sleep(batchInterval, signal);
		calls.push(...batch.map(async (itemIndex) => await limit(execute, itemIndex)));
	}
	await Promise.all(calls);
	progress.throwFirstError();
	return [results.flat()];
}

/** @returns for an item (from 0) a function from a parameter's name to its value, '' when it is not on the form */
export function readParameters(context: IExecuteFunctions): (itemIndex: number) => (name: string) => unknown {
	return createParameterReader(context, (name, itemIndex) =>
		context.getNodeParameter(name, itemIndex, '', UNCHECKED),
	);
}
