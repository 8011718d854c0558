import { bookingCredential, startSandbox, type Sandbox } from '../../dev/sandbox.ts';
import { outputOf, packageNode, publishRunner, type Runner } from '../../dev/runner.ts';
import type { Stats } from '../../sandbox/control/requestLog.ts';
import { type Connection, connect } from './support/stack.ts';

const ITEMS = Array.from({ length: 200 }, (_, index) => ({ index }));
const LIST_ONE_CUSTOMER = { resource: 'customer', operation: 'getAll', returnAll: false, limit: 1 };
/** With this many calls at once, many are under way when a token turns out to be revoked. */
const AT_ONCE = 50;

describe('tokens, 200 items in real n8n', () => {
	let connection: Connection;
	let sandbox: Sandbox;

	beforeAll(async () => (connection = connect()));

	// An account of its own for each test: n8n's process knows no token for it yet.
	beforeEach(async () => (sandbox = await startSandbox({ control: true })));

	afterEach(() => sandbox.stop());

	async function runner(name: string, concurrencyLimit = 10) {
		const data = bookingCredential(sandbox.info);
		const credential = await connection.client.createCredential(name, 'hospitalityBookingApi', data);
		const parameters = { ...LIST_ONE_CUSTOMER, options: { concurrencyLimit } };
		return await publishRunner(connection.client, packageNode('hospitalityBooking', parameters, credential));
	}

	/** Runs all items. @returns the execution and what the sandbox has counted meanwhile */
	async function count({ run, end }: Runner) {
		await sandbox.control('DELETE', '/stats');
		const execution = await run(ITEMS);
		const counted = await sandbox.control<Stats>('GET', '/stats');
		await end();
		expect(execution.status).toBe('success');
		return { execution, counted };
	}

	it('makes 1 token request and no failed call on first use', async () => {
		const { execution, counted } = await count(await runner('First use'));
		expect(outputOf(execution)).toHaveLength(200);
		expect({ token: counted.tokenRequests, failed: counted.failedCalls }).toEqual({ token: 1, failed: 0 });
		expect(counted.requests).toBe(201);
	});

	it('makes 1 token request and no failed call after the token has expired', async () => {
		const lifetimeSeconds = 3;
		await sandbox.control('PUT', '/tokens', { lifetimeSeconds });
		const expiring = await runner('Expiry');
		await expiring.run(ITEMS.slice(0, 1));
		await sandbox.control('PUT', '/tokens', { lifetimeSeconds: 3600 });
		await new Promise((resolve) => setTimeout(resolve, lifetimeSeconds * 1000));
		const { counted } = await count(expiring);
		expect({ token: counted.tokenRequests, failed: counted.failedCalls }).toEqual({ token: 1, failed: 0 });
		expect(counted.requests).toBe(201);
	});

	it('makes 1 token request, repeats each affected call once and succeeds after the token was revoked', async () => {
		const revoked = await runner('Revoked', AT_ONCE);
		await revoked.run(ITEMS.slice(0, 1));
		await sandbox.control('POST', '/tokens/revoke');
		const { execution, counted } = await count(revoked);
		expect(outputOf(execution)).toHaveLength(200);
		expect(counted.tokenRequests).toBe(1);
		expect(counted.failedCalls).toBe(counted.byStatus['401']);
		expect(counted.failedCalls).toBeGreaterThanOrEqual(1);
		expect(counted.failedCalls).toBeLessThanOrEqual(AT_ONCE);
		// Every item's call, the one token request, and one more call for each that was refused.
		expect(counted.requests).toBe(200 + 1 + counted.failedCalls);
	});
});
