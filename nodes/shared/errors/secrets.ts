import escapeRegExp from 'lodash/escapeRegExp';

import { RecentMap } from '../values/recentMap';
import { isRecord } from '../values/record';

/** A secret shorter than this is left alone: it would also stand in ordinary words. */
const MIN_SECRET_LENGTH = 4;
/** Of a longer secret so much is looked for; what follows it without a break goes with it. */
const MAX_PATTERN_LENGTH = 64;
const MIN_BASE64_LENGTH = 6;
/** A shorter secret could be part of ordinary data, such as a number. */
const MIN_LENGTH_IN_DATA = 8;

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&apos;',
};

/** Takes secrets out of a text. */
export type Mask = (text: string) => string;

/** Leaves a text as it is. */
export const unmasked: Mask = (text) => text;

/**
 * @param secrets as they stand in the credential; empty ones are left out
 * @returns what replaces each of them by `***`, be it plain, URL-encoded (also with `+`), base64, JSON-escaped or
 * HTML-escaped, wholly or in part
 */
export function createMask(secrets: readonly string[]): Mask {
	const known = [...new Set(secrets)].filter((secret) => secret.length >= MIN_SECRET_LENGTH);
	if (known.length === 0) return unmasked;
	const patterns = known
		.sort((one, other) => other.length - one.length)
		.flatMap((secret) => [encodedPattern(secret), ...base64Parts(secret).map(base64Pattern)]);
	const pattern = new RegExp(patterns.join('|'), 'g');
	return (text) => text.replace(pattern, '***');
}

/** What finds the secrets of the accounts in use in data: each response asks for it. */
const inData = new RecentMap<DataSecrets>(20);

/** Secrets that are looked for in data; shorter ones than 8 characters are not. */
export interface DataSecrets {
	/** Tells at a glance what cannot hold a secret. */
	mayBeIn(text: string): boolean;
	mask: Mask;
}

export function secretsInData(secrets: readonly string[]): DataSecrets {
	const known = [...new Set(secrets)].filter((secret) => secret.length >= MIN_LENGTH_IN_DATA);
	return inData.open(JSON.stringify(known), () => newDataSecrets(known));
}

function newDataSecrets(known: readonly string[]): DataSecrets {
	const written = known.flatMap((secret) => [
		secret,
		JSON.stringify(secret).slice(1, -1),
		encodeURIComponent(secret),
		new URLSearchParams({ '': secret }).toString().slice(1),
		...base64Parts(secret),
	]);
	const signs = [...new Set(written)];
	const mayBeIn = (text: string) => signs.some((sign) => text.includes(sign));
	return { mayBeIn, mask: (text) => (mayBeIn(text) ? createMask(known)(text) : text) };
}

/**
 * Takes secrets out of data wherever the contract documents no value: what stands in a documented field is data, though
 * it may equal a password that a person chose.
 *
 * @param documented names of the documented fields, which count at any depth with all that is in them
 */
export function maskUndocumented(data: unknown, mask: Mask, documented: readonly string[]): unknown {
	if (typeof data === 'string') return mask(data);
	if (Array.isArray(data)) return data.map((one) => maskUndocumented(one, mask, documented));
	if (!isRecord(data)) return data;
	return Object.fromEntries(
		Object.entries(data).map(([name, value]) =>
			documented.includes(name) ? [name, value] : [mask(name), maskUndocumented(value, mask, documented)],
		),
	);
}

/** How a response loses what went along with its call, and what stands in its credential. */
export interface ResponseMasks {
	/** For its text: of a success the token only, of a refusal every secret. */
	maskFor(succeeded: boolean): Mask;
	/** For what its text, masked, was parsed to: see {@link maskUndocumented}. */
	maskData(data: unknown): unknown;
}

/** @param documented names of the fields that the contract documents for a success */
export function createResponseMasks(
	secrets: readonly string[],
	token = '',
	documented: readonly string[] = [],
): ResponseMasks {
	const { mayBeIn, mask } = secretsInData(secrets);
	let mayHoldSecret = false;
	const maskSuccess: Mask = (text) => {
		mayHoldSecret = mayBeIn(text);
		return secretsInData([token]).mask(text);
	};
	return {
		maskFor: (succeeded) => (succeeded ? maskSuccess : (text) => createMask([...secrets, token])(text)),
		maskData: (data) => (mayHoldSecret ? maskUndocumented(data, mask, documented) : data),
	};
}

/** Matches a text whichever of its characters are escaped, and however. */
function encodedPattern(secret: string): string {
	const characters = [...secret];
	const start = characters.slice(0, MAX_PATTERN_LENGTH).map(characterPattern).join('');
	return characters.length > MAX_PATTERN_LENGTH ? `${start}[^\\s"'<>&,;]*` : start;
}

function characterPattern(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	const units = [...Array(character.length).keys()].map((index) =>
		character.charCodeAt(index).toString(16).padStart(4, '0'),
	);
	const forms = [
		escapeRegExp(character),
		percentEncoded(character),
		units.map((unit) => `\\\\+u${anyCase(unit)}`).join(''),
		`&#0*${code};`,
		`&#[xX]0*${anyCase(code.toString(16))};`,
		...(character === ' ' ? ['\\+'] : []),
		...('"\\/'.includes(character) ? [`\\\\+${escapeRegExp(character)}`] : []),
		...(ENTITIES[character] ? [ENTITIES[character]] : []),
	];
	return `(?:${forms.reverse().join('|')})`;
}

function percentEncoded(character: string): string {
	return [...Buffer.from(character, 'utf8')]
		.map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`)
		.join('');
}

function anyCase(hex: string): string {
	return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** Base64 writes a text in three ways, by where it stands in what is encoded, e.g. in `id:secret`. */
function base64Parts(secret: string): string[] {
	const bytes = Buffer.from(secret, 'utf8').subarray(0, MAX_PATTERN_LENGTH);
	return [0, 1, 2]
		.map((offset) => {
			const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
			const whole = Math.floor(((offset + bytes.length) * 8) / 6);
			return encoded.slice(Math.ceil((offset * 8) / 6), whole);
		})
		.filter((part) => part.length >= MIN_BASE64_LENGTH);
}

function base64Pattern(part: string): string {
	return `${part.replace(/\+/g, '[+-]').replace(/\//g, '[/_]')}[\\w+/=-]*`;
}
