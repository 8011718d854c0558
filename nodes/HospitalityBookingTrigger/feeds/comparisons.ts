import pick from 'lodash/pick';

import type { StatusRoles } from '../../shared/auth/deployment';
import { webBookings } from '../../shared/booking/records';
import { shapeRecord } from '../../shared/booking/recordShape';
import { type BookingState, historyOf, stateOf, statusNameOf, statusOf } from '../../shared/booking/states';
import { responseFields } from '../../shared/contract/responseFields';
import { readMoment } from '../../shared/values/timestamp';
import type { Changes, Comparison, ServiceRecord, Snapshot, Value } from './feed';
import { hashesOf } from './hashes';

/** The amounts of a web booking's payment, by the name of their change. */
export const PAYMENT_AMOUNTS = [
	{ name: 'Authorized', value: 'chargeAuthorizedAmount' },
	{ name: 'Paid', value: 'chargePayedAmount' },
	{ name: 'Refunded', value: 'chargeRefundedAmount' },
];

/** How bookings are compared for an event. */
export interface BookingComparison extends Comparison {
	/** @returns undefined if the booking itself shows what happened */
	snapshot: (booking: ServiceRecord) => Snapshot | undefined;
	/** What every booking begins with, if that is certain. */
	begins?: Snapshot;
	/** Whether related data is compared, which the service leaves out unless asked. */
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

/** The order of the payment events has no meaning. */
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

/** @returns the history if it says when each status began, otherwise an empty one */
export function datedHistoryOf(booking: ServiceRecord): ServiceRecord[] {
	const history = historyOf(booking);
	return history.every(({ changeDate }) => readMoment(changeDate, 'UTC')) ? history : [];
}

/** For bookings without a history, or with one that lacks dates. */
export const statusComparison: BookingComparison = {
	hashed: [],
	snapshot: (booking) => undated(booking, { status: String(booking.status) }),
	tells: isDifferent,
};

/** The same for the meaning of a status. Stores the status itself: today's `roles` define what it means and meant before. */
export function stateComparison(becomes: BookingState, roles: StatusRoles): BookingComparison {
	const isReached = (status: Snapshot['values']) => stateOf({ history: [status] }, roles) === becomes;
	return {
		hashed: [],
		snapshot: (booking) =>
			undated(booking, { status: statusOf(booking) as Value, statusName: statusNameOf(booking) }),
		begins: { values: { status: null, statusName: null }, hashes: '' },
		tells: (changes, { values }) => changes !== undefined && !isReached(changes.before) && isReached(values),
	};
}

function undated(booking: ServiceRecord, values: Snapshot['values']): Snapshot | undefined {
	return datedHistoryOf(booking).length > 0 ? undefined : { values, hashes: '' };
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
/** Simplified fields that come from the contact. */
const OF_CONTACT = ['guestName', 'guestPhone', 'guestEmail'];
/** Fields whose earlier values are emitted; nothing that a guest wrote is stored. */
const KEPT = ['start', 'end', 'guests', 'statusName'];
const NOT_HASHED = ['guid', 'changeDate', ...KEPT];

/** Any change of a booking. Fields that are not requested are unknown. */
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
