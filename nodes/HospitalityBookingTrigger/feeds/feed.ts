import { isRecord } from '../../shared/values/record';
import type { Timestamp } from '../../shared/values/timestamp';

/** A record as the service sends it. */
export type ServiceRecord = Record<string, unknown>;

export type Query = Record<string, string | number[] | string[] | boolean>;

export type Value = string | number | null;

/** A period, in milliseconds since 1970. */
export interface Period {
	from: number;
	to: number;
}

/** What a feed reads from one record. */
export interface Observed {
	record: unknown;
	/** Stands for the record. */
	id: string;
	/** When the record was last changed; null if the service leaves it out. */
	changed: Timestamp | null;
	/** The latest that this can be, in milliseconds since 1970: a local time may occur twice. */
	changedBy: number;
	/** When it was made, in milliseconds since 1970, if the service says so. */
	created: number | undefined;
	/** The latest that this can be: a local time may occur twice. */
	madeBy: number | undefined;
	/** When the event happened, in milliseconds since 1970; null if unknown, undefined if it did not happen. */
	at: number | null | undefined;
	/** Identifies the event. */
	key: string;
	/** Whether the filters let it through. */
	wanted: boolean;
	/** Whether the record is as it was made. */
	isAsMade: boolean;
	/** Stands for what the record is like: what has been seen is no event. Undefined if the event does not depend on it. */
	version: string | undefined;
	/** What the event compares, in the order of the feed's names. */
	values: Value[];
	/** The day, in days since 1970, until which it is remembered; undefined: for the overlap. */
	until: number | undefined;
}

/** What is remembered of a record. */
export interface Known {
	/** Second since 1970 of its newest version. */
	newest: number;
	/** The versions seen within the overlap. */
	versions: readonly string[];
	values: readonly Value[];
}

/** What the events are judged by, in milliseconds since 1970, by the service's clock. */
export interface Times {
	now: number;
	/** What was changed before was seen. */
	from: number;
	/** What was made before is not new. */
	since: number;
	/** When the last poll was made, less the overlap. */
	polled: number;
	/** The end of what has to be known from the beginning, and has not been read; otherwise 0. */
	unreadTo: number;
}

/** What is read from a page, and the names of records that cannot be followed, with the reason. */
export interface Page {
	observed: Observed[];
	unreadable: string[];
}

/** A record and its times. `undefined` of a time: it cannot be read; null: there is none. */
export interface Facts {
	record: ServiceRecord;
	changed: Timestamp | null | undefined;
	created: Timestamp | null | undefined;
}

/** When an event happened, null if the record does not say so, and what identifies it besides the record. */
export interface Happened {
	at: number | null;
	id: string;
}

/** What one event reads of a record, what it keeps, and when it tells. */
export interface Rule {
	/** @returns undefined if it did not happen, a text if a time that it needs cannot be read: its name */
	happened: (facts: Facts) => Happened | string | undefined;
	/** Whether an event that happened is told. */
	tells: (one: Observed, known: Known | undefined, times: Times) => boolean;
	/** Whether it depends on the version of a record. */
	hasVersions?: true;
	isWanted?: (record: ServiceRecord) => boolean;
	/** Names of the values that are compared with what was last seen, and of those that are emitted as changes. */
	compares?: readonly string[];
	shows?: readonly string[];
	valuesOf?: (facts: Facts) => Value[];
	/** The values of every booking when it is made, if that is certain. */
	begins?: readonly Value[];
	/** The day until which a record is remembered; undefined: for the overlap. */
	until?: (facts: Facts) => number | undefined;
	/** What is kept of a record, where that is not what was read from it. */
	keeps?: (one: Observed, known: Known | undefined, times: Times) => Pick<Observed, 'values' | 'until'>;
	/** The period whose bookings must be known from the beginning. */
	learns?: (now: number) => Period;
	/** Whether a record is new if its ID was not known. */
	isById?: true;
	/** For an event at a booking's own time: the milliseconds from its start or end to the event, negative if before. */
	offsetMs?: number;
	/** Why none of the records is a test event, if there is a better reason than that nothing fits. */
	whyNone?: (records: readonly unknown[]) => string | undefined;
}

/** What is polled for one event: the calls, what to read from the records, and its rule. */
export interface Feed {
	/** e.g. `/api/booking/v1/booking/customers` */
	path: string;
	/** IANA name, for times without an offset. */
	zone: string;
	/** Whether every list is of all records, whatever it is asked for. */
	listsAll: boolean;
	/** For the records created or changed after a date-time in the service's own form. */
	changedAfter: (from: string) => Query;
	/** For all bookings that end after one date-time and start before another. */
	during: (from: string, to: string, isComplete: boolean) => Query;
	/** @param from what was changed before, in milliseconds since 1970, may be left out if nothing is remembered of it */
	observe: (page: readonly unknown[], from: number) => Page;
	rule: Rule;
}

/** What is different from what was last seen. */
export interface Changes {
	fields: string[];
	/** The earlier values, changed or not. */
	before: Record<string, Value>;
}

/** @returns the fields of a record; none for anything else */
export function fieldsOf(record: unknown): ServiceRecord {
	return isRecord(record) ? record : {};
}
