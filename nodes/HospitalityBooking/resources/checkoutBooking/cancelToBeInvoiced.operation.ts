import { operation } from '../../../shared/operation/declare';
import { field } from '../../../shared/form/rows';
import { checkoutResult, failOnValidationErrors, validationErrorsOption } from './checkout';

export const cancelToBeInvoiced = operation('checkoutBooking.cancelToBeInvoiced', {
	name: 'Cancel Order to Be Invoiced',
	action: 'Cancel order to be invoiced by alias',
	description: 'Cancel a booking that was created for invoicing, by the alias of its order',
	query: [
		field('Alias', 'alias', {
			as: 'text',
			namesRecord: true,
			description: 'Alias that the order was given when it was created',
		}),
	],
	resultIsInBody: true,
	output: checkoutResult,
	options: [validationErrorsOption],
	postReceive: failOnValidationErrors,
});
