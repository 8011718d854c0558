import type { INodeParameters } from 'n8n-workflow';

import { HospitalityBooking } from '../../../../nodes/HospitalityBooking/HospitalityBooking.node';
import type { ExecuteOptions, Run } from '../../support/engine';
import { fullNodeName } from '../../support/nodeTypes';
import { byId } from '../../support/operation';
import { useService } from '../../support/service';

const here = useService({ customers: 200 });
const TOOL = 'hospitalityBookingTool';
const listCustomers = { resource: 'customer', operation: 'getAll', output: 'raw' };
const cancelBooking = async () => {
	const [booking] = await here.service.book();
	return { resource: 'webBooking', operation: 'cancel', webBookingId: byId(booking?.guid) };
};

async function run(node: string, parameters: INodeParameters, more?: Partial<ExecuteOptions>): Promise<Run> {
	here.engine.nodeTypes.add(fullNodeName(TOOL), new HospitalityBooking());
	return await here.engine.execute({ node, parameters, ...more });
}

const hintsOf = ({ data }: Run): string[] =>
	(data.data.resultData.runData['Node']?.[0]?.hints ?? []).map(({ message }) => message);

describe('a list that is cut', () => {
	it('says so in a hint, and not in the data', async () => {
		const cut = await run('hospitalityBooking', { ...listCustomers, limit: 10 });
		expect(cut.output()).toHaveLength(10);
		expect(hintsOf(cut)).toEqual(["Records left out by 'Limit': 190. Raise it or switch on 'Return All'."]);
		expect(hintsOf(await run('hospitalityBooking', { ...listCustomers, limit: 200 }))).toEqual([]);
	});

	it('says so to an agent in the data of the tool', async () => {
		const rows = (await run(TOOL, { ...listCustomers, limit: 10 })).json();
		expect(rows).toHaveLength(11);
		expect(rows.at(-1)).toEqual({
			note: "Records left out by 'Limit': 190. Raise it or switch on 'Return All'.",
			missing: 190,
		});
	});

	it('is cut at 60,000 characters for an agent who asks for all, and says what is missing', async () => {
		const rows = (await run(TOOL, { ...listCustomers, returnAll: true })).json();
		const text = JSON.stringify(rows);
		expect(text.length).toBeLessThanOrEqual(60_000);
		expect(text.length).toBeGreaterThan(55_000);
		expect(rows.at(-1)).toMatchObject({
			note: expect.stringContaining(`it holds ${rows.length - 1} of 200 results`),
			missing: 201 - rows.length,
		});
	});
});

describe("n8n's 'Retry On Fail'", () => {
	it.each(['hospitalityBooking', TOOL])('is refused by name where %s changes something', async (node) => {
		const parameters = await cancelBooking();
		await here.service.forgetRequests();
		const { error } = await run(node, parameters, { retryOnFail: true });
		expect(error?.message).toContain("'Retry On Fail' is on, which would make changes twice");
		expect(await here.service.requests()).toEqual([]);
	});

	it('is allowed where it reads', async () => {
		const { error } = await run('hospitalityBooking', listCustomers, { retryOnFail: true });
		expect(error).toBeUndefined();
	});
});

it('does not clear what an agent leaves blank, who must fill in every argument', async () => {
	const [booking] = await here.service.book();
	await here.service.forgetRequests();
	const start = '2031-05-01T18:00:00Z';
	await run(TOOL, {
		resource: 'webBooking',
		operation: 'update',
		webBookingId: byId(booking?.guid),
		timeSetDate: start,
		guests: 3,
		details: { message: '', markings: '', language: '' },
		guest: { email: ' ' },
	});
	const [request] = await here.service.requests();
	expect(request?.body).toEqual({ bookingGuid: booking?.guid, timeSetDate: start, guests: 3, times: [] });
});
