import trimEnd from 'lodash/trimEnd';

import { asText } from './asText';
import { InvalidValueError } from './invalidValue';
import { quoted } from './plainText';
import { isBlank } from './blank';
import { checkWellFormed } from './text';

const NIL_GUID = /^0{8}(?:-0{4}){3}-0{12}$/;
export const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const NOT_NIL = '(?!0{8}(?:-0{4}){3}-0{12})';
const GUID_DIGITS = String.raw`${NOT_NIL}[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`;
/** What {@link readGuid} accepts, for n8n to check while a person types: blanks around a GUID, braces, either case. */
export const GUID_PATTERN = String.raw`\s*(?:${GUID_DIGITS}|\{\s*${GUID_DIGITS}\s*\})\s*`;
const ENTERED_GUID = new RegExp(`^${GUID_PATTERN}$`);

/** Whether a value is a GUID as a person may enter it. */
export function isGuid(value: unknown): boolean {
	return typeof value === 'string' && ENTERED_GUID.test(value);
}

/**
 * Reads an identifier from the form or an expression.
 *
 * @param label the parameter's name as displayed
 * @returns the text to send, not yet encoded: never empty, and neither `.` nor `..`
 * @throws InvalidValueError that names the parameter and says what is allowed
 */
export function readIdentifier(value: unknown, label: string): string {
	const hint = `Enter a text that is neither empty nor a path, or a whole number up to ${Number.MAX_SAFE_INTEGER}`;
	const text = trimmed(value, label, hint);
	checkWellFormed(text, label);
	const isPath = text === '.' || text === '..';
	const isInexact = typeof value === 'number' && !Number.isSafeInteger(value);
	if (isPath || isInexact) {
		throw new InvalidValueError(label, `must be a text, not '${text}'`, hint);
	}
	return text;
}

/** Like {@link readIdentifier}, for the GUID of a record. */
export function readGuid(value: unknown, label: string): string {
	const hint = 'Enter a GUID, e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301';
	const text = trimmed(value, label, hint);
	const guid = text.replace(/[{}\s]/g, '');
	if (isGuid(text)) return guid;
	if (!NIL_GUID.test(guid)) {
		throw new InvalidValueError(label, `must be a GUID, not '${quoted(text)}'`, hint);
	}
	throw new InvalidValueError(
		label,
		'is a GUID of zeros',
		'Check where it comes from: software writes it for no record',
	);
}

function trimmed(value: unknown, label: string, hint: string): string {
	if (isBlank(value)) throw new InvalidValueError(label, 'is empty', hint);
	if (typeof value !== 'string' && typeof value !== 'number') {
		throw new InvalidValueError(label, 'is not a text or number', hint);
	}
	return String(value).trim();
}

/**
 * Fills a path template. No value can lead to another path.
 *
 * @param template e.g. `/api/booking/v1/Campaign/{id}`
 * @param values one checked value per placeholder
 */
export function fillPath(template: string, values: Readonly<Record<string, unknown>>): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = asText(values[name] ?? '');
		return encodeURIComponent(value);
	});
}

/**
 * An address of a credential in the form to which paths are appended: normalized scheme and host, without trailing
 * slashes and dots.
 *
 * @param label the field's name in the credential
 * @param copied the end of a path that is removed if copied with it
 * @throws InvalidValueError when it is not an http(s) address, or holds a user or password, which would replace the token
 */
export function normalizeAddress(value: unknown, label: string, copied = /$/): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const hint = "Enter the service's address in the credential, e.g. https://booking.example.com";
	if (text === '') throw new InvalidValueError(label, 'is empty', hint);
	const url = parseAddress(text);
	if (!url) throw new InvalidValueError(label, `is '${quoted(text)}'`, hint);
	if (url.username || url.password) {
		throw new InvalidValueError(label, 'contains a user name or password', `${hint}, without them`);
	}
	const entered = trimEnd(url.pathname, '/');
	const withoutCopied = entered.replace(copied, '');
	const path = trimEnd(withoutCopied, '/');
	return url.origin + path;
}

/** @returns undefined for what is no address, or one with a query */
function parseAddress(text: string): URL | undefined {
	const isHttp = /^https?:\/\/[^/\\?#\s][^\\?#\s]*$/i.test(text);
	if (!isHttp || !URL.canParse(text)) return undefined;
	const url = new URL(text);
	const host = trimEnd(url.hostname, '.');
	if (host === '') return undefined;
	url.hostname = host;
	return url;
}
