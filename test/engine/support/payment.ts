import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { operation as contractOperation } from '../../sandbox/support/contract';
import { paymentCredential } from '../../../harness/sandbox.ts';
import { createEngine, type Engine, type Run } from './engine';
import { type ReceivedRequest, type Service, sandboxFor } from './service';

/** What the tests of a payment operation share; filled in before each test. */
export interface PaymentTests {
	service: Service;
	engine: Engine;
	/** A registered subscription plan. */
	planId: string;
	/** Runs the operation; several items go on to the error output. */
	run(parameters: INodeParameters, items?: IDataObject[]): Promise<Run>;
	/** The one request that the service has received. */
	sent(): Promise<ReceivedRequest>;
}

/** The Digest header of a request body. */
export const digestOf = (body: string) => `SHA-256=${createHash('sha256').update(body).digest('base64')}`;

/**
 * A sandbox for the tests of a payment operation, and an engine that is signed in to it.
 *
 * @param id of the operation in the contract, e.g. `subscription.get`
 */
export function usePayment(id: string): PaymentTests {
	const [resource = '', operation = ''] = id.split('.');
	const here = {} as PaymentTests;

	beforeAll(async () => {
		here.service = await sandboxFor();
	});

	beforeEach(async () => {
		await here.service.reset();
		here.engine = await createEngine({
			credentials: { hospitalityPaymentApi: paymentCredential(here.service.info) },
		});
		here.planId = String((await here.service.stored('subscriptions'))[0]?.PlanId);
		await here.engine.execute({
			node: 'hospitalityPayment',
			parameters: { resource: 'subscription', operation: 'get', id: here.planId },
		});
		await here.service.forgetRequests();
	});

	here.run = async (parameters, items = [{}]) =>
		await here.engine.execute({
			node: 'hospitalityPayment',
			parameters: { resource, operation, ...parameters },
			items,
			onError: items.length > 1 ? 'continueErrorOutput' : 'stopWorkflow',
			after: { plan: "={{ $('Before').item.json.plan }}" },
		});

	here.sent = async () => {
		const requests = await here.service.requests();
		expect(requests).toHaveLength(1);
		return requests[0] as ReceivedRequest;
	};

	return here;
}

/**
 * The promises that both subscription operations keep.
 *
 * @param hasPlanId whether the response repeats the plan's ID
 */
export function testSubscription(id: string, hasPlanId: boolean): PaymentTests {
	const contract = contractOperation(id);
	const here = usePayment(id);

	test.each<[string, () => INodeParameters]>([
		['fields', () => ({ id: here.planId })],
		['JSON', () => ({ bodyMode: 'json', jsonBody: JSON.stringify({ Id: here.planId }, null, 2) })],
	])('sends exactly the documented call from %s', async (_, parameters) => {
		const result = await here.run(parameters());
		const { headers, ...request } = await here.sent();

		expect(result.error).toBeUndefined();
		expect(request).toMatchObject({
			method: contract.method,
			path: `/pay${contract.path}`,
			query: {},
			body: { Id: here.planId },
		});
		expect(headers['content-type']).toMatch(/^application\/json/);
		expect(headers.digest).toBe(digestOf(JSON.stringify({ Id: here.planId })));
		expect(headers.location).toBe(`${here.service.info.payUrl}/v1/subscriptions/`);
		expect(new Date(String(headers.date)).toUTCString()).toBe(headers.date);
		expect(headers.authorization).toMatch(/^Bearer /);
		expect(headers).not.toHaveProperty('system');
		expect(result.json()[0]).toMatchObject({
			MerchantId: expect.any(Number),
			OrderNumber: expect.any(String),
		});
		expect('PlanId' in (result.json()[0] ?? {})).toBe(hasPlanId);
	});

	test.each([
		['fields', { id: '={{ $json.plan }}' }],
		['JSON', { bodyMode: 'json', jsonBody: '={{ ({ Id: $json.plan }) }}' }],
	])('sends nothing without an ID from %s', async (_, parameters) => {
		const { error } = await here.run(parameters, [{ plan: '' }]);

		expect(error?.message).toMatch(/'Subscription Plan ID' is empty .* \[item 0\]/);
		expect(await here.service.requests()).toEqual([]);
	});

	test('links each item to its answer or its refusal', async () => {
		const result = await here.run({ id: '={{ $json.plan }}' }, [
			{ plan: here.planId },
			{ plan: 'no-such-plan' },
			{ plan: here.planId },
		]);

		expect(result.itemsOf(0)).toEqual([[0], [2]]);
		expect(result.itemsOf(1)).toEqual([[1]]);
		expect(result.after(0)).toEqual([{ plan: here.planId }, { plan: here.planId }]);
		expect(result.after(1)).toEqual([{ plan: 'no-such-plan' }]);
	});

	return here;
}
