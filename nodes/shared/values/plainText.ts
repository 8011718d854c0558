import attempt from 'lodash/attempt';
import compact from 'lodash/compact';

import { asText } from './asText';
import { isBlank } from './blank';

/*
 * Where a text that is shown is shortened, and to how many characters:
 * - a value that a message quotes, to 60: `quoted`, below;
 * - a part of a message, to 2,000: `plainText`, below;
 * - what the service or an item says, to 400, and a whole message, to 4,000: `redacted` in `errors/secrets.ts`;
 * - a guest's text in an output item, to 200 or as its column says: `shorten` in `text.ts`.
 */

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
	let text = '';
	for (const part of compact(parts)) {
		const isSentence = /[.!?…]$/.test(text);
		if (text !== '') text += isSentence ? ' ' : mark;
		text += part;
	}
	return text;
}

/** @returns a value as an error quotes it */
export function quoted(value: unknown): string {
	if (typeof value === 'string') return plainText(value, MAX_QUOTED);
	const json: unknown = attempt(() => JSON.stringify(value));
	const hasJson = typeof json === 'string' && json !== 'null';
	const text = hasJson ? json : asText(value);
	return plainText(text, MAX_QUOTED);
}

/** @returns what is wrong with a value that is none of a kind, with what came */
export function wrongKind(kind: string, value: unknown): string {
	if (isBlank(value)) return 'is empty';
	const isText = typeof value === 'string';
	const shown = isText ? `'${quoted(value)}'` : quoted(value);
	return `is not ${kind} (${shown})`;
}
