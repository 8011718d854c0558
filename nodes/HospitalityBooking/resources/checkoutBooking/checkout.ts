import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { field } from '../../../shared/operation/declare';
import { apiError } from '../../../shared/errors/nodeErrors';

import type { ItemContext } from '../../../shared/operation/operation';
import { isRecord } from '../../../shared/values/record';
import { type OutputShape, wordsAt } from '../../../shared/values/recordShape';

const RETURN = 'return';

export const bookingRootId = field('Booking Root ID', 'bookingRootId', {
	description:
		"The booking's number in the checkout, not its GUID. 'Get Many' of Web Booking with 'Output' set to 'Raw' returns it as bookingRootId in paymentEvents.",
});

/** A checkout booking with what the service has to say about the call. @see contract/openapi.yaml CheckoutResult */
export const checkoutResult: Partial<OutputShape> = {
	simplified: {
		bookingNumber: 'result.bookingNumber',
		start: 'result.start',
		end: 'result.end',
		guests: 'result.guests',
		contactName: (answer) => wordsAt(answer, 'result.contactFirstName', 'result.contactLastName'),
		errors: (answer) => validationMessages(answer, 'Errors').map(({ text }) => text),
		warnings: (answer) => validationMessages(answer, 'Warnings').map(({ text }) => text),
		mustBeInvoiced: 'result.mustBeInvoiced',
		status: 'result.status',
		bookingRootId: 'result.bookingRootId',
	},
};

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
	description: 'What to do when the service responds with validation errors',
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
		[
			"Correct the values that it names. To get the response as it is, set 'Validation Errors' under Options to 'Return in Output'.",
		],
		{ status: 200, fields, text: said },
	);
}

/** The messages of `validationResult` and of every entry of `validationResults`, each once. */
function validationMessages(answer: unknown, kind: 'Errors' | 'Warnings') {
	if (!isRecord(answer)) return [];
	const { validationResult, validationResults } = answer;
	const all = [validationResult, ...(isRecord(validationResults) ? Object.values(validationResults) : [])]
		.filter(isRecord)
		.flatMap((result) => [result[`general${kind}`], result[`property${kind}`]])
		.flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []))
		.map(readMessage);
	return [...new Map(all.map((message) => [message.text, message])).values()];
}

/** @returns the property it is about, '' for a general one, and the message with its data filled in, the property in front */
function readMessage({ propertyName, message, messageData }: IDataObject | Record<string, unknown>) {
	const property = typeof propertyName === 'string' ? propertyName : '';
	const data = isRecord(messageData) ? messageData : {};
	const words = String(message ?? 'no message given').replace(/\{(\w+)\}/g, (placeholder, name: string) =>
		name in data ? String(data[name]) : placeholder,
	);
	return { property, text: property === '' ? words : `'${property}': ${words}` };
}
