import { isRecord } from '../../shared/values/record';
import type { Malformed, Observation } from '../cursor';
import type { DueObservation } from '../due';

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

/** An event that is a change: the service is asked for what changed after a moment. */
export interface ChangeFeed extends AnyFeed {
	kind: 'changes';
	/** @param from a date-time in the service's own form */
	query: (from: string) => Query;
	ranking: 'time' | 'id';
	observe: (record: unknown, zone: string) => Observation | Malformed;
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

/** @returns the record, or undefined for what is not an object. */
export function asRecord(value: unknown): ServiceRecord | undefined {
	return isRecord(value) ? value : undefined;
}
