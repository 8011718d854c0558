import type { IDataObject } from 'n8n-workflow';
import { fullCall } from '../support/body';
import { byId, testOperation } from '../support/operation';

const LIST = '/api/booking/v1/WebBooking/WebBookings';
const FROM_ITEM = byId('={{ $json.guid }}');

const here = testOperation('webBooking.cancel', {
	path: ({ guid }) => ({ id: guid }),
	smallest: ({ guid }) => ({ parameters: { webBookingId: byId(guid) }, body: {} }),
	fullest: ({ guid }) => fullCall('webBooking.cancel', {}, { parameters: { webBookingId: byId(guid) } }),
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
