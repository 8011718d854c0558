import { forgetAll } from '../../../../nodes/shared/values/recentMap';
import type { Run } from '../../support/engine';
import { useService } from '../../support/service';

const here = useService();
let planId: string;

beforeEach(async () => {
	// A process that holds no token yet.
	forgetAll();
	planId = String((await here.service.stored('subscriptions'))[0]?.PlanId);
});

/** One call an item. */
async function run(resource: string, operation: string, account = ''): Promise<Run> {
	return await here.engine.execute({
		node: resource === 'customer' ? 'hospitalityBooking' : 'hospitalityPayment',
		parameters: { resource, operation, ...(resource === 'customer' ? { limit: 1 } : { id: planId }) },
		items: [{ account }],
	});
}

test.each([
	['clientId', 'hospitalityBookingApi', 'customer', 'getAll', "'Client ID' or 'Client Secret'"],
	['customerId', 'hospitalityPaymentApi', 'subscription', 'get', "'Customer ID' or 'Password'"],
])(
	'acts in each run as what an expression for %s comes to',
	async (field, type, resource, operation, fields) => {
		const own = String((await here.engine.credentials.read(type))[field]);
		await here.engine.credentials.edit(type, { [field]: '={{ $json.account }}' });
		const messages: unknown[] = [];
		for (const account of [own, 'nobody', own])
			messages.push((await run(resource, operation, account)).error?.message);

		expect(messages).toEqual([undefined, expect.stringContaining(`service rejected ${fields}`), undefined]);
	},
);

test('tells n8n how long a service asks to wait that issues no token', async () => {
	const fault = { kind: 'rateLimit', retryAfter: 'seconds', seconds: 120 };
	await here.service.inject({ path: '/connect/token', fault });
	const parameters = { resource: 'customer', operation: 'getAll', options: { giveUpAfter: 1 } };

	expect((await here.engine.execute({ node: 'hospitalityBooking', parameters })).error).toMatchObject({
		failure: { cause: 'rate-limited', retryAfterMs: 120_000 },
	});
});
