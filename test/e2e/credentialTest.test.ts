import type { StoredCredential } from '../../dev/n8nClient.ts';
import { bookingCredential } from '../../dev/sandbox.ts';
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

	it('tells a secret typed wrong only after it was right', async () => {
		await expect(press()).resolves.toMatchObject({ status: 'OK' });
		await expect(press({ clientSecret: 'mistyped' })).resolves.toMatchObject({ status: 'Error' });
		await expect(press()).resolves.toMatchObject({ status: 'OK' });
	});
});
