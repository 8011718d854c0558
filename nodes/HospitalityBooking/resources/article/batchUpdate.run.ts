import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';
import chunk from 'lodash/chunk';
import groupBy from 'lodash/groupBy';
import map from 'lodash/map';
import partition from 'lodash/partition';

import { type ErrorContext, apiError, toNodeError } from '../../../shared/errors/nodeErrors';
import { type Pace, startInTurn } from '../../../shared/operation/startInTurn';
import type { ServiceRequest } from '../../../shared/auth/account';
import type { ServiceResponse } from '../../../shared/http/response';
import type { ItemContext } from '../../../shared/operation/itemContext';
import { failedItem, recordShaper } from '../../../shared/operation/output';
import type { ItemRequest, Operation, Service } from '../../../shared/operation/operation';
import { prepareRequest } from '../../../shared/operation/request';
import { openRun } from '../../../shared/operation/run';
import { readItemSettings } from '../../../shared/operation/runSettings';
import { isRecord } from '../../../shared/values/record';
import { articleFields } from './articleFields';
import {
	type BatchResponse,
	type Outcome,
	type Refusal,
	applyOrSetAside,
	fieldOfArticle,
	namedPlaces,
	recordsFor,
} from './setAside';

export const SET_ASIDE = 'setAside';

/** @see contract/openapi.yaml ArticleBatchRequest */
const MAX_ARTICLES_PER_CALL = 50;
const REFUSED = 400;
const NONE_CHANGED =
	"No article of its call was changed. To update the others all the same, set 'On Rejected Batch' to 'Set Rejected Articles Aside'";
const OTHERS_CHANGED = 'The articles that are not refused were updated all the same';

/** One article of an input item. */
interface Entry {
	item: ItemContext;
	/** The call, as if it were for this item alone. */
	request: ItemRequest;
	article: IDataObject;
	/** Turns the service's record of the article into what comes out. */
	shape(record: unknown): IDataObject;
	pace: Pace;
}

type NodeError = ReturnType<typeof toNodeError>;

/** What became of an entry. */
type EntryOutcome = { itemIndex: number } & ({ json: IDataObject } | { error: NodeError });

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
	const setsAside = context.getNodeParameter('onRejectedBatch', 0, 'fail') === SET_ASIDE;
	const run = await openRun(context, service, operation, 'items');
	const { order, progress } = run;
	const results: INodeExecutionData[][] = context.getInputData().map(() => []);
	const keep = ({ itemIndex, ...outcome }: EntryOutcome) => {
		const pairedItem = { item: itemIndex };
		const item = 'json' in outcome ? { ...outcome, pairedItem } : failedItem(outcome.error, pairedItem);
		results[itemIndex]?.push(item);
	};
	const entries: Entry[] = [];
	for (const itemIndex of results.keys()) {
		const item = run.openItem(itemIndex);
		try {
			entries.push(...(await prepareEntries(item, operation, run.startedAt)));
		} catch (reason) {
			const error = toNodeError(item, reason);
			if (!context.continueOnFail()) throw error;
			keep({ itemIndex, error });
		}
	}

	let updated = 0;
	const sendBatch = async (batch: readonly Entry[]) => {
		const [first, last] = [batch[0], batch.at(-1)];
		if (!first || !last || run.isOver() || run.signal?.aborted) return;
		const errorContext = errorContextOfBatch(first.item, last.item);
		const call = async (request: ServiceRequest) => await run.account.call(request, errorContext);
		progress.start(batch.map(({ item }) => item.itemIndex));
		const { outcomes, cause } = await updateBatch(batch, call, errorContext, setsAside);
		const [applied, failed] = partition(outcomes, (outcome) => 'json' in outcome);
		progress.end(map(applied, 'itemIndex'));
		outcomes.forEach(keep);
		if (context.continueOnFail()) return;
		if (cause && !run.isOver() && updated > 0)
			cause.description = `${cause.description ?? ''}. Updated by other calls: ${updated} articles`;
		if (cause) progress.fail(map(failed, 'itemIndex'), cause);
		else for (const { itemIndex, error } of failed) progress.setAside(itemIndex, error);
		updated += applied.length;
	};
	const batches = Object.values(groupBy(entries, callOf)).flatMap((group) =>
		chunk(group, MAX_ARTICLES_PER_CALL),
	);
	await startInTurn(batches, { ...run, paceOf: paceOfBatch }, async (batch) => {
		const articles = batch.map((entry) => `${entry.request.path} ${idOf(entry)}`.toLowerCase());
		await order.run(articles, async () => await sendBatch(batch));
	});
	run.hints.show(context);
	progress.throwFirstError();
	return [results.flat()];
}

