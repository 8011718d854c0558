import { testOperation } from '../support/operation';

const here = testOperation('subscription.get', {
	smallest: ({ planId }) => ({ parameters: { id: planId }, body: { Id: planId } }),
	perItem: { id: '={{ $json.planId }}' },
});

test('says that a plan is not registered', async () => {
	const { error } = await here.run({ id: 'no-such-plan' });

	expect(error?.message).toBe('The subscription plan is not registered (404) – Get subscription [item 0]');
	expect(error?.description).toContain("'Subscription Plan ID'");
	expect(await here.service.requests()).toHaveLength(1);
});

test('repeats a GET with a body after 503', async () => {
	const fault = { kind: 'status', status: 503 };
	await here.service.inject({ path: '/pay/subscriptions', times: 1, fault });
	const { error } = await here.run({ id: here.records.planId });

	expect(error).toBeUndefined();
	expect((await here.service.requests()).map(({ status }) => status)).toEqual([503, 200]);
});
