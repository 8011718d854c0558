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

it('tells a person by a hint that a list was cut, and an agent in the data', async () => {
	const told = "Records left out by 'Limit': 190. Raise it or switch on 'Return All'.";
	const cut = await run('hospitalityBooking', { ...listCustomers, limit: 10 });
	expect(cut.output()).toHaveLength(10);
	expect(hintsOf(cut)).toEqual([told]);

	const rows = (await run(TOOL, { ...listCustomers, limit: 10 })).json();
	expect(rows.slice(10)).toEqual([{ note: told, missing: 190 }]);
});

it("refuses n8n's 'Retry On Fail' where an agent's tool changes something", async () => {
	const parameters = await cancelBooking();
	await here.service.forgetRequests();
	const { error } = await run(TOOL, parameters, { retryOnFail: true });
	expect(error?.message).toContain("'Retry On Fail' is on, which would make changes twice");
	expect(await here.service.requests()).toEqual([]);
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
