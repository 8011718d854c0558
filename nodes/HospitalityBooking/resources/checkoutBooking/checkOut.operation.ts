import { operation } from '../../../shared/operation/declare';
import { collection, field } from '../../../shared/form/rows';
import {
	bookingRootId,
	checkoutResult,
	failOnValidationErrors,
	validationErrorsOption,
} from './checkout';

export const checkOut = operation('checkoutBooking.checkOut', {
	name: 'Check Out',
	action: 'Check out booking and mark for invoicing',
	description:
		'Check out a booking. Adds a payment of type invoice, which marks the booking for invoicing.',
	body: {
		sections: [
			bookingRootId,
			collection('Additional Fields', 'additionalFields', [
				field('Cashier Name', 'cashierName', { description: 'Who checks the booking out' }),
				field('Table Article IDs', 'tableArticleIds', {
					description: 'Check out only these tables of the booking',
					mustNotBeEmpty: true,
				}),
			]),
		],
	},
	resultIsInBody: true,
	output: checkoutResult,
	options: [validationErrorsOption],
	postReceive: failOnValidationErrors,
});
