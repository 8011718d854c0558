import escapeRegExp from 'lodash/escapeRegExp';

import { RecentMap } from '../values/recentMap';
import { isRecord } from '../values/record';

/** A secret shorter than this is left alone: it would also stand in ordinary words. */
const MIN_SECRET_LENGTH = 4;
/** Of a longer secret so much is looked for; what follows it without a break goes with it. */
const MAX_PATTERN_LENGTH = 64;
const MIN_BASE64_LENGTH = 6;
/** A shorter secret could be part of ordinary data, such as a number. */
export const MIN_LENGTH_IN_DATA = 8;

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&apos;',
};

/** Replaces secrets in a text by `***`. */
export type Redaction = (text: string) => string;

/** Of the accounts in use: each response asks for them, and their patterns take a while to make. */
const redactions = new RecentMap<Redaction>(40);

/**
 * @param secrets as they stand in the credential
 * @param minLength shorter secrets are left alone
 * @returns what redacts each of them, be it plain, URL-encoded (also with `+`), base64, JSON-escaped or HTML-escaped,
 * wholly or in part
 */
export function redactionOf(secrets: readonly string[], minLength = MIN_SECRET_LENGTH): Redaction {
	const known = [...new Set(secrets)].filter((secret) => secret.length >= minLength);
	if (known.length === 0) return (text) => text;
	return redactions.open(JSON.stringify(known), () => {
		const patterns = known
			.sort((one, other) => other.length - one.length)
			.flatMap((secret) => [encodedPattern(secret), ...base64Parts(secret).map(base64Pattern)]);
		const pattern = new RegExp(patterns.join('|'), 'g');
		return (text) => text.replace(pattern, '***');
	});
}

/** Redacts bearer tokens and JSON web tokens, so that none reaches a message, an output or a log. */
export function redactTokens(text: string): string {
	return text
		.replace(/\bBearer\s+[\w.~+/=-]+/gi, 'Bearer ***')
		.replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***');
}

export type ResponseRedaction = ReturnType<typeof responseRedaction>;

/**
 * How the secrets of a call are redacted in its response: all of them in `text`, which serves for a message; in the `data` of
 * a success the token everywhere, the others where the contract documents no value.
 *
 * @param documented names of the fields that the contract documents for a success
 */
export function responseRedaction(
	secrets: readonly string[],
	token = '',
	documented: readonly string[] = [],
) {
	const redactToken = redactionOf([token], MIN_LENGTH_IN_DATA);
	const redactSecrets = redactionOf(secrets, MIN_LENGTH_IN_DATA);
	return {
		text: (text: string) => redactionOf([...secrets, token])(text),
		data: (text: string, parse: (text: string) => unknown): unknown => {
			const data = parse(redactToken(text));
			return redactSecrets(text) === text ? data : redactAll(data, redactSecrets, documented);
		},
	};
}

/**
 * Redacts all texts in data, names included.
 *
 * @param documented names of fields that are left alone, at any depth, with all that is in them: what stands there is data,
 * though it may equal a password that a person chose
 */
export function redactAll(data: unknown, redact: Redaction, documented: readonly string[] = []): unknown {
	if (typeof data === 'string') return redact(data);
	if (Array.isArray(data)) return data.map((one) => redactAll(one, redact, documented));
	if (!isRecord(data)) return data;
	return Object.fromEntries(
		Object.entries(data).map(([name, value]) =>
			documented.includes(name) ? [name, value] : [redact(name), redactAll(value, redact, documented)],
		),
	);
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
