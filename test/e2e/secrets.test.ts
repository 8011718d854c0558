import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemo } from '../../dev/demo/stack.ts';
import { BOOKINGS_TABLE } from '../../dev/demo/smoke.ts';
import { tableRows } from '../../dev/demo/table.ts';
import { packageNode, publishRunner } from '../../dev/runner.ts';
import { eventually } from '../support/progress';
import { findsSecret, findsSecretInFiles } from '../support/secrets';
import { type EchoService, PLANTED, startEchoService } from './support/echoService';
import { type Connection, chosenN8n, connect, foundStack } from './support/stack';

describe('secrets in real n8n, from a service that repeats all it was sent', () => {
	let connection: Connection;
	let service: EchoService;

	beforeAll(async () => {
		connection = connect();
		service = await startEchoService();
	});

	afterAll(async () => await service.close());

	it.each(['calls', 'tokens'] as const)(
		'are in no execution, database or log when it refuses the %s',
		async (what) => {
			service.echoes = what;
			const { booking, payment } = await service.credentials(connection.client);
			const list = { resource: 'customer', operation: 'getAll' };
			const plan = { resource: 'subscription', operation: 'get', id: 'plan-1' };
			for (const node of [
				packageNode('hospitalityBooking', list, booking),
				packageNode('hospitalityPayment', plan, payment),
			]) {
				const { run, end } = await publishRunner(connection.client, node);
				const execution = await run([{}]);
				await end();

				expect(execution.status).toBe('error');
				expect(JSON.stringify(execution)).toContain('The service says');
				expect(findsSecret(JSON.stringify(execution), PLANTED)).toEqual([]);
			}

			const { folder } = foundStack();
			const n8nFolder = join(folder, 'home', '.n8n');
			const words = findsSecretInFiles(n8nFolder, { 'words of the error': 'The service says' });
			expect(words.join()).toContain('database.sqlite');
			expect(findsSecretInFiles(n8nFolder, PLANTED)).toEqual([]);
			expect(findsSecretInFiles(join(folder, 'n8n.log'), PLANTED)).toEqual([]);
		},
	);
});

describe('the secrets of the demo', () => {
	it('are in none of its logs, nor in the database of its n8n, though calls fail', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-demo-'));
		const { sandbox, inbox, n8n } = await startDemo({
			folder,
			n8nVersion: chosenN8n().version,
			control: true,
			liveInterval: 1_000,
		});
		try {
			// The next tokens that n8n gets are one that we know and the service does not: calls fail. They are more than the
			// workflows' nodes use up that n8n retries, so polls fail too.
			const body = { access_token: PLANTED['access token'], token_type: 'Bearer', expires_in: 3600 };
			await sandbox.control('POST', '/faults', {
				path: '/connect/token',
				times: 12,
				fault: { kind: 'status', status: 200, body },
			});
			await sandbox.control('POST', '/tokens/revoke');
			const logs = join(folder, 'logs');
			const database = join(folder, 'home', '.n8n');
			const failure = { failure: 'rejected the access token' };
			await eventually('a failed poll in the database', async () => {
				const found = findsSecretInFiles(database, failure).join();
				return found.includes('database.sqlite');
			});
			await eventually('a row of the demo', async () => {
				const rows = await tableRows(n8n.client, BOOKINGS_TABLE);
				return rows.length > 0;
			});
			const secrets = {
				'client secret': sandbox.info.clientSecret,
				'access token': PLANTED['access token'],
			};

			expect(findsSecretInFiles(database, secrets)).toEqual([]);
			expect(findsSecretInFiles(logs, { n8n: 'Editor is now accessible' })).not.toEqual([]);
			expect(findsSecretInFiles(logs, { sandbox: sandbox.info.clientId })).not.toEqual([]);
			expect(findsSecretInFiles(logs, secrets)).toEqual([]);
		} finally {
			for (const { child } of [n8n, inbox, sandbox]) await child.stop();
			rmSync(folder, { recursive: true, force: true });
		}
	}, 300_000);
});
