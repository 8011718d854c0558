import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { node24 } from '../support/sandbox';
import { contract, operations } from './support/contract';

const ROOT = join(__dirname, '..', '..');

function run(command: string, args: string[]) {
	return spawnSync(command, args, {
		cwd: ROOT,
		encoding: 'utf8',
		env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
	});
}

test('the contract lints clean with Redocly', () => {
	const cli = join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
	const args = [
		cli,
		'lint',
		'--config',
		'contract/redocly.yaml',
		'contract/openapi.yaml',
		'--format',
		'json',
	];
	const { stdout, status } = run(node24(), args);
	const { totals } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { totals: unknown };
	expect([status, totals]).toEqual([0, { errors: 0, warnings: 0, ignored: 0 }]);
});

test("every operation, schema and shared parameter names its heading in the service's documents", () => {
	const { schemas, parameters } = contract.components;
	const places: unknown[] = [
		...operations.map(({ source }) => source),
		...Object.values(schemas).map((schema) => schema['x-source']),
		...Object.values(parameters).map((parameter) => parameter['x-source']),
	];
	expect(places.length).toBeGreaterThan(0);
	expect(places.filter((place) => typeof place !== 'string' || place.trim() === '')).toEqual([]);
});

test('has every call of the service under the name that the nodes use', () => {
	expect(operations.map(({ id, method, path }) => `${id} ${method} ${path}`)).toEqual([
		'webBooking.getAll GET /api/booking/v1/WebBooking/WebBookings',
		'webBooking.update PUT /api/booking/v1/WebBooking/WebBookings',
		'webBooking.updatePayment PUT /api/booking/v1/WebBooking/WebBookingsPaymentOnly/{id}',
		'webBooking.cancel POST /api/booking/v1/WebBooking/WebBookings/{id}/Cancel',
		'checkoutBooking.checkIn PUT /api/booking/v1/booking/checkout/bookings/CheckIn/{bookingRootId}',
		'checkoutBooking.checkOut PUT /api/booking/v1/booking/checkout/bookings/CheckOut',
		'checkoutBooking.cancelToBeInvoiced POST /api/booking/v1/booking/checkout/bookings/CancelBookingToBeInvoiced',
		'contact.connectToCustomer POST /api/booking/v1/booking/contactcustomerconnections',
		'customer.getAll GET /api/booking/v1/booking/customers',
		'contact.sendGuestMessage POST /api/booking/v1/booking/contacts/GuestServiceBusListenerAction',
		'contactFilter.update PUT /api/booking/v1/ContactFilters/{id}',
		'survey.updateContent PUT /api/booking/v1/Survey/Surveys/{id}/Content',
		'surveyRecipient.getAll GET /api/booking/v1/Survey/Recipients',
		'surveyRecipient.getWithSurvey GET /api/booking/v1/Survey/Recipients/{id}/WithSurvey',
		'campaign.update PUT /api/booking/v1/Campaign/{id}',
		'articleGroup.update PUT /api/booking/v1/articlegroups/{id}',
		'department.update PUT /api/booking/v1/departments/{id}',
		'article.batchUpdate POST /api/am/v1/articles/{companyId}/{brandId}/batch-update',
		'token.issue POST /connect/token',
		'customer.authenticate POST /authentication',
		'subscription.get GET /subscriptions/',
		'subscription.cancel PUT /subscriptions/',
	]);
});
