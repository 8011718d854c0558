import { setTimeout as sleep } from 'node:timers/promises';

import { useService } from '../../support/service';

const here = useService();

const getCustomers = async (count: number) =>
	await here.engine.execute({
		node: 'hospitalityBooking',
		items: Array.from({ length: count }, (_, number) => ({ number })),
		parameters: { resource: 'customer', operation: 'getAll', limit: 1, output: 'raw' },
	});

it('a pause that the service asks for holds for another workflow with the same account, and nothing is lost', async () => {
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
