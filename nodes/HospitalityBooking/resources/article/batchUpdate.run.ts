import { type IDataObject, NodeApiError } from 'n8n-workflow';
import groupBy from 'lodash/groupBy';

import { type ErrorContext, type NodeError, apiError, toNodeError } from '../../../shared/errors/nodeErrors';
import { type ServiceMessage, listFields, says } from '../../../shared/errors/serviceMessage';
import type { ItemContext, PlannedCall, PreparedItem, Run } from '../../../shared/operation/operation';
import type { ItemOutcome } from '../../../shared/operation/outcomes';
import { isRecord } from '../../../shared/values/record';
import { articleFields } from './articleFields';
import { type Fated, applyOrSetAside, fieldOfArticle, namedPlaces, recordsFor } from './setAside';

export const ON_REJECTED_BATCH = 'onRejectedBatch';
export const SET_ASIDE = 'setAside';

/** @see contract/openapi.yaml ArticleBatchRequest */
const MAX_ARTICLES_PER_CALL = 50;
const REFUSED = 400;
const NONE_CHANGED =
	"No article of its call was changed. To update the others anyway, set 'On Rejected Batch' to 'Set Rejected Articles Aside'";
const REPEAT_ARTICLE = 'To update it, repeat the item once that is fixed';
const OTHERS_CHANGED = 'The articles that were not rejected were updated';

/** An article, the item that it is of, and what became of it. */
interface Entry extends Fated, Pick<PreparedItem, 'item' | 'shape'> {
	article: IDataObject;
	articleId: string;
}

/**
 * Plans the calls that update the articles of all items, for each company and brand. A call takes as many whole items as
 * fit.
 *
 * @see contract/openapi.yaml article.batchUpdate
 */
export function* planBatches(items: readonly PreparedItem[], run: Run): Generator<PlannedCall> {
	for (const ofAddress of Object.values(groupBy(items, ({ request }) => request.path))) {
		let batch: PreparedItem[] = [];
		let size = 0;
		for (const prepared of ofAddress) {
			const own = articlesIn(prepared.request.body).length;
			if (size > 0 && size + own > MAX_ARTICLES_PER_CALL) {
				yield planBatch(batch, run);
				[batch, size] = [[], 0];
			}
			batch.push(prepared);
			size += own;
		}
		yield planBatch(batch, run);
	}
}

function planBatch(batch: readonly PreparedItem[], run: Run): PlannedCall {
	const entries = batch.flatMap(({ item, request, shape }) =>
		articlesIn(request.body).map((article): Entry => {
			return { item, shape, article, articleId: String(article.articleId) };
		}),
	);
	const path = batch[0]?.request.path;
	return {
		items: batch.map(({ item }) => item),
		changes: entries.map(({ articleId }) => `${path} ${articleId}`.toLowerCase()),
		send: async () => await updateBatch(entries, batch, run),
	};
}

/** Updates the articles with one call, or sets those aside that the service rejects. */
async function updateBatch(
	entries: readonly Entry[],
	batch: readonly PreparedItem[],
	{ account, signal }: Run,
): Promise<ItemOutcome[]> {
	const [first, last] = [batch[0], batch.at(-1)];
	if (!first || !last) return [];
	const errorContext = errorContextOfBatch(first.item, last.item);
	/** @returns why the call was refused; undefined where its articles were updated */
	const send = async (some: readonly Entry[]): Promise<ServiceMessage | undefined> => {
		const body = { items: some.map(({ article }) => article) };
		const ids = some.map(({ articleId }) => articleId);
		const record = `article ${ids[0]}${ids.length > 1 ? ` and ${ids.length - 1} more` : ''}`;
		try {
			const response = await account.call({ ...first.request, signal, body, record }, errorContext);
			const records = recordsFor(ids, articlesIn(response.body));
			for (const [index, entry] of some.entries()) entry.fate = { applied: records[index] };
			return undefined;
		} catch (error) {
			const refusal = readRefusal(error);
			if (refusal) return refusal;
			if (error === signal.reason) signal.throwIfAborted();
			const failure = toNodeError(errorContext, error);
			for (const entry of some) entry.fate = { failure };
			throw failure;
		}
	};
	try {
		if (first.item.read(ON_REJECTED_BATCH) === SET_ASIDE) await applyOrSetAside(entries, send);
		else {
			const refusal = await send(entries);
			if (refusal) return refusedBatch(entries, errorContext, refusal);
		}
	} catch (reason) {
		if (entries.every(({ fate }) => !fate)) {
			signal.throwIfAborted();
			throw toNodeError(errorContext, reason);
		}
	}
	return entries.map(outcomeOf);
}

