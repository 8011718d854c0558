import escapeRegExp from 'lodash/escapeRegExp';

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

/** Data masks of the accounts in use: each response asks for one. */
const dataMasks = new Map<string, Mask>();
const MAX_DATA_MASKS = 20;

/** As {@link createMask}, for data: what cannot hold a secret is told at a glance, and comes out as it is. */
export function createDataMask(secrets: readonly string[]): Mask {
	const known = [...new Set(secrets)].filter((secret) => secret.length >= MIN_LENGTH_IN_DATA);
	if (known.length === 0) return unmasked;
	const key = JSON.stringify(known);
	const mask = dataMasks.get(key) ?? newDataMask(known);
	dataMasks.set(key, mask);
	const [oldest = ''] = dataMasks.keys();
	if (dataMasks.size > MAX_DATA_MASKS) dataMasks.delete(oldest);
	return mask;
}

function newDataMask(known: readonly string[]): Mask {
	const written = known.flatMap((secret) => [
		secret,
		JSON.stringify(secret).slice(1, -1),
		encodeURIComponent(secret),
		new URLSearchParams({ '': secret }).toString().slice(1),
		...base64Parts(secret),
	]);
	const signs = [...new Set(written)];
	return (text) => (signs.some((sign) => text.includes(sign)) ? createMask(known)(text) : text);
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
