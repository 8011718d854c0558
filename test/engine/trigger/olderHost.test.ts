import { readyEngine, Service } from '../support/service';

let service: Service;

beforeAll(async () => {
	service = await Service.start(['--bookings', '20', '--customers', '8']);
});

afterAll(async () => {
	await service.stop();
});

it('polls, fails and goes on in an n8n that does not tell how long a poll may take', async () => {
	const engine = await readyEngine(service);
	const trigger = engine.trigger({
		node: 'hospitalityBookingTrigger',
		parameters: { event: 'bookingCreated', output: 'raw' },
	});
	trigger.budgetMs = undefined;
	await trigger.activate();
	const made = await service.control<Array<{ guid: string }>>('POST', '/bookings', { count: 2 });
	await service.control('POST', '/faults', { path: '/api/', fault: { kind: 'status', status: 500 } });
	const failed = await trigger.poll();
	await service.control('DELETE', '/faults');
	const { items } = await trigger.poll();

	expect(failed.error?.message).toContain('(500)');
	expect(items?.map(({ json }) => json.guid).sort()).toEqual(made.map(({ guid }) => guid).sort());
	expect((await trigger.poll()).items).toBeNull();
});
