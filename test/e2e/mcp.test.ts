import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { StoredWorkflow, WorkflowNode } from '../../harness/n8nClient.ts';
import { bookingCredential, paymentCredential } from '../../harness/sandbox.ts';
import { type Connection, connect, foundStack } from './support/stack.ts';

const PACKAGE = 'n8n-nodes-hospitality-booking';
const PATH = 'hospitality-tools';

/** What an agent fills in itself. */
const fromAgent = (name: string, description: string, type = 'string') =>
	`={{ $fromAI('${name}', '${description}', '${type}') }}`;

describe('the operations as tools of an agent, over the Model Context Protocol', () => {
	let connection: Connection;
	let workflow: StoredWorkflow;
	let agent: Client;

	beforeAll(async () => {
		connection = connect();
		const { client, sandbox } = connection;
		const booking = await client.createCredential(
			'Tools',
			'hospitalityBookingApi',
			bookingCredential(sandbox),
		);
		const payment = await client.createCredential(
			'Payment tools',
			'hospitalityPaymentApi',
			paymentCredential(sandbox),
		);
		const tool = (
			name: string,
			node: 'hospitalityBooking' | 'hospitalityPayment',
			parameters: WorkflowNode['parameters'],
		): WorkflowNode => {
			const [type, { id }] =
				node === 'hospitalityBooking'
					? (['hospitalityBookingApi', booking] as const)
					: (['hospitalityPaymentApi', payment] as const);
			return {
				id: name,
				name,
				type: `${PACKAGE}.${node}Tool`,
				typeVersion: 1,
				position: [0, 200],
				parameters,
				credentials: { [type]: { id, name: type } },
			};
		};
		const tools = [
			tool('List bookings', 'hospitalityBooking', {
				resource: 'webBooking',
				operation: 'getAll',
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
			tool('List customers', 'hospitalityBooking', {
				resource: 'customer',
				operation: 'getAll',
				limit: 3,
			}),
			tool('Get subscription', 'hospitalityPayment', {
				resource: 'subscription',
				operation: 'get',
				id: fromAgent('plan', 'ID of the subscription plan'),
			}),
		];
		workflow = await client.putWorkflow({
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
		agent = new Client({ name: 'test-agent', version: '1.0.0' });
		await agent.connect(new StreamableHTTPClientTransport(new URL(`${foundStack().url}/mcp/${PATH}`)));
	});

	afterAll(async () => {
		await agent?.close();
		if (workflow) await connection.client.deactivate(workflow);
	});

	/** Calls a tool. @returns the text of its answer */
	async function call(name: string, given: Record<string, unknown> = {}): Promise<string> {
		const { content } = await agent.callTool({ name, arguments: given });
		return (content as Array<{ text?: string }>).map(({ text }) => text ?? '').join('');
	}

	/** The records in a tool's answer, however n8n wraps them. */
	function recordsIn(text: string): Record<string, unknown>[] {
		const answer: unknown = JSON.parse(text);
		const list = Array.isArray(answer) ? answer : [answer];
		return list.flatMap(
			(entry: Record<string, unknown>) => (entry.response ?? entry) as Record<string, unknown>[],
		);
	}

	it('offers each with what it does and which values it takes', async () => {
		const { tools } = await agent.listTools();
		const byName = new Map(tools.map((tool) => [tool.name, tool]));

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
		const period = { from: '2020-01-01T00:00:00Z', until: '2020-01-01T00:00:00Z', limit: 4 };
		const now = Date.now();
		period.from = new Date(now - 2 * 86_400_000).toISOString();
		period.until = new Date(now + 7 * 86_400_000).toISOString();
		const listed = recordsIn(await call('List_bookings', period));
		const booking = listed.find(({ statusName }) => statusName === 'Reserved');
		const stored = async () => {
			const all = await connection.control<Array<{ web: Record<string, unknown> }>>('GET', '/state/bookings');
			return all.find(({ web }) => web.guid === booking?.guid)?.web;
		};

		expect(listed.length).toBeGreaterThan(0);
		expect(listed.length).toBeLessThanOrEqual(4);
		expect(booking).toHaveProperty('guestName');

		const before = await stored();
		const [canceled] = recordsIn(await call('Cancel_booking', { guid: booking?.guid }));
		expect(canceled?.guid).toBe(booking?.guid);
		expect(canceled?.status).not.toBe(before?.status);
		expect((await stored())?.status).toBe(canceled?.status);
	});

	it('keeps to the limit, and reads a subscription with the body that its GET has', async () => {
		const plans = await connection.control<Array<Record<string, unknown>>>('GET', '/state/subscriptions');

		expect(recordsIn(await call('List_customers'))).toHaveLength(3);
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
