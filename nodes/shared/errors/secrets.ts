import { type PlainText, plainText } from '../values/plainText';

/** Shorter secrets are not redacted: they also occur in ordinary words. */
const MIN_SECRET_LENGTH = 4;
/** Shorter base64 also occurs in ordinary words. */
const MIN_BASE64_LENGTH = 6;
const MAX_LENGTH = 400;
/** Characters that one of a secret may be written with, e.g. `%E2%82%AC`. */
const MOST_ESCAPED = 9;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' };

/** How a text reads as it is, and if it is escaped for a URL, for JSON or for HTML. */
const READINGS: ReadonlyArray<(text: string) => string> = [
	(text) => text,
	unescapeUrl,
	(text) => unescapeUrl(text.replaceAll('+', ' ')),
	(text) =>
		text.replace(/\\(?:u[\da-f]{4}|["\\/bfnrt])/gi, (escaped) => JSON.parse(`"${escaped}"`) as string),
	(text) =>
		text.replace(/&(?:#(x?[\da-f]{1,5})|(amp|apos|gt|lt|quot));/gi, (escaped, code?: string, name = '') =>
			code ? String.fromCodePoint(Number(code.replace(/^x/i, '0x')) || 0) : (ENTITIES[name] ?? escaped),
		),
];

/**
 * What may be shown of a foreign text: shortened, then without the call's secrets. The data of a success is the user's and
 * never redacted.
 */
export function redacted(text: string, secrets: readonly string[]): PlainText {
	const shown = withoutSecrets(text, secrets, MAX_LENGTH);
	return plainText(text.length > MAX_LENGTH ? `${shown}…` : shown, MAX_LENGTH);
}

/**
 * @param secrets as they stand in the credential and went out with the call
 * @returns the start of a text with `***` for each secret, be it plain, base64 or hexadecimal. A text that is escaped where it
 * holds one is returned unescaped.
 */
export function withoutSecrets(text: string, secrets: readonly string[], length: number): string {
	const forms = knownForms.get(secrets) ?? allForms(secrets);
	// A secret that begins within the shown part must be complete to be found.
	const end = MOST_ESCAPED * (length + (forms[0]?.length ?? 0));
	const cut = text.slice(0, end).replace(/[\0\p{Surrogate}]/gu, ' ');
	const masked = READINGS.reduce((shown, read) => {
		const plain = read(shown);
		// Replacements keep the length until the text is shortened.
		const without = forms.reduce((left, form) => left.replaceAll(form, '\0'.repeat(form.length)), plain);
		return without === plain ? shown : without;
	}, cut);
	return masked.slice(0, length).replace(/\0+/g, '***');
}

/** Byte by byte, as what is not ASCII is escaped in UTF-8. */
function unescapeUrl(text: string): string {
	const bytes = Buffer.from(text).toString('latin1');
	const plain = bytes.replace(/%[\da-f]{2}/gi, (byte) => String.fromCharCode(parseInt(byte.slice(1), 16)));
	return Buffer.from(plain, 'latin1').toString();
}

/** The texts of one response share them. */
const knownForms = new WeakMap<readonly string[], readonly string[]>();

/** @returns the longest first */
function allForms(secrets: readonly string[]): readonly string[] {
	const forms = secrets
		.filter(({ length }) => length >= MIN_SECRET_LENGTH)
		.flatMap(formsOf)
		.sort((one, other) => other.length - one.length);
	knownForms.set(secrets, forms);
	return forms;
}

function formsOf(secret: string): string[] {
	const bytes = Buffer.from(secret, 'utf8');
	const hex = bytes.toString('hex');
	return [secret, JSON.stringify(secret).slice(1, -1), hex, hex.toUpperCase(), ...base64Forms(bytes)];
}

/** Base64 writes a text in three ways, by where it stands in what is encoded, e.g. in `id:secret`: what it alone decides. */
function base64Forms(bytes: Buffer): string[] {
	return [0, 1, 2]
		.map((offset) => {
			const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
			const whole = Math.floor(((offset + bytes.length) * 8) / 6);
			return encoded.slice(Math.ceil((offset * 8) / 6), whole);
		})
		.filter(({ length }) => length >= MIN_BASE64_LENGTH)
		.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
