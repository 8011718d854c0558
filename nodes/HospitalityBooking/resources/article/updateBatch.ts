import type { IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { type ErrorContext, toNodeError } from '../../../shared/errors/nodeErrors';
import type { ServiceRequest, ServiceResponse } from '../../../shared/http/send';
import type { ItemContext } from '../../../shared/operation/itemContext';
import type { ItemRequest } from '../../../shared/operation/operation';
import type { ItemSettings } from '../../../shared/operation/runSettings';
import { isRecord } from '../../../shared/values/record';
import {
	type BatchAnswer,
	type Complaint,
	type Outcome,
	type SendBatch,
	answersFor,
	applyOrSetAside,
	namedPlaces,
} from './batches';
import { readRejection, rejectedArticle, rejectedBatch } from './rejections';

/** One article of an input item. */
export interface Entry {
	item: ItemContext;
	/** The call, as if it were for this item alone. */
	request: ItemRequest;
	article: IDataObject;
	/** Turns the service's answer about the article into what comes out. */
	shape(record: unknown): IDataObject;
	/** Of the item. */
	settings?: ItemSettings;
}

export type NodeError = NodeApiError | NodeOperationError;

/** What became of an entry. */
export type EntryOutcome = { itemIndex: number } & ({ json: IDataObject } | { error: NodeError });

export interface BatchOutcome {
	/** One for each entry, in order. */
	outcomes: EntryOutcome[];
	/** Error to throw unless continuing on fail. */
	cause?: NodeError;
}

type Answer = BatchAnswer<unknown, string>;

const NONE_CHANGED =
	"No article of its call was changed. To update the others all the same, set 'On Rejected Batch' to 'Set Rejected Articles Aside'";
const OTHERS_CHANGED = 'The articles that are not refused were updated all the same';

/**
 * Updates at most 50 articles with one call, or sets those aside that the service refuses.
 *
 * @param call sends a request; rejects with a NodeApiError for an answer outside 2xx
 * @param errorContext of the batch as a whole
 */
export async function updateBatch(
	batch: readonly Entry[],
	call: (request: ServiceRequest) => Promise<ServiceResponse>,
	errorContext: ErrorContext,
	setsAside: boolean,
): Promise<BatchOutcome> {
	const send: SendBatch<Entry, unknown, string> = async (entries) => {
		const [first] = entries;
		if (!first) return { applied: [] };
		const body = { items: entries.map(({ article }) => article) };
		return await call({ ...first.request, body }).then(
			({ body: answer }): Answer => ({
				applied: answersFor(entries.map(idOf), articlesIn(answer), (article) => String(article.articleId)),
			}),
			async (error: unknown) => readRejection(error) ?? (await Promise.reject(error)),
		);
	};
	const known: Array<Outcome<unknown, string>> = [];
	try {
		if (setsAside) {
			await applyOrSetAside(batch, send, known);
			return { outcomes: batch.map((entry, index) => outcomeOf(entry, known[index])) };
		}
		const answer = await send(batch);
		if ('refusal' in answer) return refusedAsAWhole(batch, errorContext, answer.refusal, answer.complaints);
		return { outcomes: batch.map((entry, index) => outcomeOf(entry, { applied: answer.applied[index] })) };
	} catch (error) {
		const cause = toNodeError(errorContext, error);
		const outcomes = batch.map((entry, index) => outcomeOf(entry, known[index], cause));
		return { outcomes, cause };
	}
}

/** @returns the GUID of an entry's article. */
export function idOf({ article }: Entry): string {
	return String(article.articleId);
}

function articlesIn(answer: unknown): IDataObject[] {
	const items = isRecord(answer) ? answer.items : undefined;
	return Array.isArray(items) ? (items.filter(isRecord) as IDataObject[]) : [];
}

function outcomeOf(
	entry: Entry,
	outcome: Outcome<unknown, string> | undefined,
	cause?: NodeError,
): EntryOutcome {
	const { itemIndex } = entry.item;
	if (outcome && 'refusal' in outcome) {
		const { refusal, complaints } = outcome;
		const error = rejectedArticle(entry.item, idOf(entry), refusal, complaints, OTHERS_CHANGED);
		return { itemIndex, error };
	}
	if (!outcome && cause) return { itemIndex, error: cause };
	const nothingSaid = { articleId: idOf(entry), success: true };
	return { itemIndex, json: outcome?.applied === undefined ? nothingSaid : entry.shape(outcome.applied) };
}

/** All or nothing: the articles that are named are to blame, the others went down with them. */
function refusedAsAWhole(
	batch: readonly Entry[],
	errorContext: ErrorContext,
	said: string,
	complaints: readonly Complaint[],
): BatchOutcome {
	const named = batch.length === 1 ? new Map([[0, [...complaints]]]) : namedPlaces(complaints, batch.length);
	const blamed = batch.findIndex((_, index) => named.has(index));
	const happened =
		blamed < 0
			? `The service refused a batch of ${batch.length} articles`
			: `Not updated, because item ${batch[blamed]?.item.itemIndex} of the same batch was refused`;
	const outcomes = batch.map((entry, index) => {
		const own = named.get(index);
		const error = own
			? rejectedArticle(entry.item, idOf(entry), said, own, NONE_CHANGED)
			: rejectedBatch(entry.item, happened, said, complaints, NONE_CHANGED);
		return { itemIndex: entry.item.itemIndex, error };
	});
	const cause =
		outcomes[blamed]?.error ?? rejectedBatch(errorContext, happened, said, complaints, NONE_CHANGED);
	return { outcomes, cause };
}
