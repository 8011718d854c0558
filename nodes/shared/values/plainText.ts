import attempt from 'lodash/attempt';

declare const isPlain: unique symbol;

/** A text in which no character is markup: whatever a person is shown of an error is one. */
export type PlainText = string & { readonly [isPlain]: true };

const BRACKETS: Readonly<Record<string, string>> = { '<': '‹', '>': '›' };
/** Of a name or a value that an error quotes. */
const MAX_QUOTED = 60;

/**
 * Makes a text fit to be shown, wherever it comes from: n8n's editor takes messages for HTML.
 *
 * @returns the text, cut where it is longer; `<` and `>` as `‹` and `›`, without control and bidirectional characters
 */
export function plainText(text: string, maxLength = 2_000): PlainText {
	const cut = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
	return cut.replace(
		/[<>\s\p{Cc}\p{Bidi_Control}\p{Surrogate}]/gu,
		(one) => BRACKETS[one] ?? (/\s/.test(one) ? ' ' : ''),
	) as PlainText;
}

/** @returns a value as an error quotes it */
export function shown(value: unknown): PlainText {
	const json = typeof value === 'string' ? value : attempt(() => JSON.stringify(value));
	return plainText(typeof json === 'string' && json !== 'null' ? json : String(value), MAX_QUOTED);
}
