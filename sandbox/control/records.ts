import { createDateMapper } from '../http/dates.ts';
import type { Sandbox } from '../sandbox.ts';
import { DAY, makeBooking, openingTime, peopleOf } from '../seed/bookings.ts';
import { makeCustomer } from '../seed/people.ts';
import { changeBooking, changeCustomer, changeRecipient } from '../state/changes.ts';
import { BOOKING_STATUS } from '../state/codes.ts';
import type { Customer, SurveyRecipient, WebBooking } from '../state/records.ts';

/** Fields with their date-times in UTC; other values stay unchanged. */
function inUtc<T>(
	{ contract, service }: Sandbox,
	schema: string,
	fields: Record<string, unknown>,
): Partial<T> {
	const map = createDateMapper(contract, { $ref: `#/components/schemas/${schema}` });
	return map(fields, (text, field) => {
		const instant = service.clock.read(text, field);
		return Number.isNaN(instant) ? text : new Date(instant).toISOString();
	}) as Partial<T>;
}

/**
 * Makes believable web bookings, stamped now, with the given fields replacing generated ones. Returns them as
 * WebBooking.
 */
export function addBookings(
	sandbox: Sandbox,
	count: number,
	given: Record<string, unknown>,
): WebBooking[] {
	const { mainState: state, faker, service } = sandbox;
	const people = peopleOf(state);
	const fields = inUtc<WebBooking>(sandbox, 'WebBooking', given);
	return Array.from({ length: count }, () => {
		const created = service.clock.now();
		const start = openingTime(
			faker,
			service.clock.settings.timeZone,
			created + faker.number.int({ min: 1, max: 14 }) * DAY,
		);
		const booking = makeBooking(faker, state, people, { created, start }, BOOKING_STATUS.reserved);
		return state.putBooking({ ...booking, web: { ...booking.web, ...fields } }).web;
	});
}

/** Makes a customer, changed now, with the given fields replacing generated ones. */
export function addCustomer(sandbox: Sandbox, given: Record<string, unknown>): Customer {
	const { mainState: state, faker, service } = sandbox;
	const highest = [...state.records.customers.all()].reduce((max, { id }) => Math.max(max, id), 0);
	const customer = makeCustomer(faker, state.words, highest + 1, service.clock.now());
	return changeCustomer(service, state, customer, inUtc(sandbox, 'Customer', given));
}

/** Changes fields of the record of an ID. Returns it, or undefined when there is none. */
type Patch<T> = (sandbox: Sandbox, id: string, given: Record<string, unknown>) => T | undefined;

export const patchBooking: Patch<WebBooking> = (sandbox, id, given) => {
	const { mainState: state, service } = sandbox;
	const booking = state.records.bookings.get(id);
	return booking && changeBooking(service, state, booking, inUtc(sandbox, 'WebBooking', given)).web;
};

export const patchCustomer: Patch<Customer> = (sandbox, id, given) => {
	const { mainState: state, service } = sandbox;
	const customer = state.records.customers.get(id);
	return customer && changeCustomer(service, state, customer, inUtc(sandbox, 'Customer', given));
};

export const patchRecipient: Patch<SurveyRecipient> = (sandbox, id, given) => {
	const { mainState: state, service } = sandbox;
	const recipient = state.records.recipients.get(id);
	return (
		recipient &&
		changeRecipient(service, state, recipient, inUtc(sandbox, 'SurveyRecipient', given))
	);
};
