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
	['fields', { anotherCustomer: { customerId: 'other', password: ' theirs ' } }],
	['JSON', { bodyMode: 'json', jsonBody: { CustomerId: 'other', Password: ' theirs ' } }],
])('sends another customer from %s and says when it is refused', async (_, parameters) => {
	const result = await here.run(parameters);
	const { headers, body } = await here.sent();

	expect(result.error).toBeUndefined();
	expect(body).toMatchObject({ CustomerId: 'other' });
	expect(headers.digest).toBe(digestOf(JSON.stringify({ CustomerId: 'other', Password: ' theirs ' })));
	expect(result.json()).toEqual([{ IsAuthenticated: false }]);
});

test('names what to check of another customer whom the service refuses by 401, after 1 call', async () => {
	await here.service.inject({ path: '/pay/authentication', fault: { kind: 'status', status: 401 } });
	const { error } = await here.run({ anotherCustomer: { customerId: 'other', password: 'theirs' } });

	expect(error?.message).toMatch(/^The service rejected the customer \(401\)/);
	expect(await here.service.requests()).toHaveLength(1);
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

describe("never takes the credential's own customer for another one", () => {
	const empties = [undefined, null, '', ' '].map((value) => [String(JSON.stringify(value)), value] as const);

	test.each(empties)('where both fields come to %s', async (_, value) => {
		const field = `={{ ${String(JSON.stringify(value))} }}`;
		const { error } = await here.run({ anotherCustomer: { customerId: field, password: field } });

		expect(error?.message).toMatch(/^'Customer ID' is /);
		expect(await here.service.requests()).toEqual([]);
	});

	test.each<[string, string]>([
		['names in other letter case', '{"customerId":"4711","password":"wrong"}'],
		['no names', '{}'],
		['both undefined', '={{ ({ CustomerId: $json.nothing, Password: $json.nothing }) }}'],
		['both empty', '{"CustomerId":"","Password":""}'],
		['both null', '{"CustomerId":null,"Password":null}'],
		['one of them', '{"Password":"theirs"}'],
	])('where the JSON holds %s', async (_, jsonBody) => {
		const { error } = await here.run({ bodyMode: 'json', jsonBody });

		expect(error?.message).toMatch(/CustomerId|'Customer ID'|customerId/);
		expect(await here.service.requests()).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['nothing is filled in', {}],
		['the whole collection comes to nothing', { anotherCustomer: '={{ $json.nothing }}' }],
	])("where 'Another One' is chosen and %s", async (_, parameters) => {
		const { error } = await here.run({ customer: 'another', ...parameters });

		expect(error?.message).toMatch(/^'Customer ID' is empty/);
		expect(await here.service.requests()).toEqual([]);
	});
});

test.each(['standard', 'another'])(
	'takes the blanks around the ID of the %s customer off',
	async (customer) => {
		const { info } = here.service;
		const customerId = ` ${info.paymentCustomerId} `;
		const anotherCustomer = { customerId, password: info.paymentPassword };
		if (customer === 'standard') await here.engine.credentials.edit('hospitalityPaymentApi', { customerId });
		const result = await here.run(customer === 'another' ? { customer, anotherCustomer } : {});

		expect((await here.sent()).body).toMatchObject({ CustomerId: info.paymentCustomerId });
		expect(result.json()).toMatchObject([{ IsAuthenticated: true }]);
	},
);
