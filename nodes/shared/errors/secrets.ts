import toLower from 'lodash/toLower';
import uniq from 'lodash/uniq';

import { type PlainText, plainText } from '../values/plainText';

/** A shorter secret, or form of one, is not redacted: it also occurs in ordinary words. */
const MIN_LENGTH = 4;
/** Shorter base64 also occurs in ordinary words. */
const MIN_BASE64_LENGTH = 6;
const MAX_LENGTH = 400;

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
 * @returns the start of a text with `***` for each secret, be it plain, URL-encoded, JSON-escaped or base64
 */
export function withoutSecrets(text: string, secrets: readonly string[], length: number): string {
	const forms = knownForms.get(secrets) ?? allForms(secrets);
	// A secret that begins within the shown part must be complete to be found.
	const cut = text.slice(0, length + (forms[0]?.length ?? 0)).replaceAll('\0', ' ');
	// Replacements keep the length until the text is shortened.
	const masked = forms.reduce((shown, form) => shown.replaceAll(form, '\0'.repeat(form.length)), cut);
	return masked.slice(0, length).replace(/\0+/g, '***');
}

/** The texts of one response share them. */
const knownForms = new WeakMap<readonly string[], readonly string[]>();

/** @returns the longest first */
function allForms(secrets: readonly string[]): readonly string[] {
	const forms = secrets
		.filter(isLongEnough)
		.flatMap(formsOf)
		.filter(isLongEnough)
		.sort((one, other) => other.length - one.length);
	knownForms.set(secrets, forms);
	return forms;
}

function isLongEnough({ length }: string): boolean {
	return length >= MIN_LENGTH;
}

/** As JavaScript, .NET, Python and PHP write a text in a URL and in JSON. */
function formsOf(secret: string): string[] {
	const bytes = Buffer.from(secret, 'utf8');
	const inUrl = encodeURIComponent(bytes.toString('utf8'));
	// As a redirect shows it whose address holds it as it is.
	const inAddress = new URL(`http://host/${secret.replace(/[?#%]/g, encodeURIComponent)}`).pathname.slice(1);
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inUrls = [
		inUrl,
		inAddress,
		inUrl.replace(/[!'()*]/g, (char) => `%${hex(char, 2)}`),
		new URLSearchParams({ '': secret }).toString().slice(1),
	];
	const inJsons = [
		inJson,
		inJson.replaceAll('/', '\\/'),
		...[/[^ -~]/g, /[^ -~]|[&'+<>`]/g].map((unsafe) =>
			inJson.replace(unsafe, (char) => `\\u${hex(char, 4)}`),
		),
	];
	return uniq([
		...[secret, ...inUrls, ...inJsons, ...base64Forms(bytes)],
		...inUrls.map((form) => form.replace(/%../g, toLower)),
		// An escaped backslash is no beginning of an escape.
		...inJsons.map((form) => form.replace(/\\\\|\\u..../g, toLower)),
	]);
}

function hex(char: string, digits: number): string {
	return char.charCodeAt(0).toString(16).toUpperCase().padStart(digits, '0');
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
		.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(form)]);
}
