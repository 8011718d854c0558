import attempt from 'lodash/attempt';
import compact from 'lodash/compact';

import { isBlank } from './blank';

/** Longest name or value that an error quotes. */
const MAX_QUOTED = 60;

/**
 * Makes any text safe to show: n8n's editor renders messages as HTML.
 *
 * @returns the text, shortened to `maxLength`; `<` and `>` as `‹` and `›`, without control, direction and invisible characters
 */
export function plainText(text: string, maxLength = 2_000): string {
	const cut = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
	return cut
		.replaceAll('<', '‹')
		.replaceAll('>', '›')
		.replace(/\s/g, ' ')
		.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Surrogate}]/gu, '');
}

/**
 * @param parts empty ones are left out
 * @param mark between two parts, unless the first ends like a sentence
 */
export function joined(
	parts: ReadonlyArray<string | false | null | undefined>,
	mark = '. ',
): string {
	const [first = '', ...others] = compact(parts);
	return others.reduce((text, part) => text + (/[.!?…]$/.test(text) ? ' ' : mark) + part, first);
}

/** @returns a value as an error quotes it */
export function quoted(value: unknown): string {
	if (typeof value === 'string') return plainText(value, MAX_QUOTED);
	const json: unknown = attempt(() => JSON.stringify(value));
	const isShown = typeof json === 'string' && json !== 'null';
	return plainText(isShown ? json : String(value), MAX_QUOTED);
}

/** @returns what is wrong with a value that is none of a kind, with what came */
export function wrongKind(kind: string, value: unknown): string {
	if (isBlank(value)) return 'is empty';
	const shown = quoted(value);
	return typeof value === 'string' ? `is not ${kind} ('${shown}')` : `is not ${kind} (${shown})`;
}
