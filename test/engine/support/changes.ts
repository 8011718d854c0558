import type { INodeParameters } from 'n8n-workflow';

import { fullBody } from './body';

export const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** A call that changes something: the smallest form of it, and how a person recognizes the record that it changes. */
export interface Change {
	node: 'hospitalityBooking' | 'hospitalityPayment';
	parameters: INodeParameters;
	record: string;
}

const json = (id: string, fixed?: Record<string, unknown>) => ({
	bodyMode: 'json',
	jsonBody: JSON.stringify(fullBody(id, fixed)),
});

const booking = (parameters: INodeParameters, record: string): Change => ({
	node: 'hospitalityBooking',
	parameters,
	record,
});

/** Every operation that changes something, by `<resource>.<operation>`. */
export const CHANGES: Readonly<Record<string, Change>> = {
	'article.batchUpdate': booking(
		{
			companyId: GUID,
			brandId: GUID,
			bodyMode: 'json',
			jsonBody: JSON.stringify({
				items: [{ articleId: '7f0c1a52-6d0e-4b8f-9a44-2f6f0b8f3c01', name: 'Toast' }],
			}),
		},
		'7f0c1a52-6d0e-4b8f-9a44-2f6f0b8f3c01',
	),
	'articleGroup.update': booking({ articleGroupId: '12', updateFields: { name: 'Starters' } }, '12'),
	'campaign.update': booking(
		{ campaignId: 'campaign-1', updateFields: { name: 'Early bird' } },
		'campaign-1',
	),
	'checkoutBooking.cancelToBeInvoiced': booking({ alias: 'order-1' }, "'Alias' order-1"),
	'checkoutBooking.checkIn': booking({ bookingRootId: '10231' }, "'Booking Root ID' 10231"),
	'checkoutBooking.checkOut': booking({ bookingRootId: '10231' }, "'Booking Root ID' 10231"),
	'contact.connectToCustomer': booking(
		{ contactId: '2071', customerId: { __rl: true, mode: 'id', value: '1042' } },
		"'Contact ID' 2071",
	),
	'contact.sendGuestMessage': booking(
		{ bodyMode: 'json', jsonBody: '{"properties":{"entityId":"5f0c2a"}}' },
		"'Entity ID' 5f0c2a",
	),
	'contactFilter.update': booking({ contactFilterId: '7', updateFields: { name: 'Regulars' } }, '7'),
	'department.update': booking({ departmentId: '7', updateFields: { name: 'Kitchen' } }, '7'),
	'survey.updateContent': booking(
		{ surveyId: { __rl: true, mode: 'id', value: GUID }, ...json('survey.updateContent') },
		`'Survey' ${GUID}`,
	),
	'webBooking.cancel': booking({ webBookingId: GUID }, `'Web Booking' ${GUID}`),
	'webBooking.update': booking(
		{ bookingGuid: GUID, ...json('webBooking.update', { bookingGuid: GUID }) },
		`'Web Booking' ${GUID}`,
	),
	'webBooking.updatePayment': booking(
		{ webBookingId: GUID, bodyMode: 'json', jsonBody: '{"chargeId":"1"}' },
		`'Web Booking' ${GUID}`,
	),
	'subscription.cancel': {
		node: 'hospitalityPayment',
		parameters: { id: 'plan-1001' },
		record: "'Subscription Plan ID' plan-1001",
	},
};
