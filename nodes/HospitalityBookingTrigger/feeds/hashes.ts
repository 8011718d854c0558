import { createHash } from 'crypto';

const CHARACTERS = 3;
const EMPTY = '.';
/** Hash of a field that was not requested: its value is unknown. */
const UNKNOWN = '?';

/** @returns 64 bits of a hash of a text as 11 letters, digits and signs, or fewer of them. */
export function hashKey(text: string, length = 11): string {
	return createHash('sha256').update(text).digest('base64').slice(0, length);
}

/** @returns hashes of values as one text: one character for an empty or unknown (undefined) value, otherwise three */
export function hashesOf(values: readonly unknown[]): string {
	return values.map(hashOf).join('');
}

/** @returns the hash of each value, as {@link hashesOf} wrote them */
export function splitHashes(text: string): string[] {
	return text.match(/[.?]|[^.?]{3}/g) ?? [];
}

/** Whether two hashes show that a value has changed. */
export function differ(one = UNKNOWN, other = UNKNOWN): boolean {
	return one !== other && one !== UNKNOWN && other !== UNKNOWN;
}

function hashOf(value: unknown): string {
	if (value === undefined) return UNKNOWN;
	const isEmpty = !value || (Array.isArray(value) && value.length === 0);
	return isEmpty ? EMPTY : hashKey(JSON.stringify(value), CHARACTERS);
}
