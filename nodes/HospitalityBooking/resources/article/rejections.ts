import { NodeApiError } from 'n8n-workflow';

import { type ErrorContext, apiError } from '../../../shared/errors/nodeErrors';
import { isRecord } from '../../../shared/values/record';
import { articleFields } from './articleFields';
import { type Complaint, fieldOfArticle } from './batches';

const REFUSED = 400;

/**
 * @param error what a call ended with
 * @returns the service's own words ('' when it gave none) and its complaints, when it refused the batch;
 * undefined for anything else
 * @see contract/openapi.yaml ArticleValidationError
 */
export function readRejection(error: unknown): { refusal: string; complaints: Complaint[] } | undefined {
	const service = error instanceof NodeApiError ? error.context.service : undefined;
	if (!isRecord(service) || service.status !== REFUSED) return undefined;
	const fields = Array.isArray(service.fields) ? service.fields.filter(isRecord) : [];
	return {
		refusal: typeof service.text === 'string' ? service.text : '',
		complaints: fields.map(({ field, message }) => ({ field: String(field), errorId: String(message) })),
	};
}

/**
 * The refusal of one article, with `articleId`, `field`, `errorId` and all `validationErrors` in its details.
 *
 * @param errorContext of the article's input item
 * @param said the service's own words
 * @param complaints about this article alone
 * @param hint what became of the others, and how to fix it
 */
export function rejectedArticle(
	errorContext: ErrorContext,
	articleId: string,
	said: string,
	complaints: readonly Complaint[],
	hint: string,
): NodeApiError {
	const own = complaints.map(({ field, errorId }) => ({ field: fieldOfArticle(field), errorId }));
	const named = list(own.map(({ field, errorId }) => ({ field: displayed(field), errorId })));
	const first = own[0] ?? { field: '', errorId: '' };
	return apiError(
		errorContext,
		`The service refused ${named || 'the article'} (${REFUSED})`,
		sentences(`Article ${articleId}`, said && `The service says: ${said}`, hint),
		{ ...details(said, own), articleId, ...first, validationErrors: own },
	);
}

/** The refusal of a batch, for an article that the service does not name. */
export function rejectedBatch(
	errorContext: ErrorContext,
	happened: string,
	said: string,
	complaints: readonly Complaint[],
	hint: string,
): NodeApiError {
	const words = [said, list(complaints)].filter(Boolean).join('. ');
	return apiError(
		errorContext,
		`${happened} (${REFUSED})`,
		sentences(words && `The service says: ${words}`, hint),
		details(said, complaints),
	);
}

function details(said: string, complaints: readonly Complaint[]) {
	const fields = complaints.map(({ field, errorId }) => ({ field, message: errorId }));
	return { status: REFUSED, text: said, fields };
}

function list(complaints: readonly Complaint[]): string {
	return complaints.map(({ field, errorId }) => (field ? `'${field}': ${errorId}` : errorId)).join('; ');
}

function sentences(...parts: string[]): string {
	return parts.filter(Boolean).join('. ');
}

function displayed(field: string): string {
	return articleFields.find(({ at }) => at === field)?.property.displayName ?? field;
}
