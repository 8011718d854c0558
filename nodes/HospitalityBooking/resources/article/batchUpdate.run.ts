import { type IDataObject, type IExecuteFunctions, type INodeExecutionData, sleep } from 'n8n-workflow';
import chunk from 'lodash/chunk';
import groupBy from 'lodash/groupBy';
import partition from 'lodash/partition';

import { type ErrorContext, toNodeError } from '../../../shared/errors/nodeErrors';
import { RecordOrder } from '../../../shared/http/concurrency/recordOrder';
import { startInTurn } from '../../../shared/http/concurrency/startInTurn';
import { type ServiceRequest, send } from '../../../shared/http/send';
import { readParameters } from '../../../shared/operation/executeItems';
import { type ItemContext, createItemContext, errorContextOf } from '../../../shared/operation/itemContext';
import { failedItem, recordShaper } from '../../../shared/operation/itemOutput';
import type { ItemRequest, Operation, Service } from '../../../shared/operation/operation';
import { prepareRequest } from '../../../shared/operation/request';
import { RunProgress } from '../../../shared/operation/runProgress';
import {
	type ItemSettings,
	type Run,
	openRun,
	readItemSettings,
} from '../../../shared/operation/runSettings';
import { MAX_ARTICLES_PER_CALL } from './batches';
import { type Entry, type EntryOutcome, idOf, updateBatch } from './updateBatch';

export const SET_ASIDE = 'setAside';

/** The run of a batch update: what all its calls share. */
interface BatchRun {
	context: IExecuteFunctions;
	service: Service;
	operation: Operation;
	opened: Run;
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
	const opened = await openRun(context, service, operation);
	const setsAside = context.getNodeParameter('onRejectedBatch', 0, 'fail') === SET_ASIDE;
	const run = { context, service, operation, opened, setsAside };
	const results: INodeExecutionData[][] = context.getInputData().map(() => []);
	const keep = (outcomes: readonly EntryOutcome[]) => {
		for (const { itemIndex, ...outcome } of outcomes) {
			const item = 'json' in outcome ? { json: outcome.json } : failedItem(outcome.error);
			results[itemIndex]?.push({ ...item, pairedItem: { item: itemIndex } });
		}
	};

	const { entries, refused } = await prepareEntries(run);
	keep(refused);
	const progress = await sendEntries(run, entries, keep);
	progress.throwFirstError();
	return [results.flat()];
}

/**
 * The articles of all input items, checked.
 *
 * @throws NodeOperationError for the first item that is refused, unless the run goes on without it
 */
async function prepareEntries(run: BatchRun): Promise<{ entries: Entry[]; refused: EntryOutcome[] }> {
	const { context, service, operation, opened } = run;
	const node = context.getNode();
	const parametersOf = readParameters(context);
	const entries: Entry[] = [];
	const refused: EntryOutcome[] = [];
	for (const itemIndex of context.getInputData().keys()) {
		const errorContext = errorContextOf(node, service, operation, itemIndex);
		try {
			const item = createItemContext(context, errorContext, opened.timeZone, parametersOf(itemIndex));
			const settings = readItemSettings(item, opened.startedAt);
			const request = await prepareRequest(item, service, operation, settings);
			entries.push(...entriesOf(item, request, recordShaper(item, operation), settings));
		} catch (reason) {
			const error = toNodeError(errorContext, reason);
			if (!context.continueOnFail()) throw error;
			refused.push({ itemIndex, error });
		}
	}
	return { entries, refused };
}

/**
 * Sends the articles, 50 a call. Calls with the same article keep their order.
 *
 * @param keep takes the outcomes of each call
 * @returns what has become of the items, with the error that ended the run, if any
 */
async function sendEntries(
	{ context, opened, setsAside }: BatchRun,
	entries: readonly Entry[],
	keep: (outcomes: readonly EntryOutcome[]) => void,
): Promise<RunProgress> {
	const signal = context.getExecutionCancelSignal();
	const order = new RecordOrder();
	const progress = new RunProgress(context.getInputData().length, 'items');
	let updated = 0;
	const sendBatch = async (batch: readonly Entry[]) => {
		const [first, last] = [batch[0], batch.at(-1)];
		if (!first || !last || progress.hasFailed || signal?.aborted) return;
		const errorContext = errorContextOfBatch(first.item, last.item);
		const call = async (request: ServiceRequest) => await send(context, request, errorContext);
		progress.start(batch.map(({ item }) => item.itemIndex));
		const { outcomes, cause } = await updateBatch(batch, call, errorContext, setsAside);
		const [applied, failed] = partition(outcomes, (outcome) => 'json' in outcome);
		progress.end(applied.map(({ itemIndex }) => itemIndex));
		if (context.continueOnFail()) return keep(outcomes);
		if (!cause)
			for (const { itemIndex, ...outcome } of outcomes)
				if ('error' in outcome) progress.refuse(itemIndex, outcome.error);
		if (cause) {
			if (!progress.hasFailed && updated > 0)
				cause.description = `${cause.description ?? ''}. Updated by other calls: ${updated} articles`;
			progress.fail(
				failed.map(({ itemIndex }) => itemIndex),
				cause,
			);
		}
		updated += applied.length;
		keep(outcomes);
	};
	const batches = Object.values(groupBy(entries, addressOf)).flatMap((group) =>
		chunk(group, MAX_ARTICLES_PER_CALL),
	);
	const rules = {
		queue: opened.queue,
		ceilingOf: (batch: readonly Entry[]) =>
			intervalOf(batch) > 0 ? 1 : Math.min(...batch.map(({ settings }) => settings?.callsAtOnce ?? Infinity)),
		signal,
		isOver: () => progress.hasFailed,
		pause: async (index: number, batch: readonly Entry[]) => {
			if (intervalOf(batch) > 0 && index > 0) await sleep(intervalOf(batch), signal);
		},
	};
	await startInTurn(batches, rules, async (batch) => {
		const articles = batch.map((entry) => `${entry.request.path} ${idOf(entry)}`.toLowerCase());
		await order.run(articles, async () => await sendBatch(batch));
	});
	return progress;
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
	settings?: ItemSettings,
): Entry[] {
	const { items } = request.body as { items: IDataObject[] };
	return items.map((article) => ({ item, request, article, shape, settings }));
}

/** One call goes to one company and brand, with the same extra headers, query parameters and network settings. */
function addressOf({ request: { path, query, headers, network, giveUpAt } }: Entry): string {
	return JSON.stringify([path, query, headers, network, giveUpAt]);
}

/** Milliseconds between two calls. */
function intervalOf(batch: readonly Entry[]): number {
	return batch[0]?.settings?.batchInterval ?? 0;
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
