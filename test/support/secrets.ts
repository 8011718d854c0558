/** Secrets by what they are called in a report, e.g. `{ 'client secret': '…' }`. */
export type Secrets = Readonly<Record<string, string>>;

/** Where a secret was found, e.g. `client secret, URL-encoded`. */
export type Finding = string;

const ENTITIES: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
};
const SHORTEST_BASE64 = 6;

/**
 * Looks for secrets in a text in every form that a service, n8n or a browser may write them in: plain, URL-encoded (also
 * twice, and with `+`), JSON-escaped (also twice), HTML-escaped, base64, hexadecimal.
 *
 * @returns what was found; nothing of the secrets themselves
 */
export function findsSecret(text: string, secrets: Secrets): Finding[] {
	const readings = Object.entries(readingsOf(text));
	return Object.entries(secrets).flatMap(([name, secret]) => {
		if (secret === '') throw new Error(`There is no ${name} to look for.`);
		return [
			...readings
				.filter(([, reading]) => reading.includes(secret))
				.map(([form]) => `${name}, ${form}`),
			...base64Forms(secret)
				.filter((form) => readings.some(([, reading]) => reading.includes(form)))
				.map(() => `${name}, base64`),
			...(text.toLowerCase().includes(Buffer.from(secret).toString('hex'))
				? [`${name}, hexadecimal`]
				: []),
		];
	});
}

/** The text as it stands, and as each way of writing it would have it read. */
function readingsOf(text: string): Record<string, string> {
	const unescaped = unescapeJson(text);
	return {
		plain: text,
		'URL-encoded': decodePercent(text),
		'URL-encoded twice': decodePercent(decodePercent(text)),
		'URL-encoded with +': decodePercent(text.replace(/\+/g, ' ')),
		'JSON-escaped': unescaped,
		'JSON-escaped twice': unescapeJson(unescaped),
		'HTML-escaped': decodeEntities(text),
	};
}

function decodePercent(text: string): string {
	return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
		Buffer.from(run.replace(/%/g, ''), 'hex').toString('utf8'),
	);
}

function unescapeJson(text: string): string {
	return text
		.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
		.replace(/\\(["\\/])/g, '$1');
}

function decodeEntities(text: string): string {
	return text.replace(
		/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
		(entity, hex?: string, code?: string, name?: string) => {
			if (name !== undefined) return ENTITIES[name] ?? entity;
			return String.fromCodePoint(hex === undefined ? Number(code) : parseInt(hex, 16));
		},
	);
}

/** Base64 writes a text in three ways, by where it stands in what is encoded; only the characters it alone decides. */
function base64Forms(secret: string): string[] {
	return ['', 'x', 'xx'].flatMap((before) => {
		const encoded = Buffer.from(before + secret + 'x'.repeat(3)).toString('base64');
		const start = before === '' ? 0 : before.length + 1;
		const end = Math.floor(((before.length + Buffer.byteLength(secret)) * 4) / 3);
		const form = encoded.slice(start, end);
		const urlSafe = form.replace(/\+/g, '-').replace(/\//g, '_');
		return form.length < SHORTEST_BASE64 ? [] : [...new Set([form, urlSafe])];
	});
}
