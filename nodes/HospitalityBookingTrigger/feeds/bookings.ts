import { historyOf, statusOf } from '../../shared/booking/history';
import { isRecord } from '../../shared/values/record';
import { hashKey } from '../state/seen';
import { type Timestamp, readTimestamp } from '../timestamps';
import type {
	ChangeFeed,
	ChangeObservation,
	DueFeed,
	Malformed,
	Query,
	ServiceRecord,
	TriggerEvent,
} from './feed';

/** The events that are a change of a booking. */
export type BookingChange = Exclude<Extract<TriggerEvent, `booking${string}`>, DueEvent>;
/** The events at a booking's own time. */
export type DueEvent = 'bookingStartsSoon' | 'bookingEnded';

/** The related data that the service leaves out unless asked for. @see contract/openapi.yaml webBooking.getAll */
export type BookingInclude =
	| 'includeContact'
	| 'includeCustomer'
	| 'includeInternalContact'
	| 'includeMarkings'
	| 'includeNonTableArticles'
	| 'includePayMethod'
	| 'includeTableArticles';

export interface BookingFilters {
	/** Any of these units; empty: all. */
	unitIds: number[];
	/** Name of the query parameter that carries them. */
	unitParameter: string;
	/** Any of these statuses; empty: all. */
	statuses: number[];
	/** None of these statuses. */
	leaveOutStatuses: number[];
	minGuests?: number;
	maxGuests?: number;
	customerId?: number;
}

const PATH = '/api/booking/v1/WebBooking/WebBookings';

/** Web bookings created or changed after a moment. @see contract/openapi.yaml webBooking.getAll */
export function bookingFeed(
	event: BookingChange,
	filters: BookingFilters,
	include: BookingInclude[],
): ChangeFeed {
	const fixed = fixedQuery(filters, include);
	return {
		kind: 'changes',
		path: PATH,
		query: (changedFrom) => ({ changedFrom, ...fixed }),
		ranking: 'time',
		observe: (record, zone) => observeBooking(record, zone, event, filters),
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
	include: BookingInclude[],
): DueFeed {
	const fixed = fixedQuery(filters, include);
	const isEnd = event === 'bookingEnded';
	return {
		kind: 'due',
		path: PATH,
		query: (startTime, endTime) => ({ startTime, endTime, ...fixed }),
		offsetMs: isEnd ? distanceMs : -distanceMs,
		staysDue: isEnd,
		observe: (booking, zone) => {
			if (!hasGuid(booking)) return NO_GUID;
			const anchor = readTimestamp(isEnd ? booking.end : booking.start, zone);
			if (!anchor) return { malformed: `${nameOf(booking)} has no readable ${isEnd ? 'end' : 'start'}` };
			const key = hashKey(`${booking.guid}|${anchor.wall}`);
			const createdAt = readTimestamp(booking.createdDate, zone)?.ms ?? null;
			return { key, anchor, createdAt, wanted: matches(booking, filters) };
		},
		nameOf,
	};
}

/** What is asked for besides the period. */
function fixedQuery(filters: BookingFilters, include: BookingInclude[]): Query {
	const flags = new Set(include);
	if (filters.customerId !== undefined) flags.add('includeCustomer');
	return {
		...(filters.unitIds.length > 0 ? { [filters.unitParameter]: filters.unitIds } : {}),
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
): ChangeObservation | Malformed {
	if (!hasGuid(booking)) return NO_GUID;
	const changed = readTimestamp(booking.changeDate ?? booking.createdDate, zone);
	if (!changed) return { malformed: `${nameOf(booking)} has no readable change date` };
	const created = readTimestamp(booking.createdDate, zone);
	const happened = EVENTS[event](booking, { changed, created }, zone);
	if (!happened) return { changed, event: null, wanted: false };
	const { id, at, isFirstSight = false } = happened;
	const rank = rankOf(at, changed);
	const seen = { key: hashKey(`${booking.guid}${id}`), rank, time: at.ms };
	return { changed, event: seen, wanted: !isFirstSight && matches(booking, filters) };
}

/** Two times of one record may be written in two forms. */
function rankOf(at: Timestamp, changed: Timestamp): number {
	return at.isLocal === changed.isLocal ? at.wall : changed.wall - (changed.ms - at.ms);
}

interface BookingFacts {
	changed: Timestamp;
	created: Timestamp | undefined;
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
};

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
	const lastAt = readTimestamp(last.changeDate, zone);
	const at = lastAt && lastAt.ms < changed.ms ? lastAt : changed;
	return { id: `|${String(last.status)}|${changes}`, at };
}

function matches(booking: ServiceRecord, filters: BookingFilters): boolean {
	const { unitIds, statuses, leaveOutStatuses, minGuests, maxGuests, customerId } = filters;
	if (unitIds.length > 0 && !unitsOf(booking).some((id) => unitIds.includes(Number(id)))) return false;
	const status = statuses.length + leaveOutStatuses.length > 0 ? Number(statusOf(booking)) : undefined;
	if (statuses.length > 0 && !statuses.includes(status as number)) return false;
	if (leaveOutStatuses.includes(status as number)) return false;
	const guests = Number(booking.guests ?? 0);
	if (minGuests !== undefined && guests < minGuests) return false;
	if (maxGuests !== undefined && guests > maxGuests) return false;
	return customerId === undefined || (isRecord(booking.customer) && booking.customer.id === customerId);
}

function unitsOf(booking: ServiceRecord): unknown[] {
	const articles = [booking.articles, booking.nonTableArticles].flatMap((list) =>
		Array.isArray(list) ? list : [],
	);
	return [booking.unitId, ...articles.filter(isRecord).map(({ unitId }) => unitId)];
}
