import type { INodeProperties } from 'n8n-workflow';

import { apiError } from '../../../shared/errors/nodeErrors';
import type { ItemContext } from '../../../shared/operation/itemContext';
import { validationMessages } from '../../../shared/booking/records/checkoutResult';

const RETURN = 'return';

/** What to do with errors that the service returns inside a success. */
export const validationErrorsOption: INodeProperties = {
	displayName: 'Validation Errors',
	name: 'validationErrors',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'Errors in the response fail the item; warnings stay in the output',
		},
		{ name: 'Return in Output', value: RETURN, description: 'Errors and warnings stay in the output' },
	],
	default: 'fail',
	description: 'What to do when the service answers with validation errors',
	displayOptions: { show: { '/operation': ['checkOut', 'cancelToBeInvoiced'] } },
};

/**
 * Turns the errors inside a CheckoutResult into an error that lists them.
 *
 * @param body a CheckoutResult, or undefined where the service sent no body
 * @returns the body, unless it holds errors and 'Validation Errors' is not 'Return in Output'
 * @see contract/openapi.yaml checkoutBooking.checkOut
 */
export function failOnValidationErrors(item: ItemContext, body: unknown): unknown {
	const errors = validationMessages(body, 'Errors');
	if (errors.length === 0 || item.options.validationErrors === RETURN) return body;
	const said = errors.map(({ text }) => text).join('; ');
	const fields = errors.map(({ property, text }) => ({ field: property, message: text }));
	throw apiError(
		item,
		`The service refused it: ${said}`,
		"Correct what it names. To get the answer as it is, set 'Validation Errors' under Options to 'Return in Output'.",
		{ status: 200, fields, text: said },
	);
}
