import type { IDataObject } from 'n8n-workflow';

import { type OutputShape, wordsAt } from '../recordShape';
import { isRecord } from '../../values/record';

/** A checkout booking with what the service has to say about the call (first document, 'CheckoutResult'). */
export const checkoutResult: OutputShape = {
	kind: 'record',
	schema: 'CheckoutResult',
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

/** One message of a validation result. */
export interface ValidationMessage {
	/** The property it is about; '' for a general one. */
	property: string;
	/** The message with its data filled in, the property in front. */
	text: string;
}

/**
 * The messages of `validationResult` and of every entry of `validationResults`, each once.
 *
 * @param answer a CheckoutResult, as received
 */
export function validationMessages(answer: unknown, kind: 'Errors' | 'Warnings'): ValidationMessage[] {
	if (!isRecord(answer)) return [];
	const { validationResult, validationResults } = answer;
	const all = [validationResult, ...(isRecord(validationResults) ? Object.values(validationResults) : [])]
		.filter(isRecord)
		.flatMap((result) => [result[`general${kind}`], result[`property${kind}`]])
		.flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []))
		.map(readMessage);
	return [...new Map(all.map((message) => [message.text, message])).values()];
}

function readMessage({ propertyName, message, messageData }: IDataObject | Record<string, unknown>) {
	const property = typeof propertyName === 'string' ? propertyName : '';
	const data = isRecord(messageData) ? messageData : {};
	const words = String(message ?? 'no message given').replace(/\{(\w+)\}/g, (placeholder, name: string) =>
		name in data ? String(data[name]) : placeholder,
	);
	return { property, text: property === '' ? words : `'${property}': ${words}` };
}
