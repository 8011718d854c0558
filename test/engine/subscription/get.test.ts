import { testSubscription } from '../support/payment';

const here = testSubscription('subscription.get', false);

test('says that a plan is not registered', async () => {
	const { error } = await here.run({ id: 'no-such-plan' });

	expect(error?.message).toBe('The subscription plan is not registered (404) – Get subscription [item 0]');
	expect(error?.description).toContain("'Subscription Plan ID'");
	expect(await here.service.requests()).toHaveLength(1);
});

test('repeats a GET with a body after 503 and gives up on other statuses', async () => {
	const path = '/pay/subscriptions';
	await here.service.inject({ path, times: 1, fault: { kind: 'status', status: 503 } });
	const repeated = await here.run({ id: here.planId });
	const statuses = (await here.service.requests()).map(({ status }) => status);
	await here.service.inject({ path, fault: { kind: 'html', status: 500 } });
	await here.service.forgetRequests();
	const failed = await here.run({ id: here.planId });

	expect(repeated.error).toBeUndefined();
	expect(statuses).toEqual([503, 200]);
	expect(failed.error?.message).toContain('(500)');
	expect(await here.service.requests()).toHaveLength(1);
});
