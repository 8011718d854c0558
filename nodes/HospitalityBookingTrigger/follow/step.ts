import type { Changes, Feed } from '../feeds/feed';
import type { Phase } from '../state/stored';

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
	/** Stands for the event (8 characters, see `keys.ts`). */
	key: string;
	/** When the event happened, in milliseconds since 1970; null where that is not known. */
	time: number | null;
	/** What has changed, where it goes out with the record; null where what was last seen is not known. */
	changes?: Changes | null;
	/** Whether it has gone out before n8n was restarted. */
	again?: true;
}

/** The result of one poll. `P` is what the next poll starts from. */
export interface Step<P> {
	position: P;
	/** Oldest first. */
	emit: Emission[];
	/** What a person should know, one text each, which names the record. */
	notices: string[];
}

/** How a trigger begins. */
export type Start = Exclude<Phase, { kind: 'running' }>;

/** A period, in milliseconds since 1970. */
export interface Period {
	from: number;
	to: number;
}

/** What was read of the records that are to be known from the beginning. */
export interface Learned {
	records: readonly unknown[];
	/** What is left to read. */
	unread?: Period;
}

/** How the event of a feed is followed from poll to poll. Pure: the same input gives the same result. */
export interface Follower<P> {
	/**
	 * @param nearer how many first responses were refused: each time less is asked for
	 * @returns undefined where less cannot be asked for
	 */
	begin(start: Start, now: number, nearer?: number): P | undefined;
	/** @returns the times to ask the service for, as the feed's query takes them */
	ask(position: P, now: number): string[];
	/** @returns the period whose records have still to be read, to know them from the beginning */
	unread?(position: P, now: number): Period | undefined;
	/** Whether anything has to be known of such records. */
	compares?(records: readonly unknown[]): boolean;
	/** @param page the service's response, in any order */
	advance(position: P, page: readonly unknown[], now: number, learned?: Learned): Step<P>;
	/** @returns what the records of a page stand for, new or not; with `isSample` as an example of what may go out */
	events(page: readonly unknown[], isSample?: boolean): Emission[];
}
