import type { INodeParameters } from 'n8n-workflow';
import { fullForm, GUID, rows } from '../../support/sampleForm';

/** How a person recognizes the record that an operation changes, filled in as `fullForm` does. */
const RECORDS: Record<string, string> = {
	'article.batchUpdate': `Look at article ${GUID} `,
	'articleGroup.update': "'Article Group ID' 7 ",
	'campaign.update': "'Campaign ID' 7 ",
	'checkoutBooking.cancelToBeInvoiced': `'Alias' ${GUID}`,
	'checkoutBooking.checkIn': "'Booking Root ID' 7",
	'checkoutBooking.checkOut': "'Booking Root ID' 7",
	'contact.connectToCustomer': "'Contact ID' 7",
	'contact.sendGuestMessage': `'Entity ID' ${GUID}`,
	'contactFilter.update': "'Contact Filter ID' 7 ",
	'department.update': "'Department ID' 7 ",
	'survey.updateContent': `'Survey' ${GUID}`,
	'webBooking.cancel': `'Web Booking' ${GUID}`,
	'webBooking.update': `'Web Booking' ${GUID}`,
	'webBooking.updatePayment': `'Web Booking' ${GUID}`,
	'subscription.cancel': `'Subscription Plan ID' ${GUID}`,
};

/** Every operation of both nodes, with its form filled in, and the record where it changes one. */
export const everyOperation = rows.map((row) => {
	const { id, operation, service } = row;
	const [resource = '', value = ''] = id.split('.');
	return {
		id,
		node: service.credential.replace('Api', ''),
		credential: service.credential,
		operation,
		parameters: { resource, operation: value, ...fullForm(row) } as INodeParameters,
		record: RECORDS[id],
	};
});

/** What a service has to answer for an operation to go on. */
export function answerTo(url: string, body: string): unknown {
	if (url.includes('batch-update')) return JSON.parse(body);
	return /WebBookings\?|\/customers|\/Recipients(\?|$)/.test(url) ? [] : {};
}
