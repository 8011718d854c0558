import type { Execution, JsonObject, StoredCredential } from '../../dev/n8nClient.ts';
import { NODE_UNDER_TEST, outputOf, packageNode, publishRunner } from '../../dev/runner.ts';
import {
	INHERITED_NAMES,
	OTHER_TYPES,
	type Respond,
	deepLists,
	drip,
	flood,
	headerBomb,
	text,
	UNUSABLE,
} from '../engine/support/hostileResponses';
import {
	type TestServer,
	credentialsAt,
	sendJson,
	startServer,
	tokenFor,
} from '../engine/support/server';
import { OwnN8n } from './support/ownN8n';

/** n8n ends by itself when its heap grows above this: what SECURITY.md says that an n8n needs. */
const HEAP_MB = 1024;
const CALLS = 40;
const TIME_OUT_MS = 30_000;
const SHORT_TIME_OUT_MS = 1_000;
/** As many bytes as a response may have, nearly, in many records. */
const LARGEST = `[${Array.from({ length: 181_000 }, (_, id) => `{"id":${id},"name":"${'x'.repeat(95)}","a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}`).join()}]`;

const LIST = { resource: 'customer', operation: 'getAll', returnAll: true, output: 'raw' };

/** What a person reads of each is shown by test/unit/shared/http/response.test.ts. */
const RESPONSES: readonly Respond[] = [
	flood(100).respond,
	flood(100, 400).respond,
	...UNUSABLE.map(([, body]) => text(body)),
	text(deepLists(10_000), 400),
	headerBomb,
	drip,
	...[JSON.stringify([INHERITED_NAMES]), ...OTHER_TYPES].map((body) => text(body)),
];

jest.setTimeout(180_000);

describe('n8n before a hostile service, with a heap of no more than 1 GB', () => {
	let n8n: OwnN8n;
	let service: TestServer;
	let credential: StoredCredential;
	let respond: Respond;

	beforeAll(async () => {
		service = await startServer((request, response) => {
			const token = tokenFor(request);
			if (token) sendJson(response, token);
			else respond(response);
		});
		n8n = await OwnN8n.start({
			env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
		});
		const { hospitalityBookingApi } = credentialsAt(service.url);
		credential = await n8n.client.createCredential(
			'Hostile',
			'hospitalityBookingApi',
			hospitalityBookingApi,
		);
	});

	afterAll(async () => {
		await n8n?.stop();
		await service?.close();
	});

	async function run(
		parameters: JsonObject,
		items: unknown[] = [{}],
		timeout = TIME_OUT_MS,
	): Promise<Execution> {
		const form = { ...parameters, options: { timeout, concurrencyLimit: CALLS } };
		const node = packageNode('hospitalityBooking', form, credential, {
			onError: 'continueErrorOutput',
		});
		const runner = await publishRunner(n8n.client, node);
		const execution = await runner.run(items);
		await runner.end();
		return execution;
	}

	/** n8n still runs what it should. */
	async function expectSound(): Promise<void> {
		respond = text('[{"id":1,"name":"Harbour House"}]');
		const execution = await run(LIST);

		expect(outputOf(execution).map(({ json }) => json.name)).toEqual(['Harbour House']);
		expect(n8n.hasFailed).toBe(false);
	}

	it('outlives hostile responses at once, each with an error of its own', async () => {
		let calls = 0;
		respond = (response) => RESPONSES[calls++ % RESPONSES.length]?.(response);
		const items = Array.from({ length: CALLS }, () => ({}));
		const refused = outputOf(await run(LIST, items, SHORT_TIME_OUT_MS), NODE_UNDER_TEST, 1);

		expect(calls).toBeGreaterThan(RESPONSES.length);
		expect(refused.length).toBeGreaterThan(CALLS / 4);
		for (const { json } of refused) {
			expect(String(json.error)).not.toMatch(/TypeError|RangeError|Cannot read|is not a function/);
		}
		await expectSound();
	});

	it('takes the largest response that is allowed', async () => {
		respond = text(LARGEST);
		const execution = await run({ ...LIST, returnAll: false, limit: 50 });

		expect(outputOf(execution)).toHaveLength(50);
		await expectSound();
	});
});
