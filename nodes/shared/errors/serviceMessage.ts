import get from 'lodash/get';
import isEmpty from 'lodash/isEmpty';
import isString from 'lodash/isString';

import { asText } from '../values/asText';
import { KeySet, unique } from '../values/keys';
import { joined, plainText } from '../values/plainText';
import { isRecord } from '../values/record';
import { redacted } from './secrets';

/** What the service says of one field, '' for none. */
export interface FieldMessage {
	field: string;
	message: string;
}

/** What an error body says: shortened and without the call's secrets, both by `redacted` in `errors/secrets.ts`. */
export interface ServiceMessage {
	/** The service's own words; '' when it gave none. */
	text: string;
	fields: readonly FieldMessage[];
	/** It stood on a web page, e.g. of a firewall: what that says is not the service's. */
	isPage?: true;
}

/** A batch has 50 articles with some fields each. */
const MAX_FIELDS = 500;
/** Characters of all messages of a response, with their data filled in. */
const MAX_TOGETHER = 500_000;
/** Of a message with data filled in. It is longer than what {@link redacted} reads, which so sees that it was cut. */
const MOST_READ_OF_MESSAGE = 20_000;
const MOST_SHOWN_OF_FIELDS = 1_000;

/**
 * Reads what the service says in an error body: ProblemDetails, ArticleValidationError, CheckoutResult, an OAuth error, HTML
 * from a proxy, plain text or nothing.
 *
 * @param body parsed JSON, a text, or undefined
 * @see contract/openapi.yaml ProblemDetails, ArticleValidationError, CheckoutResult
 */
export function readServiceMessage(body: unknown, secrets: readonly string[]): ServiceMessage {
	if (typeof body === 'string') return readText(body, secrets);
	if (!isRecord(body)) return { text: '', fields: [] };
	const parts = [body.title, body.message, body.error, body.error_description, body.detail];
	const words = parts.filter(isString).map((part) => part.trim());
	const text = joined(unique(words), ': ');
	const fields = readFields(body).map((said) => ({
		field: redacted(said.field, secrets),
		message: redacted(said.message, secrets),
	}));
	return { text: redacted(text, secrets), fields };
}

/** @returns what an error body says of fields, in whichever of the documented forms */
function readFields(body: Record<string, unknown>): FieldMessage[] {
	const ofArticles = readFieldList(body.validationErrors);
	const ofProblem = readProblemErrors(body);
	const ofResults = readValidationResults(body, 'Errors');
	const all = ofArticles.concat(ofProblem, ofResults);
	return all.slice(0, MAX_FIELDS);
}

/** @returns what the service says of one field */
export function inWords(said: FieldMessage): string {
	if (said.field === '') return said.message;
	return `'${said.field}': ${said.message}`;
}

/** @returns what the service says of fields, as a person reads it */
export function listFields(fields: readonly FieldMessage[]): string {
	const list = fields.map(inWords).join('; ');
	return plainText(list, MOST_SHOWN_OF_FIELDS);
}

/** @returns the service's own words as one sentence; '' where there are none */
export function serviceSays(...words: string[]): string {
	const said = joined(words);
	if (said === '') return '';
	return `The service says: ${said}`;
}

type Severity = 'Errors' | 'Warnings';

/**
 * @param body a CheckoutResult. The API leaves open whether its messages are lists; one alone, or as a text, counts too
 * @returns the messages of `validationResult` and of every entry of `validationResults`, each once, with its data filled in
 */
export function readValidationResults(body: unknown, kind: Severity): FieldMessage[] {
	if (!isRecord(body)) return [];
	const messages: FieldMessage[] = [];
	const known = new KeySet<string>();
	let left = MAX_TOGETHER;
	for (const given of messagesOf(body, kind)) {
		const message = readMessage(given);
		if (!message) continue;
		const words = inWords(message);
		if (!known.has(words)) messages.push(message);
		known.add(words);
		left -= words.length;
		if (left <= 0 || messages.length === MAX_FIELDS) break;
	}
	return messages;
}

/** @returns the messages as received, those of all results in one list */
function messagesOf(body: Record<string, unknown>, kind: Severity): unknown[] {
	let results = [body.validationResult];
	if (isRecord(body.validationResults)) {
		results = results.concat(Object.values(body.validationResults));
	}
	const groups: unknown[] = [];
	for (const result of results) {
		if (!isRecord(result)) continue;
		const general = result[`general${kind}`];
		const ofProperties = result[`property${kind}`];
		groups.push(general, ofProperties);
	}
	const filled = groups.filter((group) => !isEmpty(group));
	return filled.flat();
}

/** @returns undefined for what says nothing */
function readMessage(given: unknown): FieldMessage | undefined {
	if (isRecord(given)) {
		const message = withData(textOrNothing(given.message), given.messageData);
		return { field: textOrNothing(given.propertyName), message };
	}
	if (!isString(given) || given.trim() === '') return undefined;
	return { field: '', message: withData(given) };
}

/** @param data what stands for the placeholders, e.g. `{minimum}`: cut, because a message may repeat it */
function withData(message: string, data?: unknown): string {
	const template = message.slice(0, MOST_READ_OF_MESSAGE) || 'no message given';
	if (!isRecord(data)) return template;
	let left = MOST_READ_OF_MESSAGE;
	const filled = template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
		if (!Object.hasOwn(data, name)) return placeholder;
		const text = textOrNothing(data[name]);
		const value = text.slice(0, left);
		left -= value.length;
		return value;
	});
	return filled.slice(0, MOST_READ_OF_MESSAGE);
}

function readFieldList(list: unknown): FieldMessage[] {
	if (!Array.isArray(list)) return [];
	return list.filter(isRecord).map((entry) => {
		const message = textOrNothing(entry.message) || textOrNothing(entry.errorId);
		return { field: textOrNothing(entry.field), message };
	});
}

/** ProblemDetails may carry fields in `errors` or in `extensions.errors`: a list, or a map from field to messages. */
function readProblemErrors(body: Record<string, unknown>): FieldMessage[] {
	const errors = body.errors ?? get(body.extensions, 'errors');
	if (!isRecord(errors)) return readFieldList(errors);
	return Object.entries(errors).map(([field, messages]) => {
		const texts = [messages].flat().map(textOrNothing);
		return { field, message: texts.join(', ') };
	});
}

/** A service may send anything instead of a text. */
function textOrNothing(value: unknown): string {
	if (value === undefined || typeof value === 'object') return '';
	return asText(value);
}

/** Whether a text is a web page or part of one. */
export function looksLikeHtml(text: string): boolean {
	return /<(?:!doctype|html|head|body|h1|p|div)\b/i.test(text);
}

function readText(text: string, secrets: readonly string[]): ServiceMessage {
	if (!looksLikeHtml(text)) {
		const line = text.replace(/\s+/g, ' ');
		return { text: redacted(line.trim(), secrets), fields: [] };
	}
	const heading = /<(?:title|h1)\b[^<>]*>(.*?)(?:<\/|$)/is.exec(text);
	const title = heading?.[1]?.trim();
	const said = joined(['a web page instead of data', title], ': ');
	return { text: redacted(said, secrets), fields: [], isPage: true };
}
