import { isRecord } from '../values/record';

/** n8n and its editor walk through data level by level. */
const MAX_DEPTH = 100;
const MAX_FIELDS = 10_000;
/** A name that sets what an object inherits from, in whatever way its letters are escaped. */
const PROTO = '__proto__';
const MAYBE_PROTO = /__proto__|\\u00[5-7]/i;
/** Codes of the characters that JSON is told by. */
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const SMALL_E = 0x65;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const RECORD = 0x7b;
const RECORD_END = 0x7d;
/** More small texts at a time cost the garbage collector more than their share. */
const MOST_PARTS = 1_000;
const WHOLE_NUMBER = /^-?[1-9]\d{15,100}$/;

/**
 * Reads the JSON of a success. What n8n could not take is told by the text, before anything walks through the data. A whole
 * number that JavaScript cannot count exactly, such as a long ID, comes out as a text.
 *
 * @returns the data, the text itself where it is no JSON, or what is wrong, completing "the response …"
 */
export function readJson(text: string, maxValues: number): { data: unknown } | { problem: string } {
	let [depth, values] = [0, 0];
	/** Of each record that is open; NaN for a list. */
	const commas: number[] = [];
	/** The text around each number that is too long, and the number: joined by quotation marks. */
	let parts: string[] = [];
	const blocks: string[] = [];
	let copied = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) at = endOfString(text, at);
		else if (code === COMMA) {
			if (++values > maxValues) return { problem: `has more than ${maxValues} values` };
			const own = (commas[depth] ?? Number.NaN) + 1;
			if (own >= MAX_FIELDS) return { problem: `has a record with more than ${MAX_FIELDS} fields` };
			commas[depth] = own;
		} else if (code === LIST || code === RECORD) {
			if (++depth > MAX_DEPTH) return { problem: `is nested deeper than ${MAX_DEPTH} levels` };
			commas[depth] = code === RECORD ? 0 : Number.NaN;
		} else if (code === LIST_END || code === RECORD_END) depth--;
		else if (code === MINUS || isDigit(code)) {
			const start = at;
			at = endOfNumber(text, at);
			const number = text.slice(start, at + 1);
			if (!WHOLE_NUMBER.test(number) || Number.isSafeInteger(Number(number))) continue;
			parts.push(text.slice(copied, start), number);
			copied = at + 1;
			if (parts.length < MOST_PARTS) continue;
			blocks.push(parts.join('"'));
			parts = [];
		}
	}
	blocks.push([...parts, text.slice(copied)].join('"'));
	const data = parseText(blocks.join('"'), text);
	return MAYBE_PROTO.test(text) && hasProto(data) ? { problem: `has a field named '${PROTO}'` } : { data };
}

/** @returns the JSON that a text holds, `otherwise` where it holds none */
export function parseText(text: string, otherwise = text): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return otherwise;
	}
}

function isDigit(code: number): boolean {
	return code >= 48 && code <= 57;
}

/** @returns the place of the last character of the number, which may have a fraction and an exponent */
function endOfNumber(text: string, start: number): number {
	for (let at = start + 1; ; at++) {
		const code = text.charCodeAt(at);
		const isPart =
			isDigit(code) || code === MINUS || code === PLUS || code === POINT || (code | 0x20) === SMALL_E;
		if (!isPart) return at - 1;
	}
}

/** @returns the place of the quotation mark that ends the string, or the end of the text */
function endOfString(text: string, start: number): number {
	let at = start + 1;
	for (; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
	return at;
}

function hasProto(data: unknown): boolean {
	if (Array.isArray(data)) return data.some(hasProto);
	return isRecord(data) && (Object.hasOwn(data, PROTO) || Object.values(data).some(hasProto));
}
