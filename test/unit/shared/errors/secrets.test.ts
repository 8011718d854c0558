import { redacted } from '../../../../nodes/shared/errors/secrets';
import { readServiceMessage } from '../../../../nodes/shared/errors/serviceMessage';
import { findsSecret } from '../../../support/secrets';
import { fc } from '../../../support/property';

/** The ways in which a service writes what it was sent. */
const writings: Array<(secret: string) => string> = [
	(secret) => secret,
	(secret) => encodeURIComponent(secret),
	(secret) => encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
	(secret) => new URLSearchParams({ secret }).toString(),
	(secret) => JSON.stringify({ received: { secret } }),
	(secret) => Buffer.from(secret).toString('base64'),
	(secret) => Buffer.from(`id:${secret}`).toString('base64'),
	(secret) => Buffer.from(`one:${secret}`).toString('base64'),
	(secret) => Buffer.from(`other:${secret}`).toString('base64'),
	(secret) => Buffer.from(secret).toString('hex'),
	(secret) => encodeURI(secret),
	(secret) => encodeURIComponent(encodeURIComponent(secret)),
	(secret) => inAscii(JSON.stringify(secret)),
	(secret) => inAscii(JSON.stringify(secret).replace(/\\"/g, '\\u0022'), /[<>&'+`]/g),
];

/** As programs write JSON that any other can read; some do so with marks of HTML, too. */
function inAscii(json: string, marks = /[^ -~]/g) {
	const code = (unit: string) => unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
	const escaped = json.replace(marks, (unit) => `\\u${code(unit)}`);
	return escaped.replace(/[^ -~]/g, (unit) => `\\u${code(unit)}`);
}
/** What is in it is gone once the text is shown. */
const disguises: Array<(text: string) => string> = [
	(text) => text,
	(text) => text.replace(/^../, '$&\u0002'),
	(text) => text.replace(/^../, '$&\u200b'),
	(text) => text.replace(/^../, '$&\u202e'),
	(text) => text.replace(/[a-z]/, (letter) => `&#${letter.charCodeAt(0)};`),
	(text) => text.replace(/[a-z]/, (letter) => `&#X${letter.charCodeAt(0).toString(16)}`),
];

/** Backslashes and what else is written otherwise stand in many of them. */
const secretText = fc
	.oneof(
		fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 200 }),
		fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }),
		fc.string({
			unit: fc.constantFrom('\\', '"', '%', '+', '<', 'a', '/'),
			minLength: 8,
			maxLength: 40,
		}),
		fc.base64String({ minLength: 8, maxLength: 9_000 }),
	)
	.filter((secret) => secret.trim().length >= 8 && Buffer.from(secret).toString() === secret);

test.each(writings)('the tests find a secret however it is written', (write) => {
	const secret = 'pa ss/wörd+"&<1>';
	expect(findsSecret(write(secret), { secret })).not.toEqual([]);
});

