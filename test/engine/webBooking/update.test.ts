import { fullCall } from '../support/body';
import { byId, testOperation } from '../support/operation';

testOperation('webBooking.update', {
	smallest: ({ guid }) => ({
		parameters: { webBookingId: byId(guid), timeSetDate: '2031-05-01T18:00:00Z', guests: 0, times: {} },
		body: { bookingGuid: guid, timeSetDate: '2031-05-01T18:00:00Z', guests: 0, times: [] },
	}),
	fullest: ({ guid }) => {
		const message = 'x'.repeat(1_000_000);
		return fullCall('webBooking.update', { bookingGuid: guid, bookingStatus: 2, message });
	},
});
