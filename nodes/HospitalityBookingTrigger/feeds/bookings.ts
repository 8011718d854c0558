import { type BookingFilters as SharedFilters, matchesFilters } from '../../shared/booking/bookingFilters';
import { historyOf } from '../../shared/booking/records';
import { isRecord } from '../../shared/values/record';
import type { Digest } from '../state/lastSeen';
import { hashKey, shortHash } from '../state/seen';
import { type Timestamp, readTimestamp } from '../timestamps';
import type { TriggerEvent } from '../events';
import {
	type ChangeFeed,
	type ChangeObservation,
	type DueFeed,
	type Malformed,
	type Query,
	type ServiceRecord,
	eachRecord,
} from './feed';
import { type BookingMemory, paymentMemory, statusMemory, timesMemory, wholeMemory } from './remembered';

/** The events that are a change of a booking. */
export type BookingChange = Exclude<Extract<TriggerEvent, `booking${string}`>, DueEvent>;
/** The events at a booking's own time. */
export type DueEvent = 'bookingStartsSoon' | 'bookingEnded';

/** The events that are told by what was last seen of a booking. */
export const toldByDifference: readonly TriggerEvent[] = ['bookingPaymentChanged', 'bookingRescheduled'];

/** The events that 'Add What Changed' is for. */
export const showsWhatChanged: readonly TriggerEvent[] = ['bookingUpdated', 'bookingChanged'];

export interface BookingFilters extends SharedFilters {
	unitIds?: number[];
	/** Name of the query parameter that carries them. */
	unitParameter: string;
	/** For a changed payment: any of these amounts; empty: all. */
	changedAmounts?: readonly string[];
}

const PATH = '/api/booking/v1/WebBooking/WebBookings';

/**
 * Web bookings created or changed after a moment.
 *
 * @param include names of the query parameters for related data
 * @param whatChanged whether each item says what has changed, for the events that can
 * @see contract/openapi.yaml webBooking.getAll
 */
