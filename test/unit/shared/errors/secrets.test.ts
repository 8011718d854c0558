import fc from 'fast-check';

import { MIN_LENGTH_IN_DATA, redactTokens, redactionOf } from '../../../../nodes/shared/errors/secrets';
import { findsSecret } from '../../../support/secrets';

const asHtml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** The ways in which a service writes what it was sent. */
const writings: Array<(secret: string) => string> = [
	(secret) => secret,
	(secret) => encodeURIComponent(secret),
	(secret) => encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
	(secret) => new URLSearchParams({ client_secret: secret, scope: 'publicAPI' }).toString(),
	(secret) => JSON.stringify({ received: { secret } }),
	(secret) => JSON.stringify({ received: { secret } }).replace(/\//g, '\\/'),
	(secret) => JSON.stringify(JSON.stringify({ received: { secret } })),
	(secret) => `<p>${asHtml(secret)}</p>`,
	(secret) => Buffer.from(secret).toString('base64'),
	(secret) => Buffer.from(`client:${secret}`).toString('base64'),
	(secret) => Buffer.from(`a-client:${secret}`).toString('base64'),
	(secret) => Buffer.from(`my-client:${secret}`).toString('base64url'),
];

const secretText = fc
	.oneof(
		fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 200 }),
		fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }),
		fc.base64String({ minLength: 8, maxLength: 2000 }),
	)
	.filter((secret) => secret.trim().length >= 8 && Buffer.from(secret).toString() === secret);

test.each(writings)('the tests find a secret however it is written', (write) => {
	const secret = 'pa ss/wörd+"&<1>';
	expect(findsSecret(write(secret), { secret })).not.toEqual([]);
});

describe('redaction in an error', () => {
	it('leaves nothing of a secret, however the service writes it', () => {
		fc.assert(
			fc.property(secretText, fc.constantFrom(...writings), (secret, write) => {
				const text = `The service received ${write(secret)} and says no.`;
				expect(findsSecret(redactionOf([secret])(text), { secret })).toEqual([]);
			}),
			{ numRuns: 400 },
		);
	});

	it.each([
		['keeps the words around it', ['s3cr3t!'], 'secret=s3cr3t%21 is wrong', 'secret=*** is wrong'],
		['takes one that is part of another with it', ['abcd', 'abcdefgh'], 'abcdefgh abcd', '*** ***'],
		['leaves one of less than 4 characters', ['is', ''], 'This is wrong', 'This is wrong'],
	])('%s', (_, secrets, text, redacted) => {
		expect(redactionOf(secrets)(text)).toBe(redacted);
	});

	it('redacts a long token in no more time than it takes to read the text', () => {
		const token = 'eyJ'.padEnd(8000, 'aB3-_');
		expect(redactionOf([token])(`token ${token} refused`)).toBe('token *** refused');
	});
});

describe('redaction in data', () => {
	it.each([
		['redacts one of 8 characters or more', 'a-token-1', '{"echo":"a-token-1"}', '{"echo":"***"}'],
		['redacts one that is URL-encoded', 'a token/1', '{"echo":"a+token%2F1"}', '{"echo":"***"}'],
		['leaves a shorter one, which could be a number', '4711', '{"number":"4711"}', '{"number":"4711"}'],
	])('%s', (_, secret, text, redacted) => {
		expect(redactionOf([secret], MIN_LENGTH_IN_DATA)(text)).toBe(redacted);
	});

	it('redacts as in an error, whatever accounts were in use before', () => {
		const account = fc.array(secretText, { minLength: 1, maxLength: 3 });
		const accounts = fc.array(account, { minLength: 1, maxLength: 30 });
		fc.assert(
			fc.property(accounts, fc.constantFrom(...writings), (all, write) => {
				for (const secrets of [...all, ...all]) {
					const text = `received ${secrets.map(write).join(' and ')}`;
					expect(redactionOf(secrets, MIN_LENGTH_IN_DATA)(text)).toBe(redactionOf(secrets)(text));
				}
			}),
			{ numRuns: 100 },
		);
	});
});

it('an error never holds what looks like a token', () => {
	expect(redactTokens('sent Bearer abc.def-123 and eyJhbGciOi.eyJzdWIi.sig')).toBe('sent Bearer *** and ***');
});
