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
 * @returns the start of the text with `***` for each secret, be it plain, URL-encoded, JSON-escaped, base64 or hexadecimal, in any case, and
 * with other marks between its letters, as in a path
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
	const masked = isPadded ? '' : withMasks(read, all);
	let shown = masked.slice(0, most).replace(/\0+/g, '***');
	// What still looks like an entity is none.
	shown = shown.replace(/&(?=[#a-z])/gi, '＆');
	if (masked.length > most) shown += '…';
	return plainText(shown, most) as SafeText;
}

/** @returns a text of the same length, with a mask in place of each character of a secret */
function withMasks(text: string, all: readonly SecretForm[]): string {
	const masked = text.split('');
	const hide = (from: number, to: number) => masked.fill(MASK, from, to);
	const lower = lowerCased(text);
	const letters = lettersOf(text);
	const cuts = cutsIn(text, letters.places);
	for (const { whole, letters: wanted } of all) {
		for (const at of placesIn(lower, whole)) hide(at, at + whole.length);
		if (wanted.length < LEAST_LETTERS) continue;
		const hideLetters = (first: number, end: number) =>
			hide(letters.places[first] ?? 0, (letters.places[end - 1] ?? 0) + 1);
		for (const at of placesIn(letters.text, wanted)) hideLetters(at, at + wanted.length);
		for (const cut of cuts) {
			const length = startBefore(letters.text, cut, wanted);
			if (length > 0) hideLetters(cut - length, cut);
		}
	}
	return masked.join('');
}

/** The letters and digits of a text in lower case, and where each of them stands. */
interface Letters {
	text: string;
	places: number[];
}

function lettersOf(text: string): Letters {
	const places: number[] = [];
	let letters = '';
	for (const { 0: run, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
		letters += run;
		for (let place = index; place < index + run.length; place++) places.push(place);
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
	for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at);
	return places;
}

/** @returns how many letters stand before each sign of a cut */
function cutsIn(text: string, places: readonly number[]): number[] {
	const cuts = placesIn(text, '…').slice(0, MOST_CUTS);
	return cuts.map((at) => sortedIndex(places, at));
}

/** @returns how much of the start of a secret stands just before a place; 0 for none */
function startBefore(letters: string, end: number, secret: string): number {
	for (let length = Math.min(secret.length, end); length >= LEAST_START; length--) {
		if (letters.endsWith(secret.slice(0, length), end)) return length;
	}
	return 0;
}

/** As n8n's editor would show it: it renders messages as HTML. */
function cleaned(text: string): string {
	const decoded = text.replace(
		/&(?:#(\d{1,7}|x[\da-f]{1,6})|([a-z]{2,4}));?/gi,
		(entity, code?: string, name = '') => {
			if (code === undefined) return NAMED[String(name).toLowerCase()] ?? entity;
			const point = Number(code.replace(/^x/i, '0x'));
			return point <= 0x10ffff ? String.fromCodePoint(point) : '';
		},
	);
	return plainText(decoded, MAX_READ);
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
function base64Forms(secret: Buffer): string[] {
	const written: string[] = [];
	for (const before of [0, 1, 2]) {
		const encoded = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
		const start = Math.ceil((before * 4) / 3);
		const end = Math.floor(((before + secret.length) * 4) / 3);
		const own = encoded.slice(start, end);
		if (before === 0 || own.length >= LEAST_BASE64) written.push(own);
	}
	return written;
}

/** @returns the ways to write a secret, with the blanks around it and without them: of a long one the start, which hides the rest */
function formsOf(secret: string): SecretForm[] {
	const texts = [secret, secret.trim()].filter((text) => text.length >= MIN_LENGTH);
	const all = texts.flatMap((whole) => {
		const text = whole.slice(0, MOST_SHOWN_OF_FOREIGN_TEXT);
		const bytes = Buffer.from(text);
		const wellFormed = bytes.toString();
		const inUrl = encodeURIComponent(wellFormed);
		const inJson = JSON.stringify(text).slice(1, -1);
		const inBase64 = base64Forms(bytes);
		return [
			text,
			inUrl,
			encodeURI(wellFormed),
			encodeURIComponent(inUrl),
			new URLSearchParams({ '': text }).toString().slice(1),
			inJson,
			withCodes(inJson, BEYOND_ASCII),
			withCodes(inJson.replace(/\\"/g, '\\u0022'), MARKS_AND_BEYOND_ASCII),
			bytes.toString('hex'),
		].concat(inBase64, inBase64.map(encodeURIComponent));
	});
	const written = unique(all.map(cleaned));
	return written.map((form) => ({
		whole: lowerCased(form),
		letters: lettersOf(form).text,
	}));
}
