import { bookingCredential } from '../../../harness/sandbox.ts';
import type { JsonObject, Workflow } from '../../../harness/n8nClient.ts';
import { useGallery } from './support';

interface Line {
	check: string;
	result: string;
	records: number;
	message: string;
	times: string;
	fieldsWithValues: string;
	fieldsAlwaysEmpty: string;
}

const PAYMENT = ['Open a payment session', 'Read a plan'];

describe('workflows/check-my-account.json', () => {
	const gallery = useGallery();

	afterEach(async () => {
		await gallery.control('DELETE', '/faults');
		await putCredential({});
	});

	async function putCredential(fields: JsonObject): Promise<void> {
		const data = { ...bookingCredential(gallery.sandbox), ...fields };
		await gallery.client.putCredential('Gallery', 'hospitalityBookingApi', data);
	}

	/** The table, by check. */
	async function check(activated: string[] = [], planId = 'plan-basic'): Promise<Record<string, Line>> {
		const { workflow, run } = await gallery.load('check-my-account', { 'Read a plan': { id: planId } });
		if (activated.length > 0) {
			const { client } = gallery;
			const stored = (await client.request('GET', `/rest/workflows/${workflow.id}`)) as Workflow;
			const nodes = stored.nodes.map((node) => ({
				...node,
				disabled: node.disabled === true && !activated.includes(node.name),
			}));
			await client.updateWorkflow(workflow.id, { ...stored, nodes });
		}
		const { status, runs } = await run();
		const items = runs['One line per check']?.[0]?.data?.main?.[0] ?? [];
		expect(status).toBe('success');
		return Object.fromEntries(items.map(({ json }) => [String(json.check), json as unknown as Line]));
	}

	const resultsOf = (table: Record<string, Line>) => Object.values(table).map(({ result }) => result);

	it('says what each reading operation brought, without values, and changes nothing', async () => {
		await gallery.control('DELETE', '/requests');
		const table = await check();
		const requests = await gallery.control<Array<{ method: string; tokenRequest: boolean }>>(
			'GET',
			'/requests',
		);

		expect(resultsOf(table)).toEqual(['OK', 'OK', 'OK', 'OK', 'Left out', 'Left out']);
		expect(table['Bookings, 7 days back and 30 ahead']).toMatchObject({ times: 'with offset', message: '' });
		expect(table['Bookings, 7 days back and 30 ahead']?.fieldsWithValues).toContain('globalBookingNumber');
		expect(table['Bookings, 7 days back and 30 ahead']?.records).toBeGreaterThan(5);
		expect(JSON.stringify(table)).not.toMatch(/@example|\+46|\d{4}-\d\d-\d\dT/);
		expect(requests.filter(({ method, tokenRequest }) => method !== 'GET' && !tokenRequest)).toEqual([]);
	});

	it('reads a payment account where its steps are activated', async () => {
		const table = await check(PAYMENT);

		expect(table['Payment: session']).toMatchObject({ result: 'OK', records: 1 });
		expect(table['Payment: plan']).toMatchObject({ result: 'OK', records: 1 });
		expect(JSON.stringify(table)).not.toContain('sandbox-payment');
	});

	it('says of each call that fails why, and goes on with the others', async () => {
		await gallery.control('POST', '/faults', {
			path: '/booking/customers',
			fault: { kind: 'status', status: 403 },
		});
		const table = await check(['Read a plan'], 'plan-of-nobody');

		expect(resultsOf(table)).toEqual(['OK', 'Failed', 'OK', 'OK', 'Left out', 'Failed']);
		expect(table.Customers?.message).toMatch(/not allowed.*403/);
		expect(table['Payment: plan']?.message).toContain('not registered');
	});

	it('works without a system, and says which calls need one', async () => {
		await putCredential({ system: '' });
		const table = await check();

		expect(Object.keys(table)).toHaveLength(6);
		for (const { result, message } of Object.values(table))
			if (result === 'Failed') expect(message).toMatch(/system/i);
	});

	it('says where an account has no records', async () => {
		for (const path of ['/Survey/Recipients', '/booking/customers', '/WebBooking/WebBookings'])
			await gallery.control('POST', '/faults', {
				path,
				fault: { kind: 'status', status: 200, body: '[]', contentType: 'application/json' },
			});
		const table = await check();

		expect(resultsOf(table)).toEqual([
			'No records',
			'No records',
			'No records',
			'Left out',
			'Left out',
			'Left out',
		]);
	});
});
