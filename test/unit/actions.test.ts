import map from 'lodash/map';
import { bookingService } from '../../nodes/HospitalityBooking/resources';
import { paymentService } from '../../nodes/HospitalityPayment/resources';
import type { Service } from '../../nodes/shared/operation/operation';
import { nodeProperties } from '../../nodes/shared/operation/nodeForm';
import { rows } from '../support/sampleForm';

/** What the documents say that an operation causes, beyond what its name says. */
const CAUSES: Readonly<Record<string, RegExp>> = {
	'checkoutBooking.checkOut': /mark for invoicing$/,
	'survey.updateContent': /replacing all pages$/,
	'webBooking.cancel': /and notify guest$/,
	'webBooking.update': /may notify guest$/,
};

const MOST_WORDS = 12;

test.each(rows)(
	"an agent and n8n's AI builder read in the action what it causes: $id",
	({ id, operation: { action, body } }) => {
		const fields = body?.sections.flatMap((section) => section.fields) ?? [];
		const canSendMessages = fields.some(({ path }) => path.includes('ConfirmationMessage'));

		expect(action).toMatch(CAUSES[id] ?? /^[A-Z][a-z ]+$/);
		expect(action.includes('notify guest')).toBe(canSendMessages);
		expect(action.split(' ').length).toBeLessThanOrEqual(MOST_WORDS);
	},
);

test("n8n's list of actions opens with the usual, and the first cancel there is a booking's", () => {
	const actions = map(rows, 'operation.action') as string[];

	expect(actions.slice(0, 2)).toEqual([
		'Get many bookings',
		'Update booking, which may notify guest',
	]);
	expect(actions.find((action) => action.startsWith('Cancel'))).toBe(
		'Cancel booking and notify guest',
	);
	expect(new Set(actions).size).toBe(actions.length);
});

/** What a node does that is stored without an operation, by resource. */
function defaultsOf(service: Service): Record<string, unknown> {
	const operations = nodeProperties(service).filter(({ name }) => name === 'operation');
	return Object.fromEntries(
		operations.map((property) => [
			String(property.displayOptions?.show?.resource?.[0]),
			property.default,
		]),
	);
}

describe('a node that was stored with the default operation of its resource', () => {
	it('goes on doing what it did', () => {
		expect(defaultsOf(bookingService)).toEqual({
			article: 'batchUpdate',
			articleGroup: 'update',
			campaign: 'update',
			checkoutBooking: 'checkIn',
			contact: 'connectToCustomer',
			contactFilter: 'update',
			customer: 'getAll',
			department: 'update',
			survey: 'updateContent',
			surveyRecipient: 'getAll',
			webBooking: 'getAll',
		});
		expect(defaultsOf(paymentService)).toEqual({ customer: 'authenticate', subscription: 'get' });
	});

	it.each([bookingService, paymentService])(
		'does so whatever the order of the operations is: $credential',
		(service) => {
			const resources = service.resources.map((resource) => ({
				...resource,
				operations: [...resource.operations].reverse(),
			}));

			expect(defaultsOf({ ...service, resources })).toEqual(defaultsOf(service));
		},
	);
});
