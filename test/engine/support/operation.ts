import type { INodeParameters } from 'n8n-workflow';
import { digest } from '../../sandbox/support/client';
import { bodySchema, operation as contractOperation } from '../../sandbox/support/contract';
import type { ExecuteOptions, Run } from './engine';
import { type ReceivedRequest, type Service, useService } from './service';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Records of the sandbox that calls are about. */
type Records = Awaited<ReturnType<typeof readRecords>>;

/** Records of the sandbox that operations can be tried on; the booking is a new one. */
async function readRecords(service: Service) {
	const [made] = await service.book();
	const bookings = await service.stored('bookings');
	const booking = bookings.find(({ web }) => web.guid === made?.guid);
	const recipient = (await service.stored('recipients')).find(({ status }) => status === 2);
	const alias = bookings.find((each) => each.alias !== undefined)?.alias;
	if (!booking || !recipient || alias === undefined) throw new Error('The sandbox lacks a record');
	return {
		guid: booking.web.guid,
		rootId: booking.rootId,
		tableIds: booking.web.articles.map(({ bookedArticleId }) => bookedArticleId),
		alias,
		surveyId: recipient.surveyId,
		recipientId: recipient.id,
		companyId: service.info.companyId,
		brandId: service.info.brandId,
		planId: String((await service.stored('subscriptions'))[0]?.PlanId),
		articleIds: (await service.stored('articles')).map(({ articleId }) => articleId),
	};
}

/** One call: the parameters of the form, and the query and body that must arrive. */
export interface Call {
	parameters: INodeParameters;
	query?: Record<string, unknown>;
	body?: unknown;
}

/** What the promises that every operation keeps are checked with. */
export interface OperationCase {
	/** Values of the path's placeholders, as in the contract. */
	path?: (records: Records) => Record<string, string | number>;
	/** Nothing but what is required. */
	smallest: (records: Records) => Call;
	/** Every field of the form, each with a value of its own; the smallest call where nothing is optional. */
	fullest?: (records: Records) => Call;
	/** Parameters that differ from item to item, by expressions over the items of {@link threeItems}. */
	perItem?: INodeParameters;
}

/** What the tests of an operation share; filled in before each test. */
export interface OperationTests extends ReturnType<typeof useService> {
	/** Records of the sandbox as it was seeded. */
	records: Records;
	/** Runs the operation with exactly these parameters. */
	run(parameters?: INodeParameters, options?: Partial<ExecuteOptions>): Promise<Run>;
}

/** A resource locator's value, as the editor keeps a record that is chosen or typed by ID. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as unknown as INodeParameters;

/** Behind each output: the name of the item that an output item is linked to. */
export const linkedName = { name: "={{ $('Before').item.json.name }}" };

/**
 * Promises that every operation keeps: what it sends, from fields and as JSON; item linking.
 *
 * @param id of the operation in the contract, e.g. `webBooking.cancel`
 */
export function testOperation(id: string, given: OperationCase): OperationTests {
	const [resource = '', operation = ''] = id.split('.');
	const contract = contractOperation(id);
	const { smallest, fullest = smallest, perItem } = given;
	const isPayment = contract.service === 'pay';
	const here = useService() as OperationTests;
	here.run = async (parameters = {}, options = {}) =>
		await here.engine.execute({
			node: isPayment ? 'hospitalityPayment' : 'hospitalityBooking',
			parameters: { resource, operation, ...parameters },
			...options,
		});

	beforeEach(async () => {
		here.records = await readRecords(here.service);
		// Opens the session that the calls of the test take.
		if (isPayment) await here.run(smallest(here.records).parameters);
		await here.service.forgetRequests();
	});

	/** Exactly one request, of exactly this form. */
	async function expectCall(
		{ parameters, query = {}, body }: Call,
		options: Partial<ExecuteOptions> = {},
	): Promise<void> {
		const { error } = await here.run(parameters, options);
		expect(error).toBeUndefined();
		const requests = await here.service.requests();
		expect(requests).toHaveLength(1);
		const [{ headers, status, ...request }] = requests as [ReceivedRequest];
		const values = given.path?.(here.records) ?? {};
		const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
		expect(request).toMatchObject({ method: contract.method, path: `${isPayment ? '/pay' : ''}${path}` });
		expect([request.query, request.body]).toEqual([query, body]);
		expect(Math.floor(status / 100)).toBe(2);
		const { system, authorization, accept, 'content-type': contentType } = headers;
		const takesSystem = contract.parameters.some(({ name }) => name === 'system');
		expect(system).toBe(takesSystem ? here.service.info.system : undefined);
		expect(authorization).toMatch(/^Bearer \S+/);
		expect(accept).toBe('application/json');
		expect(contentType).toBe(body === undefined ? undefined : 'application/json');
		if (!isPayment) return;
		expect(headers.digest).toBe(digest(JSON.stringify(body)));
		expect(headers.location).toBe(`${here.service.info.payUrl}/v1${path}`);
		expect(new Date(String(headers.date)).toUTCString()).toBe(headers.date);
	}

	test('sends the smallest input and nothing else', async () => {
		await expectCall(smallest(here.records));
	});

	test('sends the fullest input from fields, every value in its place', async () => {
		await expectCall(fullest(here.records));
	});

	if (bodySchema(contract))
		test.each(Object.entries({ smallest, fullest }))(
			'sends the %s body from JSON as it is',
			async (_, callOf) => {
				const call = callOf(here.records);
				const json = { bodyMode: 'json', jsonBody: JSON.stringify(call.body, null, 2) };
				await expectCall({ ...call, parameters: { ...call.parameters, ...json } });
			},
		);

	/** The second of three items is refused by the service: its system does not exist, nor do its records. */
	async function runThreeItems(onError: ExecuteOptions['onError']): Promise<Run> {
		const other = await readRecords(here.service);
		const { rootId, recipientId, articleIds, planId } = here.records;
		const known = { system: here.service.info.system, recipientId, planId };
		const [first, third] = articleIds;
		return await here.run(
			{ ...smallest(here.records).parameters, options: { system: '={{ $json.system }}' }, ...perItem },
			{
				items: [
					{ ...known, name: 'first', articleId: first, rootId, contactId: 11 },
					{
						name: 'second',
						system: 'nowhere',
						recipientId: UNKNOWN,
						articleId: UNKNOWN,
						rootId: 1,
						contactId: 12,
						planId: UNKNOWN,
					},
					{ ...known, name: 'third', articleId: third, rootId: other.rootId, contactId: 13 },
				],
				onError,
				after: linkedName,
			},
		);
	}

	test('links items on both outputs when the second of three fails', async () => {
		const run = await runThreeItems('continueErrorOutput');

		expect(run.error).toBeUndefined();
		expect([...new Set(run.after(0).map(({ name }) => name))]).toEqual(['first', 'third']);
		expect(run.after(1)).toEqual([{ name: 'second' }]);
		const [refused] = run.json(1);
		expect(refused).toMatchObject({ name: 'second', error: expect.stringContaining('[item 1]') });
		expect(refused?.details).toMatchObject({ status: expect.any(Number), description: expect.any(String) });
	});

	test('keeps the failed item in its place on the regular output', async () => {
		const run = await runThreeItems('continueRegularOutput');

		expect(run.error).toBeUndefined();
		expect([...new Set(run.after(0).map(({ name }) => name))]).toEqual(['first', 'second', 'third']);
		expect(run.json().filter(({ error }) => error !== undefined)).toHaveLength(1);
	});

	return here;
}
