import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';
import { paymentCredential } from '../../../../dev/sandbox.ts';
import { bookingCredential, useService } from '../../support/service';

const here = useService();

/** What the editor shows after saving a credential for the sandbox with some fields changed. */
async function testWith(
	changes: ICredentialDataDecryptedObject,
	service: 'Booking' | 'Payment' = 'Booking',
): Promise<INodeCredentialTestResult> {
	const { info } = here.service;
	const data = service === 'Booking' ? bookingCredential(info) : paymentCredential(info);
	await here.engine.credentials.add('mine', `hospitality${service}Api`, { ...data, ...changes });
	return await here.engine.testCredential('mine', `hospitality${service}`);
}

test('proves the token and access to the API', async () => {
	expect(await testWith({})).toMatchObject({ status: 'OK' });
	expect((await here.service.requests()).map(({ path, status }) => ({ path, status }))).toEqual([
		{ path: '/api/booking/v1/booking/customers', status: 200 },
	]);
	expect(await testWith({}, 'Payment')).toMatchObject({ status: 'OK' });
});

test('renews the token this process holds where the service has revoked it', async () => {
	await here.service.control('POST', '/tokens/revoke');

	expect(await testWith({})).toMatchObject({ status: 'OK' });
});

test('fails when there is a token but no access', async () => {
	await here.service.inject({ fault: { kind: 'status', status: 403 } });

	const { status, message } = await testWith({});
	expect(status).toBe('Error');
	expect(message).toContain("'System'");
});

test('takes a Base URL with the path of the API on it, and blanks around it', async () => {
	expect(await testWith({ baseUrl: ` ${here.service.info.baseUrl}/api/booking/ ` })).toEqual({
		status: 'OK',
		message: 'Connection successful',
	});
});

test.each<[string, ICredentialDataDecryptedObject, RegExp, ('Booking' | 'Payment')?]>([
	['a wrong client secret', { clientSecret: 'wrong' }, /'Client ID' or 'Client Secret'/],
	['an unknown client ID', { clientId: 'nobody' }, /'Client ID' or 'Client Secret'/],
	['an empty System', { system: ' ' }, /'System'/],
	['an unknown time zone', { timeZone: 'Europe/Atlantis' }, /'Time Zone'/],
	['a Base URL that is none', { baseUrl: 'my server' }, /'Base URL'/],
	['a Base URL where nothing answers', { baseUrl: 'http://127.0.0.1:1' }, /Base URL/],
	['a Token URL Base where nothing answers', { authUrl: 'http://127.0.0.1:1' }, /Token URL Base/],
	['a Base URL of something else', { baseUrl: 'BASE/pay' }, /'Base URL'/],
	['a wrong password', { password: 'wrong' }, /'Customer ID' or 'Password'/, 'Payment'],
	['an empty Customer ID', { customerId: '' }, /'Customer ID'/, 'Payment'],
	['a Payment URL that is none', { payUrl: 'my server' }, /'Payment URL'/, 'Payment'],
	['a Payment URL where nothing answers', { payUrl: 'http://127.0.0.1:1' }, /Payment URL/, 'Payment'],
])('names what to correct for %s', async (_, changes, message, service = 'Booking') => {
	const spelled = Object.fromEntries(
		Object.entries(changes).map(([name, value]) => [
			name,
			String(value).replace('BASE', here.service.info.baseUrl),
		]),
	);
	const result = await testWith(spelled, service);

	expect(result.status).toBe('Error');
	expect(result.message).toMatch(message);
	expect(result.message).not.toMatch(/error|failure|problem|mistake/i);
	if (service === 'Payment') expect(result.message).not.toMatch(/Base URL|Client/);
});
