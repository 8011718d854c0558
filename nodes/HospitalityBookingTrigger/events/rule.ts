import { createHash } from 'crypto';

import type { StatusRoles } from '../../shared/auth/deployment';
import type { Period } from '../../shared/booking/slices';
import { toNumber } from '../../shared/values/number';
import { isRecord } from '../../shared/values/record';
import type { Timestamp } from '../../shared/values/timestamp';

/** A record as the service sends it. */
export type ServiceRecord = Record<string, unknown>;

export type Query = Record<string, string | number[] | string[] | boolean>;

/** What an event compares of a record: numbers only, never what a guest wrote. */
export type Value = number | null;

/** A record and its times. `undefined` of a time: it cannot be read; null: there is none. */
export interface Facts {
	record: ServiceRecord;
	changed: Timestamp | null | undefined;
	created: Timestamp | null | undefined;
}

/** What an event reads of a record. */
export interface Reading {
	/** When the event happened, in milliseconds since 1970; null if unknown, undefined if it did not happen. */
	at?: number | null;
	/** Identifies the event, besides the record. */
	key?: string;
	/** What the event compares, in the order of the rule's `comparedFields`. */
	values?: readonly Value[];
	/** The day, in days since 1970, until which the record is remembered; undefined: for the overlap. */
	until?: number;
}

/** A record with what the event reads of it. */
export interface Observed extends Facts, Reading {
	/** Stands for the record. */
	id: string;
	changed: Timestamp | null;
	/** When it was changed: of a local time that occurs twice, the later moment. */
	changedAtLatest: number;
	/** The same of when it was made; undefined if the service does not say. */
	madeAtLatest: number | undefined;
	key: string;
	passesFilters: boolean;
	/** Stands for what the record is like: what has been seen is no event. Undefined if the event does not depend on it. */
	version: string | undefined;
	values: readonly Value[];
}

/** What a rule remembers of a record. */
export type Remembered = Pick<Observed, 'values' | 'until'>;

/** What is remembered of a record. */
export interface Known {
	/** The second since 1970 of its newest version. Negative if that was ahead of the service's clock: then it orders nothing. */
	newest: number;
	/** The versions seen within the overlap. */
	versions: readonly string[];
	values: readonly Value[];
}

/** What the events are judged by, in milliseconds since 1970, by the service's clock. */
export interface Times {
	now: number;
	/** What was changed before has been seen. */
	watermark: number;
	/** What was made before is not new. */
	newSince: number;
	/** Up to when starts and ends have been reported, less the overlap. */
	dueReportedUpTo: number;
	/** The end of the baseline period that has not been read yet; otherwise 0. */
	unreadTo: number;
}

/** What one event reads of a record, what it remembers, and when it is emitted. */
export interface Rule {
	/** @returns a text if a time that it needs cannot be read: its name */
	read: (facts: Facts) => Reading | string;
	/** Whether an event that happened is emitted. */
	emits: (observed: Observed, known: Known | undefined, times: Times) => boolean;
	/** Whether it depends on when a record was made. */
	needsCreation?: true;
	/** Whether it depends on the version of a record. */
	hasVersions?: true;
	/** Names of the values that are compared with what was last seen. */
	comparedFields?: readonly string[];
	/** Names of those that are emitted as changes. */
	changesShown?: readonly string[];
	/** The values of every booking when it is made, if that is certain. */
	initialValues?: readonly Value[];
	/** What is remembered of a record, if not what was read of it. */
	remember?: (observed: Observed, known: Known | undefined, times: Times) => Remembered;
	/** What identifies a change of values, besides the record; empty for an event that is none. */
	keyOf?: (observed: Observed, before: Known | undefined) => string;
	/** The period whose bookings must be known from the beginning. */
	baselinePeriod?: (now: number) => Period;
	/** Whether a record is new if its ID was not known. */
	isById?: true;
	/** For an event at a booking's own time: milliseconds from its start or end to the event, negative if before. */
	offsetMs?: number;
	/** The state that the event waits for. */
	state?: keyof StatusRoles;
}

/** @returns the fields of an object; none for anything else */
export function fieldsOf(record: unknown): ServiceRecord {
	return isRecord(record) ? record : {};
}

/** @returns a number of the service; null for anything else */
export function toValue(value: unknown): Value {
	const number = toNumber(value);
	if (!Number.isFinite(number)) return null;
	return number;
}

/** @returns a hash of a text, 6 bits a character */
export function hashKey(text: string, length: number): string {
	const hash = createHash('sha256').update(text).digest('base64');
	return hash.slice(0, length);
}
