import type { Feed, Query } from '../feeds/feed';
import type { Difference } from '../state/lastSeen';

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
	/** Its place among the events of the feed. */
	rank: number;
	/** When the event happened, in milliseconds since 1970; null where the service does not say. */
	time: number | null;
	/** What has changed of which record, where it goes out with the record. */
	difference?: Difference;
	/** Whether it has gone out before n8n was restarted, or is asked for again. */
	again?: true;
}

/** The last items that went out, and those shortly before them. */
export interface LastBatch {
	/** What the service has to be asked from for them to be in its response. */
	origin: string | number;
	/** Their events (see `seen.ts`). */
	keys: string;
	/** When they went out, in milliseconds since 1970. */
	emittedAt: number;
	/** What had changed of which record, and the event, as `hexOf` writes its key. */
	differences?: Array<Difference & { key: string }>;
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
	/** @returns those of the events that had been dealt with at a position */
	dealtWith(position: P, events: readonly Emission[]): Emission[];
	/** @returns for what the position lacks, if anything: the records that are remembered from the beginning */
	standing?(position: P, now: number): Query | undefined;
	/** @returns which of the records fit the filters and stand for an event, of the last batch if that is given */
	find(page: readonly unknown[], last?: LastBatch): Emission[];
	/**
	 * @param page the service's response to the query, in any order
	 * @param standing the one to {@link standing}
	 */
	advance(position: P, page: readonly unknown[], now: number, standing?: readonly unknown[]): Step<P>;
}
