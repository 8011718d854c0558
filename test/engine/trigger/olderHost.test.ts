import { useService } from '../support/service';

const here = useService({ bookings: 20, customers: 8 });

it('polls, fails and goes on in an n8n that does not tell how long a poll may take', async () => {
	const trigger = here.engine.trigger({
		node: 'hospitalityBookingTrigger',
		parameters: { event: 'bookingCreated', output: 'raw' },
	});
	trigger.budgetMs = undefined;
	await trigger.activate();
	const made = await here.service.control<Array<{ guid: string }>>('POST', '/bookings', { count: 2 });
	await here.service.control('POST', '/faults', { path: '/api/', fault: { kind: 'status', status: 500 } });
	const failed = await trigger.poll();
	await here.service.control('DELETE', '/faults');
	const { items } = await trigger.poll();

	expect(failed.error?.message).toContain('(500)');
	expect(items?.map(({ json }) => json.guid).sort()).toEqual(made.map(({ guid }) => guid).sort());
	expect((await trigger.poll()).items).toBeNull();
});
