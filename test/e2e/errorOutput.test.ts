import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type N8n, startN8n } from '../../harness/n8n.ts';
import type { JsonObject, StoredCredential } from '../../harness/n8nClient.ts';
import { buildPackage } from '../../harness/package.ts';
import { NODE_UNDER_TEST, packageNode, publishRunner } from '../../harness/runner.ts';
import { type TestServer, sendJson, startServer, tokenFor } from '../engine/support/server';
import { OWNER, chosenN8n } from './support/stack';

const LIST = { resource: 'customer', operation: 'getAll' };
const ITEMS = [{ name: 'first' }, { name: 'second' }, { name: 'third' }];

describe('an error in the settings of a node, in real n8n', () => {
	let folder: string;
	let n8n: N8n;
	let service: TestServer;
	let credential: StoredCredential;
	let calls = 0;

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-error-output-'));
		service = await startServer((request, response) => {
			const token = tokenFor(request);
			if (!token) calls++;
			sendJson(response, token ?? []);
		});
		n8n = await startN8n({
			n8n: chosenN8n(),
			home: join(folder, 'home'),
			tarball: await buildPackage(),
			logFile: join(folder, 'n8n.log'),
		});
		await n8n.client.signIn(OWNER);
		credential = await n8n.client.createCredential('Settings', 'hospitalityBookingApi', {
			baseUrl: service.url,
			authUrl: service.url,
			clientId: 'the-client',
			clientSecret: 'the-secret',
			system: 'the-system',
		});
	});

	afterAll(async () => {
		await n8n?.stop();
		await service?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	async function outputsOf(parameters: JsonObject, onError: string, using = credential) {
		calls = 0;
		const node = packageNode('hospitalityBooking', { ...LIST, ...parameters }, using, { onError });
		const runner = await publishRunner(n8n.client, node);
		const { status, runs } = await runner.run(ITEMS);
		await runner.end();
		const main = runs[NODE_UNDER_TEST]?.[0]?.data?.main ?? [];
		return { status, outputs: main.map((items) => (items ?? []).map(({ json }) => json)) };
	}

	async function expectAllFailed(parameters: JsonObject, said: RegExp, using = credential): Promise<void> {
		const { outputs } = await outputsOf(parameters, 'continueErrorOutput', using);
		expect(outputs[0]).toEqual([]);
		expect(outputs[1]).toMatchObject(ITEMS.map((item) => ({ ...item, error: expect.stringMatching(said) })));

		const kept = await outputsOf(parameters, 'continueRegularOutput', using);
		expect(kept.outputs[0]).toMatchObject(ITEMS.map(() => ({ error: expect.stringMatching(said) })));

		expect((await outputsOf(parameters, 'stopWorkflow', using)).status).toBe('error');
		expect(calls).toBe(0);
	}

	it.each<[string, JsonObject, RegExp]>([
		["a throwing 'System'", { options: { system: "={{ $('Nowhere').item.json.x }}" } }, /Nowhere|node/],
		["an unusable 'Calls at Once'", { options: { callsAtOnce: 'many' } }, /'Calls at Once'/],
		["an unusable 'Proxy'", { requestOptions: { proxy: 'no address' } }, /'Proxy'/],
	])('sends each item to its place for %s', async (_, parameters, said) => {
		await expectAllFailed(parameters, said);
	});

	it('sends each item to its place for a credential that is gone', async () => {
		await expectAllFailed({}, /credential/i, { ...credential, id: 'gone', name: 'Gone' });
	});
});
