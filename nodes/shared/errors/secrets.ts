import sortedIndex from 'lodash/sortedIndex';

import { plainText } from '../values/plainText';
import { unique } from '../values/keys';
import { RecentMap } from '../values/recentMap';

/** A shorter secret is not redacted: it also occurs in ordinary words. */
const MIN_LENGTH = 4;
/** Of a foreign text: more is neither read nor shown. */
const MAX_READ = 16_000;
const MOST_SHOWN_OF_FOREIGN_TEXT = 400;
const NAMED: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
};
/** A long secret takes long to be written in each of its ways. */
const forms = new RecentMap<readonly SecretForm[]>(200);
/** So many letters and digits of a secret are redacted whatever stands between them. */
const LEAST_LETTERS = 8;
/** A shorter part of base64 also occurs in ordinary words. */
const LEAST_BASE64 = 6;
/** So many of its first ones, where the text was cut after them. */
const LEAST_START = 6;
const MOST_CUTS = 20;
/** A character that no cleaned text has. */
const MASK = '\0';

/** One of the ways in which a secret is written, in lower case. */
interface SecretForm {
	whole: string;
	/** Its letters and digits alone. */
	letters: string;
}

declare const isSafe: unique symbol;

/** A text that may be shown: cut, cleaned and redacted. Errors, notices and hints are made of no other. */
export type SafeText = string & { readonly [isSafe]: true };

/**
 * What may be shown of a foreign text: cut, decoded and cleaned, and only then without the call's secrets. The data of a
 * success is the user's and never redacted.
 *
 * @param secrets as they stand in the credential and went out with the call
 * @param most characters that are shown
 * @returns the start of the text with `***` for each secret, be it plain, URL-encoded, JSON-escaped, base64 or
 * hexadecimal, in any case, and with other marks between its letters, as in a path
 */
