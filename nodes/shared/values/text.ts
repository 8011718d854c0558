import { InvalidValueError } from './invalidValue';

/** Longest text that is shown or compared: what Unicode algorithms do with a longer one can take seconds. */
const MAX_LENGTH = 200;

/** Ways to type an apostrophe. */
const APOSTROPHES = /[\u2018-\u201b\u2032\u02b9-\u02bc\u00b4`]/g;
const DASHES = /\p{Pd}/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const CONTROLS = /[\p{Cc}\p{Surrogate}]/gu;
/**
 * Letters that nobody sees: they can carry a second message, which a model reads. What joins letters or emojis, the color of an emoji
 * and the tags of a flag stay, in the group. Marks of annotations and controls of hieroglyphs have no look of their own either.
 */
const HIDDEN =
	/([\u200c\u200d]|(?<=\p{Emoji})[\ufe0e\ufe0f]|\u{1f3f4}[\u{e0030}-\u{e007a}]{3,6}\u{e007f})|[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u{13430}-\u{13455}]/gu;

/**
 * @returns the form in which people's texts are compared: the first 200 characters in NFKC, regardless of case (including `ß`
 * and `SS`), of the kind of apostrophe, dash and blank, of surrounding blanks and of invisible characters
 */
export function comparable(text: string): string {
	const cut = text.slice(0, MAX_LENGTH);
	const typed = cut.replace(APOSTROPHES, "'").replace(DASHES, '-').replace(INVISIBLE, '');
	const normalized = typed.normalize('NFKC').toLowerCase();
	// Upper case between: only there is `ß` `SS`, and only the small `ẞ` has one.
	const folded = normalized.toUpperCase().toLowerCase();
	return folded.replace(/\s+/g, ' ').trim();
}

const ACCENTS = /[\u0300-\u036f]/g;

/** @param word as {@link comparable} gives it */
export function withoutAccents(word: string): string {
	return word
		.slice(0, 2 * MAX_LENGTH)
		.normalize('NFD')
		.replace(ACCENTS, '')
		.normalize('NFC');
}

/** Compares two names for sorting, by their first 200 characters. */
export function compareNames(one: string, other: string): number {
	const start = one.slice(0, MAX_LENGTH);
	return start.localeCompare(other.slice(0, MAX_LENGTH));
}

/** @returns a text without letters that nobody sees */
export function withoutHiddenLetters(text: string): string {
	return text.replace(HIDDEN, '$1');
}

/** A text in one line, and whether it is only the start of the whole. */
interface ShortText {
	text: string;
	isCut: boolean;
}

/**
 * Makes a text of a guest fit for a mail or a row.
 *
 * @param most characters of the line
 * @returns one line without control, direction and hidden characters. A longer one ends with `…`; a character that consists of
 * several, such as an emoji of a family, is then whole or left out.
 */
export function shorten(text: string, most = MAX_LENGTH): ShortText {
	const given = text.trim();
	const start = given.slice(0, 10 * most);
	const visible = start.replace(/\s/g, ' ').replace(CONTROLS, '');
	const seen = withoutHiddenLetters(visible);
	const line = seen.replace(/ +/g, ' ').trim();
	const isWhole = start.length === given.length;
	if (isWhole && line.length <= most) return { text: line, isCut: false };
	if (line.length < most) return { text: `${line}…`, isCut: true };
	// The last character makes room for the sign, and may be cut itself.
	const shown = line.slice(0, most);
	const characters = [...CHARACTERS.segment(shown)];
	const last = characters.at(-1);
	return { text: `${shown.slice(0, last?.index)}…`, isCut: true };
}

/** @returns a text as {@link shorten} makes it, of at most 200 characters */
export function oneLine(text: string): string {
	return shorten(text).text;
}

/** @returns the first character of a text that a header cannot carry: n8n's helpers would silently drop it */
export function firstUnsendable(text: string): string | undefined {
	const unfit = /[^\t\x20-\x7e\x80-\xff]/u.exec(text);
	return unfit?.[0];
}

/**
 * The rest of a 'System' could be another system's name.
 *
 * @throws InvalidValueError that names the parameter, for a text that a header would change
 */
export function checkHeaderText(text: string, label: string): void {
	const unfit = firstUnsendable(text);
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
