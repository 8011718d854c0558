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
const NOT_NAMED =
	'The service did not say which one it rejected, so none of them was changed. Update fewer at a time';
const REPEAT_ARTICLE = 'To update it, repeat its row once that is fixed';

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
			const count = articlesIn(prepared.request.body).length;
			if (size > 0 && size + count > MAX_ARTICLES_PER_CALL) {
				yield planBatch(batch, run);
				[batch, size] = [[], 0];
			}
			batch.push(prepared);
			size += count;
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
	const setsAside = first.item.read(ON_REJECTED_BATCH) === SET_ASIDE;
	try {
		const refusal = setsAside ? await applyOrSetAside(entries, send) : await send(entries);
		if (refusal) {
			const left = entries.filter(({ fate }) => !fate);
			const refused = refusedBatch(left, errorContext, refusal, setsAside ? NOT_NAMED : NONE_CHANGED);
			return entries.map((entry) => refused[left.indexOf(entry)] ?? outcomeOf(entry, entries));
		}
	} catch (reason) {
		if (entries.every(({ fate }) => !fate)) {
			signal.throwIfAborted();
			throw toNodeError(errorContext, reason);
		}
	}
	return entries.map((entry) => outcomeOf(entry, entries));
}

function outcomeOf(entry: Entry, batch: readonly Entry[]): ItemOutcome {
	const { item, articleId, shape, fate } = entry;
	if (!fate) {
		const what = `The article in ${rowOf(entry)} was not updated: a call with other articles of its batch failed`;
		const error = apiError(item, what, [REPEAT_ARTICLE], { status: 0, text: '', fields: [] });
		return { ...failureOf(entry, error), isConsequence: true };
	}
	if ('failure' in fate) return failureOf(entry, fate.failure);
	if ('refusal' in fate) {
		const updated = batch.filter((one) => one.fate && 'applied' in one.fate).length;
		const hint = `${updated} of the ${batch.length} articles of its call were updated`;
		return { ...failureOf(entry, refusedArticle(entry, fate.refusal, hint)), isSetAside: true };
	}
	const json = fate.applied === undefined ? { articleId, success: true } : shape(fate.applied);
	return { itemIndex: item.itemIndex, records: [json] };
}

/** As a person finds it in the list that the items come from: `row 3 (Toast Skagen)`. */
function rowOf({ item: { itemIndex }, article, articleId }: Entry): string {
	return `row ${itemIndex + 1} (${typeof article.name === 'string' ? article.name : `article ${articleId}`})`;
}

function failureOf({ item, articleId }: Entry, error: NodeError) {
	return { itemIndex: item.itemIndex, error, details: { articleId } };
}

/** The batch is all or nothing: the named articles caused the rejection, the others failed with them. */
function refusedBatch(
	entries: readonly Entry[],
	errorContext: ErrorContext,
	{ text, fields }: ServiceMessage,
	hint: string,
): ItemOutcome[] {
	const named = namedPlaces(fields, entries.length);
	const blamed = entries.find((_, place) => named.has(place));
	const sentences = [says(text, listFields(fields)), hint];
	const context = { status: REFUSED, text, fields };
	return entries.map((entry, place) => {
		const ofArticle = named.get(place);
		if (ofArticle) return failureOf(entry, refusedArticle(entry, { text, fields: ofArticle }, hint));
		const error = apiError(
			blamed ? entry.item : errorContext,
			blamed
				? `The article in ${rowOf(entry)} was not updated: the service rejected ${rowOf(blamed)}, which was in the same call (${REFUSED})`
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
function refusedArticle(entry: Entry, { text, fields: named }: ServiceMessage, hint: string): NodeApiError {
	const { item, articleId } = entry;
	const fields = named.map(({ field, message }) => ({ field: fieldOfArticle(field), message }));
	const displayName = (name: string) =>
		articleFields.find(({ path }) => path === name)?.property.displayName ?? name;
	const shown = listFields(fields.map(({ field, message }) => ({ field: displayName(field), message })));
	const validationErrors = fields.map(({ field, message }) => ({ field, errorId: message }));
	const details = { articleId, field: '', errorId: '', ...validationErrors[0], validationErrors };
	return apiError(
		item,
		`The service rejected the article in ${rowOf(entry)}${shown && `: ${shown}`} (${REFUSED})`,
		[`Article ${articleId}`, says(text), hint],
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
