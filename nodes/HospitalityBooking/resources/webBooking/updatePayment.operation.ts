import { operation } from '../../../shared/operation/declare';
import { collection, field } from '../../../shared/form/rows';
import { webBookingField } from './webBookingField';

export const updatePayment = operation('webBooking.updatePayment', {
	name: 'Update Payment',
	action: 'Update payment of booking',
	description:
		'Change the payment data of a booking (amounts, charge ID, payment method) and nothing else',
	pathFields: [webBookingField('id')],
	body: {
		repeatsId: 'guid',
		sections: [
			collection('Payment', 'payment', [
				field('Amount to Pay', 'chargeShouldPayAmount', {
					description: 'What the guest should pay',
				}),
				field('VAT to Pay', 'chargeShouldPayVat', {
					description: "The service's field 'chargeShouldPayVat'",
				}),
				field('VAT Amount to Pay', 'chargeShouldPayAmountVat', {
					description: "The service's field 'chargeShouldPayAmountVat'",
				}),
				field('Authorized Amount', 'chargeAuthorizedAmount', {
					description: 'What the payment provider has reserved',
				}),
				field('Paid Amount', 'chargePayedAmount', { description: 'What the guest has paid' }),
				field('Refunded Amount', 'chargeRefundedAmount', { description: 'What was paid back' }),
				field('Charge ID', 'chargeId', { description: "The payment provider's ID of the charge" }),
				field('Payment Method', 'payMethod'),
			]),
		],
	},
});
