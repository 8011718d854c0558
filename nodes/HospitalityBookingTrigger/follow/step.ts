import type { Feed, Query } from '../feeds/feed';

export interface FollowSettings {
	feed: Feed;
	/** IANA name of the credential's Time Zone. */
	zone: string;
	overlapMs: number;
	/** How late an event that is due still comes out. */
	maxAgeMs: number;
	/** At most so many records are emitted at a time; 1 or more. */
	maxItems: number;
}

/** A record that goes out, and the event it goes out for. */
export interface Emission {
	record: unknown;
	/** Stands for the event (8 characters, see `seen.ts`). */
	key: string;
	/** When the event happened, in milliseconds since 1970; null where the service does not say. */
	time: number | null;
}

/** The result of one poll. `P` is what the next poll starts from. */
export interface Step<P> {
	position: P;
	/** Oldest first. */
	emit: Emission[];
	/** What the service has to be asked from for these records to be in its response once more. */
	origin: string | number;
	/** What a person should know, one text each, which names the record. */
	notices: string[];
}

/** How the event of a feed is followed from poll to poll. Pure: the same input gives the same result. */
export interface Follower<P> {
	/** @param startAt emit what happened from then on (milliseconds since 1970); null: only what comes */
	begin(startAt: number | null, now: number): P;
	/** @param origin of records that the response is to hold, too */
	query(position: P, now: number, origin?: string | number): Query;
	/** @returns which of the records stand for one of the events */
	find(page: readonly unknown[], keys: ReadonlyMap<string, unknown>): Emission[];
	/** @param page the service's response to the query, in any order */
	advance(position: P, page: readonly unknown[], now: number): Step<P>;
}
