import { fullCall } from '../support/body';
import { byId, testOperation } from '../support/operation';

const here = testOperation('webBooking.update', {
	smallest: ({ guid }) => ({
		parameters: { webBookingId: byId(guid), timeSetDate: '2031-05-01T18:00:00Z', guests: 0, times: {} },
		body: { bookingGuid: guid, timeSetDate: '2031-05-01T18:00:00Z', guests: 0, times: [] },
	}),
	fullest: ({ guid }) => fullCall('webBooking.update', { bookingGuid: guid, bookingStatus: 2 }),
});

test('sends a text of a million characters whole', async () => {
	const message = 'x'.repeat(1_000_000);
	const { guid } = here.records;
	const details = { message: '={{ $json.message }}' };
	const { error } = await here.run(
		{ webBookingId: byId(guid), timeSetDate: '2031-05-01T18:00:00Z', guests: 2, times: {}, details },
		{ items: [{ message }] },
	);

	expect(error).toBeUndefined();
	expect((await here.service.requests())[0]?.body).toMatchObject({ message });
});
