import { historyOf, statusOf } from '../../shared/booking/history';
import type { Malformed, Observation } from '../cursor';
import { hashKey } from '../seen';
import { type Stamp, readStamp } from '../stamps';
import {
	type ChangeFeed,
	type DueFeed,
	type Query,
	type ServiceRecord,
	type TriggerEvent,
	asRecord,
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
		observe: (record, zone) => observeBooking(asRecord(record), zone, event, filters),
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
		observe: (value, zone) => {
			const booking = asRecord(value);
			if (!booking || !hasGuid(booking)) return NO_GUID;
			const anchor = readStamp(isEnd ? booking.end : booking.start, zone);
			if (!anchor) return { malformed: `${nameOf(booking)} has no readable ${isEnd ? 'end' : 'start'}` };
			const key = hashKey(`${booking.guid}|${anchor.wall}`);
			return { key, anchor, wanted: matches(booking, filters) };
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

function hasGuid(booking: ServiceRecord): booking is ServiceRecord & { guid: string } {
	return typeof booking.guid === 'string' && booking.guid !== '';
}

function nameOf(booking: unknown): string {
	return `web booking ${String(asRecord(booking)?.guid)}`;
}

function observeBooking(
	booking: ServiceRecord | undefined,
	zone: string,
	event: BookingChange,
	filters: BookingFilters,
): Observation | Malformed {
	if (!booking || !hasGuid(booking)) return NO_GUID;
	const stamp = readStamp(booking.changeDate ?? booking.createdDate, zone);
	if (!stamp) return { malformed: `${nameOf(booking)} has no readable change date` };
	const facts = { guid: booking.guid, stamp, created: readStamp(booking.createdDate, zone) };
	return {
		stamp,
		...EVENTS[event](booking, facts, zone),
		...(matches(booking, filters) ? {} : { wanted: false }),
	};
}

interface BookingFacts {
	guid: string;
	stamp: Stamp;
	created: Stamp | undefined;
}

type ReadEvent = (
	booking: ServiceRecord,
	facts: BookingFacts,
	zone: string,
) => Pick<Observation, 'event' | 'wanted'>;

const EVENTS: Record<BookingChange, ReadEvent> = {
	bookingCreated: (_booking, { guid, created }) => ({
		event: created ? { key: hashKey(guid), rank: created.ms } : null,
		wanted: true,
	}),
	bookingUpdated: (booking, facts) => ({
		event: isAsCreated(booking, facts) ? null : changeEvent(booking, facts),
		wanted: true,
	}),
	bookingChanged: (booking, facts) => ({ event: changeEvent(booking, facts), wanted: true }),
	bookingStatusChanged: statusEvent,
};

/** Status and history tell apart two changes within one tick of the service's clock. */
function changeEvent(booking: ServiceRecord, { guid, stamp }: BookingFacts): Observation['event'] {
	const version = `${stamp.wall}.${stamp.finer}|${String(booking.status)}|${historyOf(booking).length}`;
	return { key: hashKey(`${guid}|${version}`), rank: stamp.ms };
}

function isAsCreated(booking: ServiceRecord, { stamp, created }: BookingFacts): boolean {
	if (booking.changeDate === null || booking.changeDate === undefined) return true;
	return created?.ms === stamp.ms && created.finer === stamp.finer && historyOf(booking).length <= 1;
}

/**
 * A status change is told by `history`; without one, by another status than the one last seen.
 * The status that a booking is created with is not a change.
 */
function statusEvent(
	booking: ServiceRecord,
	{ guid, stamp, created }: BookingFacts,
	zone: string,
): ReturnType<ReadEvent> {
	const history = historyOf(booking);
	const first = history[0];
	if (!first) {
		const asCreated = isAsCreated(booking, { guid, stamp, created });
		return {
			event: { key: hashKey(`${guid}|${String(booking.status)}`), rank: stamp.ms },
			wanted: !asCreated,
		};
	}
	const firstAt = readStamp(first.changeDate, zone);
	const begunLater = created !== undefined && firstAt !== undefined && firstAt.ms > created.ms;
	let changes = begunLater ? 1 : 0;
	let last = first;
	history.forEach((entry, index) => {
		if (index === 0 || entry.status === history[index - 1]?.status) return;
		changes++;
		last = entry;
	});
	if (changes === 0) return { event: null, wanted: true };
	const key = hashKey(`${guid}|${String(last.status)}|${changes}`);
	return {
		event: { key, rank: Math.min(readStamp(last.changeDate, zone)?.ms ?? stamp.ms, stamp.ms) },
		wanted: true,
	};
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
	return customerId === undefined || asRecord(booking.customer)?.id === customerId;
}

function unitsOf(booking: ServiceRecord): unknown[] {
	const articles = [booking.articles, booking.nonTableArticles].flatMap((list) =>
		Array.isArray(list) ? list : [],
	);
	return [booking.unitId, ...articles.map((article) => asRecord(article)?.unitId)];
}
