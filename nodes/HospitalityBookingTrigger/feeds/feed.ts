import type { Timestamp } from '../timestamps';

/** A record as the service sends it. */
export type ServiceRecord = Record<string, unknown>;

export type Query = Record<string, string | number[] | string[] | boolean>;

/** What is polled for one event: which call, and what to read off its records. */
export type Feed = ChangeFeed | NewIdFeed | DueFeed;

/** A record that cannot be followed, and why. */
export interface Malformed {
	malformed: string;
}

/** What a feed reads off the records of a page, and which of them cannot be followed, one text each that names the record. */
export interface Page<Observation> {
	observed: Array<Observation & { record: unknown }>;
	notices: string[];
}

interface AnyFeed<Observation> {
	/** e.g. `/api/booking/v1/booking/customers` */
	path: string;
	/** What a person calls a record, e.g. `web booking 3f2a…`; the same for every state of it. */
	nameOf: (record: unknown) => string;
	/**
	 * Reads the records of a page.
	 *
	 * @param zone IANA name, for times without an offset
	 */
	observe: (page: readonly unknown[], zone: string) => Page<Observation>;
}

interface ChangedSince extends AnyFeed<ChangeObservation> {
	/** For the records created or changed after a date-time in the service's own form. */
	query: (from: string) => Query;
	/** IANA name, where times without an offset are not in the credential's time zone. */
	zone?: string;
}

/** An event that is a change: it is new by its time. */
export interface ChangeFeed extends ChangedSince {
	kind: 'changes';
	/** Where an event is told by what was last seen of a record. */
	compares?: Comparison & {
		/** For the records of a period, which are to be known from the beginning. */
		baseline: (from: string, to: string) => Query;
		/** How many days of that period a call asks for at first. */
		daysPerCall: number;
	};
}

/** An event that is a new record: it is new by having a higher id than any before. */
export interface NewIdFeed extends ChangedSince {
	kind: 'newIds';
}

/** What a feed reads off one record for a change that is waited for. */
export interface ChangeObservation {
	/** When the record was last changed; null where the service leaves it out. */
	changed: Timestamp | null;
	/**
	 * Whether the event happened to the record. `key` (8 characters, see `keys.ts`) stands for this one event; `rank` is
	 * `local` of the timestamp at which it happened, or the id of a new record, which is also what the key stands for.
	 */
	event: { key: string; rank: number; time: number | null } | null;
	/** Whether the filters let it through. */
	wanted: boolean;
	/** Where what was last seen of the record matters. */
	compared?: Compared;
}

export type Value = string | number | boolean | null;

/** What is kept of a record to compare it with later. */
export interface Snapshot {
	/** Kept as they are. */
	values: Record<string, Value>;
	/** Hashes of other fields, see `hashes.ts`. */
	hashes: string;
}

/** What is different from what was last seen. */
export interface Changes {
	fields: string[];
	/** The kept values as they were, changed or not. */
	before: Record<string, Value>;
}

/** How records are compared with what was last seen of them. */
export interface Comparison {
	/** Names of the fields of which only a hash is kept, in the order of `Snapshot.hashes`. */
	hashed: readonly string[];
	/** Whether such changes are the event that is waited for; undefined where nothing is known. */
	tells: (changes: Changes | undefined, now: Snapshot) => boolean;
	/** Whether the changes go out with the record. */
	isShown?: true;
}

/** A record that is compared. */
export interface Compared {
	/** Stands for the record. */
	id: string;
	/** The day after which it is over, in days since 1970. */
	lastDay: number;
	now: Snapshot;
	/** What it was like when it was made, as far as that is certain, and when that was (see `rank`). */
	made?: { snapshot: Snapshot; rank: number };
}

/** An event at a time of the booking's own: the service is asked for the bookings of a period. */
export interface DueFeed extends AnyFeed<DueObservation> {
	kind: 'due';
	/** For all bookings that end after `from` and start before `to`, date-times in the service's own form. */
	query: (from: string, to: string) => Query;
	/** How long after the booking's start or end the event is due, in milliseconds; before it: below 0. */
	offsetMs: number;
	/** Whether a booking that is made or moved too late for the event still comes out when its own time has passed. */
	staysDue: boolean;
}

/** What a feed reads off one booking. Its start or end is called its anchor. */
export interface DueObservation {
	/** Stands for this booking with this anchor (8 characters, see `keys.ts`). */
	key: string;
	anchor: Timestamp;
	/** When the booking was made, in milliseconds since 1970; null where the service leaves it out. */
	createdAt: number | null;
	/** Whether the filters let it through, as it is now. */
	wanted: boolean;
}

/** @param observe reads one record */
export function eachRecord<Observation extends object>(
	observe: (record: unknown, zone: string) => Observation | Malformed,
): AnyFeed<Observation>['observe'] {
	return (page, zone) => {
		const { observed, notices }: Page<Observation> = { observed: [], notices: [] };
		for (const record of page) {
			const observation = observe(record, zone);
			if ('malformed' in observation) notices.push(observation.malformed);
			else observed.push({ ...observation, record });
		}
		return { observed, notices };
	};
}