describe('what is shown of a text', () => {
	it('has nothing of a secret, however the service writes it and wherever it stands', () => {
		const before = fc.nat(500).map((length) => 'x'.repeat(length));
		fc.assert(
			fc.property(secretText, fc.constantFrom(...writings), before, (secret, write, start) => {
				const written = write(secret);
				const text = redacted(`${start} ${written} and says no.`, [secret]);
				expect(findsSecret(text, { secret })).toEqual([]);
				// Not the start of it either, where the text is cut.
				if (start.length + written.length < 380) expect(text).toContain('*');
			}),
			{ numRuns: 400 },
		);
	});

	it.each(disguises)('is cleaned and decoded before secrets are looked for: %#', (disguise) => {
		const secret = 'pl4nted-secret';
		const shown = redacted(`Not with ${disguise(secret)} today`, [secret]);
		expect(shown).toBe('Not with *** today');
	});

	it.each(['&#38;#65;', '&amp;lt;', '&period;'])(
		'holds nothing that the editor decodes: %s',
		(text) => {
			expect(redacted(text, [])).not.toMatch(/&[#a-z]/);
		},
	);

	it.each<[spelling: string, write: (secret: string) => string]>([
		['plain', (secret) => secret],
		['URL-encoded', encodeURIComponent],
		['in a form', (secret) => new URLSearchParams([['', secret]]).toString().slice(1)],
		['JSON-escaped', (secret) => JSON.stringify(secret).slice(1, -1)],
		['in base64', (secret) => Buffer.from(secret).toString('base64')],
	])('has nothing of a secret that is longer than what is read of a text: %s', (_, write) => {
		for (const unit of ['+/', 'é', '"\\', '&', 'ab']) {
			for (const length of [8_192, 60_000]) {
				for (const start of ['', 'x'.repeat(390)]) {
					const secret = unit.repeat(length / unit.length);
					expect(redacted(start + write(secret), [secret]).slice(start.length)).toMatch(/^\*+…$/);
				}
			}
		}
	});

	it.each([
		['in the lower case of a host', 'S3cr3t-Of-Anna', 'to https://s3cr3t-of-anna.example.com'],
		['in upper case', 's3cr3t-of-anna', 'S3CR3T-OF-ANNA is wrong'],
		['with a slash that makes it a path', 'first0half/second1half', '/first0half/second1half'],
		['as a path of its halves', 'first0halfsecond1half', '/first0half/second1half'],
		['in lines', 's3cr3tofanna', 's3cr3t of\nanna'],
	])('has nothing of a secret that stands %s', (_, secret, text) => {
		const letters = (shown: string) => shown.toLowerCase().replace(/[^a-z0-9]/g, '');
		expect(letters(redacted(text, [secret]))).not.toContain(letters(secret).slice(0, 6));
		expect(redacted(text, [secret])).toContain('***');
	});

	it.each(['İİİİ the s3cr3t-of-anna', '𝔸𝔹ℂ 👩‍👩‍👧 s3cr3t-of-anna'])(
		'has what stands around a secret in its place: %s',
		(text) => {
			const around = text.replace('s3cr3t-of-anna', '***').replaceAll('\u200d', '');
			expect(redacted(text, ['s3cr3t-of-anna'])).toBe(around);
		},
	);

	it('has nothing of the start of a secret that was cut before', () => {
		expect(redacted("'x' is 's3cr3t-of-a…', not that", ['s3cr3t-of-anna'])).toBe(
			"'x' is '***…', not that",
		);
	});

	it('takes the forms of a long secret once, not for each text', () => {
		const secret = 'a1b2'.repeat(5_000);
		redacted('', [secret]);
		const stringify = jest.spyOn(JSON, 'stringify');
		for (let failures = 0; failures < 40; failures++) redacted('No', [secret]);
		expect(stringify).not.toHaveBeenCalled();
		stringify.mockRestore();
	});

	it.each([
		[
			'keeps the words around a secret',
			['s3cr3t/'],
			'secret=s3cr3t%2F is wrong',
			'secret=*** is wrong',
		],
		['takes one that is part of another with it', ['abcd', 'abcdefgh'], 'abcdefgh abcd', '*** ***'],
		['leaves one of less than 4 characters', ['is', ''], 'This is wrong', 'This is wrong'],
		['leaves one of less than 4 characters, written longer', ['a b'], 'At a%20b', 'At a%20b'],
		[
			'keeps the words beside one that reads as a path',
			['key/../e'],
			'The key: key/../e',
			'The key: ***',
		],
		['finds one that ends like an entity', ['s3cr3t&'], 's3cr3t&grant_type', '***grant_type'],
		['finds one beyond which it is cut', ['y'.repeat(9_000)], 'y'.repeat(20_000), '***…'],
	])('%s', (_, secrets, text, shown) => {
		expect(redacted(text, secrets).slice(0, 40)).toBe(shown);
	});

	it('is nothing where a secret may be cut, as most of what is read is invisible', () => {
		const invisible = '\u200b'.repeat(16_000);
		const text = `Not with pl4nted-secre${invisible}t`;
		const secrets = ['pl4nted-secret'];
		expect([redacted(text, secrets), readServiceMessage(text, secrets).text]).toEqual(['', '']);
	});

	it('is no markup, and shows what it is', () => {
		const text = '<a href="x">\u202ein\u0007 one\r\nline\u2066</a>';
		expect(redacted(text, [])).toBe('‹a href="x"›in one  line‹/a›');
	});
});
