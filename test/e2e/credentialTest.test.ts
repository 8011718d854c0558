import type { StoredCredential } from '../../harness/n8nClient.ts';
import { freePort } from '../../harness/ports.ts';
import { bookingCredential } from '../../harness/sandbox.ts';
import { type Connection, connect } from './support/stack.ts';

describe("the credential's Test button", () => {
	let connection: Connection;
	let stored: StoredCredential;

	beforeAll(async () => {
		connection = connect();
		const data = bookingCredential(connection.sandbox);
		stored = await connection.client.createCredential('Tested', 'hospitalityBookingApi', data);
	});

	/** Presses Test with the sandbox's data and what is typed over it. */
	const press = (typed: Record<string, string> = {}) =>
		connection.client.testCredential(stored, { ...bookingCredential(connection.sandbox), ...typed });

	it('succeeds with the right data, and has called the API to know it', async () => {
		await connection.control('DELETE', '/stats');
		await expect(press()).resolves.toMatchObject({ status: 'OK' });
		const { byPath } = await connection.stats();
		expect(byPath['/api/booking/v1/booking/customers']).toBe(1);
	});

	it('names Client ID and Client Secret when the secret is wrong', async () => {
		const result = await press({ clientSecret: 'not-the-secret' });
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(/Client ID.*Client Secret/);
		expect(result.message).not.toContain('not-the-secret');
	});

	it('names Base URL when nothing answers there', async () => {
		const result = await press({ baseUrl: `http://127.0.0.1:${await freePort()}` });
		expect(result.status).toBe('Error');
		expect(result.message).toContain('Base URL');
	});

	it('names Token URL Base when nothing answers there', async () => {
		const result = await press({ authUrl: `http://127.0.0.1:${await freePort()}` });
		expect(result.status).toBe('Error');
		expect(result.message).toContain('Token URL Base');
	});

	it.each([
		['a trailing slash', '/'],
		['several trailing slashes', '//'],
		['/api/booking already on it', '/api/booking'],
		['/api/booking/ already on it', '/api/booking/'],
	])('succeeds with a Base URL with %s', async (_what, ending) => {
		await expect(press({ baseUrl: `${connection.sandbox.baseUrl}${ending}` })).resolves.toMatchObject({
			status: 'OK',
		});
	});

	it.each([
		['System', { system: '' }],
		['System', { system: '   ' }],
		['Base URL', { baseUrl: '' }],
		['Base URL', { baseUrl: 'not an address' }],
		['Time Zone', { timeZone: 'Europe/Nowhere' }],
	])('names %s when it is %j', async (label, typed: Record<string, string>) => {
		const result = await press(typed);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(label);
	});

	it('tells a secret typed wrong only after it was right', async () => {
		await expect(press()).resolves.toMatchObject({ status: 'OK' });
		await expect(press({ clientSecret: 'mistyped' })).resolves.toMatchObject({ status: 'Error' });
		await expect(press()).resolves.toMatchObject({ status: 'OK' });
	});
});
