import { InvalidValueError } from './invalidValue';

/** Longest text that is shown or compared: what Unicode algorithms do with a longer one can take seconds. */
const MAX_LENGTH = 200;

/** Ways to type an apostrophe. */
const APOSTROPHES = /[\u2018-\u201b\u2032\u02b9-\u02bc\u00b4`]/g;
const DASHES = /\p{Pd}/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/gu;

/**
 * @returns the form in which people's texts are compared: the first 200 characters in NFKC, regardless of case (including `ß`
 * and `SS`), of the kind of apostrophe, dash and blank, of surrounding blanks and of invisible characters
 */
export function comparable(text: string): string {
	const cut = text.slice(0, MAX_LENGTH);
	const typed = cut.replace(APOSTROPHES, "'").replace(DASHES, '-').replace(INVISIBLE, '');
	// Upper case between: only there is `ß` `SS`, and only the small `ẞ` has one.
	const folded = typed.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
	return folded.replace(/\s+/g, ' ').trim();
}

/** Compares two names for sorting, by their first 200 characters. */
export function compareNames(one: string, other: string): number {
	return one.slice(0, MAX_LENGTH).localeCompare(other.slice(0, MAX_LENGTH));
}

/**
 * Makes a text of a guest fit for a mail or a row.
 *
 * @returns one line of at most 200 characters, without control and direction characters. A character that consists of
 * several, such as an emoji of a family, is whole or left out.
 */
export function oneLine(text: string): string {
	const line = text
		.trimStart()
		.slice(0, 10 * MAX_LENGTH)
		.replace(/\s+/g, ' ')
		.replace(CONTROLS, '')
		.trim();
	if (line.length <= MAX_LENGTH) return line;
	const last = [...CHARACTERS.segment(line.slice(0, MAX_LENGTH))].at(-1);
	return `${line.slice(0, last?.index)}…`;
}

/** @returns the first character of a text that a header cannot carry: n8n's helpers would silently drop it */
export function unfitForHeader(text: string): string | undefined {
	return /[^\t\x20-\x7e\x80-\xff]/u.exec(text)?.[0];
}

/**
 * The rest of a 'System' could be another system's name.
 *
 * @throws InvalidValueError that names the parameter, for a text that a header would change
 */
export function checkHeaderText(text: string, label: string): void {
	const unfit = unfitForHeader(text);
	if (unfit === undefined) return;
	const code = unfit.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
	throw new InvalidValueError(
		label,
		`contains a character that a header cannot carry (U+${code})`,
		'Enter letters, digits and punctuation of Western European languages, without line breaks',
	);
}

/** @throws InvalidValueError that names the parameter, for a text that is not the name of a header */
export function checkHeaderName(text: string, label: string): void {
	if (/^[\w.~!#$&'*+^`|%-]+$/.test(text)) return;
	throw new InvalidValueError(
		label,
		'is not the name of a header',
		'Enter letters, digits and dashes, without spaces',
	);
}

/** @throws InvalidValueError that names the parameter, for a text with an unpaired surrogate, which UTF-8 cannot carry */
export function checkWellFormed(text: string, label: string): void {
	if (text.isWellFormed()) return;
	const hint = 'Check where the text was cut, e.g. in the middle of an emoji';
	throw new InvalidValueError(label, 'contains an unpaired surrogate', hint);
}
