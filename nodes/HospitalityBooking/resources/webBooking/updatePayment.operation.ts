import { collection } from '../../../shared/operation/body';
import { decimal, identifier, string } from '../../../shared/operation/fields';
import { webBookingInPath } from '../../../shared/booking/locators';
import type { Operation } from '../../../shared/operation/operation';
import { webBookingPayment } from '../../../shared/booking/records/webBooking';

/** @see contract/openapi.yaml webBooking.updatePayment */
export const updatePayment: Operation = {
	value: 'updatePayment',
	name: 'Update Payment',
	action: 'Update payment of web booking',
	description:
		'Change the payment data of a web booking (amounts, charge ID, payment method) and nothing else',
	method: 'PUT',
	path: '/api/booking/v1/WebBooking/WebBookingsPaymentOnly/{id}',
	record: 'path',
	pathFields: [webBookingInPath],
	body: {
		schema: 'WebBookingPayment',
		identifiedBy: ['guid'],
		sections: [
			collection('Payment', 'payment', [
				decimal('Amount to Pay', 'chargeShouldPayAmount', { description: 'What the guest should pay' }),
				decimal('VAT to Pay', 'chargeShouldPayVat', {
					description: "The service's field 'chargeShouldPayVat'",
				}),
				decimal('VAT Amount to Pay', 'chargeShouldPayAmountVat', {
					description: "The service's field 'chargeShouldPayAmountVat'",
				}),
				decimal('Authorized Amount', 'chargeAuthorizedAmount', {
					description: 'What the payment provider has reserved',
				}),
				decimal('Paid Amount', 'chargePayedAmount', { description: 'What the guest has paid' }),
				decimal('Refunded Amount', 'chargeRefundedAmount', { description: 'What was paid back' }),
				string('Charge ID', 'chargeId', {
					placeholder: 'e.g. ch_3Nq8',
					description: "The payment provider's ID of the charge",
				}),
				string('Payment Method', 'payMethod', { placeholder: 'e.g. Card' }),
				identifier('Booking GUID', 'guid', 'guid', {
					placeholder: 'e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
					description: 'GUID of the booking, to send in the body as well',
				}),
			]),
		],
		example: {
			chargeId: 'ch_3Nq8',
			payMethod: 'Card',
			chargeShouldPayAmount: 1250,
			chargeAuthorizedAmount: 1250,
			chargePayedAmount: 1250,
		},
	},
	output: webBookingPayment,
};
