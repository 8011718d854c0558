import { fromFields, fullBody } from '../support/body';
import { byId, expressionOf, testOperation } from '../support/operation';

testOperation('webBooking.updatePayment', {
	path: ({ guid }) => ({ id: guid }),
	smallest: ({ guid }) => ({
		parameters: { webBookingId: byId(guid), payment: { payMethod: 'Card' } },
		body: { payMethod: 'Card' },
	}),
	fullest: ({ guid }) => {
		const body = fullBody('webBooking.updatePayment', { guid });
		const layout = { payment: Object.keys(body) };
		return { parameters: { webBookingId: byId(guid), ...fromFields(body, layout) }, body };
	},
	refuses: [['text for money', { payment: { chargePayedAmount: expressionOf('much') } }, "'Paid Amount'"]],
});
