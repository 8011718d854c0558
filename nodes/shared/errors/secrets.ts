import { type PlainText, plainText } from '../values/plainText';
import { unique } from '../values/keys';
import { RecentMap } from '../values/recentMap';

/** A shorter secret is not redacted: it also occurs in ordinary words. */
const MIN_LENGTH = 4;
/** Of a foreign text: more is neither read nor shown. */
const MAX_READ = 16_000;
const MAX_SHOWN = 400;
const NAMED: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
};
/** A long secret takes long to be written in each of its ways. */
const forms = new RecentMap<readonly string[]>(200);
/** A character that no cleaned text has. */
const MASK = '\0';

/**
 * What may be shown of a foreign text: cut, decoded and cleaned, and only then without the call's secrets. The data of a
 * success is the user's and never redacted.
 *
 * @param secrets as they stand in the credential and went out with the call
 * @returns the start of the text with `***` for each secret, be it plain, URL-encoded, JSON-escaped or base64
 */
export function redacted(text: string, secrets: readonly string[]): PlainText {
	const all = secrets.flatMap((secret) => forms.open(secret, () => formsOf(secret)));
	all.sort((one, other) => other.length - one.length);
	// Replacements keep the length until the text is shortened: a secret is found whole.
	const read = cleaned(text.slice(0, MAX_READ));
	// Where most of it was invisible, the rest of what is shown may have been cut off.
	const isPadded = text.length > MAX_READ && read.length < MAX_READ / 2;
	let masked = isPadded ? '' : read;
	for (const form of all) masked = masked.replaceAll(form, MASK.repeat(form.length));
	let shown = masked.slice(0, MAX_SHOWN).replace(/\0+/g, '***');
	// What still looks like an entity is none.
	shown = shown.replace(/&(?=[#a-z])/gi, '＆');
	if (masked.length > MAX_SHOWN) shown += '…';
	return plainText(shown, MAX_SHOWN);
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

/** @returns the ways to write a secret, with the blanks around it and without them: of a long one the start, which hides the rest */
function formsOf(secret: string): string[] {
	const texts = [secret, secret.trim()].filter((text) => text.length >= MIN_LENGTH);
	const all = texts.flatMap((whole) => {
		const text = whole.slice(0, MAX_SHOWN);
		const bytes = Buffer.from(text);
		const inUrl = encodeURIComponent(bytes.toString());
		// What follows decides the last character too.
		const inBase64 = bytes.toString('base64').slice(0, Math.floor((bytes.length * 4) / 3));
		return [
			text,
			inUrl,
			inUrl.replace(/%../g, (code) => code.toLowerCase()),
			new URLSearchParams({ '': text }).toString().slice(1),
			JSON.stringify(text).slice(1, -1),
			inBase64,
			encodeURIComponent(inBase64),
		];
	});
	return unique(all.map(cleaned));
}
