import type { Timestamp } from '../timestamps';

export type TriggerEvent =
	| 'bookingCreated'
	| 'bookingUpdated'
	| 'bookingChanged'
	| 'bookingStatusChanged'
	| 'bookingStartsSoon'
	| 'bookingEnded'
	| 'customerCreated'
	| 'customerChanged'
	| 'surveyAnswered';

/** A record as the service sends it. */
export type ServiceRecord = Record<string, unknown>;

export type Query = Record<string, string | number[] | string[] | boolean>;

/** What is polled for one event: which call, and what to read off its records. */
export type Feed = ChangeFeed | DueFeed;

interface AnyFeed {
	/** e.g. `/api/booking/v1/booking/customers` */
	path: string;
	/** What a person calls a record, e.g. `web booking 3f2a…`. */
	nameOf: (record: unknown) => string;
}

/** A record that cannot be followed, and why. */
export interface Malformed {
	malformed: string;
}

/** An event that is a change: the service is asked for what changed after a moment. */
export interface ChangeFeed extends AnyFeed {
	kind: 'changes';
	/** @param from a date-time in the service's own form */
	query: (from: string) => Query;
	/** Whether an event is new by its time, or by its record having a higher id than any before. */
	ranking: 'time' | 'id';
	observe: (record: unknown, zone: string) => ChangeObservation | Malformed;
}

/** What a feed reads off one record for a change that is waited for. */
export interface ChangeObservation {
	/** When the record was last changed; null where the service leaves it out. */
	changed: Timestamp | null;
	/**
	 * Whether the event happened to the record. `key` (8 characters, see `seen.ts`) stands for this one event; `rank` is
	 * `wall` of the timestamp at which it happened, never later than `changed`, or, when ranking by id, the id, which is
	 * also what the key stands for.
	 */
	event: { key: string; rank: number; time: number | null } | null;
	/** Whether the filters let it through. */
	wanted: boolean;
}

/** An event at a time of the booking's own: the service is asked for the bookings of a period. */
export interface DueFeed extends AnyFeed {
	kind: 'due';
	/** For all bookings that end after `from` and start before `to`, date-times in the service's own form. */
	query: (from: string, to: string) => Query;
	/** How long after the booking's start or end the event is due, in milliseconds; before it: below 0. */
	offsetMs: number;
	/** Whether a booking that is made or moved too late for the event still comes out when its own time has passed. */
	staysDue: boolean;
	observe: (record: unknown, zone: string) => DueObservation | Malformed;
}

/** What a feed reads off one booking. Its start or end is called its anchor. */
export interface DueObservation {
	/** Stands for this booking with this anchor (8 characters, see `seen.ts`). */
	key: string;
	anchor: Timestamp;
	/** When the booking was made, in milliseconds since 1970; null where the service leaves it out. */
	createdAt: number | null;
	/** Whether the filters let it through, as it is now. */
	wanted: boolean;
}
