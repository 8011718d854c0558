import {
	type BookingChange,
	type BookingFilters,
	bookingFeed,
} from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import type { ChangeFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/feed';
import { followChanges } from '../../../nodes/HospitalityBookingTrigger/follow/changes';
import type { Emission, FollowSettings } from '../../../nodes/HospitalityBookingTrigger/follow/step';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const NOW = Date.parse('2026-07-01T12:00:00Z');
/** @param minutes after {@link NOW} */
export const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString();

export const NO_FILTERS: BookingFilters = {
	unitIds: [],
	unitParameter: 'unitIds',
	statuses: [],
	leaveOutStatuses: [],
};

export const bookingsOf = (event: BookingChange, filters: Partial<BookingFilters> = {}): ChangeFeed =>
	bookingFeed(event, { ...NO_FILTERS, ...filters }, []);

/** How a feed is followed, where nothing else is said. */
export const FOLLOWED = { zone: 'UTC', overlapMs: 2 * MINUTE, maxAgeMs: 24 * HOUR, maxItems: 500 };

export const follow = (feed: ChangeFeed, settings: Partial<FollowSettings> = {}) =>
	followChanges(feed, { feed, ...FOLLOWED, ...settings });

/** What n8n gives a trigger that is published and polled. */
export const HOST = {
	readEarly: false,
	publishing: false,
	wasPublished: false,
	budgetMs: 60_000,
	warn: () => undefined,
	/** The names of what comes out, `*` for what is marked. */
	present: (records: Emission[]) =>
		records.map(({ record, again }) => `${nameOf(record)}${again ? '*' : ''}`),
};

/** The form of a trigger, where nothing else is chosen. */
export const POLLED = {
	...FOLLOWED,
	node: 'Trigger',
	account: 'https://booking.example',
	startAt: null,
	anew: false,
	reEmit: false,
};

export function nameOf(record: unknown): string {
	const { guid, id } = record as { guid?: string; id?: string | number };
	return String(guid ?? id);
}

/** As n8n stores it. */
export const asStored = <T>(state: T): T => JSON.parse(JSON.stringify(state)) as T;
