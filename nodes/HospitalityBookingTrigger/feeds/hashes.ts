import { shortHash } from '../keys';

const CHARACTERS = 3;
const EMPTY = '.';
/** A field that was not asked for: what it holds is not known. */
const UNKNOWN = '?';

/** @returns hashes of values as one text: a character for an empty value, or for undefined, which is not known; else three */
export function hashesOf(values: readonly unknown[]): string {
	return values.map(hashOf).join('');
}

/** @returns the hash of each value, as {@link hashesOf} wrote them */
export function splitHashes(text: string): string[] {
	return text.match(/[.?]|[^.?]{3}/g) ?? [];
}

/** Whether two hashes tell that a value has changed. */
export function differ(one = UNKNOWN, other = UNKNOWN): boolean {
	return one !== other && one !== UNKNOWN && other !== UNKNOWN;
}

function hashOf(value: unknown): string {
	if (value === undefined) return UNKNOWN;
	const isEmpty = !value || (Array.isArray(value) && value.length === 0);
	return isEmpty ? EMPTY : shortHash(JSON.stringify(value), CHARACTERS);
}
