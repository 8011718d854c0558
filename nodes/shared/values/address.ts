import { InvalidValueError } from './invalidValue';
import { checkWellFormed, isBlank } from './text';

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What a value in a path or query has to look like. */
export type ValueKind = 'guid' | 'int32' | 'int64' | 'text';

/**
 * Checks one identifier that a person or an expression gave.
 *
 * @param value anything; numbers and strings of digits are both fine for the integers
 * @param kind `guid`, `int32` (as wide as 32 bits), `int64` (as far as JavaScript counts exactly, ±(2^53-1)) or `text` (not empty)
 * @param label the parameter's name as displayed
 * @returns the value as it goes on the wire, not yet encoded
 * @throws InvalidValueError that names the parameter and says what is allowed
 */
export function checkValue(value: unknown, kind: ValueKind, label: string): string {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (text === '') {
		throw new InvalidValueError(label, isBlank(value) ? 'is empty' : 'is not a text or number', hints[kind]);
	}
	if (kind === 'guid' && !GUID.test(text))
		throw new InvalidValueError(label, `must be a GUID, not '${short(text)}'`, hints.guid);
	if (kind === 'int32' || kind === 'int64') {
		const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
		const { least, most } = widths[kind];
		if (!(number >= least && number <= most)) {
			const isRange = Number.isFinite(number);
			const what = isRange ? `is out of range: ${text}` : `must be a whole number, not '${short(text)}'`;
			throw new InvalidValueError(label, what, hints[kind]);
		}
		return String(number);
	}
	checkWellFormed(text, label);
	if (text === '.' || text === '..' || (typeof value === 'number' && !Number.isFinite(value)))
		throw new InvalidValueError(label, `must be a text, not '${text}'`, hints.text);
	return text;
}

/**
 * Checks the identifier of a record in the path: numbers begin at 1 there, for no record has another one.
 *
 * @throws InvalidValueError as {@link checkValue}
 */
export function checkPathValue(value: unknown, kind: ValueKind, label: string): string {
	const text = checkValue(value, kind, label);
	if ((kind === 'int32' || kind === 'int64') && Number(text) < 1) {
		throw new InvalidValueError(
			label,
			`must be positive, not '${text}'`,
			`Enter a whole number from 1 to ${widths[kind].most}`,
		);
	}
	return text;
}

/**
 * Fills a path template, so that no value can reach another path.
 *
 * @param template e.g. `/api/booking/v1/Campaign/{id}`
 * @param values one checked value a placeholder
 */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

/**
 * An address of a credential in the one form that paths are appended to: as entered, without trailing slashes.
 *
 * @param label the field's name in the credential
 * @throws InvalidValueError when it is not an http(s) address
 */
export function normalizeAddress(value: unknown, label: string): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const hint = "Enter the service's address in the credential, e.g. https://booking.example.com";
	if (text === '') throw new InvalidValueError(label, 'is empty', hint);
	if (!/^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(text) || !URL.canParse(text))
		throw new InvalidValueError(label, `is '${short(text)}'`, hint);
	return withoutSlash(text);
}

/** As {@link normalizeAddress}, for Base URL, which is often copied with the path of the booking or article service. */
export function normalizeBaseUrl(value: unknown): string {
	const address = normalizeAddress(value, 'Base URL');
	return withoutSlash(address.replace(/\/api(\/(booking|am))?(\/v1)?$/i, ''));
}

/** As {@link normalizeAddress}, for Token URL Base, which is often copied with the path that issues tokens. */
export function normalizeTokenUrl(value: unknown): string {
	const address = normalizeAddress(value, 'Token URL Base');
	return withoutSlash(address.replace(/\/connect\/token$/i, ''));
}

/** @returns an address without the slashes at its end */
export function withoutSlash(address: string): string {
	return address.replace(/\/+$/, '');
}

const widths = {
	int32: { least: -(2 ** 31), most: 2 ** 31 - 1 },
	int64: { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER },
};

const hints: Record<ValueKind, string> = {
	guid: 'Enter a GUID, e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
	int32: 'Enter a whole number from -2147483648 to 2147483647',
	int64: 'Enter a whole number from -9007199254740991 to 9007199254740991',
	text: 'Enter a text that is neither empty nor a path',
};

function short(text: string): string {
	return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
