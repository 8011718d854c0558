import { NodeApiError } from 'n8n-workflow';

import { type ErrorContext, type NodeError, apiError } from '../../../shared/errors/nodeErrors';
import {
	type FieldMessage,
	type ServiceMessage,
	listFields,
	serviceSays,
} from '../../../shared/errors/serviceMessage';
import type { FailedItem } from '../../../shared/operation/operation';
import { isRecord } from '../../../shared/values/record';
import { articleFields } from './articleFields';
import { type Entry, nameOf, itemLabelOf } from './entries';
import { fieldOfArticle, namedPlaces } from './places';

const REJECTED = 400;

export function failedArticle({ item, articleId }: Entry, error: NodeError): FailedItem {
	return { itemIndex: item.itemIndex, error, details: { articleId } };
}

/**
 * @param error of a call
 * @returns what the service says; undefined unless it rejected the batch
 * @see contract/openapi.yaml ArticleValidationError
 */
export function readRejection(error: unknown): ServiceMessage | undefined {
	const said = error instanceof NodeApiError ? error.context.service : undefined;
	if (!isRecord(said) || said.status !== REJECTED) return undefined;
	return said as unknown as ServiceMessage;
}

/** A batch that the service rejected as a whole. */
interface RejectedBatch {
	entries: readonly Entry[];
	said: ServiceMessage;
	hint: string;
	/** For a rejection that names no article. */
	context: ErrorContext;
}

/** The failure of an article of a rejected batch: it caused the rejection, or it failed with those that did. */
export function rejectedWithBatch(entry: Entry, batch: RejectedBatch): FailedItem {
	const { entries, said, hint } = batch;
	const { text, fields } = said;
	const places = namedPlaces(fields, entries.length);
	const place = entries.indexOf(entry);
	const ofEntry = places.get(place);
	if (ofEntry) {
		const rejected = rejectedArticle(entry, { text, fields: ofEntry }, hint);
		return failedArticle(entry, rejected);
	}
	let { context } = batch;
	let happened = `The service rejected a call with ${entries.length} articles`;
	const cause = entries.find((_, index) => places.has(index));
	if (cause) {
		context = entry.item;
		happened = `The article ${nameOf(entry)} was not updated: the service rejected ${itemLabelOf(cause)}, which was in the same call`;
	}
	const error = apiError(
		context,
		`${happened} (${REJECTED})`,
		[serviceSays(text, listFields(fields)), hint],
		{ status: REJECTED, text, fields },
	);
	return { ...failedArticle(entry, error), isConsequence: true };
}

/**
 * The rejection of one article, with `articleId`, `field`, `errorId` and all `validationErrors` in its details.
 *
 * @param said what the service says of it
 */
export function rejectedArticle(entry: Entry, said: ServiceMessage, hint: string): NodeApiError {
	const { articleId } = entry;
	const fields: FieldMessage[] = [];
	const shown: FieldMessage[] = [];
	const validationErrors: Array<{ field: string; errorId: string }> = [];
	for (const { field: place, message } of said.fields) {
		const field = fieldOfArticle(place);
		fields.push({ field, message });
		shown.push({ field: displayNameOf(field), message });
		validationErrors.push({ field, errorId: message });
	}
	const reasons = listFields(shown);
	let happened = `The service rejected the article ${nameOf(entry)}`;
	if (reasons) happened += `: ${reasons}`;
	return apiError(
		entry.item,
		`${happened} (${REJECTED})`,
		[`Article ${articleId}`, serviceSays(said.text), hint],
		{
			status: REJECTED,
			text: said.text,
			fields,
			articleId,
			field: fields[0]?.field ?? '',
			errorId: fields[0]?.message ?? '',
			validationErrors,
		},
	);
}

function displayNameOf(path: string) {
	const found = articleFields.find((field) => field.path === path);
	return found?.property.displayName ?? path;
}

/** For an article that the response to its call leaves out. */
export function unconfirmedArticle(entry: Entry, status: number): NodeApiError {
	const { item, articleId } = entry;
	return apiError(
		item,
		`No confirmation came for the article ${nameOf(entry)}: the change may have been made`,
		[
			`The response of the service does not contain article ${articleId}`,
			'Look at it in the service before you repeat the call',
		],
		{ status, text: '', fields: [], articleId },
	);
}
