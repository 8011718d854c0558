import { isRecord } from '../values/record';

/** One field that the service complained about. */
export interface FieldComplaint {
	field: string;
	message: string;
}

/** What can be read out of the body of an answer that is not a success. */
export interface ServiceMessage {
	/** The service's own words, cleaned; '' when it gave none. */
	text: string;
	fields: FieldComplaint[];
}

const MAX_TEXT_LENGTH = 400;

/**
 * Reads what the service says in an error body: ProblemDetails (first document), ArticleValidationError (second
 * document), an OAuth error, HTML from a proxy, plain text or nothing.
 *
 * @param body parsed JSON, a text, or undefined
 */
export function readServiceMessage(body: unknown): ServiceMessage {
	if (typeof body === 'string') return { text: readText(body), fields: [] };
	if (!isRecord(body)) return { text: '', fields: [] };
	const words = [body.title, body.message, body.error, body.error_description, body.detail]
		.filter((part): part is string => typeof part === 'string' && part.trim() !== '')
		.map((part) => part.trim());
	const text = clip(mask([...new Set(words)].join(': ')));
	return { text, fields: [...readValidationErrors(body.validationErrors), ...readProblemErrors(body)] };
}

/** Replaces bearer tokens and JSON web tokens, so that none reaches a message, an output or a log. */
export function mask(text: string): string {
	return text
		.replace(/\bBearer\s+[\w.~+/=-]+/gi, 'Bearer ***')
		.replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***');
}

/** @returns a text as the JSON it holds, where it holds any; n8n's older request helper leaves that to the caller */
export function parseText(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		return JSON.parse(body);
	} catch {
		return body;
	}
}

function readValidationErrors(list: unknown): FieldComplaint[] {
	if (!Array.isArray(list)) return [];
	return list.filter(isRecord).map(({ field, errorId }) => ({
		field: clip(String(field ?? '')),
		message: clip(String(errorId ?? '')),
	}));
}

/** ProblemDetails may carry a map from field to messages in `errors` or in `extensions.errors`. */
function readProblemErrors(body: Record<string, unknown>): FieldComplaint[] {
	const extensions = isRecord(body.extensions) ? body.extensions : {};
	const errors = isRecord(body.errors) ? body.errors : extensions.errors;
	if (!isRecord(errors)) return [];
	return Object.entries(errors).map(([field, messages]) => ({
		field: clip(field),
		message: clip(mask(Array.isArray(messages) ? messages.join(', ') : String(messages))),
	}));
}

function readText(text: string): string {
	const looksLikeHtml = /<(!doctype|html|head|body|h1|p|div)\b/i.test(text);
	if (!looksLikeHtml) return clip(mask(text.replace(/\s+/g, ' ').trim()));
	const title =
		/<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1] ?? /<h1[^>]*>([^<]*)<\/h1>/i.exec(text)?.[1] ?? '';
	return clip(`a web page instead of data${title.trim() ? `: ${mask(title.trim())}` : ''}`);
}

function clip(text: string): string {
	return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH - 1)}…` : text;
}
