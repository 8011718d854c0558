import type { IDataObject } from 'n8n-workflow';
import { fromFields, fullBody, MESSAGES } from '../support/body';
import { byId, testOperation } from '../support/operation';

const LIST = '/api/booking/v1/WebBooking/WebBookings';
const UNKNOWN_GUID = '00000000-0000-4000-8000-000000000000';
const FROM_ITEM = byId('={{ $json.guid }}');

const body = fullBody('webBooking.cancel');

const here = testOperation('webBooking.cancel', {
	path: ({ guid }) => ({ id: guid }),
	smallest: ({ guid }) => ({ parameters: { webBookingId: byId(guid) }, body: {} }),
	fullest: ({ guid }) => ({
		parameters: { webBookingId: byId(guid), ...fromFields(body, { messages: MESSAGES }) },
		body,
	}),
});

/** Makes bookings in the service and returns what their items are told apart by. */
async function makeBookings(count: number): Promise<Array<{ guid: string }>> {
	const made = await here.service.control<Array<{ guid: string }>>('POST', '/bookings', { count });
	await here.service.forgetRequests();
	return made.map(({ guid }) => ({ guid }));
}

test('cancels the booking of each item and sends an empty object when no field is set', async () => {
	const items = await makeBookings(2);
	const run = await here.run({ webBookingId: FROM_ITEM, output: 'raw' }, { items });

	expect(run.error).toBeUndefined();
	expect((await here.service.requests()).map(({ method, path, body }) => ({ method, path, body }))).toEqual(
		items.map(({ guid }) => ({ method: 'POST', path: `${LIST}/${guid}/Cancel`, body: {} })),
	);
	const records = await here.service.control<Array<{ web: IDataObject }>>('GET', '/state/bookings');
	const stored = items.map(({ guid }) => records.find(({ web }) => web.guid === guid)?.web.status);
	expect(run.json().map(({ status }) => status)).toEqual(stored);
	expect(run.json().map(({ guid }) => guid)).toEqual(items.map(({ guid }) => guid));
});

test('stops with the status and the item when one is not found', async () => {
	const [first] = await makeBookings(1);
	const run = await here.run({ webBookingId: FROM_ITEM }, { items: [{ ...first }, { guid: UNKNOWN_GUID }] });

	expect(run.status).toBe('error');
	expect(run.error?.name).toBe('NodeApiError');
	expect(run.error?.message).toMatch(/\(404\).*\[item 1\]/);
});

test.each(['../customers', 'a/b', '', ' ', '%2e%2e', `${UNKNOWN_GUID}/../..`])(
	'never turns the ID %j into another address',
	async (guid) => {
		const run = await here.run(
			{ webBookingId: FROM_ITEM },
			{ items: [{ guid }], onError: 'continueRegularOutput' },
		);

		expect(run.json()).toMatchObject([{ error: expect.stringContaining("'Web Booking'") }]);
		expect(await here.service.requests()).toEqual([]);
	},
);
