import type { JsonObject, StoredCredential } from '../../harness/n8nClient.ts';
import { NODE_UNDER_TEST, packageNode, publishRunner } from '../../harness/runner.ts';
import { type TestServer, credentialsAt, sendJson, startServer, tokenFor } from '../engine/support/server';
import { connect } from './support/stack';

const LIST = { resource: 'customer', operation: 'getAll' };
const ITEMS = [{ name: 'first' }, { name: 'second' }, { name: 'third' }];

describe('an error in the settings of a node, in real n8n', () => {
	const { client } = connect();
	let service: TestServer;
	let credential: StoredCredential;
	let calls = 0;

	beforeAll(async () => {
		service = await startServer((request, response) => {
			const token = tokenFor(request);
			if (!token) calls++;
			sendJson(response, token ?? []);
		});
		const { hospitalityBookingApi } = credentialsAt(service.url);
		credential = await client.createCredential('Settings', 'hospitalityBookingApi', hospitalityBookingApi);
	});

	afterAll(async () => await service?.close());

	async function outputsOf(parameters: JsonObject, onError: string, using = credential) {
		calls = 0;
		const node = packageNode('hospitalityBooking', { ...LIST, ...parameters }, using, { onError });
		const runner = await publishRunner(client, node);
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
		["an unusable 'Concurrency Limit'", { options: { callsAtOnce: 'many' } }, /'Concurrency Limit'/],
		["an unusable 'Proxy'", { requestOptions: { proxy: 'no address' } }, /'Proxy'/],
	])('sends each item to its place for %s', async (_, parameters, said) => {
		await expectAllFailed(parameters, said);
	});

	it('sends each item to its place for a credential that is gone', async () => {
		await expectAllFailed({}, /credential/i, { ...credential, id: 'gone', name: 'Gone' });
	});
});
