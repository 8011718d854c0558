import type { INodeParameters } from 'n8n-workflow';
import { bookingService } from '../../../nodes/HospitalityBooking/resources';
import { paymentService } from '../../../nodes/HospitalityPayment/resources';
import { byId } from './operation';

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const asJson = (body: object) => ({ bodyMode: 'json', jsonBody: JSON.stringify(body) });

/** A form that makes one call, for each operation. */
const FORMS: Record<string, INodeParameters> = {
	'article.batchUpdate': {
		companyId: GUID,
		brandId: GUID,
		...asJson({ items: [{ articleId: GUID, name: 'Toast' }] }),
	},
	'articleGroup.update': { articleGroupId: '1001', ...asJson({ name: 'Wine' }) },
	'campaign.update': { campaignId: 'campaign-1', ...asJson({ name: 'Winter' }) },
	'checkoutBooking.cancelToBeInvoiced': { alias: 'till-1', ...asJson({ bookingRootId: 1001 }) },
	'checkoutBooking.checkIn': { bookingRootId: '1001' },
	'checkoutBooking.checkOut': { bookingRootId: '1001' },
	'contact.connectToCustomer': { contactId: '1001', customerId: byId('1001') },
	'contact.sendGuestMessage': asJson({ message: { name: 'Bo Ek' } }),
	'contactFilter.update': { contactFilterId: '1001', ...asJson({ name: 'Diet and more' }) },
	'customer.getAll': { limit: 2 },
	'department.update': { departmentId: '1001', ...asJson({ name: 'Bar' }) },
	'survey.updateContent': { surveyId: byId(GUID), title: 'How was it', pages: '[]' },
	'surveyRecipient.getAll': { limit: 2 },
	'surveyRecipient.getWithSurvey': { surveyRecipientId: byId(GUID) },
	'webBooking.cancel': { webBookingId: byId(GUID) },
	'webBooking.getAll': { startTime: '2026-12-24T18:00:00Z', endTime: '2026-12-25T18:00:00Z', limit: 2 },
	'webBooking.update': {
		webBookingId: byId(GUID),
		timeSetDate: '2026-12-24T18:00:00Z',
		guests: 2,
		times: { entry: [{ ruleId: 311, start: '2026-12-24T18:00:00Z' }] },
	},
	'webBooking.updatePayment': { webBookingId: byId(GUID), ...asJson({ chargeId: 'ch_1' }) },
	'customer.authenticate': {},
	'subscription.cancel': { id: 'plan-1001' },
	'subscription.get': { id: 'plan-1001' },
};

/** Every operation of both nodes, with a form that makes one call. */
export const everyOperation = [
	{ node: 'hospitalityBooking', service: bookingService },
	{ node: 'hospitalityPayment', service: paymentService },
].flatMap(({ node, service }) =>
	service.resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => {
			const id = `${resource}.${operation.value}`;
			const form = FORMS[id];
			if (!form) throw new Error(`No form for ${id}`);
			const parameters = { resource, operation: operation.value, ...form };
			return { id, node, credential: service.credential, operation, parameters };
		}),
	),
);

/** What a service has to answer for an operation to go on. */
export function answerTo(url: string, body: string): unknown {
	if (url.includes('batch-update')) return JSON.parse(body);
	return /WebBookings\?|\/customers|\/Recipients(\?|$)/.test(url) ? [] : {};
}
