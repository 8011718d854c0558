import get from 'lodash/get';
import type { IPollFunctions } from 'n8n-workflow';
import { eventRows } from '../../../nodes/HospitalityBookingTrigger/events/events';
import { readEvent, readForm } from '../../../nodes/HospitalityBookingTrigger/form/readForm';
import type { Account } from '../../../nodes/shared/auth/account';
import { readDeployment, readStatusRoles } from '../../../nodes/shared/auth/deployment';
import { HOUR, MINUTE } from './support';

const ROLES = { canceledStatuses: '1', noShowStatuses: '2', finishedStatuses: '3' };

/** @param entered what stands on the form where `form` is what it was evaluated to */
function read(
	form: Record<string, unknown>,
	credentials = {},
	entered: object = form,
	workflow = '1',
) {
	const given: Record<string, unknown> = {
		event: 'bookingCreated',
		timeBeforeStart: 1,
		timeBeforeStartUnit: 'hours',
		timeAfterEnd: 1,
		timeAfterEndUnit: 'hours',
		...form,
	};
	const context = {
		getWorkflow: () => ({ id: workflow, active: true }),
		getNode: () => ({ name: 'Trigger', parameters: entered }),
		getNodeParameter: (name: string, fallback?: unknown): unknown => get(given, name, fallback),
	} as unknown as IPollFunctions;
	const account = {
		credentials: { system: 'demo', ...credentials },
		timeZone: 'UTC',
		...credentials,
		deployment: readDeployment({}),
		statusRoles: readStatusRoles(credentials),
		address: 'https://booking.example',
	};
	return readForm(context, readEvent(context), account as unknown as Account);
}

it("reads times without an offset in the credential's time zone", () => {
	const options = { startFrom: '2026-07-01T12:00:00' };
	const startAt = Date.parse('2026-07-01T10:00:00Z');
	expect(read({ options }, { timeZone: 'Europe/Stockholm' })).toMatchObject({
		feed: { choice: { zone: 'Europe/Stockholm' } },
		startAt,
	});
});

it.each<[object, string]>([
	[{ event: 'bookingMade' }, "'Event' is not one of the allowed values"],
	[{ options: { systen: 'test' } }, "'Options' has no field 'systen'"],
	[{ filters: { minGuest: 3 } }, "'Filters' has no field 'minGuest'"],
	[{ event: 'surveyAnswered', filters: { survey: 'x' } }, "'Filters' has no field 'survey'"],
	[{ options: { overlap: -1 } }, "'Overlap (Minutes)'"],
	[{ options: { startFrom: 'yesterday' } }, "'Start From'"],
	[{ filters: { unitIds: 'bar' } }, "'Unit IDs'"],
	[{ filters: { customerId: { __rl: true, mode: 'id', value: 'x' } } }, "'Customer'"],
	[{ output: 'selected', outputFields: [] }, "'Fields'"],
	[
		{ output: 'selected', outputFields: ['guid', 'stauts'] },
		"'Fields' is not one of the allowed values",
	],
	[{ output: 'raw', include: ['includeEverything'] }, "'Include'"],
	[{ filters: { statuses: '0x4' } }, "'Status Names or IDs' is not a number ('0x4')"],
	[{ options: { catchUp: 'no' } }, "'Catch Up'"],
	[{ options: { eventDetails: NaN } }, "'Add Event Details'"],
	[{ event: 'surveyAnswered', filters: { surveyId: {} } }, "'Survey ID' is not a text"],
	[{ event: 'bookingStartsSoon', timeBeforeStart: 1e15 }, "'Time Before Start' is"],
	[{ event: 'bookingStartsSoon', timeBeforeStart: -1 }, "'Time Before Start'"],
	[{ event: 'bookingStartsSoon', timeBeforeStartUnit: 'weeks' }, "'Measured In'"],
	[{ event: 'bookingEnded', timeAfterEnd: [5] }, "'Time After End' is not a number"],
	[{ event: 'bookingCanceled' }, "'State' cannot be determined"],
	[{ event: 'bookingNoShow' }, "'State' cannot be determined"],
])('names the parameter that is wrong: %j', (form, message) => {
	expect(() => read({ ...form })).toThrow(message);
});

it('leaves alone the filters of another event', () => {
	expect(() => read({ filters: { surveyId: 'any', minGuests: 3 } })).not.toThrow();
	expect(() => read({ event: 'customerCreated', filters: { minGuests: 3 } })).not.toThrow();
});

