import type { IDataObject } from 'n8n-workflow';
import map from 'lodash/map';

import { type ErrorContext, type NodeError, toNodeError } from '../../../shared/errors/nodeErrors';
import type { ServiceMessage } from '../../../shared/errors/serviceMessage';
import type {
	ItemRequest,
	ItemResult,
	PlannedCall,
	PreparedItem,
	Run,
} from '../../../shared/operation/operation';
import {
	failedArticle,
	readRejection,
	rejectedArticle,
	rejectedWithBatch,
	unconfirmedArticle,
} from './batchErrors';
import { type Entry, articlesIn, entriesOf, findRepeated, keyOf } from './entries';
import { namedPlaces } from './places';
import { KeyMap, groupedBy } from '../../../shared/values/keys';

export const ON_REJECTED_BATCH = 'onRejectedBatch';
export const SET_ASIDE = 'setAside';

/** @see contract/openapi.yaml ArticleBatchRequest */
const MAX_ARTICLES_PER_CALL = 50;
const NONE_CHANGED =
	"No article of its call was changed. To update the others anyway, set 'On Rejected Batch' to 'Set Rejected Articles Aside'";
const NOT_NAMED =
	'The service did not say which one it rejected, so none of them was changed. Update fewer at a time';

/**
 * Plans the calls that update the articles of all items, for each company and brand. A call takes as many whole items as
 * fit. Items with an article that is in the list more than once fail.
 *
 * @see contract/openapi.yaml article.batchUpdate
 */
export function planBatches(items: readonly PreparedItem[], run: Run): PlannedCall[] {
	const calls: PlannedCall[] = [];
	for (const ofAddress of groupedBy(items, (prepared) => prepared.request.path)) {
		const repeated = findRepeated(ofAddress);
		const good = ofAddress.filter(({ item }) => !repeated.has(item));
		for (const batch of splitIntoBatches(good)) {
			calls.push(planBatch(batch, run));
		}
		for (const [item, repetition] of repeated) {
			const error = toNodeError(item, repetition);
			run.end([{ itemIndex: item.itemIndex, error }]);
		}
	}
	return calls;
}

function splitIntoBatches(items: readonly PreparedItem[]) {
	const batches: PreparedItem[][] = [];
	let size = Infinity;
	for (const prepared of items) {
		const count = articlesIn(prepared.request.body).length;
		if (size + count > MAX_ARTICLES_PER_CALL) {
			batches.push([]);
			size = 0;
		}
		batches.at(-1)?.push(prepared);
		size += count;
	}
	return batches;
}

function planBatch(items: readonly PreparedItem[], run: Run): PlannedCall {
	const entries = entriesOf(items);
	return {
		items: map(items, 'item'),
		changes: map(entries, 'article').map(keyOf),
		send: async () => await new Batch(items, run).update(entries),
	};
}

/** How a call ended: the articles of its response by their key, the service's rejection, or another error. */
type CallEnd =
	| { updated: Map<string, IDataObject>; status: number }
	| { rejection: ServiceMessage }
	| { error: NodeError };

function byArticleId(body: unknown) {
	const articles = new KeyMap<string, IDataObject>();
	for (const article of articlesIn(body)) {
		articles.set(keyOf(article), article);
	}
	return articles;
}

/** The articles that go out with one call or, where some are set aside, with one call after the other. */
class Batch {
	private readonly request: ItemRequest;
	private readonly errorContext: ErrorContext;
	private readonly setsRejectedAside: boolean;

	/** @param items at least one */
	constructor(
		items: readonly PreparedItem[],
		private readonly run: Run,
	) {
		const { item, request } = items[0] as PreparedItem;
		this.request = request;
		this.setsRejectedAside = item.getParameter(ON_REJECTED_BATCH) === SET_ASIDE;
		this.errorContext = item;
		if (items.length === 1) return;
		// An error of a whole call names all its items.
		const last = items.at(-1)?.item.itemIndex;
		const action = `${item.action} [items ${item.itemIndex}–${last}]`;
		this.errorContext = { ...item, itemIndex: undefined, action };
	}

	/**
	 * Updates the articles with one call. Where those that the service rejects are to be set aside, it is repeated without
	 * those that the service names.
	 */
	async update(entries: readonly Entry[]): Promise<ItemResult[]> {
		const results = new Map<Entry, ItemResult>();
		const setAside = new Map<Entry, ServiceMessage>();
		let left = entries;
		while (left.length > 0) {
			const end = await this.send(left);
			const named = this.namedBy(end, left);
			if (named.size === 0) {
				for (const entry of left) {
					results.set(entry, this.resultOf(entry, end, left));
				}
				break;
			}
			for (const [entry, said] of named) setAside.set(entry, said);
			left = left.filter((entry) => !named.has(entry));
		}
		let updated = 0;
		for (const result of results.values()) if ('records' in result) updated++;
		const hint = `${updated} of the ${entries.length} articles of its call were updated`;
		for (const [entry, said] of setAside) {
			const failed = failedArticle(entry, rejectedArticle(entry, said, hint));
			results.set(entry, { ...failed, isSetAside: true });
		}
		return entries.flatMap((entry) => results.get(entry) ?? []);
	}

	/** @throws the reason of the run's signal where the call was not sent */
	private async send(entries: readonly Entry[]): Promise<CallEnd> {
		const { account, signal } = this.run;
		let changedRecordLabel = `article ${entries[0]?.articleId}`;
		if (entries.length > 1) changedRecordLabel += ` and ${entries.length - 1} more`;
		const call = {
			...this.request,
			signal,
			body: { items: map(entries, 'article') },
			changedRecordLabel,
		};
		try {
			const response = await account.call(call, this.errorContext);
			return { updated: byArticleId(response.body), status: response.status };
		} catch (error) {
			if (error === signal.reason) signal.throwIfAborted();
			const rejection = readRejection(error);
			if (rejection) return { rejection };
			return { error: toNodeError(this.errorContext, error) };
		}
	}

	/** @returns the articles that the service names and that are to be set aside, with what it says of each */
	private namedBy(end: CallEnd, entries: readonly Entry[]) {
		const named = new Map<Entry, ServiceMessage>();
		if (!this.setsRejectedAside || !('rejection' in end)) return named;
		const { text, fields } = end.rejection;
		const places = namedPlaces(fields, entries.length);
		for (const [place, ofEntry] of places) {
			const entry = entries[place];
			if (entry) named.set(entry, { text, fields: ofEntry });
		}
		return named;
	}

	/** @param entries all those of the call */
	private resultOf(entry: Entry, end: CallEnd, entries: readonly Entry[]): ItemResult {
		if ('error' in end) return failedArticle(entry, end.error);
		if ('rejection' in end) {
			const hint = this.setsRejectedAside ? NOT_NAMED : NONE_CHANGED;
			return rejectedWithBatch(entry, {
				entries,
				said: end.rejection,
				hint,
				context: this.errorContext,
			});
		}
		const updated = end.updated.get(keyOf(entry.article));
		if (!updated) return failedArticle(entry, unconfirmedArticle(entry, end.status));
		const { itemIndex } = entry.item;
		return { itemIndex, records: [entry.shape(updated)] };
	}
}
