import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import type { ICredentialDataDecryptedObject, ICredentialTestFunctions } from 'n8n-workflow';

import { testBookingAccess, testPaymentAccess } from '../../../../nodes/shared/auth/credentialTests';

/** What there is in a node, a workflow or a list, and not in a credential. */
const ELSEWHERE = /this item|\boptions\b|give up after|days per call|changed after|'timeout'/i;

const DATA: ICredentialDataDecryptedObject = {
	...{ baseUrl: 'http://service', authUrl: 'http://service', clientId: 'client', clientSecret: 'the-secret' },
	...{ system: 'system', payUrl: 'http://service', customerId: '4711', password: 'the-password' },
};

type Mishap = () => unknown;

const responds =
	(statusCode: number, headers = {}, body = '{}'): Mishap =>
	() => ({ statusCode, headers, body: Readable.from([Buffer.from(body)]) });
const breaks =
	(code: string): Mishap =>
	() => {
		throw Object.assign(new Error(code), { code });
	};
const MISHAPS: Record<string, Mishap> = {
	...Object.fromEntries(
		Object.keys(STATUS_CODES)
			.map(Number)
			.filter((status) => status >= 300)
			.map((status) => [`status ${status}`, responds(status)]),
	),
	'503 with Retry-After': responds(503, { 'retry-after': '60' }),
	'a redirect': responds(302, { location: '/elsewhere' }),
	'a cut connection': breaks('ECONNRESET'),
	'a certificate': breaks('CERT_HAS_EXPIRED'),
	'no HTTP': breaks('HPE_INVALID_CONSTANT'),
	'corrupt gzip': breaks('Z_DATA_ERROR'),
	'a web page': responds(200, { 'content-type': 'text/html' }, '<html>'),
	'half a JSON': responds(200, {}, '[{"guid'),
	nothing: responds(200, {}, ''),
};

/** Tests a credential where a request to `on` meets the mishap, and all others succeed. */
async function testWith(
	test: typeof testBookingAccess,
	on: RegExp,
	mishap: Mishap,
	changes: ICredentialDataDecryptedObject = {},
) {
	const token = JSON.stringify({ access_token: 'token', AuthenticationToken: 'token' });
	const request = async ({ uri }: { uri: string }) =>
		on.test(uri) ? mishap() : responds(200, {}, uri.includes('/api/') ? '[]' : token)();
	const context = { helpers: { request } } as unknown as ICredentialTestFunctions;
	const credential = { id: '1', name: 'Mine', type: 'any', data: { ...DATA, ...changes } };
	return await test.call(context, credential);
}

it.each([
	['a booking credential', 'the request for a token', testBookingAccess, /token/],
	['a booking credential', 'the call that proves access', testBookingAccess, /\/api\//],
	['a payment credential', 'the request for a session', testPaymentAccess, /authentication/],
])('the test of %s names nothing that is not in its form, whatever %s meets', async (_, _what, test, on) => {
	expect(await testWith(test, /never/, () => undefined)).toMatchObject({ status: 'OK' });
	for (const [name, mishap] of Object.entries(MISHAPS)) {
		const { status, message } = await testWith(test, on, mishap);
		expect([name, status]).toEqual([name, 'Error']);
		expect(message).not.toMatch(ELSEWHERE);
	}
});

it.each(['X Session', 'X:Session', 'Sitzungsschlüssel', ' '])(
	"the test of a payment credential refuses the Header Name '%s'",
	async (headerName) => {
		const changes = { carriedAs: 'header', headerName };
		const { status, message } = await testWith(testPaymentAccess, /never/, () => undefined, changes);

		expect(status).toBe('Error');
		expect(message).toContain("'Header Name'");
	},
);