it.each([
	['minutes', 60_000],
	['hours', HOUR],
	['days', 24 * HOUR],
])('reads a time before the start or after the end in %s', (unit, ms) => {
	const before = { timeBeforeStart: 2, timeBeforeStartUnit: unit };
	const after = { timeAfterEnd: 2, timeAfterEndUnit: unit };
	const feedOf = (event: string) => read({ event, ...before, ...after }).feed.rule;
	expect(feedOf('bookingEnded')).toMatchObject({ offsetMs: 2 * ms });
	expect(feedOf('bookingStartsSoon')).toMatchObject({ offsetMs: -2 * ms });
});

it('reads the overlap in minutes, and the system that is polled', () => {
	expect(read({})).toMatchObject({ feed: { choice: { overlapMs: 2 * MINUTE } }, system: 'demo' });
	const options = { overlap: 5, system: 'other' };
	expect(read({ options })).toMatchObject({
		feed: { choice: { overlapMs: 5 * MINUTE } },
		system: 'other',
	});
});

it('takes the statuses that the credential names', () => {
	expect(() => read({ event: 'bookingCanceled' }, { canceledStatuses: '7' })).not.toThrow();
	expect(() => read({ event: 'bookingNoShow' }, { canceledStatuses: '7' })).toThrow(
		"'State' cannot be",
	);
});

it('goes on in its own workflow only, though a copy of that by the API comes with the stored state', () => {
	const { node } = read({});
	expect(read({}).node).toBe(node);
	expect(read({}, {}, {}, '2').node).not.toBe(node);
});

it('is what its form says as entered: expressions count as text, empty filters and the order do not', () => {
	const filters = { minGuests: 2, unitIds: '7' };
	const { watching } = read({ filters });
	expect(read({ filters: { statuses: [], unitIds: '7', minGuests: 2 } }).watching).toBe(watching);
	for (const other of [
		{ event: 'bookingUpdated' },
		{ options: { system: 'other' } },
		{ filters: {} },
	]) {
		expect(read({ filters, ...other }).watching).not.toBe(watching);
	}
	const [plain, showing] = [{}, { whatChanged: true }].map(
		(options) => read({ event: 'bookingUpdated', options }).watching,
	);
	expect(showing).not.toBe(plain);
	const asEntered = { filters: { minGuests: '={{ $now.minute }}' } };
	const [one, other] = [1, 2].map(
		(minGuests) => read({ filters: { minGuests } }, {}, asEntered).watching,
	);
	expect(one).toBe(other);
	expect(one).not.toBe(watching);
});

it('polls the same system whatever blanks stand around its name: they are not sent', () => {
	const { system, watching } = read({}, { system: 'demo' });

	expect(read({}, { system: ' demo ' })).toMatchObject({ system, watching });
	expect(read({ options: { system: 'demo ' } })).toMatchObject({ system, watching });
});

it('starts over in another time zone', () => {
	expect(read({}, { timeZone: 'Asia/Tokyo' }).account).not.toBe(read({}).account);
});

it.each([
	['bookingCreated', 'unitIds', 'Unit IDs'],
	['bookingUpdated', 'statuses', 'Status Names or IDs'],
	['bookingPaymentChanged', 'customerId', 'Customer'],
	['bookingStartsSoon', 'minGuests', 'Min Guests'],
	['bookingEnded', 'maxGuests', 'Max Guests'],
	['surveyAnswered', 'surveyId', 'Survey ID'],
])(
	'a filter of %s whose expression comes out empty is refused by name: %s',
	(event, filter, label) => {
		const filtersOf = (value: unknown) => ({
			filters: { [filter]: filter === 'customerId' ? { __rl: true, mode: 'id', value } : value },
		});
		for (const value of [undefined, null, '', []]) {
			expect(() => read({ event, ...filtersOf(value) }, {}, filtersOf('={{ $json.own }}'))).toThrow(
				`'${label}' is empty`,
			);
		}
	},
);

it.each(eventRows().filter(({ about }) => about))(
	'what $value is about is always in the item',
	({ value, about = [] }) => {
		const record = Object.fromEntries(about.map((name) => [name, 1]));
		for (const output of [{}, { output: 'selected' }]) {
			const outputFields = value === 'surveyAnswered' ? ['name'] : ['guests'];
			const { shape } = read({ event: value, ...output, outputFields }, ROLES);

			expect(Object.keys(shape(record))).toEqual(expect.arrayContaining([...about]));
		}
	},
);