/** The articles of an input item, checked. */
async function prepareEntries(item: ItemContext, operation: Operation, startedAt: number): Promise<Entry[]> {
	const settings = readItemSettings(item, startedAt);
	const request = await prepareRequest(item, operation, settings);
	const shape = recordShaper(item, operation.output);
	return articlesIn(request.body).map((article) => ({ item, request, article, shape, pace: settings }));
}

/** Batches that wait for each other go out one by one. */
function paceOfBatch(batch: readonly Entry[]): Pace {
	const batchInterval = batch[0]?.pace.batchInterval ?? 0;
	const callsAtOnce = batch.map(({ pace }) => (pace.batchInterval > 0 ? 1 : pace.callsAtOnce));
	return { callsAtOnce: Math.min(...callsAtOnce), batchSize: 1, batchInterval };
}

/**
 * Updates the articles of one item, as a tool of an AI agent.
 *
 * @returns the service's record of each
 * @throws NodeApiError for the first that is refused
 */
export async function updateOfItem(item: ItemContext, request: ItemRequest): Promise<unknown[]> {
	const shape = (record: unknown) => record as IDataObject;
	const entries = articlesIn(request.body).map((article) => ({ item, request, article, shape }));
	const setsAside = item.read('onRejectedBatch') === SET_ASIDE;
	const { outcomes, cause } = await updateBatch(entries, item.call, item, setsAside);
	if (cause) throw cause;
	return outcomes.map((outcome) => {
		if ('error' in outcome) throw outcome.error;
		return outcome.json;
	});
}

type SentEntry = Pick<Entry, 'item' | 'request' | 'article' | 'shape'>;

/**
 * Updates at most 50 articles with one call, or sets those aside that the service refuses.
 *
 * @param call sends a request; rejects with a NodeApiError for a response outside 2xx
 * @param errorContext of the batch as a whole
 * @returns an outcome for each entry, in order, and the error to throw unless the run continues on fail
 */
async function updateBatch(
	batch: readonly SentEntry[],
	call: (request: ServiceRequest) => Promise<ServiceResponse>,
	errorContext: ErrorContext,
	setsAside: boolean,
): Promise<{ outcomes: EntryOutcome[]; cause?: NodeError }> {
	const sendAll = async (entries: readonly SentEntry[]): Promise<BatchResponse<unknown>> => {
		const [first] = entries;
		if (!first) return { applied: [] };
		const body = { items: entries.map(({ article }) => article) };
		const others = entries.length > 1 ? ` and ${entries.length - 1} more` : '';
		const record = `article ${idOf(first)}${others}`;
		return await call({ ...first.request, body, record }).then(
			(response) => {
				const records = articlesIn(response.body);
				return { applied: recordsFor(entries.map(idOf), records, ({ articleId }) => String(articleId)) };
			},
			async (error: unknown) => readRefusal(error) ?? (await Promise.reject(error)),
		);
	};
	const known: Array<Outcome<unknown>> = [];
	let cause: NodeError | undefined;
	try {
		if (setsAside) await applyOrSetAside(batch, sendAll, known);
		else {
			const response = await sendAll(batch);
			if ('refusal' in response) return refusedAsAWhole(batch, errorContext, response.refusal);
			known.push(...response.applied.map((applied) => ({ applied })));
		}
	} catch (error) {
		cause = toNodeError(errorContext, error);
	}
	return { outcomes: batch.map((entry, index) => outcomeOf(entry, known[index], cause)), cause };
}

function outcomeOf(entry: SentEntry, outcome?: Outcome<unknown>, cause?: NodeError): EntryOutcome {
	const { itemIndex } = entry.item;
	if (outcome && 'refusal' in outcome)
		return { itemIndex, error: refusedArticle(entry, outcome.refusal, OTHERS_CHANGED) };
	if (!outcome && cause) return { itemIndex, error: cause };
	const record = outcome?.applied;
	const json = record === undefined ? { articleId: idOf(entry), success: true } : entry.shape(record);
	return { itemIndex, json };
}

