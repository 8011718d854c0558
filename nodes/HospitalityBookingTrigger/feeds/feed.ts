import { isRecord } from '../../shared/values/record';
import type { Timestamp } from '../../shared/values/timestamp';
import { hashKey } from './hashes';

/** A record as the service sends it. */
export type ServiceRecord = Record<string, unknown>;

export type Query = Record<string, string | number[] | string[] | boolean>;

/** What is polled for one event: the call, and what to read from its records. */
export type Feed = ChangeFeed | DueFeed;

/** What a feed reads from the records of a page, and a text for each record that cannot be followed. */
export interface Page<Observation> {
	observed: Array<Observation & { record: unknown }>;
	notices: string[];
}

interface AnyFeed<Observation> {
	/** e.g. `/api/booking/v1/booking/customers` */
	path: string;
	/** A record's name for people, e.g. `web booking 3f2a…`; the same in every state. */
	nameOf: (record: unknown) => string;
	/**
	 * Reads the records of a page.
	 *
	 * @param zone IANA name, for times without an offset
	 */
	observe: (page: readonly unknown[], zone: string) => Page<Observation>;
}

/** Records that were created or changed after a moment. */
export interface ChangeFeed extends AnyFeed<ChangeObservation> {
	/** `newIds`: a record is new if its ID is higher than any before, regardless of its time. */
	kind: 'changes' | 'newIds';
	/** For the records created or changed after a date-time in the service's own form. */
	query: (from: string) => Query;
	/** IANA name, if times without an offset are not in the credential's time zone. */
	zone?: string;
	/** For events that are found by comparison with what was last seen of a record. */
	compares?: Comparison & {
		/** Query for the records of a period, which must be known from the start. */
		baseline: (from: string, to: string) => Query;
		/** Days of that period in the first call. */
		daysPerCall: number;
	};
}

/** What a feed reads from one record to find a change. */
export interface ChangeObservation {
	/** When the record was last changed; null if the service leaves it out. */
	changed: Timestamp | null;
	/**
	 * The event, if it happened to the record. `key` identifies this one event; `rank` is `local` of the event's timestamp or,
	 * for a new record, its ID, which the key then identifies.
	 */
	event: { key: string; rank: number; time: number | null } | null;
	/** Whether the filters let it through. */
	wanted: boolean;
	/** Set if what was last seen of the record matters. */
	compared?: Compared;
}

export type Value = string | number | boolean | null;

/** What is stored of a record for later comparison. */
export interface Snapshot {
	/** Stored unchanged. */
	values: Record<string, Value>;
	/** Hashes of other fields, see `hashes.ts`. */
	hashes: string;
}

/** What is different from what was last seen. */
export interface Changes {
	fields: string[];
	/** The earlier stored values, changed or not. */
	before: Record<string, Value>;
}

/** How records are compared with what was last seen of them. */
export interface Comparison {
	/** Names of the fields that are only stored as hashes, in the order of `Snapshot.hashes`. */
	hashed: readonly string[];
	/** Whether the changes are the event; `changes` is undefined if nothing is known. */
	tells: (changes: Changes | undefined, now: Snapshot) => boolean;
	/** Whether the changes are emitted with the record. */
	isShown?: true;
}

/** A record that is compared. */
export interface Compared {
	/** Stands for the record. */
	id: string;
	/** The day after which it is over, in days since 1970. */
	lastDay: number;
	now: Snapshot;
	/** Its values and time (see `rank`) when it was created, if certain. */
	made?: { snapshot: Snapshot; rank: number };
}

/** An event at a time of the booking's own: the service is asked for the bookings of a period. */
export interface DueFeed extends AnyFeed<DueObservation> {
	kind: 'due';
	/** Query for all bookings that end after `from` and start before `to`, date-times in the service's own form. */
	query: (from: string, to: string) => Query;
	/** Milliseconds from the booking's start or end to the event; negative if before. */
	offsetMs: number;
	/** Whether a booking that is made or moved too late is still emitted after its own time has passed. */
	staysDue: boolean;
}

/** What a feed reads from one booking. Its start or end is called its anchor. */
export interface DueObservation {
	/** Identifies this booking with this anchor. */
	key: string;
	anchor: Timestamp;
	/** When the booking was made, in milliseconds since 1970; null if the service leaves it out. */
	createdAt: number | null;
	/** Whether it passes the filters now. */
	wanted: boolean;
}

/** The records of a kind. */
interface Kind {
	/** For people, e.g. `web booking`. */
	name: string;
	/** The field with a record's ID. */
	idName: string;
	isId?: (id: unknown) => boolean;
}

/** @param observe reads one record by its ID, in lower case; a text names the time that cannot be read */
export function recordsOf<Observation extends object>(
	{ name, idName, isId = isText }: Kind,
	observe: (record: ServiceRecord, id: string, zone: string) => Observation | string,
): Pick<AnyFeed<Observation>, 'nameOf' | 'observe'> {
	const idOf = (record: unknown) => String(isRecord(record) && record[idName]).toLowerCase();
	const nameOf = (record: unknown) => `${name} ${idOf(record)}`;
	return {
		nameOf,
		observe: (page, zone) => {
			const { observed, notices }: Page<Observation> = { observed: [], notices: [] };
			for (const record of page) {
				if (!isRecord(record) || !isId(record[idName])) {
					notices.push(`a ${name} has no ${idName}`);
					continue;
				}
				const observation = observe(record, idOf(record), zone);
				if (typeof observation === 'string') notices.push(`${nameOf(record)} has no readable ${observation}`);
				else observed.push({ ...observation, record });
			}
			return { observed, notices };
		},
	};
}

function isText(id: unknown): boolean {
	return typeof id === 'string' && id !== '';
}

/** A record whose every timestamp is an event. */
export function eachChange(id: string, changed: Timestamp): ChangeObservation {
	const key = hashKey(`${id}|${changed.local}.${changed.finer}`);
	return { changed, event: { key, rank: changed.local, time: changed.ms }, wanted: true };
}