function outcomeOf(entry: Entry): ItemOutcome {
	const { item, articleId, shape, fate } = entry;
	if (!fate) {
		const what = 'The article was not updated: a call with other articles of its batch failed';
		const error = apiError(item, what, [REPEAT_ARTICLE], { status: 0, text: '', fields: [] });
		return { ...failureOf(entry, error), isConsequence: true };
	}
	if ('failure' in fate) return failureOf(entry, fate.failure);
	if ('refusal' in fate) {
		const error = refusedArticle(entry, fate.refusal, OTHERS_CHANGED);
		return { ...failureOf(entry, error), isSetAside: true };
	}
	const json = fate.applied === undefined ? { articleId, success: true } : shape(fate.applied);
	return { itemIndex: item.itemIndex, records: [json] };
}

function failureOf({ item, articleId }: Entry, error: NodeError) {
	return { itemIndex: item.itemIndex, error, details: { articleId } };
}

/** The batch is all or nothing: the named articles caused the rejection, the others failed with them. */
function refusedBatch(
	entries: readonly Entry[],
	errorContext: ErrorContext,
	{ text, fields }: ServiceMessage,
): ItemOutcome[] {
	const named = namedPlaces(fields, entries.length);
	const blamed = entries.find((_, place) => named.has(place));
	const sentences = [says(text, listFields(fields)), NONE_CHANGED];
	const context = { status: REFUSED, text, fields };
	return entries.map((entry, place) => {
		const own = named.get(place);
		if (own) return failureOf(entry, refusedArticle(entry, { text, fields: own }, NONE_CHANGED));
		const error = apiError(
			blamed ? entry.item : errorContext,
			blamed
				? `The article was not updated: the service rejected article ${blamed.articleId} of item ${blamed.item.itemIndex}, which was in the same call (${REFUSED})`
				: `The service rejected a call with ${entries.length} articles (${REFUSED})`,
			sentences,
			context,
		);
		return { ...failureOf(entry, error), isConsequence: true };
	});
}

/** @returns undefined unless the service rejected the batch. @see contract/openapi.yaml ArticleValidationError */
function readRefusal(error: unknown): ServiceMessage | undefined {
	const service = error instanceof NodeApiError ? error.context.service : undefined;
	return isRecord(service) && service.status === REFUSED ? (service as unknown as ServiceMessage) : undefined;
}

/** The rejection of one article, with `articleId`, `field`, `errorId` and all `validationErrors` in its details. */
function refusedArticle(
	{ item, articleId }: Entry,
	{ text, fields: named }: ServiceMessage,
	hint: string,
): NodeApiError {
	const fields = named.map(({ field, message }) => ({ field: fieldOfArticle(field), message }));
	const displayName = (name: string) =>
		articleFields.find(({ path }) => path === name)?.property.displayName ?? name;
	const shown = listFields(fields.map(({ field, message }) => ({ field: displayName(field), message })));
	const validationErrors = fields.map(({ field, message }) => ({ field, errorId: message }));
	const details = { articleId, field: '', errorId: '', ...validationErrors[0], validationErrors };
	const sentences = [`Article ${articleId}`, says(text), hint];
	return apiError(
		item,
		shown
			? `The service rejected the article: ${shown} (${REFUSED})`
			: `The service rejected the article (${REFUSED})`,
		sentences,
		{ status: REFUSED, text, fields, ...details },
	);
}

function articlesIn(body: unknown): IDataObject[] {
	const items = isRecord(body) ? body.items : undefined;
	return Array.isArray(items) ? (items.filter(isRecord) as IDataObject[]) : [];
}

/** Errors of a whole call name all its items. */
function errorContextOfBatch(first: ItemContext, last: ItemContext): ErrorContext {
	if (first.itemIndex === last.itemIndex) return first;
	const { node, action, addressField, statusWords, inRun } = first;
	const items = `[items ${first.itemIndex}–${last.itemIndex}]`;
	return { node, action: `${action} ${items}`, addressField, statusWords, inRun };
}
