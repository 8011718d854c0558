import type { INodeParameters } from 'n8n-workflow';
import { digestOf, usePayment } from '../support/payment';

const here = usePayment('customer.authenticate');

test("sends the credential's customer and masks the token", async () => {
	const result = await here.run({});
	const { headers, ...request } = await here.sent();

	expect(result.error).toBeUndefined();
	expect(request).toMatchObject({ method: 'POST', path: '/pay/authentication', query: {} });
	expect(request.body).toMatchObject({ CustomerId: here.service.info.paymentCustomerId });
	expect(headers.digest).toBe(
		digestOf(
			JSON.stringify({
				CustomerId: here.service.info.paymentCustomerId,
				Password: here.service.info.paymentPassword,
			}),
		),
	);
	expect(headers).not.toHaveProperty('authorization');
	expect(headers).not.toHaveProperty('system');
	expect(result.json()).toEqual([
		expect.objectContaining({ IsAuthenticated: true, AuthenticationToken: '***' }),
	]);
});

test.each<[string, INodeParameters]>([
	['fields', { anotherCustomer: { customerId: 'other', password: 'theirs' } }],
	['JSON', { bodyMode: 'json', jsonBody: { CustomerId: 'other', Password: 'theirs' } }],
])('sends another customer from %s and says when it is refused', async (_, parameters) => {
	const result = await here.run(parameters);
	const { headers, body } = await here.sent();

	expect(result.error).toBeUndefined();
	expect(body).toMatchObject({ CustomerId: 'other' });
	expect(headers.digest).toBe(digestOf(JSON.stringify({ CustomerId: 'other', Password: 'theirs' })));
	expect(result.json()).toEqual([{ IsAuthenticated: false }]);
});

test('sends nothing for half a customer', async () => {
	const { error } = await here.run({ anotherCustomer: { customerId: 'other' } });

	expect(error?.message).toMatch(/^'Password' is empty/);
	expect(error?.description).toContain("'Customer ID' and 'Password'");
	expect(await here.service.requests()).toEqual([]);
});

test("puts the token into the output with 'Include Token' only", async () => {
	const result = await here.run({ options: { includeToken: true } });

	expect(result.json()[0]?.AuthenticationToken).toMatch(/^.{20,}$/);
});
