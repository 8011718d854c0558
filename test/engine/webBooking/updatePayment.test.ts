import { fullCall } from '../support/body';
import { byId, testOperation } from '../support/operation';

testOperation('webBooking.updatePayment', {
	path: ({ guid }) => ({ id: guid }),
	smallest: ({ guid }) => ({
		parameters: { webBookingId: byId(guid), payment: { payMethod: 'Card' } },
		body: { payMethod: 'Card', guid },
	}),
	fullest: ({ guid }) =>
		fullCall('webBooking.updatePayment', { guid }, { parameters: { webBookingId: byId(guid) } }),
});
