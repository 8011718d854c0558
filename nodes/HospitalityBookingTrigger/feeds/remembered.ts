import mapValues from 'lodash/mapValues';
import omit from 'lodash/omit';

import { webBookings } from '../../shared/booking/records';
import { responseFields } from '../../shared/contract/responseFields';
import { shapeRecord } from '../../shared/values/recordShape';
import type { Changes, Facts } from '../state/lastSeen';
import type { Remembered, ServiceRecord } from './feed';

/** The amounts of a web booking's payment, by what a person calls the change of one. */
export const PAYMENT_AMOUNTS = [
	{ name: 'Authorized', value: 'chargeAuthorizedAmount' },
	{ name: 'Paid', value: 'chargePayedAmount' },
	{ name: 'Refunded', value: 'chargeRefundedAmount' },
];

export type BookingMemory = Omit<Remembered, 'id' | 'made'> & {
	/** What every booking begins with, where that is certain. */
	begins?: Facts;
};

/** @param only the amounts whose change counts; empty: each, and the payment events */
export function paymentMemory(booking: ServiceRecord, only: readonly string[] = []): BookingMemory {
	return {
		facts: paymentFacts(booking),
		begins: paymentFacts({}),
		tells: (changes) =>
			isDifferent(changes) && (only.length === 0 || changes.fields.some((name) => only.includes(name))),
		isShown: true,
	};
}

/** The order of the payment events says nothing. */
export function paymentFacts(booking: ServiceRecord): Facts {
	const amounts = PAYMENT_AMOUNTS.map(({ value }) => [value, Number(booking[value] ?? 0)]);
	const events: unknown[] = Array.isArray(booking.paymentEvents) ? booking.paymentEvents : [];
	return {
		kept: Object.fromEntries(amounts) as Facts['kept'],
		hashed: { paymentEvents: events.map((event) => JSON.stringify(event)).sort() },
	};
}

export function timesMemory(booking: ServiceRecord): BookingMemory {
	return { facts: timeFacts(booking), tells: isDifferent, isShown: true };
}

export function timeFacts({ start, end }: ServiceRecord): Facts {
	return { kept: { start: String(start ?? ''), end: String(end ?? '') }, hashed: {} };
}

/** A status that was not the one seen last counts, also where none is known. */
export function statusMemory({ status }: ServiceRecord): BookingMemory {
	const facts = { kept: { status: Number(status) }, hashed: {} };
	return { facts, tells: (changes) => !changes || isDifferent(changes), isShown: false };
}

/** The parts of a web booking that the service leaves out unless asked. */
const RELATED: Readonly<Record<string, string>> = {
	articles: 'includeTableArticles',
	contact: 'includeContact',
	customer: 'includeCustomer',
	internalContactName: 'includeInternalContact',
	markings: 'includeMarkings',
	nonTableArticles: 'includeNonTableArticles',
	payMethod: 'includePayMethod',
};
const MAX_TEXT = 200;

/** Whatever of a booking changes: the simplified fields as they were, of all others that they have changed. */
export function wholeMemory(booking: ServiceRecord, include: readonly string[]): BookingMemory {
	const isAsked = (name: string) => include.includes(RELATED[name] ?? name) || !RELATED[name];
	const names = (responseFields[webBookings.schema ?? ''] ?? []).filter(isAsked);
	const simplified = shapeRecord(booking, webBookings, 'simplified', []);
	const kept = omit(simplified, 'guid', isAsked('contact') ? [] : ['guestName', 'phone', 'email']);
	const hashed = Object.fromEntries(names.map((name) => [name, booking[name] ?? null]));
	const short = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : value);
	const facts = { kept: mapValues(kept, short) as Facts['kept'], hashed: omit(hashed, 'guid', 'changeDate') };
	return { facts, tells: () => true, isShown: true };
}

function isDifferent(changes: Changes | undefined): changes is Changes {
	return changes !== undefined && changes.fields.length > 0;
}
