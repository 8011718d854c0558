import { checkoutBookingLocator } from '../../../shared/booking/locators';
import { choice, field } from '../../../shared/form/rows';
import { readOption } from '../../../shared/form/readParameter';
import { apiError } from '../../../shared/errors/nodeErrors';
import {
	inWords,
	listFields,
	readServiceMessage,
	readValidationResults,
} from '../../../shared/errors/serviceMessage';

import type { ItemContext } from '../../../shared/operation/operation';
import { type OutputShape, timeAt } from '../../../shared/output/recordShape';

const RETURN = 'return';

export const bookingRootId = field('Booking Number, Else Root ID', 'bookingRootId', {
	locator: checkoutBookingLocator,
	lookUp: 'bookingRootId',
	namesRecord: true,
});

/** A checkout booking with the service's messages about the call. @see contract/openapi.yaml CheckoutResult */
export const checkoutResult: OutputShape = {
	id: 'bookingRootId',
	simplified: {
		bookingNumber: 'result.bookingNumber',
		start: timeAt('result.start'),
		end: timeAt('result.end'),
		guests: 'result.guests',
		guestName: (answer) => answer.wordsAt('result.contactFirstName', 'result.contactLastName'),
		errors: ({ record }) => messagesOf(record, 'Errors'),
		warnings: ({ record }) => messagesOf(record, 'Warnings'),
		mustBeInvoiced: 'result.mustBeInvoiced',
		status: 'result.status',
		bookingRootId: 'result.bookingRootId',
	},
};

export const validationErrorsOption = choice(
	'Validation Errors',
	'validationErrors',
	[
		{
			name: 'Fail',
			value: 'fail',
			description: 'Errors in the response fail the item; warnings stay in the output',
		},
		{
			name: 'Return in Output',
			value: RETURN,
			description: 'Errors and warnings stay in the output',
		},
	],
	{
		noDataExpression: undefined,
		description: 'What to do if the response contains validation errors',
	},
);

/**
 * Turns the errors inside a CheckoutResult into an error that lists them.
 *
 * @param body a CheckoutResult, or undefined where the service sent no body
 * @returns the body, unless it holds errors and 'Validation Errors' is not 'Return in Output'
 * @see contract/openapi.yaml checkoutBooking.checkOut
 */
export function failOnValidationErrors(item: ItemContext, body: unknown): unknown {
	const { text, fields } = readServiceMessage(body, item.account.currentSecrets());
	if (fields.length === 0 || readOption(item, validationErrorsOption) === RETURN) return body;
	throw apiError(
		item,
		`The service rejected the booking: ${listFields(fields)}`,
		[
			"Correct the values that it names. To get the response as it is, set 'Validation Errors' under Options to 'Return in Output'.",
		],
		{ status: 200, fields, text },
	);
}

/** The messages of a CheckoutResult as data. */
const messagesOf = (answer: unknown, kind: 'Errors' | 'Warnings') =>
	readValidationResults(answer, kind).map(inWords);
