import { DateTime } from 'luxon';
import { packageNode } from '../../dev/runner.ts';
import type { JsonObject, StoredWorkflow } from '../../dev/n8nClient.ts';
import { bookingCredential, paymentCredential } from '../../dev/sandbox.ts';
import { type Agent, connectAgent } from './support/agent';
import { type Connection, connect } from './support/stack.ts';

const PATH = 'hospitality-tools';

/** What an agent fills in itself. */
const fromAgent = (name: string, description: string, type = 'string') =>
	`={{ $fromAI('${name}', '${description}', '${type}') }}`;

describe('the operations as tools of an agent, over the Model Context Protocol', () => {
	let connection: Connection;
	let workflow: StoredWorkflow;
	let agent: Agent;

	beforeAll(async () => {
		connection = connect();
		const { client, sandbox } = connection;
		const [booking, payment] = [bookingCredential(sandbox), paymentCredential(sandbox)];
		const credentials = {
			hospitalityBooking: await client.createCredential('Tools', 'hospitalityBookingApi', booking),
			hospitalityPayment: await client.createCredential('Tools', 'hospitalityPaymentApi', payment),
		};
		const tool = (name: string, type: keyof typeof credentials, parameters: JsonObject) =>
			packageNode(`${type}Tool`, parameters, credentials[type], { id: name, name });
		const tools = [
			tool('List bookings', 'hospitalityBooking', {
				resource: 'webBooking',
				operation: 'getAll',
				getBy: 'period',
				startTime: fromAgent('from', 'bookings that end after this time'),
				endTime: fromAgent('until', 'bookings that start before this time'),
				limit: fromAgent('limit', 'how many', 'number'),
			}),
			tool('Cancel booking', 'hospitalityBooking', {
				resource: 'webBooking',
				operation: 'cancel',
				webBookingId: { __rl: true, mode: 'id', value: fromAgent('guid', 'GUID of the booking') },
				output: 'raw',
			}),
			tool('List customers', 'hospitalityBooking', { resource: 'customer', operation: 'getAll', limit: 3 }),
			tool('Get subscription', 'hospitalityPayment', {
				resource: 'subscription',
				operation: 'get',
				id: fromAgent('plan', 'ID of the subscription plan'),
			}),
		];
		workflow = await client.createWorkflow({
			name: 'Tools for agents',
			nodes: [
				{
					id: 'mcp',
					name: 'MCP',
					type: '@n8n/n8n-nodes-langchain.mcpTrigger',
					typeVersion: 2,
					position: [0, 0],
					parameters: { authentication: 'none', path: PATH },
					webhookId: PATH,
				},
				...tools,
			],
			connections: Object.fromEntries(
				tools.map(({ name }) => [name, { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] }]),
			),
			settings: {},
		});
		await client.activate(workflow);
		agent = await connectAgent(PATH);
	});

	afterAll(async () => {
		await agent?.close();
		if (workflow) await connection.client.deactivate(workflow);
	});

	const call: Agent['call'] = (...given) => agent.call(...given);

	/** The records in a tool's answer, however n8n wraps them. */
	function recordsIn(text: string): Record<string, unknown>[] {
		const answer: unknown = JSON.parse(text);
		const list = Array.isArray(answer) ? answer : [answer];
		return list.flatMap(
			(entry: Record<string, unknown>) => (entry.response ?? entry) as Record<string, unknown>[],
		);
	}

	it('offers each with what it does and which values it takes', async () => {
		const byName = await agent.tools();

		expect([...byName.keys()].sort()).toEqual([
			'Cancel_booking',
			'Get_subscription',
			'List_bookings',
			'List_customers',
		]);
		expect(Object.keys(byName.get('List_bookings')?.inputSchema.properties ?? {}).sort()).toEqual([
			'from',
			'limit',
			'until',
		]);
		expect(byName.get('Cancel_booking')?.description).toMatch(/cancel/i);
		expect(byName.get('List_customers')?.description).toMatch(/customers/i);
	});

	it('lists bookings, cancels one of them and finds it canceled', async () => {
		const now = DateTime.utc();
		const period = { from: now.minus({ days: 2 }).toISO(), until: now.plus({ days: 7 }).toISO(), limit: 4 };
		const listed = recordsIn(await call('List_bookings', period));
		const booking = listed.find(({ state }) => state === 'expected');
		const stored = async () => {
			const all = await connection.control<Array<{ web: Record<string, unknown> }>>('GET', '/state/bookings');
			return all.find(({ web }) => web.guid === booking?.guid)?.web;
		};

		expect(listed.length).toBeGreaterThan(0);
		expect(listed.filter(({ guid }) => guid).length).toBeLessThanOrEqual(4);
		expect(booking).toHaveProperty('guestName');

		const before = await stored();
		const [canceled] = recordsIn(await call('Cancel_booking', { guid: booking?.guid }));
		expect(canceled?.guid).toBe(booking?.guid);
		expect(canceled?.status).not.toBe(before?.status);
		expect((await stored())?.status).toBe(canceled?.status);
	});

	it('keeps to the limit and says what it left out, and reads a subscription with the body that its GET has', async () => {
		const plans = await connection.control<Array<Record<string, unknown>>>('GET', '/state/subscriptions');

		const customers = recordsIn(await call('List_customers'));
		expect(customers.filter(({ customerNumber }) => customerNumber)).toHaveLength(3);
		expect(customers.at(-1)).toMatchObject({ missing: expect.any(Number) });
		expect(recordsIn(await call('Get_subscription', { plan: plans[0]?.PlanId }))).toEqual([
			expect.objectContaining({ SubscriptionId: plans[0]?.SubscriptionId }),
		]);
	});

	it('tells the agent what is wrong with a value and what is needed, and sends nothing', async () => {
		await connection.control('DELETE', '/stats');
		const answer = await call('Cancel_booking', { guid: '../customers' });
		const { byPath } = await connection.stats();

		expect(answer).toContain("'Web Booking' must be a GUID, not '../customers'");
		expect(Object.keys(byPath)).toEqual([]);
	});
});
