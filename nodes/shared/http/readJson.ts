import attempt from 'lodash/attempt';
import isError from 'lodash/isError';

import { quoted } from '../values/plainText';

/** n8n and its editor walk through data level by level. */
const MAX_DEPTH = 100;
/** Lists and records take many times more memory than their text: at a heap of 1 GB HTTP Request ends at some more. */
const MAX_COUNT = 2_000_000;
/** Many longer names of one length take JavaScript seconds to tell apart. */
const MAX_NAME = 1_000;
const AFTER_NAME = /\s*:/y;
/** A number of fewer characters is counted exactly, unless it has an exponent. */
const EXACT_DIGITS = 16;
/** From its first character on, with fraction and exponent. */
const NUMBER = /[-\d][-+.\dE]*/iy;
const WHOLE_NUMBER = /^-?[1-9]\d{15,}$/;

/**
 * Reads the JSON of a success. What n8n could not take is told by the text, before anything walks through the data. A whole
 * number that JavaScript cannot count exactly, such as a long ID, comes out as a text.
 *
 * @returns the data, the text itself where it is no JSON, or what is wrong, completing "the response …"
 */
export function readJson(text: string): { data: unknown } | { problem: string } {
	let depth = 0;
	let count = 0;
	/** The text before each long number, and the number. */
	const parts: string[] = [];
	let copiedTo = 0;
	for (let at = 0; at < text.length; at++) {
		const mark = text.charAt(at);
		if (mark === '"') {
			const end = endOfString(text, at);
			if (end - at > MAX_NAME && isName(text, end)) {
				return { problem: `has a field name of more than ${MAX_NAME} characters` };
			}
			at = end;
		} else if (mark === '[' || mark === '{') {
			depth++;
			count++;
			if (depth > MAX_DEPTH) return { problem: `is nested deeper than ${MAX_DEPTH} levels` };
			if (count > MAX_COUNT) return { problem: `has more than ${MAX_COUNT} lists and records` };
		} else if (mark === ']' || mark === '}') {
			depth--;
		} else if (mark === '-' || (mark >= '0' && mark <= '9')) {
			const number = numberAt(text, at);
			if (isTooLarge(number)) {
				return { problem: `has a number too large for JSON (${quoted(number)})` };
			}
			if (isTooLongToCount(number)) {
				parts.push(text.slice(copiedTo, at), number);
				copiedTo = at + number.length;
			}
			at += number.length - 1;
		}
	}
	// Each long number now stands between two quotation marks.
	parts.push(text.slice(copiedTo));
	const data = parse(parts.join('"'));
	return { data: isError(data) ? text : data };
}

/** @returns whether a string that ends at a place is the name of a field */
function isName(text: string, end: number): boolean {
	AFTER_NAME.lastIndex = end + 1;
	return AFTER_NAME.test(text);
}

function numberAt(text: string, start: number): string {
	NUMBER.lastIndex = start;
	NUMBER.test(text);
	return text.slice(start, NUMBER.lastIndex);
}

function isTooLarge(number: string): boolean {
	const hasExponent = /e/i.test(number);
	if (!hasExponent && number.length < EXACT_DIGITS) return false;
	return !Number.isFinite(Number(number));
}

function isTooLongToCount(number: string): boolean {
	if (number.length < EXACT_DIGITS) return false;
	return WHOLE_NUMBER.test(number) && !Number.isSafeInteger(Number(number));
}

/** @returns an error's body: its JSON, or the text where it is none; undefined for JSON that was cut */
export function parseError(text: string): unknown {
	const data = parse(text);
	if (!isError(data)) return data;
	const isCutJson = /^\s*[[{]/.test(text);
	return isCutJson ? undefined : text;
}

/** @returns an Error for a text that is no JSON */
function parse(text: string): unknown {
	return attempt(JSON.parse, text);
}

/** @returns the place of the quotation mark that ends the string, or the end of the text */
function endOfString(text: string, start: number): number {
	for (let at = start + 1; ; at++) {
		at = text.indexOf('"', at);
		let escapes = 0;
		while (text.charAt(at - 1 - escapes) === '\\') escapes++;
		if (escapes % 2 === 0) return at < 0 ? text.length : at;
	}
}
