import { type IDataObject, NodeApiError } from 'n8n-workflow';
import groupBy from 'lodash/groupBy';
import keyBy from 'lodash/keyBy';

import {
	type ErrorContext,
	type NodeError,
	apiError,
	toNodeError,
} from '../../../shared/errors/nodeErrors';
import { type ServiceMessage, listFields, says } from '../../../shared/errors/serviceMessage';
import type {
	ItemResult,
	PlannedCall,
	PreparedItem,
	Run,
} from '../../../shared/operation/operation';
import { isRecord } from '../../../shared/values/record';
import { articleFields } from './articleFields';
import { fieldOfArticle, namedPlaces } from './places';

export const ON_REJECTED_BATCH = 'onRejectedBatch';
export const SET_ASIDE = 'setAside';

/** @see contract/openapi.yaml ArticleBatchRequest */
const MAX_ARTICLES_PER_CALL = 50;
const REFUSED = 400;
const NONE_CHANGED =
	"No article of its call was changed. To update the others anyway, set 'On Rejected Batch' to 'Set Rejected Articles Aside'";
const NOT_NAMED =
	'The service did not say which one it rejected, so none of them was changed. Update fewer at a time';

/** An article, and the item that it is of. */
interface Entry extends Pick<PreparedItem, 'item' | 'shape'> {
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
	return {
		items: batch.map(({ item }) => item),
		changes: entries.map(({ article }) => idOf(article)),
		send: async () => await updateBatch(entries, batch, run),
	};
}

/**
 * Updates the articles with one call. Where those that the service rejects are to be set aside, it is repeated without those
 * that the service names.
 */
async function updateBatch(
	entries: readonly Entry[],
	batch: readonly PreparedItem[],
	{ account, signal }: Run,
): Promise<ItemResult[]> {
	const [first, last] = [batch[0], batch.at(-1)];
	if (!first || !last) return [];
	// Errors of a whole call name all its items.
	const action = `${first.item.action} [items ${first.item.itemIndex}–${last.item.itemIndex}]`;
	const errorContext =
		first === last ? first.item : { ...first.item, itemIndex: undefined, action };
	const setsAside = first.item.getParameter(ON_REJECTED_BATCH) === SET_ASIDE;
	const aside = new Map<Entry, ServiceMessage>();
	/** @returns what became of the articles, as far as they are not set aside */
	const send = async (left: readonly Entry[]): Promise<ItemResult[]> => {
		const body = { items: left.map(({ article }) => article) };
		const record = `article ${left[0]?.articleId}${left.length > 1 ? ` and ${left.length - 1} more` : ''}`;
		try {
			const response = await account.call({ ...first.request, signal, body, record }, errorContext);
			const byId = keyBy(articlesIn(response.body), idOf);
			return left.map(({ item: { itemIndex }, article, articleId, shape }) => {
				const updated = byId[idOf(article)];
				return { itemIndex, records: [updated ? shape(updated) : { articleId, success: true }] };
			});
		} catch (error) {
			if (error === signal.reason) signal.throwIfAborted();
			const refusal = readRefusal(error);
			if (!refusal) return left.map((entry) => failureOf(entry, toNodeError(errorContext, error)));
			const named = setsAside ? namedPlaces(refusal.fields, left.length) : new Map<number, never>();
			if (named.size === 0)
				return refusedBatch(left, errorContext, refusal, setsAside ? NOT_NAMED : NONE_CHANGED);
			const rest: Entry[] = [];
			for (const [place, entry] of left.entries()) {
				const fields = named.get(place);
				if (fields) aside.set(entry, { text: refusal.text, fields });
				else rest.push(entry);
			}
			return rest.length > 0 ? await send(rest) : [];
		}
	};
	const others = await send(entries);
	const updated = others.filter((outcome) => 'records' in outcome).length;
	const hint = `${updated} of the ${entries.length} articles of its call were updated`;
	return entries.flatMap((entry) => {
		const refusal = aside.get(entry);
		return refusal
			? { ...failureOf(entry, refusedArticle(entry, refusal, hint)), isSetAside: true }
			: others.splice(0, 1);
	});
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
): ItemResult[] {
	const named = namedPlaces(fields, entries.length);
	const blamed = entries.find((_, place) => named.has(place));
	const sentences = [says(text, listFields(fields)), hint];
	const context = { status: REFUSED, text, fields };
	return entries.map((entry, place) => {
		const ofArticle = named.get(place);
		if (ofArticle)
			return failureOf(entry, refusedArticle(entry, { text, fields: ofArticle }, hint));
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
	return isRecord(service) && service.status === REFUSED
		? (service as unknown as ServiceMessage)
		: undefined;
}

/** The rejection of one article, with `articleId`, `field`, `errorId` and all `validationErrors` in its details. */
function refusedArticle(
	entry: Entry,
	{ text, fields: named }: ServiceMessage,
	hint: string,
): NodeApiError {
	const { item, articleId } = entry;
	const fields = named.map(({ field, message }) => ({ field: fieldOfArticle(field), message }));
	const displayName = (name: string) =>
		articleFields.find(({ path }) => path === name)?.property.displayName ?? name;
	const shown = listFields(
		fields.map(({ field, message }) => ({ field: displayName(field), message })),
	);
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

/** Of an article, to find it by: GUIDs are the same in any letter case. */
function idOf({ articleId }: IDataObject): string {
	return String(articleId).toLowerCase();
}
