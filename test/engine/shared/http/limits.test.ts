import { setTimeout as sleep } from 'node:timers/promises';

import type { Engine } from '../../support/engine';
import { useService } from '../../support/service';

const here = useService();

const GUIDS = ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3302'];
const numbered = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));

const getCustomers = async (
	count: number,
	options: Record<string, number> = {},
	settings: Partial<Parameters<Engine['execute']>[0]> = {},
) =>
	await here.engine.execute({
		node: 'hospitalityBooking',
		items: numbered(count),
		parameters: { resource: 'customer', operation: 'getAll', limit: 1, output: 'raw', options },
		...settings,
	});

it('changes of the same record are sent in the order of the items, those of different records in parallel', async () => {
	await here.service.inject({ fault: { kind: 'delay', ms: 30 } });
	const items = numbered(16).map(({ number }) => ({ chargeId: String(number), guid: GUIDS[number % 2] }));
	const json = { bodyMode: 'json', jsonBody: '={{ { chargeId: $json.chargeId } }}' };
	const webBookingId = '={{ $json.guid }}';
	await here.engine.execute({
		node: 'hospitalityBooking',
		items,
		onError: 'continueRegularOutput',
		parameters: { resource: 'webBooking', operation: 'updatePayment', webBookingId, ...json },
	});
	const requests = await here.service.requests();
	expect(requests).toHaveLength(items.length);
	for (const own of GUIDS) {
		const sent = requests.filter(({ path }) => path.includes(own)).map(({ body }) => body);
		const ofRecord = items.filter(({ guid }) => guid === own);
		expect(sent).toMatchObject(ofRecord.map(({ chargeId }) => ({ chargeId })));
	}
	expect((await here.service.stats()).maxConcurrent).toBe(2);
});

describe('a pause that the service asks for', () => {
	it('holds for another workflow with the same account, and nothing is lost', async () => {
		await here.service.inject({ times: 1, fault: { kind: 'rateLimit', retryAfter: 'seconds', seconds: 2 } });
		const refused = getCustomers(1);
		while ((await here.service.requests()).length === 0) await sleep(5);
		const other = getCustomers(5);
		await sleep(500);
		expect(await here.service.requests()).toHaveLength(1);
		expect((await refused).json()).toHaveLength(1);
		expect((await other).json()).toHaveLength(5);
		expect(await here.service.requests()).toHaveLength(7);
	});
});

it('an outage is not met with several times the calls, and the items say so', async () => {
	await here.service.inject({ fault: { kind: 'status', status: 503 } });
	const run = await getCustomers(60, {}, { onError: 'continueRegularOutput' });
	const texts = run.output().map((item) => JSON.stringify(item));
	expect(await here.service.requests()).toHaveLength(60 + 12);
	expect(texts).toHaveLength(60);
	for (const text of texts) expect(text).toContain('It was not retried further: too many calls');
});

it('a cancelled run stops waiting at once', async () => {
	await here.service.inject({ fault: { kind: 'rateLimit', retryAfter: 'seconds', seconds: 55 } });
	const stop = new AbortController();
	const cancelled = getCustomers(1, {}, { signal: stop.signal });
	while ((await here.service.requests()).length === 0) await sleep(5);
	stop.abort();
	await cancelled;
	expect(await here.service.requests()).toHaveLength(1);
}, 20_000);

it('a cancelled run releases its calls: the next run of the account is not held up by it', async () => {
	await here.service.inject({ times: 1, fault: { kind: 'rateLimit', retryAfter: 'seconds', seconds: 1 } });
	const stop = new AbortController();
	const cancelled = getCustomers(40, {}, { signal: stop.signal });
	while ((await here.service.requests()).length === 0) await sleep(5);
	stop.abort();
	await cancelled;
	await here.service.forgetRequests();
	expect((await getCustomers(5)).json()).toHaveLength(5);
	expect(await here.service.requests()).toHaveLength(5);
});
