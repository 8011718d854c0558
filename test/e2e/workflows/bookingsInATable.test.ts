import { tableRows } from '../../../demo/table.ts';
import type { JsonObject, StoredWorkflow, Workflow } from '../../../harness/n8nClient.ts';
import { bookingCredential } from '../../../harness/sandbox.ts';
import { EVERY_FEW_SECONDS, triggerWorkflow } from '../../support/triggerWorkflows';
import { eventually, useGallery } from './support';

const TABLE = 'Hospitality Bookings';
const CANCELED = 5;

describe('workflows/bookings-in-a-table.json', () => {
	const gallery = useGallery(TABLE);

	it('keeps one row per booking: made, changed, marked when it is canceled', async () => {
		await gallery.publish('bookings-in-a-table');
		const booking = await gallery.book({ guests: 2 });
		const ofBooking = (guests: number) => (row: Record<string, unknown>) =>
			row.bookingId === booking.guid && row.guests === guests;
		const [made] = await gallery.rows(TABLE, ofBooking(2));
		await gallery.control('PATCH', `/bookings/${booking.guid}`, { guests: 7 });
		const [changed] = await gallery.rows(TABLE, ofBooking(7));
		await gallery.control('PATCH', `/bookings/${booking.guid}`, { status: CANCELED });
		const [canceled] = await gallery.rows(
			TABLE,
			(row) => row.bookingId === booking.guid && row.canceled === true,
		);
		const rows = await tableRows(gallery.client, TABLE);

		expect(made).toMatchObject({ bookingNumber: booking.globalBookingNumber, canceled: false });
		expect(changed).toMatchObject({ id: made?.id, canceled: false });
		expect(canceled).toMatchObject({ id: made?.id, guests: 7, status: 'Canceled' });
		expect(rows.filter(({ bookingId }) => bookingId === booking.guid)).toHaveLength(1);
	});
});

describe('what was last seen of bookings', () => {
	const gallery = useGallery();

	/** The trigger alone, as a workflow. */
	async function workflowOf(event: string, options: JsonObject = {}): Promise<Workflow> {
		const data = bookingCredential(gallery.sandbox);
		const credential = await gallery.client.putCredential('Gallery', 'hospitalityBookingApi', data);
		const parameters = { event, options, pollTimes: EVERY_FEW_SECONDS };
		const type = 'n8n-nodes-base.noOp';
		const end = { id: 'end', name: 'End', type, typeVersion: 1, position: [200, 0] as [number, number] };
		return triggerWorkflow(event, credential, parameters, { ...end, parameters: {} });
	}

	/** What executions started with, as soon as one has ended so. */
	async function started({ id }: StoredWorkflow, status: string): Promise<JsonObject[]> {
		const { client } = gallery;
		const ended = await eventually(`An execution with the status ${status}`, async () => {
			const all = await client.executions(id);
			return all.some((one) => one.status === status) ? all : undefined;
		});
		const runs = await Promise.all(ended.map(async (one) => (await client.execution(one.id)).runs));
		return runs.flatMap(({ Trigger }) => Trigger?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
	}

	it.each([
		['bookingRescheduled', { end: '2026-01-01T21:00:00Z' }, ['end'], { end: /^2026-01-01T20:00/ }],
		['bookingPaymentChanged', { chargePayedAmount: 90 }, ['chargePayedAmount'], { chargePayedAmount: /^0$/ }],
	])('starts a workflow by %s once, with the earlier values', async (event, change, fields, before) => {
		const { client, control } = gallery;
		const times = { start: '2026-01-01T18:00:00Z', end: '2026-01-01T20:00:00Z' };
		const booking = await gallery.book({ ...times, chargeAuthorizedAmount: 0 });
		const workflow = await client.putWorkflow(await workflowOf(event));
		await client.activate(workflow);
		await control('PATCH', `/bookings/${booking.guid}`, change);
		const items = await started(workflow, 'success');
		await client.deactivate(workflow);

		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({ guid: booking.guid, changes: { fields } });
		const { changes } = items[0] as unknown as { changes: { before: Record<string, unknown> } };
		for (const [name, value] of Object.entries(before)) expect(String(changes.before[name])).toMatch(value);
	});

	it('tells what changed; Emit Again Since, entered while published, brings it once more', async () => {
		const { client, control } = gallery;
		const booking = await gallery.book({ guests: 2 });
		const options = { eventDetails: true, whatChanged: true };
		const workflow = await client.putWorkflow(await workflowOf('bookingUpdated', options));
		await client.activate(workflow);
		const againSince = new Date().toISOString();
		await control('PATCH', `/bookings/${booking.guid}`, { guests: 7 });
		const ofBooking = ({ guid }: JsonObject) => guid === booking.guid;
		const first = (await started(workflow, 'success')).filter(ofBooking);
		const changed = await workflowOf('bookingUpdated', { ...options, againSince });
		await client.activate(await client.updateWorkflow(workflow.id, changed));
		// The poll that has brought all of it says so.
		const all = (await started(workflow, 'error')).filter(ofBooking);
		await client.deactivate(workflow);

		expect(first).toHaveLength(1);
		expect(first[0]).toMatchObject({ changes: { fields: ['guests'], before: { guests: 2 } } });
		expect(all.map(({ event }) => (event as JsonObject).again)).toEqual([true, undefined]);
	});
});
