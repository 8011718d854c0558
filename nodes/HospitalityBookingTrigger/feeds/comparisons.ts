import pick from 'lodash/pick';

import { webBookings } from '../../shared/booking/records';
import { shapeRecord } from '../../shared/booking/recordShape';
import { historyOf, statusNameOf } from '../../shared/booking/states';
import { responseFields } from '../../shared/contract/responseFields';
import { readTimestamp } from '../timestamps';
import type { Changes, Comparison, ServiceRecord, Snapshot, Value } from './feed';
import { hashesOf } from './hashes';

/** The amounts of a web booking's payment, by what a person calls the change of one. */
export const PAYMENT_AMOUNTS = [
	{ name: 'Authorized', value: 'chargeAuthorizedAmount' },
	{ name: 'Paid', value: 'chargePayedAmount' },
	{ name: 'Refunded', value: 'chargeRefundedAmount' },
];

/** How bookings are compared for an event. */
export interface BookingComparison extends Comparison {
	/** @returns undefined where the booking tells by itself what happened */
	snapshot: (booking: ServiceRecord) => Snapshot | undefined;
	/** What every booking begins with, where that is certain. */
	begins?: Snapshot;
	/** Whether related data are compared, which have to be asked for. */
	isOfIncluded?: true;
}

/** @param only the amounts whose change counts; empty: each, and the payment events */
export function paymentComparison(only: readonly string[] = []): BookingComparison {
	const isWaitedFor = ({ fields }: Changes) =>
		only.length === 0 || fields.some((name) => only.includes(name));
	return {
		hashed: ['paymentEvents'],
		snapshot: paymentOf,
		begins: paymentOf({}),
		tells: (changes) => isDifferent(changes) && isWaitedFor(changes),
		isShown: true,
	};
}

/** The order of the payment events says nothing. */
function paymentOf(booking: ServiceRecord): Snapshot {
	const amounts = PAYMENT_AMOUNTS.map(({ value }) => [value, Number(booking[value]) || 0]);
	const events: unknown[] = Array.isArray(booking.paymentEvents) ? booking.paymentEvents : [];
	const paymentEvents = events.map((event) => JSON.stringify(event)).sort();
	return {
		values: Object.fromEntries(amounts) as Record<string, number>,
		hashes: hashesOf([paymentEvents]),
	};
}

export const timesComparison: BookingComparison = {
	hashed: [],
	snapshot: ({ start, end }) => ({
		values: { start: String(start ?? ''), end: String(end ?? '') },
		hashes: '',
	}),
	tells: isDifferent,
	isShown: true,
};

/** @returns the history where it tells when each status began, else none */
export function datedHistoryOf(booking: ServiceRecord): ServiceRecord[] {
	const history = historyOf(booking);
	return history.every(({ changeDate }) => readTimestamp(changeDate, 'UTC')) ? history : [];
}

/**
 * For bookings that come without a history, or with one that does not tell when.
 *
 * @param valueOf what is compared: a status, or what it means
 * @param expected the only value that is waited for, and what every booking begins with; undefined: any
 */
export function statusComparison(
	valueOf: (booking: ServiceRecord) => Value,
	expected?: { becomes: Value; begins: Value },
): BookingComparison {
	const snapshotOf = (status: Value): Snapshot => ({ values: { status }, hashes: '' });
	return {
		hashed: [],
		snapshot: (booking) => (datedHistoryOf(booking).length > 0 ? undefined : snapshotOf(valueOf(booking))),
		...(expected ? { begins: snapshotOf(expected.begins) } : {}),
		tells: (changes, { values }) => isDifferent(changes) && (!expected || values.status === expected.becomes),
	};
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
/** Simplified fields that are made of the contact. */
const OF_CONTACT = ['guestName', 'guestPhone', 'guestEmail'];
/** What goes out as it was; nothing that a guest has written is kept. */
const KEPT = ['start', 'end', 'guests', 'statusName'];
const NOT_HASHED = ['guid', 'changeDate', ...KEPT];

/** Whatever of a booking changes. Of fields that are not asked for nothing is known. */
export function wholeComparison(include: readonly string[]): BookingComparison {
	const hashed = [...OF_CONTACT, ...(responseFields[webBookings.schema ?? ''] ?? [])].filter(
		(name) => !NOT_HASHED.includes(name),
	);
	const isAsked = (name: string) => {
		const flag = OF_CONTACT.includes(name) ? 'includeContact' : RELATED[name];
		return flag === undefined || include.includes(flag);
	};
	return {
		hashed,
		snapshot: (booking) => {
			const context = { timeZone: 'UTC', statusRoles: {} };
			const guest = pick(shapeRecord(booking, webBookings, 'simplified', [], context), OF_CONTACT);
			const statusName = statusNameOf(booking);
			const valueOf = (name: string) => ({ ...booking, ...guest, statusName })[name] ?? null;
			return {
				values: Object.fromEntries(KEPT.map((name) => [name, valueOf(name) as Value])),
				hashes: hashesOf(hashed.map((name) => (isAsked(name) ? valueOf(name) : undefined))),
			};
		},
		tells: () => true,
		isShown: true,
		isOfIncluded: true,
	};
}

function isDifferent(changes: Changes | undefined): changes is Changes {
	return changes !== undefined && changes.fields.length > 0;
}
