import { type IDataObject, type IExecuteFunctions, type INodeExecutionData, sleep } from 'n8n-workflow';
import pLimit from 'p-limit';

import { type ErrorContext, toNodeError } from '../../../shared/errors/nodeErrors';
import { type ItemContext, createItemContext } from '../../../shared/operation/itemContext';
import type { Operation, Service } from '../../../shared/operation/operation';
import { createParameterReader } from '../../../shared/operation/parameters';
import {
	UNCHECKED,
	failedItem,
	outputShaper,
	prepareRequest,
	readRunSettings,
} from '../../../shared/operation/execute';
import { type ServiceRequest, send } from '../../../shared/http/send';
import { inBatches, overlap } from './batches';
import { type Entry, type NodeError, idOf, updateBatch } from './updateBatch';

export const SET_ASIDE = 'setAside';

/**
 * Updates the articles of all input items, 50 a call, for each company and brand (second document, 'Batch Update
 * Articles'). What comes out is linked to its input item, in the order of the input.
 */
export async function runBatches(
	context: IExecuteFunctions,
	service: Service,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const settings = await readRunSettings(context, service, operation);
	const setsAside = context.getNodeParameter('onRejectedBatch', 0, 'fail') === SET_ASIDE;
	const place = { node: context.getNode(), action: operation.action };
	const items = context.getInputData();
	const results: INodeExecutionData[][] = items.map(() => []);
	const entries: Entry[] = [];
	const parametersOf = createParameterReader(context, (name, itemIndex) =>
		context.getNodeParameter(name, itemIndex, '', UNCHECKED),
	);
	for (const itemIndex of items.keys()) {
		const itemPlace = { ...place, itemIndex };
		try {
			const run = createItemContext(context, itemPlace, settings.wire, parametersOf(itemIndex));
			const request = await prepareRequest(run, service, operation, settings.network);
			entries.push(...entriesOf(run, request, outputShaper(run, operation)));
		} catch (error) {
			const nodeError = toNodeError(itemPlace, error);
			if (!setsAside && !context.continueOnFail()) throw nodeError;
			results[itemIndex] = [{ ...failedItem(nodeError), pairedItem: { item: itemIndex } }];
		}
	}

	const signal = context.getExecutionCancelSignal();
	const limit = pLimit(settings.batchInterval > 0 ? 1 : settings.callsAtOnce);
	const causes: NodeError[] = [];
	let updated = 0;
	let started = 0;
	const work = async (batch: Entry[]) => {
		if (settings.batchInterval > 0 && started++ > 0) await sleep(settings.batchInterval, signal);
		if (causes.length > 0 || signal?.aborted) return;
		const batchPlace = placeOf(place, batch);
		const call = async (request: ServiceRequest) => await send(context, request, batchPlace);
		const { outcomes, cause } = await updateBatch(batch, call, batchPlace, setsAside);
		if (cause && !context.continueOnFail()) causes.push(cause);
		for (const { itemIndex, ...outcome } of outcomes) {
			const item = 'json' in outcome ? { json: outcome.json } : failedItem(outcome.error);
			if ('json' in outcome) updated++;
			results[itemIndex]?.push({ ...item, pairedItem: { item: itemIndex } });
		}
	};
	await Promise.all(
		byAddress(entries).map(async (group) => {
			const batches = inBatches(group);
			const keepsOrder = overlap(batches.map((batch) => batch.map(idOf)));
			if (keepsOrder) for (const batch of batches) await limit(work, batch);
			else await Promise.all(batches.map(async (batch) => await limit(work, batch)));
		}),
	);
	const [cause] = causes;
	if (!cause) return [results.flat()];
	if (updated > 0)
		cause.description = `${cause.description ?? ''}. Updated by other calls: ${updated} articles.`;
	throw cause;
}

/**
 * Updates the articles of one item where n8n's engine for declarative nodes is in charge: as a tool of an AI agent.
 *
 * @returns the service's answer about each
 * @throws NodeApiError for the first that is refused
 */
export async function updateOfItem(run: ItemContext, request: ServiceRequest): Promise<unknown[]> {
	const entries = entriesOf(run, request, (record) => record as IDataObject);
	const setsAside = run.read('onRejectedBatch') === SET_ASIDE;
	const { outcomes, cause } = await updateBatch(entries, run.call, run.place, setsAside);
	if (cause) throw cause;
	return outcomes.map((outcome) => {
		if ('error' in outcome) throw outcome.error;
		return outcome.json;
	});
}

function entriesOf(
	{ itemIndex, place }: ItemContext,
	request: ServiceRequest,
	shape: (record: unknown) => IDataObject,
): Entry[] {
	const { items } = request.body as { items: IDataObject[] };
	return items.map((article) => ({ place: { ...place, itemIndex }, request, article, shape }));
}

/** Where something went wrong with a call as a whole: all its items. */
function placeOf(place: ErrorContext, batch: readonly Entry[]): ErrorContext {
	const numbers = batch.map((entry) => entry.place.itemIndex);
	const [first = 0, last = first] = [numbers[0], numbers.at(-1)];
	return first === last
		? { ...place, itemIndex: first }
		: { ...place, action: `${place.action} [items ${first}–${last}]` };
}

/** One call goes to one company and brand, with the same extra headers and query parameters. */
function byAddress(entries: readonly Entry[]): Entry[][] {
	const groups = new Map<string, Entry[]>();
	for (const entry of entries) {
		const { path, query, headers } = entry.request;
		const address = JSON.stringify([path, query, headers]);
		const group = groups.get(address);
		if (group) group.push(entry);
		else groups.set(address, [entry]);
	}
	return [...groups.values()];
}