export function bookingFeed(
	event: BookingChange,
	filters: BookingFilters,
	include: readonly string[],
	whatChanged = false,
): ChangeFeed {
	const fixed = fixedQuery(filters, include);
	const remember: Remember | undefined =
		whatChanged && showsWhatChanged.includes(event)
			? (booking) => wholeMemory(booking, include)
			: MEMORIES[event];
	return {
		kind: 'changes',
		path: PATH,
		query: (changedFrom) => ({ changedFrom, ...fixed }),
		...(remember
			? { remembers: event === 'bookingStatusChanged' ? {} : { standing: periodQuery(fixed) } }
			: {}),
		ranking: 'time',
		observe: eachRecord((record, zone) => observeBooking(record, zone, event, filters, remember)),
		nameOf,
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
	filters: BookingFilters,
	include: readonly string[],
): DueFeed {
	const fixed = fixedQuery(filters, include);
	const isEnd = event === 'bookingEnded';
	return {
		kind: 'due',
		path: PATH,
		query: periodQuery(fixed),
		offsetMs: isEnd ? distanceMs : -distanceMs,
		staysDue: isEnd,
		observe: eachRecord((booking, zone) => {
			if (!hasGuid(booking)) return NO_GUID;
			const anchor = readTimestamp(isEnd ? booking.end : booking.start, zone);
			if (!anchor) return { malformed: `${nameOf(booking)} has no readable ${isEnd ? 'end' : 'start'}` };
			const key = hashKey(`${booking.guid}|${anchor.wall}`);
			const createdAt = readTimestamp(booking.createdDate, zone)?.ms ?? null;
			return { key, anchor, createdAt, wanted: matchesFilters(booking, filters) };
		}),
	};
}

/** For all bookings that end after the one and start before the other. */
function periodQuery(fixed: Query) {
	return (startTime: string, endTime: string): Query => ({ startTime, endTime, ...fixed });
}

/** What is asked for besides the period. */
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

const NO_GUID: Malformed = { malformed: 'a web booking has no GUID' };

function hasGuid(booking: unknown): booking is ServiceRecord & { guid: string } {
	return isRecord(booking) && typeof booking.guid === 'string' && booking.guid !== '';
}

function nameOf(booking: unknown): string {
	return `web booking ${String(isRecord(booking) ? booking.guid : booking)}`;
}

function observeBooking(
	booking: unknown,
	zone: string,
	event: BookingChange,
	filters: BookingFilters,
	remember: Remember | undefined,
): ChangeObservation | Malformed {
	if (!hasGuid(booking)) return NO_GUID;
	const changed = readTimestamp(booking.changeDate ?? booking.createdDate, zone);
	if (!changed) return { malformed: `${nameOf(booking)} has no readable change date` };
	const created = readTimestamp(booking.createdDate, zone);
	const memory = remember?.(booking, filters);
	const { begins, facts } = memory ?? {};
	const made = created && begins && { digest: begins, rank: rankOf(created, changed) };
	const remembered = memory && { ...memory, id: shortHash(booking.guid), made };
	const happened = EVENTS[event](booking, { changed, created, digest: facts?.digest }, zone);
	if (!happened) return { changed, event: null, wanted: false, remembered };
	const { id, at, isFirstSight = false } = happened;
	const rank = rankOf(at, changed);
	const seen = { key: hashKey(`${booking.guid}${id}`), rank, time: at.ms };
	return { changed, event: seen, wanted: !isFirstSight && matchesFilters(booking, filters), remembered };
}

/** How a booking is remembered for an event. */
type Remember = (booking: ServiceRecord, filters: BookingFilters) => BookingMemory | undefined;

const MEMORIES: Partial<Record<BookingChange, Remember>> = {
	bookingPaymentChanged: (booking, { changedAmounts }) => paymentMemory(booking, changedAmounts),
	bookingRescheduled: timesMemory,
	// The history tells more than what was seen.
	bookingStatusChanged: (booking) => (historyOf(booking).length > 0 ? undefined : statusMemory(booking)),
};

/** Two times of one record may be written in two forms. */
function rankOf(at: Timestamp, changed: Timestamp): number {
	return at.isLocal === changed.isLocal ? at.wall : changed.wall - (changed.ms - at.ms);
}

interface BookingFacts {
	changed: Timestamp;
	created: Timestamp | undefined;
	/** What is remembered of it. */
	digest?: Digest;
}

/** What has happened to a booking, and when. */
interface BookingEvent {
	/** What stands for it beside the booking's GUID. */
	id: string;
	at: Timestamp;
	/** Whether it only shows from now on what would be a change. */
	isFirstSight?: boolean;
}

type ReadEvent = (
	booking: ServiceRecord,
	facts: BookingFacts,
	zone: string,
) => BookingEvent | undefined | false;

const EVENTS: Record<BookingChange, ReadEvent> = {
	bookingCreated: (_booking, { created }) => created && { id: '', at: created },
	bookingUpdated: (booking, facts) => !isAsCreated(booking, facts) && changeEvent(booking, facts),
	bookingChanged: changeEvent,
	bookingStatusChanged: statusEvent,
	bookingPaymentChanged: differenceEvent,
	bookingRescheduled: differenceEvent,
};

/** One change may be told by several polls: what matters of it stands for it as well. */
function differenceEvent(booking: ServiceRecord, facts: BookingFacts): BookingEvent {
	const { id, at } = changeEvent(booking, facts);
	return { id: `${id}|${JSON.stringify(facts.digest)}`, at };
}

/** Status and history tell apart two changes within one tick of the service's clock. */
function changeEvent(booking: ServiceRecord, { changed }: BookingFacts): BookingEvent {
	const version = `${changed.wall}.${changed.finer}|${String(booking.status)}|${historyOf(booking).length}`;
	return { id: `|${version}`, at: changed };
}

function isAsCreated(booking: ServiceRecord, { changed, created }: BookingFacts): boolean {
	if (booking.changeDate === null || booking.changeDate === undefined) return true;
	return created?.ms === changed.ms && created.finer === changed.finer && historyOf(booking).length <= 1;
}

/**
 * A status change is told by `history`; without one, by another status than the one last seen.
 * The status that a booking is created with is not a change.
 */
function statusEvent(booking: ServiceRecord, facts: BookingFacts, zone: string): BookingEvent | undefined {
	const { changed, created } = facts;
	const history = historyOf(booking);
	const first = history[0];
	if (!first)
		return { id: `|${String(booking.status)}`, at: changed, isFirstSight: isAsCreated(booking, facts) };
	const firstAt = readTimestamp(first.changeDate, zone);
	const begunLater = created !== undefined && firstAt !== undefined && firstAt.ms > created.ms;
	let changes = begunLater ? 1 : 0;
	let last = first;
	history.forEach((entry, index) => {
		if (index === 0 || entry.status === history[index - 1]?.status) return;
		changes++;
		last = entry;
	});
	if (changes === 0) return undefined;
	const at = readTimestamp(last.changeDate, zone) ?? changed;
	return { id: `|${String(last.status)}|${changes}`, at };
}
