import { join } from 'node:path';
import { packageNode, publishRunner } from '../../dev/runner.ts';
import { findsSecret, findsSecretInFiles } from '../support/secrets';
import { type EchoService, PLANTED, startEchoService } from './support/echoService';
import { type Connection, connect, foundStack } from './support/stack';

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
