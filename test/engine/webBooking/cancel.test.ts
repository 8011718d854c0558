import { fullCall } from '../support/body';
import { byId, testOperation } from '../support/operation';

testOperation('webBooking.cancel', {
	path: ({ guid }) => ({ id: guid }),
	smallest: ({ guid }) => ({ parameters: { webBookingId: byId(guid) }, body: {} }),
	fullest: ({ guid }) => fullCall('webBooking.cancel', {}, { parameters: { webBookingId: byId(guid) } }),
});
