import { setTimeout as sleep } from 'node:timers/promises';

import type { Engine } from '../../support/engine';
import { useService } from '../../support/service';

const here = useService();

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

it('a cancelled run stops waiting at once', async () => {
	await here.service.inject({ fault: { kind: 'rateLimit', retryAfter: 'seconds', seconds: 55 } });
	const stop = new AbortController();
	const cancelled = getCustomers(1, {}, { signal: stop.signal });
	while ((await here.service.requests()).length === 0) await sleep(5);
	stop.abort();
	await cancelled;
	expect(await here.service.requests()).toHaveLength(1);
}, 20_000);
