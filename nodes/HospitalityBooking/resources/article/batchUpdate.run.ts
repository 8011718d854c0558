import { type IDataObject, NodeApiError } from 'n8n-workflow';
import chunk from 'lodash/chunk';
import groupBy from 'lodash/groupBy';
import min from 'lodash/min';

import { type ErrorContext, type NodeError, apiError, toNodeError } from '../../../shared/errors/nodeErrors';
import { type ServiceMessage, listFields, says } from '../../../shared/errors/serviceMessage';
import type { ItemContext, ItemRequest, Run } from '../../../shared/operation/operation';
import { readItemSettings } from '../../../shared/operation/options';
import { recordShaper } from '../../../shared/operation/output';
import { prepareRequest } from '../../../shared/operation/request';
import type { ItemOutcome } from '../../../shared/operation/runProgress';
import { type Pace, startInTurn } from '../../../shared/operation/startInTurn';
import { isRecord } from '../../../shared/values/record';
import { articleFields } from './articleFields';
import {
	type BatchResponse,
	type Outcome,
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

interface Entry {
	item: ItemContext;
	/** The call, as if it were for this item alone. */
	request: ItemRequest;
	article: IDataObject;
	articleId: string;
	/** Turns the service's record of the article into what comes out. */
	shape(record: unknown): IDataObject;
	pace: Pace;
}

/**
 * Updates the articles of all input items, 50 a call, for each company and brand. What comes out is linked to its input
 * item, in the order of the input.
 *
 * @see contract/openapi.yaml article.batchUpdate
 */
export async function executeBatches(run: Run): Promise<void> {
	const entries: Entry[] = [];
	for (const itemIndex of run.itemIndexes) {
		const item = run.openItem(itemIndex);
		try {
			for (const entry of await prepareEntries(item, run)) entries.push(entry);
		} catch (reason) {
			const error = toNodeError(item, reason);
			run.progress.end([{ itemIndex, error }], error);
			if (run.progress.isOver) return;
		}
	}
	const batches = Object.values(groupBy(entries, callOf)).flatMap((group) =>
		chunk(group, MAX_ARTICLES_PER_CALL),
	);
	await startInTurn(batches, run, paceOf, async (batch) => {
		const articles = batch.map(({ request, articleId }) => `${request.path} ${articleId}`.toLowerCase());
		await run.order.run(articles, async () => await updateBatch(batch, run));
	});
}

async function prepareEntries(item: ItemContext, { operation }: Run): Promise<Entry[]> {
	const pace = readItemSettings(item);
	const request = await prepareRequest(item, operation, pace);
	const shape = recordShaper(item.read, operation.output);
	return articlesIn(request.body).map((article) => {
		return { item, request, article, articleId: String(article.articleId), shape, pace };
	});
}

/** Articles with the same one go together: company and brand, headers, query parameters and network settings. */
function callOf({ request: { body: _, ...call } }: Entry): string {
	return JSON.stringify(call);
}

/** Batches that wait for each other go out one by one. */
function paceOf(batch: readonly Entry[]): Pace {
	const batchInterval = batch[0]?.pace.batchInterval ?? 0;
	const callsAtOnce = min(batch.map(({ pace }) => (pace.batchInterval > 0 ? 1 : pace.callsAtOnce)));
	return { callsAtOnce: callsAtOnce ?? 1, batchSize: 1, batchInterval };
}

/** Updates at most 50 articles with one call, or sets those aside that the service refuses. */
async function updateBatch(batch: readonly Entry[], { account, progress, signal }: Run): Promise<void> {
	const [first, last] = [batch[0], batch.at(-1)];
	if (!first || !last || progress.isOver || signal?.aborted) return;
	const errorContext = errorContextOfBatch(first.item, last.item);
	const send = async (entries: readonly Entry[]): Promise<BatchResponse<unknown>> => {
		const body = { items: entries.map(({ article }) => article) };
		const ids = entries.map(({ articleId }) => articleId);
		const record = `article ${ids[0]}${ids.length > 1 ? ` and ${ids.length - 1} more` : ''}`;
		try {
			const response = await account.call({ ...first.request, body, record }, errorContext);
			return { applied: recordsFor(ids, articlesIn(response.body)) };
		} catch (error) {
			const refusal = readRefusal(error);
			if (!refusal) throw toNodeError(errorContext, error);
			return { refusal };
		}
	};
	const known: Array<Outcome<unknown>> = [];
	let cause: NodeError | undefined;
	try {
		if (first.item.read('onRejectedBatch') === SET_ASIDE) await applyOrSetAside(batch, send, known);
		else {
			const response = await send(batch);
			if ('refusal' in response) {
				endRefused(batch, errorContext, response.refusal, progress);
				return;
			}
			for (const applied of response.applied) known.push({ applied });
		}
	} catch (error) {
		cause = toNodeError(errorContext, error);
	}
	progress.end(
		batch.map((entry, index) => outcomeOf(entry, known[index], cause)),
		cause,
	);
}

function outcomeOf(entry: Entry, outcome?: Outcome<unknown>, cause?: NodeError): ItemOutcome {
	const { itemIndex } = entry.item;
	if (outcome && 'refusal' in outcome)
		return { itemIndex, error: refusedArticle(entry, outcome.refusal, OTHERS_CHANGED) };
	if (!outcome && cause) return { itemIndex, error: cause };
	const record = outcome?.applied;
	const json = record === undefined ? { articleId: entry.articleId, success: true } : entry.shape(record);
	return { itemIndex, records: [json] };
}

/** All or nothing: the articles that are named are to blame, the others went down with them. */
function endRefused(
	batch: readonly Entry[],
	errorContext: ErrorContext,
	refusal: ServiceMessage,
	progress: Run['progress'],
): void {
	const { text, fields } = refusal;
	const named = namedPlaces(fields, batch.length);
	const blamed = batch.findIndex((_, place) => named.has(place));
	const happened =
		blamed < 0
			? `The service refused a batch of ${batch.length} articles`
			: `Not updated, because item ${batch[blamed]?.item.itemIndex} of the same batch was refused`;
	const outcomes = batch.map((entry, place) => {
		const own = named.get(place);
		const error = own
			? refusedArticle(entry, { text, fields: own }, NONE_CHANGED)
			: refusedBatch(entry.item, happened, refusal);
		return { itemIndex: entry.item.itemIndex, error };
	});
	progress.end(outcomes, outcomes[blamed]?.error ?? refusedBatch(errorContext, happened, refusal));
}

/** @returns undefined for anything but a refusal of the batch. @see contract/openapi.yaml ArticleValidationError */
function readRefusal(error: unknown): ServiceMessage | undefined {
	const service = error instanceof NodeApiError ? error.context.service : undefined;
	return isRecord(service) && service.status === REFUSED ? (service as unknown as ServiceMessage) : undefined;
}

/** The refusal of one article, with `articleId`, `field`, `errorId` and all `validationErrors` in its details. */
function refusedArticle(
	{ item, articleId }: Entry,
	{ text, fields: named }: ServiceMessage,
	hint: string,
): NodeApiError {
	const fields = named.map(({ field, message }) => ({ field: fieldOfArticle(field), message }));
	const displayName = (path: string) =>
		articleFields.find(({ at }) => at === path)?.property.displayName ?? path;
	const shown = listFields(fields.map(({ field, message }) => ({ field: displayName(field), message })));
	const validationErrors = fields.map(({ field, message }) => ({ field, errorId: message }));
	const details = { articleId, field: '', errorId: '', ...validationErrors[0], validationErrors };
	const happened = `The service refused ${shown || 'the article'} (${REFUSED})`;
	const sentences = [`Article ${articleId}`, says(text), hint];
	return apiError(item, happened, sentences, { status: REFUSED, text, fields, ...details });
}

/** The refusal of a batch, for an article that the service does not name. */
function refusedBatch(errorContext: ErrorContext, happened: string, refusal: ServiceMessage): NodeApiError {
	const sentences = [says(refusal.text, listFields(refusal.fields)), NONE_CHANGED];
	return apiError(errorContext, `${happened} (${REFUSED})`, sentences, { status: REFUSED, ...refusal });
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
