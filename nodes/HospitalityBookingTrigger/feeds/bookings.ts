import { type BookingFilters as SharedFilters, matchesFilters } from '../../shared/booking/bookingFilters';
import { type BookingState, historyOf, stateOf } from '../../shared/booking/states';
import type { TriggerEvent } from '../events';
import { DAY, type Timestamp, readMoment, readTimestamp } from '../../shared/values/timestamp';
import {
	type BookingComparison,
	datedHistoryOf,
	paymentComparison,
	stateComparison,
	statusComparison,
	timesComparison,
	wholeComparison,
} from './comparisons';
import {
	type ChangeFeed,
	type ChangeObservation,
	type Compared,
	type DueFeed,
	type Query,
	type ServiceRecord,
	type Value,
	recordsOf,
} from './feed';
import { hashKey } from './hashes';

/** The events that are a change of a booking. */
export type BookingChange = Exclude<Extract<TriggerEvent, `booking${string}`>, DueEvent>;
/** The events at a booking's own time. */
export type DueEvent = 'bookingStartsSoon' | 'bookingEnded';

/** The events that mean a state, which the credential's statuses define. */
export const STATE_EVENTS: Partial<Record<TriggerEvent, BookingState>> = {
	bookingCanceled: 'canceled',
	bookingNoShow: 'noShow',
};

/** The events that 'Add What Changed' is for. */
export const showsWhatChanged: readonly TriggerEvent[] = ['bookingUpdated', 'bookingChanged'];

export interface BookingFilters extends SharedFilters {
	unitIds?: number[];
	/** Name of the query parameter for them. */
	unitParameter: string;
	/** For a changed payment: any of these amounts; empty: all. */
	changedAmounts?: readonly string[];
}

/** What a form chooses besides the event. */
export interface BookingChoice {
	filters: BookingFilters;
	/** Names of the query parameters for related data. */
	include: readonly string[];
	/** Whether each item says what has changed, for the events that support it. */
	whatChanged?: boolean;
}

const PATH = '/api/booking/v1/WebBooking/WebBookings';
const BOOKING = { name: 'web booking', idName: 'guid' };
const DAYS_PER_CALL = 31;

/** Web bookings created or changed after a moment. @see contract/openapi.yaml webBooking.getAll */
export function bookingFeed(event: BookingChange, choice: BookingChoice): ChangeFeed {
	const { filters, include, whatChanged = false } = choice;
	const fixed = fixedQuery(filters, include);
	const comparison =
		whatChanged && showsWhatChanged.includes(event)
			? wholeComparison(include)
			: EVENT_RULES[event].comparison?.(filters);
	const baseline = periodQuery(comparison?.isOfIncluded ? fixed : fixedQuery(filters, []));
	return {
		kind: 'changes',
		path: PATH,
		query: (changedFrom) => ({ changedFrom, ...fixed }),
		...(comparison ? { compares: { ...comparison, baseline, daysPerCall: DAYS_PER_CALL } } : {}),
		...recordsOf(BOOKING, (booking, guid, zone) =>
			observeBooking(booking, guid, zone, event, filters, comparison),
		),
	};
}

/**
 * Web bookings whose start is near or whose end has passed. @see contract/openapi.yaml webBooking.getAll
 *
 * @param distanceMs how long before the start or after the end, in milliseconds; 0 or more
 */
export function dueFeed(
	event: DueEvent,
	distanceMs: number,
	{ filters, include }: Pick<BookingChoice, 'filters' | 'include'>,
): DueFeed {
	const isEnd = event === 'bookingEnded';
	return {
		kind: 'due',
		path: PATH,
		query: periodQuery(fixedQuery(filters, include)),
		offsetMs: isEnd ? distanceMs : -distanceMs,
		staysDue: isEnd,
		...recordsOf(BOOKING, (booking, guid, zone) => {
			const time = isEnd ? 'end' : 'start';
			const anchor = readTimestamp(booking[time], zone);
			if (!anchor) return time;
			const key = hashKey(`${guid}|${anchor.local}`);
			const createdAt = readMoment(booking.createdDate, zone)?.ms ?? null;
			return { key, anchor, createdAt, wanted: matchesFilters(booking, filters) };
		}),
	};
}

/** Queries for all bookings that end after the first time and start before the second. */
function periodQuery(fixed: Query) {
	return (startTime: string, endTime: string): Query => ({ startTime, endTime, ...fixed });
}

/** Query parameters other than the period. */
function fixedQuery(
	{ customerId, unitIds = [], unitParameter }: BookingFilters,
	include: readonly string[],
): Query {
	const flags = new Set(include);
	if (customerId !== undefined) flags.add('includeCustomer');
	return {
		...(unitIds.length > 0 ? { [unitParameter]: unitIds } : {}),
		...Object.fromEntries([...flags].map((flag) => [flag, true])),
	};
}

