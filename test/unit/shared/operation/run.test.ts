import { setImmediate } from 'node:timers/promises';
import get from 'lodash/get';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { openAccount } from '../../../../nodes/shared/auth/account';
import { executeNode } from '../../../../nodes/shared/operation/run';
import { type Form, GUID, RECORDS, type Row, fullForm, rows } from '../../../support/sampleForm';

jest.mock('../../../../nodes/shared/auth/account');

const rowOf = (id: string) => rows.find((row) => row.id === id) as Row;

/** Runs an operation for one item, or one of each form, against a service that answers everything with `body`. */
async function run(row: Row, form: Form | Form[], settings: Partial<INode> = {}, body: unknown = []) {
	const [resource, operation] = row.id.split('.');
	const forms = [form].flat().map((one) => ({ ...one, resource, operation }));
	const [parameters] = forms;
	let [underWay, most] = [0, 0];
	const call = async () => {
		most = Math.max(most, ++underWay);
		await setImmediate();
		underWay--;
		return { status: 200, headers: { location: '/v1/x' }, body };
	};
	jest.mocked(openAccount).mockResolvedValue({
		...{ call, credentials: { customerId: 'a', password: 'b' }, statusRoles: {}, timeZone: 'UTC' },
		...{ queue: { ready: async () => {} }, currentSecrets: () => [], deployment: {} },
	} as unknown as Awaited<ReturnType<typeof openAccount>>);
	const node = { name: 'Node', type: 'x.node', parameters, ...settings } as unknown as INode;
	const hints: string[] = [];
	const context = {
		getNode: () => node,
		getInputData: () => forms.map(() => ({ json: {} })),
		getNodeParameter: (name: string, item: number) => get(forms[item], name) as unknown,
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => false,
		addExecutionHints: ({ message }: { message: string }) => void hints.push(message),
	} as unknown as IExecuteFunctions;
	const [items = []] = await executeNode(context, row.service);
	return { output: items.map(({ json }) => json), hints, most };
}

const customers = rowOf('customer.getAll');
const thirty = Array.from({ length: 30 }, (_, id) => ({ id, information: 'x'.repeat(5_000) }));
const listing = { output: 'raw', filters: {}, options: {} };

describe("n8n's 'Retry On Fail'", () => {
	test.each(rows)('is refused by name where it would make a change twice: $id', async (row) => {
		const outcome = run(row, fullForm(row), { retryOnFail: true }, {});

		if (row.id in RECORDS)
			await expect(outcome).rejects.toThrow("'Retry On Fail' is on, which would make changes twice");
		else await expect(outcome).resolves.toBeDefined();
	});
});

describe('a list', () => {
	test('ends at Limit and says so in a hint', async () => {
		const { output, hints } = await run(customers, { ...listing, limit: 7 }, {}, thirty);

		expect(output).toEqual(thirty.slice(0, 7));
		expect(hints).toEqual([expect.stringContaining("left out by 'Limit': 23.")]);
	});

	test('of a tool says in its data what Limit left out', async () => {
		const { output } = await run(customers, { ...listing, limit: 7 }, { type: 'x.nodeTool' }, thirty);

		expect(output).toHaveLength(8);
		expect(output.at(-1)).toEqual({ missing: 23, note: expect.stringContaining("left out by 'Limit': 23.") });
	});

	test('of a tool ends before 60,000 characters and says what is missing', async () => {
		const all = { ...listing, returnAll: true };
		const { output } = await run(customers, all, { type: 'x.nodeTool' }, thirty);

		expect(output.slice(0, -1)).toEqual(thirty.slice(0, output.length - 1));
		expect(JSON.stringify(output).length).toBeLessThanOrEqual(60_000);
		expect(JSON.stringify([...output, thirty[20]]).length).toBeGreaterThan(60_000);
		expect(output.at(-1)).toMatchObject({ missing: 31 - output.length });
		expect((await run(customers, all, {}, thirty)).output).toEqual(thirty);
	});
});

test('changes of one record go one after the other, in whatever letters its GUID is written, and those of others beside', async () => {
	const row = rowOf('webBooking.cancel');
	const parameters = { ...fullForm(row), webBookingId: '={{ $json.guid }}' } as INode['parameters'];
	const mostAtOnce = async (...guids: string[]) => {
		const forms = guids.map((webBookingId) => ({ ...fullForm(row), webBookingId }));
		return (await run(row, forms, { parameters }, {})).most;
	};

	expect(await mostAtOnce(GUID, GUID.toUpperCase())).toBe(1);
	expect(await mostAtOnce(GUID, GUID.replace('3f', '4f'))).toBe(2);
});

test("Authenticate outputs the response's Location", async () => {
	const { output } = await run(
		rowOf('customer.authenticate'),
		{ options: {} },
		{},
		{ IsAuthenticated: true },
	);
	expect(output).toEqual([{ IsAuthenticated: true, Location: '/v1/x' }]);
});