export function redacted(
	text: string,
	secrets: readonly string[],
	most = MOST_SHOWN_OF_FOREIGN_TEXT,
): SafeText {
	const all = secrets.flatMap((secret) => forms.open(secret, () => formsOf(secret)));
	const read = cleaned(text.slice(0, MAX_READ));
	// A secret may have been cut off at the end of what is read, and end up in what is shown where most before it was invisible.
	const isPadded = text.length > MAX_READ && read.length < MAX_READ / 2;
	if (isPadded) return '' as SafeText;
	const masked = withMasks(read, all);
	let shown = masked.slice(0, most).replace(/\0+/g, '***');
	// What still looks like an entity is none.
	shown = shown.replace(/&(?=[#a-z])/gi, '＆');
	if (masked.length > most) shown += '…';
	return plainText(shown, most) as SafeText;
}

/** @returns a text of the same length, with a mask in place of each character of a secret */
function withMasks(text: string, all: readonly SecretForm[]): string {
	const masked = text.split('');
	const lower = lowerCased(text);
	const letters = lettersOf(text);
	const cuts = cutsIn(text, letters.places);
	for (const form of all) {
		const { whole } = form;
		for (const at of placesIn(lower, whole)) masked.fill(MASK, at, at + whole.length);
		for (const run of lettersToHide(letters.text, form.letters, cuts)) {
			const first = Number(letters.places[run.first]);
			const last = Number(letters.places[run.last]);
			masked.fill(MASK, first, last + 1);
		}
	}
	return masked.join('');
}

/** Letters that stand one after the other, by their numbers. */
interface Run {
	first: number;
	last: number;
}

/** @returns where a secret stands, whatever is between its letters, and where the start of it was cut off */
function lettersToHide(letters: string, secret: string, cuts: readonly number[]): Run[] {
	const runs: Run[] = [];
	if (secret.length < LEAST_LETTERS) return runs;
	for (const first of placesIn(letters, secret)) {
		runs.push({ first, last: first + secret.length - 1 });
	}
	for (const cut of cuts) {
		const length = startBefore(letters, cut, secret);
		if (length > 0) runs.push({ first: cut - length, last: cut - 1 });
	}
	return runs;
}

/** The letters and digits of a text in lower case, and where each of them stands. */
interface Letters {
	text: string;
	places: number[];
}

function lettersOf(text: string): Letters {
	const places: number[] = [];
	let letters = '';
	for (const match of text.matchAll(/[\p{L}\p{N}]+/gu)) {
		const [run] = match;
		letters += run;
		for (let at = 0; at < run.length; at++) places.push(match.index + at);
	}
	return { text: lowerCased(letters), places };
}

/** Every character keeps its place, whatever stands beside it: one has a longer small letter, one has two. */
function lowerCased(text: string): string {
	return text.replaceAll('İ', 'I').toLowerCase().replaceAll('ς', 'σ');
}

function placesIn(text: string, wanted: string): number[] {
	const places: number[] = [];
	if (wanted === '') return places;
	let at = text.indexOf(wanted);
	while (at >= 0) {
		places.push(at);
		at = text.indexOf(wanted, at + 1);
	}
	return places;
}

/** @returns how many letters stand before each sign of a cut */
function cutsIn(text: string, places: readonly number[]): number[] {
	const cuts = placesIn(text, '…').slice(0, MOST_CUTS);
	return cuts.map((at) => sortedIndex(places, at));
}

/** @returns how much of the start of a secret stands just before a place; 0 for none */
function startBefore(letters: string, end: number, secret: string): number {
	const longest = Math.min(secret.length, end);
	for (let length = longest; length >= LEAST_START; length--) {
		const start = secret.slice(0, length);
		if (letters.endsWith(start, end)) return length;
	}
	return 0;
}

/** As n8n's editor would show it: it renders messages as HTML. */
function cleaned(text: string): string {
	const decoded = text.replace(/&(?:#(\d{1,7}|x[\da-f]{1,6})|([a-z]{2,4}));?/gi, decodeEntity);
	return plainText(decoded, MAX_READ);
}

function decodeEntity(entity: string, code?: string, name?: string): string {
	if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
	const number = String(code).replace(/^x/i, '0x');
	const point = Number(number);
	return point <= 0x10ffff ? String.fromCodePoint(point) : '';
}

/** @returns the ways to write a secret, with the blanks around it and without them */
function formsOf(secret: string): SecretForm[] {
	const written: string[] = [];
	for (const text of [secret, secret.trim()]) {
		if (text.length < MIN_LENGTH) continue;
		for (const way of waysToWrite(text)) written.push(cleaned(way));
	}
	return unique(written).map((form) => ({
		whole: lowerCased(form),
		letters: lettersOf(form).text,
	}));
}

/** Of a long secret the start alone: redacting that hides the rest. */
function waysToWrite(secret: string): string[] {
	const text = secret.slice(0, MOST_SHOWN_OF_FOREIGN_TEXT);
	const bytes = Buffer.from(text);
	const wellFormed = bytes.toString();
	const inUrl = encodeURIComponent(wellFormed);
	const inForm = new URLSearchParams({ '': text }).toString();
	const inJson = JSON.stringify(text).slice(1, -1);
	const withCodedQuotes = inJson.replace(/\\"/g, '\\u0022');
	const ways = [
		text,
		inUrl,
		encodeURI(wellFormed),
		encodeURIComponent(inUrl),
		inForm.slice('='.length),
		inJson,
		withCodes(inJson, BEYOND_ASCII),
		withCodes(withCodedQuotes, MARKS_AND_BEYOND_ASCII),
		bytes.toString('hex'),
	];
	for (const part of base64Parts(bytes)) ways.push(part, encodeURIComponent(part));
	return ways;
}

const BEYOND_ASCII = /[^ -~]/g;
/** What some programs write in JSON as they would in a web page. */
const MARKS_AND_BEYOND_ASCII = /[^ -~]|[<>&'+`]/g;

/** @returns JSON in which some characters are written by their codes */
function withCodes(json: string, characters: RegExp): string {
	return json.replace(characters, (unit) => {
		const code = unit.charCodeAt(0).toString(16);
		return `\\u${code.padStart(4, '0')}`;
	});
}

/** @returns a secret in base64, by where it begins in what is encoded, e.g. behind an ID: the characters that it alone decides */
function base64Parts(secret: Buffer): string[] {
	const parts: string[] = [];
	for (const before of [0, 1, 2]) {
		const bytes = Buffer.concat([Buffer.alloc(before), secret]);
		const start = Math.ceil((before * 4) / 3);
		const end = Math.floor((bytes.length * 4) / 3);
		const own = bytes.toString('base64').slice(start, end);
		if (before === 0 || own.length >= LEAST_BASE64) parts.push(own);
	}
	return parts;
}