function observeBooking(
	booking: ServiceRecord,
	guid: string,
	zone: string,
	event: BookingChange,
	filters: BookingFilters,
	comparison: BookingComparison | undefined,
): ChangeObservation | string {
	const made = readMoment(booking.createdDate, zone);
	const edited = readMoment(booking.changeDate, zone);
	const changed = edited === null ? made : edited;
	if (!changed) return 'change date';
	if (made === undefined && event === 'bookingCreated') return 'date of creation';
	const created = made ?? undefined;
	const compared = comparison && compare(booking, guid, comparison, changed, created);
	const happened = EVENT_RULES[event].read(booking, { changed, created, compared, zone, filters });
	if (!happened) return { changed, event: null, wanted: false, compared };
	const { id, at } = happened;
	const seen = { key: hashKey(`${guid}${id}`), rank: rankOf(at, changed), time: at.ms };
	return { changed, event: seen, wanted: matchesFilters(booking, filters), compared };
}

function compare(
	booking: ServiceRecord,
	guid: string,
	{ snapshot, begins }: BookingComparison,
	changed: Timestamp,
	created: Timestamp | undefined,
): Compared | undefined {
	const now = snapshot(booking);
	if (!now) return undefined;
	const end = readTimestamp(booking.end ?? booking.start, 'UTC') ?? changed;
	return {
		id: hashKey(guid),
		lastDay: Math.floor(end.local / DAY),
		now,
		...(created && begins ? { made: { snapshot: begins, rank: rankOf(created, changed) } } : {}),
	};
}

/** Two times of one record may have different forms. */
function rankOf(at: Timestamp, changed: Timestamp): number {
	return at.isLocal === changed.isLocal ? at.local : changed.local - (changed.ms - at.ms);
}

interface BookingFacts {
	changed: Timestamp;
	created: Timestamp | undefined;
	compared: Compared | undefined;
	zone: string;
	filters: BookingFilters;
}

/** What has happened to a booking, and when. */
interface BookingEvent {
	/** Identifies it, together with the booking's GUID. */
	id: string;
	at: Timestamp;
}

interface EventRule {
	read: (booking: ServiceRecord, facts: BookingFacts) => BookingEvent | undefined | false;
	/** For an event that is found by comparison with what was last seen. */
	comparison?: (filters: BookingFilters) => BookingComparison;
}

const EVENT_RULES: Record<BookingChange, EventRule> = {
	bookingCreated: { read: (_booking, { created }) => created && { id: '', at: created } },
	bookingUpdated: { read: (booking, facts) => !isAsCreated(booking, facts) && changeEvent(booking, facts) },
	bookingChanged: { read: changeEvent },
	bookingStatusChanged: statusRule(
		({ status }) => String(status),
		() => statusComparison,
	),
	bookingCanceled: stateRule('canceled'),
	bookingNoShow: stateRule('noShow'),
	bookingPaymentChanged: {
		read: differenceEvent,
		comparison: ({ changedAmounts }) => paymentComparison(changedAmounts),
	},
	bookingRescheduled: { read: differenceEvent, comparison: () => timesComparison },
};

/** Several polls may find one change: its key includes the values that matter. */
function differenceEvent(booking: ServiceRecord, facts: BookingFacts): BookingEvent {
	const { id, at } = changeEvent(booking, facts);
	return { id: `${id}|${JSON.stringify(facts.compared?.now)}`, at };
}

/** Status and history distinguish two changes within one tick of the service's clock. */
function changeEvent(booking: ServiceRecord, { changed }: BookingFacts): BookingEvent {
	const version = `${changed.local}.${changed.finer}|${String(booking.status)}|${historyOf(booking).length}`;
	return { id: `|${version}`, at: changed };
}

function isAsCreated(booking: ServiceRecord, { changed, created }: BookingFacts): boolean {
	// Without a change date, the one of creation is both.
	if (changed === created) return true;
	return created?.ms === changed.ms && created.finer === changed.finer && historyOf(booking).length <= 1;
}

function stateRule(becomes: BookingState): EventRule {
	return statusRule(
		(booking, { statusRoles = {} }) => stateOf(booking, statusRoles),
		({ statusRoles = {} }) => stateComparison(becomes, statusRoles),
		becomes,
	);
}

/**
 * Finds a change of status, or of its meaning, in a dated `history`; without one, by comparison with what was last seen. The
 * status that a booking is created with is not a change.
 *
 * @param valueOf of an entry of the history
 * @param becomes the only value that is waited for; undefined: any
 */
function statusRule(
	valueOf: (booking: ServiceRecord, filters: BookingFilters) => Value,
	comparison: EventRule['comparison'],
	becomes?: Value,
): EventRule {
	return {
		comparison,
		read: (booking, facts) => {
			const history = datedHistoryOf(booking);
			const [first] = history;
			if (!first) return differenceEvent(booking, facts);
			const values = history.map((entry) => valueOf({ ...entry, history: [entry] }, facts.filters));
			const starts = [...values.keys()].filter((index) => values[index] !== values[index - 1]);
			const last = starts.at(-1) ?? 0;
			const firstAt = readMoment(first.changeDate, facts.zone);
			const begunLater = facts.created !== undefined && !!firstAt && firstAt.ms > facts.created.ms;
			const value = values[last];
			if ((last === 0 && !begunLater) || (becomes !== undefined && value !== becomes)) return undefined;
			const at = readMoment(history[last]?.changeDate, facts.zone) ?? facts.changed;
			// What other statuses mean may be edited, so their changes are not counted.
			const times = starts.filter((index) => values[index] === value).length;
			return { id: `|${String(value)}|${times}`, at };
		},
	};
}
