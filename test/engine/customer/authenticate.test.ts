import type { INodeParameters } from 'n8n-workflow';
import { digest } from '../../sandbox/support/client';
import type { Run } from '../support/engine';
import { type ReceivedRequest, useService } from '../support/service';

const here = useService();

async function authenticate(parameters: INodeParameters): Promise<Run> {
	const own = { resource: 'customer', operation: 'authenticate', ...parameters };
	return await here.engine.execute({ node: 'hospitalityPayment', parameters: own });
}

/** The one request that the service has received. */
async function sent(): Promise<ReceivedRequest> {
	const requests = await here.service.requests();
	expect(requests).toHaveLength(1);
	return requests[0] as ReceivedRequest;
}

test("sends the credential's customer and masks the token", async () => {
	const result = await authenticate({});
	const { headers, ...request } = await sent();

	expect(result.error).toBeUndefined();
	expect(request).toMatchObject({ method: 'POST', path: '/pay/authentication', query: {} });
	expect(request.body).toMatchObject({ CustomerId: here.service.info.paymentCustomerId });
	expect(headers.digest).toBe(
		digest(
			JSON.stringify({
				CustomerId: here.service.info.paymentCustomerId,
				Password: here.service.info.paymentPassword,
			}),
		),
	);
	expect(headers).not.toHaveProperty('authorization');
	expect(headers).not.toHaveProperty('system');
	expect(result.json()).toEqual([
		expect.objectContaining({
			IsAuthenticated: true,
			AuthenticationToken: '***',
			Location: '/v1/authentication',
		}),
	]);
});

test('names what to check of another customer whom the service refuses by 401, after 1 call', async () => {
	await here.service.inject({ path: '/pay/authentication', fault: { kind: 'status', status: 401 } });
	const { error } = await authenticate({ anotherCustomer: { customerId: 'other', password: 'theirs' } });

	expect(error?.message).toMatch(/^The service rejected the customer \(401\)/);
	expect(await here.service.requests()).toHaveLength(1);
});