/** All or nothing: the articles that are named are to blame, the others went down with them. */
function refusedAsAWhole(batch: readonly SentEntry[], errorContext: ErrorContext, refusal: Refusal) {
	const { text, complaints } = refusal;
	const named = batch.length === 1 ? new Map([[0, complaints]]) : namedPlaces(complaints, batch.length);
	const blamed = batch.findIndex((_, place) => named.has(place));
	const happened =
		blamed < 0
			? `The service refused a batch of ${batch.length} articles`
			: `Not updated, because item ${batch[blamed]?.item.itemIndex} of the same batch was refused`;
	const outcomes = batch.map((entry, place) => {
		const own = named.get(place);
		const error = own
			? refusedArticle(entry, { text, complaints: own }, NONE_CHANGED)
			: refusedBatch(entry.item, happened, refusal);
		return { itemIndex: entry.item.itemIndex, error };
	});
	return { outcomes, cause: outcomes[blamed]?.error ?? refusedBatch(errorContext, happened, refusal) };
}

/**
 * @param error what a call ended with
 * @returns undefined for anything but a refusal of the batch
 * @see contract/openapi.yaml ArticleValidationError
 */
function readRefusal(error: unknown): { refusal: Refusal } | undefined {
	const service = error instanceof NodeApiError ? error.context.service : undefined;
	if (!isRecord(service) || service.status !== REFUSED) return undefined;
	const fields = Array.isArray(service.fields) ? service.fields.filter(isRecord) : [];
	const complaints = fields.map(({ field, message }) => ({ field: String(field), errorId: String(message) }));
	return { refusal: { text: typeof service.text === 'string' ? service.text : '', complaints } };
}

/** The refusal of one article, with `articleId`, `field`, `errorId` and all `validationErrors` in its details. */
function refusedArticle(entry: SentEntry, { text, complaints }: Refusal, hint: string): NodeApiError {
	const own = complaints.map(({ field, errorId }) => ({ field: fieldOfArticle(field), errorId }));
	const displayName = (path: string) =>
		articleFields.find(({ at }) => at === path)?.property.displayName ?? path;
	const named = list(own.map(({ field, errorId }) => ({ field: displayName(field), errorId })));
	const articleId = idOf(entry);
	const details = { articleId, ...(own[0] ?? { field: '', errorId: '' }), validationErrors: own };
	const happened = `The service refused ${named || 'the article'}`;
	const refusal = { text, complaints: own };
	return refused(entry.item, happened, refusal, [`Article ${articleId}`, says(text), hint], details);
}

/** The refusal of a batch, for an article that the service does not name. */
function refusedBatch(errorContext: ErrorContext, happened: string, refusal: Refusal): NodeApiError {
	const words = [refusal.text, list(refusal.complaints)].filter(Boolean).join('. ');
	return refused(errorContext, happened, refusal, [says(words), NONE_CHANGED]);
}

function refused(
	errorContext: ErrorContext,
	happened: string,
	{ text, complaints }: Refusal,
	sentences: string[],
	details: object = {},
): NodeApiError {
	const fields = complaints.map(({ field, errorId }) => ({ field, message: errorId }));
	const description = sentences.filter(Boolean).join('. ');
	const all = { status: REFUSED, text, fields, ...details };
	return apiError(errorContext, `${happened} (${REFUSED})`, description, all);
}

function says(words: string): string {
	return words && `The service says: ${words}`;
}

function list(complaints: Refusal['complaints']): string {
	return complaints.map(({ field, errorId }) => (field ? `'${field}': ${errorId}` : errorId)).join('; ');
}

/** @returns the GUID of an entry's article */
function idOf({ article }: Pick<Entry, 'article'>): string {
	return String(article.articleId);
}

/** The articles of a request or a response. */
function articlesIn(body: unknown): IDataObject[] {
	const items = isRecord(body) ? body.items : undefined;
	return Array.isArray(items) ? (items.filter(isRecord) as IDataObject[]) : [];
}

/** Articles with the same one go together: company and brand, headers, query parameters and network settings. */
function callOf({ request: { body: _, ...call } }: Entry): string {
	return JSON.stringify(call);
}

/** Errors of a whole call name all its items. */
function errorContextOfBatch(first: ItemContext, last: ItemContext): ErrorContext {
	if (first.itemIndex === last.itemIndex) return first;
	const { node, action, addressField, statusWords, inRun } = first;
	const items = `[items ${first.itemIndex}–${last.itemIndex}]`;
	return { node, action: `${action} ${items}`, addressField, statusWords, inRun };
}
