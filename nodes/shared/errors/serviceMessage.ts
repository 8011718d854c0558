import truncate from 'lodash/truncate';

import { isRecord } from '../values/record';
import { redactTokens } from './secrets';

/** What the service says of one field, '' for none. */
export interface FieldMessage {
	field: string;
	message: string;
}

/** What can be read out of the body of a response that is not a success. */
export interface ServiceMessage {
	/** The service's own words, cleaned; '' when it gave none. */
	text: string;
	fields: readonly FieldMessage[];
}

const MAX_TEXT_LENGTH = 400;

/**
 * Reads what the service says in an error body: ProblemDetails, ArticleValidationError, an OAuth error, HTML from a
 * proxy, plain text or nothing.
 *
 * @param body parsed JSON, a text, or undefined
 * @see contract/openapi.yaml ProblemDetails, ArticleValidationError
 */
export function readServiceMessage(body: unknown): ServiceMessage {
	if (typeof body === 'string') return { text: readText(body), fields: [] };
	if (!isRecord(body)) return { text: '', fields: [] };
	const words = [body.title, body.message, body.error, body.error_description, body.detail]
		.filter((part): part is string => typeof part === 'string' && part.trim() !== '')
		.map((part) => part.trim());
	const fields = [...readValidationErrors(body.validationErrors), ...readProblemErrors(body)];
	return {
		text: tidy([...new Set(words)].join(': ')),
		fields: fields.map(({ field, message }) => ({ field: tidy(field), message: tidy(message) })),
	};
}

/** @returns what the service says of fields, as a person reads it */
export function listFields(fields: readonly FieldMessage[]): string {
	return fields.map(({ field, message }) => (field ? `'${field}': ${message}` : message)).join('; ');
}

/** @returns the service's own words as one sentence; '' where there are none */
export function says(...words: string[]): string {
	const said = words.filter(Boolean).join('. ');
	return said && `The service says: ${said}`;
}

function readValidationErrors(list: unknown): FieldMessage[] {
	if (!Array.isArray(list)) return [];
	return list.filter(isRecord).map(({ field, errorId }) => ({
		field: asText(field),
		message: asText(errorId),
	}));
}

/** ProblemDetails may carry a map from field to messages in `errors` or in `extensions.errors`. */
function readProblemErrors(body: Record<string, unknown>): FieldMessage[] {
	const extensions = isRecord(body.extensions) ? body.extensions : {};
	const errors = isRecord(body.errors) ? body.errors : extensions.errors;
	if (!isRecord(errors)) return [];
	return Object.entries(errors).map(([field, messages]) => ({
		field,
		message: [messages].flat().map(asText).join(', '),
	}));
}

/** A service may put anything in the place of a text. */
function asText(value: unknown): string {
	return typeof value === 'object' ? '' : String(value ?? '');
}

/** Whether a text is a web page, or a part of one. */
export function looksLikeHtml(text: string): boolean {
	return /<(!doctype|html|head|body|h1|p|div)\b/i.test(text);
}

function readText(text: string): string {
	if (!looksLikeHtml(text)) return tidy(text.replace(/\s+/g, ' ').trim());
	const title =
		/<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1] ?? /<h1[^>]*>([^<]*)<\/h1>/i.exec(text)?.[1] ?? '';
	return tidy(`a web page instead of data${title.trim() ? `: ${title.trim()}` : ''}`);
}

function tidy(text: string): string {
	return truncate(redactTokens(text), { length: MAX_TEXT_LENGTH, omission: '…' });
}
