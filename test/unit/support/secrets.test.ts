import { findsSecret } from '../../support/secrets';

const secrets = { 'client secret': 'pa ss/wörd+"&<1>' };
const [secret] = Object.values(secrets) as [string];
const inHtml = secret
	.replace(/&/g, '&amp;')
	.replace(/</g, '&lt;')
	.replace(/>/g, '&gt;')
	.replace(/"/g, '&quot;');

describe('the search for planted secrets', () => {
	it.each<[string, string]>([
		['plain', secret],
		['URL-encoded', encodeURIComponent(secret)],
		['URL-encoded in lower case', encodeURIComponent(secret).toLowerCase()],
		['in a form', new URLSearchParams({ s: secret }).toString()],
		['in JSON', JSON.stringify({ s: secret })],
		['in JSON within JSON', JSON.stringify(JSON.stringify({ s: secret }))],
		['in JSON of ASCII alone', JSON.stringify({ s: secret }).replace('ö', '\\u00f6')],
		['in HTML', inHtml],
		['in base64', Buffer.from(secret).toString('base64')],
		['in a header of Basic authentication', Buffer.from(`my-client:${secret}`).toString('base64')],
		['in base64 behind one more character', Buffer.from(`my-client1:${secret}`).toString('base64')],
		['in base64 for URLs', Buffer.from(`a:${secret}`).toString('base64url')],
		['in hexadecimal', Buffer.from(secret).toString('hex').toUpperCase()],
	])('finds one that is written %s', (_, written) => {
		expect(findsSecret(`before ${written} after`, secrets)).not.toEqual([]);
	});

	it('finds nothing where nothing is, and shows no secret in what it finds', () => {
		expect(findsSecret('before *** after %zz &nothing; \\u00', secrets)).toEqual([]);
		expect(JSON.stringify(findsSecret(secret, secrets))).not.toContain(secret);
	});

	it('refuses to look for nothing', () => {
		expect(() => findsSecret('text', { token: '' })).toThrow('There is no token to look for.');
	});
});
