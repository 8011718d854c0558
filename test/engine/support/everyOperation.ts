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

/** One of each way in which a run goes: item by item, in batches, over the other service, without a token. */
export const WAYS = ['customer.getAll', 'article.batchUpdate', 'subscription.get', 'customer.authenticate'];

/** All of them for an operation of each way, one in turn for each other one. */
export function shareOf<T>(all: readonly T[], id: string, ways = WAYS): T[] {
	const own = (rows.findIndex((row) => row.id === id) + all.length) % all.length;
	return all.filter((_, index) => ways.includes(id) || index === own);
}

/** What a service has to answer for an operation to go on. */
export function answerTo(url: string, body: string): unknown {
	if (url.includes('batch-update')) return JSON.parse(body);
	return /WebBookings\?|\/customers|\/Recipients(\?|$)/.test(url) ? [] : {};
}
