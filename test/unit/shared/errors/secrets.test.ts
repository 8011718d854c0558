import fc from 'fast-check';

import { redacted } from '../../../../nodes/shared/errors/secrets';
import { findsSecret } from '../../../support/secrets';

const inHex = (char: string) => char.charCodeAt(0).toString(16).padStart(4, '0');

/** The ways in which a service writes what it was sent. */
const writings: Array<(secret: string) => string> = [
	(secret) => secret,
	(secret) => encodeURIComponent(secret),
	(secret) => encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
	(secret) => new URLSearchParams({ client_secret: secret, scope: 'publicAPI' }).toString(),
	// As .NET and Python encode, which leave no punctuation.
	(secret) =>
		encodeURIComponent(secret).replace(/[!'()*]/g, (char) => `%${inHex(char).slice(2).toUpperCase()}`),
	(secret) => JSON.stringify({ received: { secret } }),
	(secret) => JSON.stringify(secret).replaceAll('/', '\\/'),
	// As .NET writes JSON.
	(secret) =>
		JSON.stringify({ secret }).replace(/[^ -~]|[&'+<>`]/g, (char) => `\\u${inHex(char).toUpperCase()}`),
	(secret) => JSON.stringify({ secret }).replace(/[^ -~]/g, (char) => `\\u${inHex(char)}`),
	(secret) => Buffer.from(secret).toString('base64'),
	(secret) => Buffer.from(`client:${secret}`).toString('base64'),
	(secret) => Buffer.from(`a-client:${secret}`).toString('base64'),
	(secret) => Buffer.from(`my-client:${secret}`).toString('base64url'),
];

/** Backslashes and what else is written otherwise stand in many of them. */
const secretText = fc
	.oneof(
		fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 200 }),
		fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }),
		fc.string({ unit: fc.constantFrom('\\', '"', '%', '+', '<', 'a', '/'), minLength: 8, maxLength: 40 }),
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

	it.each([
		['keeps the words around a secret', ['s3cr3t!'], 'secret=s3cr3t%21 is wrong', 'secret=*** is wrong'],
		['takes one that is part of another with it', ['abcd', 'abcdefgh'], 'abcdefgh abcd', '*** ***'],
		['leaves one of less than 4 characters', ['is', ''], 'This is wrong', 'This is wrong'],
		['leaves one of less than 4 characters, written longer', ['a b'], 'At a%20b', 'At a%20b'],
		['keeps the words beside one that reads as a path', ['key/../e'], 'The key: key/../e', 'The key: ***'],
		['finds one beyond which it is cut', ['y'.repeat(9_000)], 'y'.repeat(20_000), '***…'],
	])('%s', (_, secrets, text, shown) => {
		expect(redacted(text, secrets).slice(0, 40)).toBe(shown);
	});

	it('is no markup, and shows what it is', () => {
		const text = '<a href="x">\u202ein\u0007 one\r\nline\u2066</a>';
		expect(redacted(text, [])).toBe('‹a href="x"›in one  line‹/a›');
	});
});
