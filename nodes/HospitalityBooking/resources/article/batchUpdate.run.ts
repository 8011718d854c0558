import { type IDataObject, type IExecuteFunctions, type INodeExecutionData, sleep } from 'n8n-workflow';
import chunk from 'lodash/chunk';
import groupBy from 'lodash/groupBy';

import { type ErrorContext, toNodeError } from '../../../shared/errors/nodeErrors';
import { RecordOrder } from '../../../shared/http/concurrency/recordOrder';
import { startInTurn } from '../../../shared/http/concurrency/startInTurn';
import { type ServiceRequest, send } from '../../../shared/http/send';
import { readParameters } from '../../../shared/operation/executeItems';
import { type ItemContext, createItemContext, errorContextOf } from '../../../shared/operation/itemContext';
import { failedItem, recordShaper } from '../../../shared/operation/itemOutput';
import type { ItemRequest, Operation, Service } from '../../../shared/operation/operation';
import { prepareRequest } from '../../../shared/operation/request';
import { type RunSettings, readRunSettings } from '../../../shared/operation/runSettings';
import { MAX_ARTICLES_PER_CALL } from './batches';
import { type Entry, type EntryOutcome, type NodeError, idOf, updateBatch } from './updateBatch';

export const SET_ASIDE = 'setAside';

/** The run of a batch update: what all its calls share. */
interface BatchRun {
	context: IExecuteFunctions;
	service: Service;
	operation: Operation;
	settings: RunSettings;
	/** Whether refused articles are set aside and the others updated. */
	setsAside: boolean;
}

/**
 * Updates the articles of all input items, 50 a call, for each company and brand. What comes out is linked to its input
 * item, in the order of the input.
 *
 * @see contract/openapi.yaml article.batchUpdate
 */
export async function executeBatches(
	context: IExecuteFunctions,
	service: Service,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const settings = await readRunSettings(context, service, operation);
	const setsAside = context.getNodeParameter('onRejectedBatch', 0, 'fail') === SET_ASIDE;
	const run = { context, service, operation, settings, setsAside };
	const results: INodeExecutionData[][] = context.getInputData().map(() => []);
	const keep = (outcomes: readonly EntryOutcome[]) => {
		for (const { itemIndex, ...outcome } of outcomes) {
			const item = 'json' in outcome ? { json: outcome.json } : failedItem(outcome.error);
			results[itemIndex]?.push({ ...item, pairedItem: { item: itemIndex } });
		}
	};

	const { entries, refused } = await prepareEntries(run);
	keep(refused);
	const { cause, updated } = await sendEntries(run, entries, keep);
	if (!cause) return [results.flat()];
	if (updated > 0)
		cause.description = `${cause.description ?? ''}. Updated by other calls: ${updated} articles.`;
	throw cause;
}

/**
 * The articles of all input items, checked.
 *
 * @throws NodeOperationError for the first item that is refused, unless the run goes on without it
 */
async function prepareEntries(run: BatchRun): Promise<{ entries: Entry[]; refused: EntryOutcome[] }> {
	const { context, service, operation, settings, setsAside } = run;
	const node = context.getNode();
	const parametersOf = readParameters(context);
	const entries: Entry[] = [];
	const refused: EntryOutcome[] = [];
	for (const itemIndex of context.getInputData().keys()) {
		const errorContext = errorContextOf(node, service, operation, itemIndex);
		try {
			const item = createItemContext(context, errorContext, settings.timeZone, parametersOf(itemIndex));
			const request = await prepareRequest(item, service, operation, settings);
			entries.push(...entriesOf(item, request, recordShaper(item, operation)));
		} catch (reason) {
			const error = toNodeError(errorContext, reason);
			if (!setsAside && !context.continueOnFail()) throw error;
			refused.push({ itemIndex, error });
		}
	}
	return { entries, refused };
}

/**
 * Sends the articles, 50 a call. Calls with the same article keep their order.
 *
 * @param keep takes the outcomes of each call
 * @returns the error that ended the run, if any, and how many articles were updated
 */
async function sendEntries(
	{ context, settings, setsAside }: BatchRun,
	entries: readonly Entry[],
	keep: (outcomes: readonly EntryOutcome[]) => void,
): Promise<{ cause?: NodeError; updated: number }> {
	const { gate, batchInterval, callsAtOnce } = settings;
	const signal = context.getExecutionCancelSignal();
	const order = new RecordOrder();
	let cause: NodeError | undefined;
	let updated = 0;
	const sendBatch = async (batch: readonly Entry[]) => {
		const [first, last] = [batch[0], batch.at(-1)];
		if (!first || !last || cause || signal?.aborted) return;
		const errorContext = errorContextOfBatch(first.item, last.item);
		const call = async (request: ServiceRequest) => await send(context, request, errorContext);
		const outcome = await updateBatch(batch, call, errorContext, setsAside);
		if (!context.continueOnFail()) cause ??= outcome.cause;
		updated += outcome.outcomes.filter((own) => 'json' in own).length;
		keep(outcome.outcomes);
	};
	const batches = Object.values(groupBy(entries, addressOf)).flatMap((group) =>
		chunk(group, MAX_ARTICLES_PER_CALL),
	);
	const rules = {
		gate,
		ceiling: batchInterval > 0 ? 1 : callsAtOnce,
		signal,
		isOver: () => cause !== undefined,
		pause: async (index: number) => {
			if (batchInterval > 0 && index > 0) await sleep(batchInterval, signal);
		},
	};
	await startInTurn(batches, rules, async (batch) => {
		const articles = batch.map((entry) => `${entry.request.path} ${idOf(entry)}`.toLowerCase());
		await order.run(articles, async () => await sendBatch(batch));
	});
	return { cause, updated };
}

/**
 * Updates the articles of one item, as a tool of an AI agent.
 *
 * @returns the service's answer about each
 * @throws NodeApiError for the first that is refused
 */
export async function updateOfItem(item: ItemContext, request: ItemRequest): Promise<unknown[]> {
	const entries = entriesOf(item, request, (record) => record as IDataObject);
	const setsAside = item.read('onRejectedBatch') === SET_ASIDE;
	const { outcomes, cause } = await updateBatch(entries, item.call, item, setsAside);
	if (cause) throw cause;
	return outcomes.map((outcome) => {
		if ('error' in outcome) throw outcome.error;
		return outcome.json;
	});
}

function entriesOf(
	item: ItemContext,
	request: ItemRequest,
	shape: (record: unknown) => IDataObject,
): Entry[] {
	const { items } = request.body as { items: IDataObject[] };
	return items.map((article) => ({ item, request, article, shape }));
}

/** One call goes to one company and brand, with the same extra headers and query parameters. */
function addressOf({ request: { path, query, headers } }: Entry): string {
	return JSON.stringify([path, query, headers]);
}

/** Errors of a whole call name all its items. */
function errorContextOfBatch(first: ItemContext, last: ItemContext): ErrorContext {
	if (first.itemIndex === last.itemIndex) return first;
	const { node, action, addressField, statusWords } = first;
	return {
		node,
		action: `${action} [items ${first.itemIndex}–${last.itemIndex}]`,
		addressField,
		statusWords,
	};
}
