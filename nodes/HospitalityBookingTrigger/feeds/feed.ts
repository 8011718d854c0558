import type { Changes, Digest, Facts } from '../state/lastSeen';
import type { Timestamp } from '../timestamps';

/** A record as the service sends it. */
export type ServiceRecord = Record<string, unknown>;

export type Query = Record<string, string | number[] | string[] | boolean>;

/** What is polled for one event: which call, and what to read off its records. */
export type Feed = ChangeFeed | DueFeed;

/** A record that cannot be followed, and why. */
export interface Malformed {
	malformed: string;
}

/** What a feed reads off the records of a page, and which of them cannot be followed, one text each that names the record. */
export interface Page<Observation> {
	observed: Array<Observation & { record: unknown }>;
	notices: string[];
}

/**
 * Reads the records of a page.
 *
 * @param zone IANA name, for times without an offset
 */
type Observe<Observation> = (page: readonly unknown[], zone: string) => Page<Observation>;

/** An event that is a change: the service is asked for what changed after a moment. */
export interface ChangeFeed {
	kind: 'changes';
	/** e.g. `/api/booking/v1/booking/customers` */
	path: string;
	/** What a person calls a record, e.g. `web booking 3f2a…`. */
	nameOf: (record: unknown) => string;
	/** @param from a date-time in the service's own form */
	query: (from: string) => Query;
	/** Whether an event is new by its time, or by its record having a higher id than any before. */
	ranking: 'time' | 'id';
	/** IANA name, where times without an offset are not in the credential's time zone. */
	zone?: string;
	/** Where what was last seen of the records matters; `standing`: for those to know from the beginning, of a period. */
	remembers?: { standing?: (from: string, to: string) => Query };
	observe: Observe<ChangeObservation>;
}

/** What a feed reads off one record for a change that is waited for. */
export interface ChangeObservation {
	/** When the record was last changed; null where the service leaves it out. */
	changed: Timestamp | null;
	/**
	 * Whether the event happened to the record. `key` (8 characters, see `seen.ts`) stands for this one event; `rank` is
	 * `wall` of the timestamp at which it happened, or, when ranking by id, the id, which is also what the key stands for.
	 */
	event: { key: string; rank: number; time: number | null } | null;
	/** Whether the filters let it through. */
	wanted: boolean;
	/** Where what was last seen of the record matters. */
	remembered?: Remembered;
}

/** How a record is remembered, and what that is for. */
export interface Remembered {
	/** Stands for the record. */
	id: string;
	facts: Facts;
	/** What it was like when it was made, as far as that is certain, and when that was (see `rank`). */
	made?: { digest: Digest; rank: number };
	/** Whether such changes are the event that is waited for; undefined where nothing is known. */
	tells: (changes: Changes | undefined) => boolean;
	/** Whether the changes go out with the record. */
	isShown: boolean;
}

/** An event at a time of the booking's own: the service is asked for the bookings of a period. */
export interface DueFeed {
	kind: 'due';
	path: string;
	/** For all bookings that end after `from` and start before `to`, date-times in the service's own form. */
	query: (from: string, to: string) => Query;
	/** How long after the booking's start or end the event is due, in milliseconds; before it: below 0. */
	offsetMs: number;
	/** Whether a booking that is made or moved too late for the event still comes out when its own time has passed. */
	staysDue: boolean;
	observe: Observe<DueObservation>;
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

/** @param observe reads one record */
export function eachRecord<Observation extends object>(
	observe: (record: unknown, zone: string) => Observation | Malformed,
): Observe<Observation> {
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
