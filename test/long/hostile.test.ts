import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Execution, JsonObject, StoredCredential } from '../../harness/n8nClient.ts';
import { NODE_UNDER_TEST, outputOf, packageNode, publishRunner } from '../../harness/runner.ts';
import {
	HOSTILE_BODIES,
	INHERITED_NAMES,
	OTHER_TYPES,
	type Respond,
	deepLists,
	drip,
	flood,
	headerBomb,
	text,
	unusable,
} from '../engine/support/hostileResponses';
import { type TestServer, credentialsAt, sendJson, startServer, tokenFor } from '../engine/support/server';
import { OwnN8n } from '../support/ownN8n';

/** n8n ends by itself when its heap grows above this: what SECURITY.md says that an n8n needs. */
const HEAP_MB = 1024;
const MB = 1024 * 1024;
const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const CALLS = 20;
/** n8n's webhook takes 16 MB. */
const HOSTILE_ITEMS = 5;
const TIME_OUT_MS = 30_000;
const SHORT_TIME_OUT_MS = 1_000;
/** As many values as a response may have, in nearly as many bytes. */
const LARGEST = `[${Array.from({ length: 199_999 }, (_, id) => `{"id":${id},"name":"${'x'.repeat(95)}","a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}`).join()}]`;

const LIST = { resource: 'customer', operation: 'getAll', returnAll: true, output: 'raw' };

/** Each hostile response, with what a person reads of it; undefined where it is taken for what it is. */
const RESPONSES: ReadonlyArray<[what: string, respond: Respond, said: RegExp | undefined]> = [
	['of 100 MB', (response) => flood(100).respond(response), /larger than 32 MB/],
	['of 100 MB that refuses', (response) => flood(100, 400).respond(response), /rejected the values/],
	...unusable(1_000_000, 10_000_000).map(([what, body, complaint]): [string, Respond, RegExp] => [
		what,
		text(body),
		new RegExp(complaint),
	]),
	['that refuses, nested 10,000 deep', text(deepLists(10_000), 400), /rejected the values/],
	['with headers of 100 kB', headerBomb, /is not HTTP that n8n can read/],
	['that never ends', drip, /did not respond in time/],
	['with inherited names', text(JSON.stringify([INHERITED_NAMES])), undefined],
];

interface Sample {
	heap: number;
	peak: number;
	added: string[];
}

describe('n8n before a hostile service, with a heap of no more than 1 GB', () => {
	let n8n: OwnN8n;
	let service: TestServer;
	let credential: StoredCredential;
	let respond: Respond;

	const samples = (): Sample[] =>
		readFileSync(n8n.exchangeFile, 'utf8')
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line) as Sample);

	beforeAll(async () => {
		service = await startServer((request, response) => {
			const token = tokenFor(request);
			if (token) sendJson(response, token);
			else respond(response);
		});
		n8n = await OwnN8n.start({
			preload: join(__dirname, 'support', 'memoryMonitor.mjs'),
			env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
		});
		const { hospitalityBookingApi } = credentialsAt(service.url);
		credential = await n8n.client.createCredential('Hostile', 'hospitalityBookingApi', hospitalityBookingApi);
	});

	afterAll(async () => {
		await n8n?.stop();
		await service?.close();
	});

	/** How long the nodes wait for a response. */
	let timeout = TIME_OUT_MS;

	async function run(parameters: JsonObject, items: unknown[] = [{}], settings = {}): Promise<Execution> {
		const form = { ...parameters, options: { timeout, ...(parameters.options as JsonObject) } };
		const node = packageNode('hospitalityBooking', form, credential, settings);
		const runner = await publishRunner(n8n.client, node);
		const execution = await runner.run(items);
		await runner.end();
		return execution;
	}

	/** n8n still runs what it should, and no object has a field that nobody gave it. */
	async function expectSound(): Promise<void> {
		timeout = TIME_OUT_MS;
		respond = text('[{"id":1,"name":"Harbour House"}]');
		const execution = await run(LIST);

		expect(outputOf(execution).map(({ json }) => json.name)).toEqual(['Harbour House']);
		expect(n8n.hasFailed).toBe(false);
		expect(samples().flatMap(({ added }) => added)).toEqual([]);
	}

	it.each(RESPONSES)('outlives a response %s, and says so', async (_what, hostile, said) => {
		respond = hostile;
		timeout = hostile === drip ? SHORT_TIME_OUT_MS : TIME_OUT_MS;
		const { status, error } = await run(LIST);

		expect(status).toBe(said ? 'error' : 'success');
		if (said) expect(`${error?.message} ${error?.description ?? ''}`).toMatch(said);
		expect(n8n.hasFailed).toBe(false);
	});

	it('outlives all of them at once, and those of another type, each with an error of its own', async () => {
		timeout = SHORT_TIME_OUT_MS;
		const all = [...RESPONSES.map(([, hostile]) => hostile), ...OTHER_TYPES.map((body) => text(body))];
		let calls = 0;
		respond = (response) => all[calls++ % all.length]?.(response);
		const items = Array.from({ length: CALLS * 2 }, () => ({}));
		const { runs } = await run({ ...LIST, options: { concurrencyLimit: CALLS } }, items, {
			onError: 'continueErrorOutput',
		});
		const refused = runs[NODE_UNDER_TEST]?.[0]?.data?.main?.[1] ?? [];

		expect(refused.length).toBeGreaterThan(CALLS / 2);
		for (const item of refused)
			expect(String(item?.json.error)).not.toMatch(/TypeError|RangeError|Cannot read|is not a function/);
		await expectSound();
	});

	it('takes the largest response that is allowed', async () => {
		respond = text(LARGEST);
		const execution = await run({ ...LIST, returnAll: false, limit: 50 });

		expect(outputOf(execution)).toHaveLength(50);
		await expectSound();
	});

	it.each(HOSTILE_BODIES)('outlives items that bring a body %s', async (_, body) => {
		respond = text('{}');
		const update = {
			resource: 'webBooking',
			operation: 'update',
			bookingGuid: GUID,
			bodyMode: 'json',
			jsonBody: '={{ $json.body }}',
		};
		const items = Array.from({ length: HOSTILE_ITEMS }, () => ({ body }));
		const execution = await run(update, items, { onError: 'continueErrorOutput' });

		expect(JSON.stringify(execution.runs[NODE_UNDER_TEST])).not.toMatch(/RangeError|Maximum call stack/);
		await expectSound();
	});

	it('keeps within its memory', async () => {
		const peak = Math.max(...samples().map((sample) => sample.peak)) / MB;
		const heap = Math.max(...samples().map((sample) => sample.heap)) / MB;
		process.stdout.write(
			`n8n at most: heap ${heap.toFixed(0)} MB of ${HEAP_MB}, resident ${peak.toFixed(0)} MB\n`,
		);

		expect(samples().length).toBeGreaterThan(100);
		expect(heap).toBeLessThan(HEAP_MB);
		await expectSound();
	});
});
