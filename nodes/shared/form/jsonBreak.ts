/** Where a text stops being JSON, without anything of the text: it may hold a password. */
interface JsonBreak {
	/** From 1, as is the column. */
	line: number;
	column: number;
	/** What JSON would have there. */
	expected: string;
}

/** What may come next. */
type Next = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

const BLANKS = /[ \t\r\n]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const NUMBER_OR_WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y;
const MARK = /[{}[\]:,]/y;

/**
 * `parseJson.ts` says in its error what this finds.
 *
 * @returns undefined for JSON
 */
export function findJsonBreak(text: string): JsonBreak | undefined {
	/** The brackets that are still to be closed, the innermost last. */
	const open: string[] = [];
	let next: Next = 'value';
	let place = 0;
	for (;;) {
		place += tokenAt(text, place, BLANKS).length;
		if (next === 'nothing' && place === text.length) return undefined;
		const token = anyTokenAt(text, place);
		const after = nextAfter(token, next, open);
		if (after === undefined) break;
		next = after;
		place += token.length;
	}
	const before = text.slice(0, place).split('\n');
	const isOpenText = text[place] === '"' && textAt(text, place) === '';
	return {
		line: before.length,
		column: (before.at(-1) ?? '').length + 1,
		expected: isOpenText ? WHOLE_TEXT : expectedWords(next, open),
	};
}

/** @returns '' where no token of JSON begins */
function anyTokenAt(text: string, place: number) {
	const mark = tokenAt(text, place, MARK);
	if (mark !== '') return mark;
	const quoted = textAt(text, place);
	if (quoted !== '') return quoted;
	return tokenAt(text, place, NUMBER_OR_WORD);
}

/** @returns what a pattern finds at a place; '' for nothing */
function tokenAt(text: string, place: number, pattern: RegExp) {
	pattern.lastIndex = place;
	return pattern.exec(text)?.[0] ?? '';
}

/** @returns the text in quotes at a place; '' for none, or one that does not end */
function textAt(text: string, place: number) {
	if (text[place] !== '"') return '';
	for (let end = place + 1; end < text.length; end++) {
		const character = text.charAt(end);
		if (character === '"') return text.slice(place, end + 1);
		if (character < ' ') return '';
		if (character !== '\\') continue;
		const escape = tokenAt(text, end, ESCAPE);
		if (escape === '') return '';
		end += escape.length - 1;
	}
	return '';
}

/**
 * @param token at the place
 * @param next what may be there
 * @param open to which a bracket that opens is added, and from which one that closes is taken
 * @returns what may come after it; undefined for what may not be there
 */
function nextAfter(token: string, next: Next, open: string[]): Next | undefined {
	const mayEnd = next === 'valueOrEnd' || next === 'nameOrEnd' || next === 'commaOrEnd';
	if (mayEnd && token === open.at(-1)) {
		open.pop();
		return afterValue(open);
	}
	switch (next) {
		case 'name':
		case 'nameOrEnd':
			if (token.startsWith('"')) return 'colon';
			return undefined;
		case 'colon':
			if (token === ':') return 'value';
			return undefined;
		case 'commaOrEnd':
			if (token !== ',') return undefined;
			if (open.at(-1) === '}') return 'name';
			return 'value';
		case 'value':
		case 'valueOrEnd':
			return afterStartOf(token, open);
		case 'nothing':
			return undefined;
	}
}

/** @returns what may come after a token with which a value starts; undefined for another token */
function afterStartOf(token: string, open: string[]): Next | undefined {
	switch (token) {
		case '{':
			open.push('}');
			return 'nameOrEnd';
		case '[':
			open.push(']');
			return 'valueOrEnd';
		case '':
		case '}':
		case ']':
		case ':':
		case ',':
			return undefined;
		default:
			return afterValue(open);
	}
}

function afterValue(open: readonly string[]): Next {
	return open.length === 0 ? 'nothing' : 'commaOrEnd';
}

const VALUE = 'a value: a text in quotes, a number, true, false, null, { or [';
const WHOLE_TEXT =
	'a text that ends with a quote, without line breaks; within it, quotes and backslashes need a backslash before them';

function expectedWords(next: Next, open: readonly string[]) {
	switch (next) {
		case 'value':
			return VALUE;
		case 'valueOrEnd':
			return `${VALUE} or ]`;
		case 'name':
			return 'a name in quotes';
		case 'nameOrEnd':
			return 'a name in quotes or }';
		case 'colon':
			return 'a colon';
		case 'commaOrEnd':
			return `a comma or ${open.at(-1)}`;
		case 'nothing':
			return 'nothing more';
	}
}
