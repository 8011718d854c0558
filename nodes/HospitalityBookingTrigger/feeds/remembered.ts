import mapValues from 'lodash/mapValues';
import omit from 'lodash/omit';

import { webBookings } from '../../shared/booking/records';
import { responseFields } from '../../shared/contract/responseFields';
import { shapeRecord } from '../../shared/values/recordShape';
import { type Changes, type Digest, type Facts, factsOf } from '../state/lastSeen';
import type { Remembered, ServiceRecord } from './feed';

/** The amounts of a web booking's payment, by what a person calls the change of one. */
export const PAYMENT_AMOUNTS = [
	{ name: 'Authorized', value: 'chargeAuthorizedAmount' },
	{ name: 'Paid', value: 'chargePayedAmount' },
	{ name: 'Refunded', value: 'chargeRefundedAmount' },
];

export type BookingMemory = Omit<Remembered, 'id' | 'made'> & {
	/** What every booking begins with, where that is certain. */
	begins?: Digest;
};

/** @param only the amounts whose change counts; empty: each, and the payment events */
export function paymentMemory(booking: ServiceRecord, only: readonly string[] = []): BookingMemory {
	return {
		facts: paymentFacts(booking),
		begins: paymentFacts({}).digest,
		tells: (changes) =>
			isDifferent(changes) && (only.length === 0 || changes.fields.some((name) => only.includes(name))),
		isShown: true,
	};
}

/** The order of the payment events says nothing. */
function paymentFacts(booking: ServiceRecord): Facts {
	const amounts = PAYMENT_AMOUNTS.map(({ value }) => [value, Number(booking[value] ?? 0)] as const);
	const events: unknown[] = Array.isArray(booking.paymentEvents) ? booking.paymentEvents : [];
	const paymentEvents = events.map((event) => JSON.stringify(event)).sort();
	return factsOf(Object.fromEntries(amounts), { paymentEvents });
}

export function timesMemory({ start, end }: ServiceRecord): BookingMemory {
	const facts = factsOf({ start: String(start ?? ''), end: String(end ?? '') });
	return { facts, tells: isDifferent, isShown: true };
}

/** A status that was not the one seen last counts, also where none is known. */
export function statusMemory({ status }: ServiceRecord): BookingMemory {
	const facts = factsOf({ status: Number(status) });
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
	const values = mapValues(kept, short) as Parameters<typeof factsOf>[0];
	const facts = factsOf(values, omit(hashed, 'guid', 'changeDate'));
	return { facts, tells: () => true, isShown: true };
}

function isDifferent(changes: Changes | undefined): changes is Changes {
	return changes !== undefined && changes.fields.length > 0;
}
