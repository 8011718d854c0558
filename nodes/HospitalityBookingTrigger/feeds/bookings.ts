import type { Malformed, Observation } from '../cursor';
import { hashKey } from '../seen';
import { type Stamp, readStamp } from '../stamps';
import { type Feed, type ServiceRecord, type TriggerEvent, asRecord } from './feed';

export type BookingEvent = Extract<TriggerEvent, `booking${string}`>;

/** The related data that the service leaves out unless asked for (first document, "List web bookings"). */
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
	minGuests?: number;
	maxGuests?: number;
	customerId?: number;
}

/** Web bookings created or changed after a moment (first document, "List web bookings"). */
export function bookingFeed(event: BookingEvent, filters: BookingFilters, include: BookingInclude[]): Feed {
	const flags = new Set(include);
	if (filters.customerId !== undefined) flags.add('includeCustomer');
	return {
		path: '/api/booking/v1/WebBooking/WebBookings',
		query: (changedFrom) => ({
			changedFrom,
			...(filters.unitIds.length > 0 ? { [filters.unitParameter]: filters.unitIds } : {}),
			...Object.fromEntries([...flags].map((flag) => [flag, true])),
		}),
		ranking: 'time',
		observe: (record, zone) => observeBooking(asRecord(record), zone, event, filters),
	};
}

function observeBooking(
	booking: ServiceRecord | undefined,
	zone: string,
	event: BookingEvent,
	filters: BookingFilters,
): Observation | Malformed {
	const guid = booking?.guid;
	if (!booking || typeof guid !== 'string' || guid === '') return { malformed: 'a web booking has no GUID' };
	const stamp = readStamp(booking.changeDate ?? booking.createdDate, zone);
	if (!stamp) return { malformed: `web booking ${guid} has no readable change date` };
	const facts = { guid, stamp, created: readStamp(booking.createdDate, zone) };
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

const EVENTS: Record<BookingEvent, ReadEvent> = {
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
	const version = `${stamp.ms}.${stamp.finer}|${String(booking.status)}|${historyOf(booking).length}`;
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

/**
 * The statuses the booking has had, oldest first. The documents do not say which way the list runs. The entry made with
 * the booking tells; dates alone do not, because local times go back when daylight saving ends.
 */
function historyOf(booking: ServiceRecord): ServiceRecord[] {
	const list = Array.isArray(booking.history)
		? booking.history.map(asRecord).filter((entry) => entry !== undefined)
		: [];
	const [first, last] = [list[0]?.changeDate, list.at(-1)?.changeDate];
	if (first === booking.createdDate || typeof first !== 'string' || typeof last !== 'string') return list;
	return last === booking.createdDate || first > last ? list.reverse() : list;
}

/** The status that the booking has now. The service lists two fields of this name, `history` only one. */
export function statusOf(booking: ServiceRecord): unknown {
	const last = historyOf(booking).at(-1);
	return last ? last.status : booking.status;
}

function matches(booking: ServiceRecord, filters: BookingFilters): boolean {
	const { unitIds, statuses, minGuests, maxGuests, customerId } = filters;
	if (unitIds.length > 0 && !unitsOf(booking).some((id) => unitIds.includes(Number(id)))) return false;
	if (statuses.length > 0 && !statuses.includes(Number(statusOf(booking)))) return false;
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
