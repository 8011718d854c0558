import type { Changes, Feed } from '../feeds/feed';
import type { Period } from '../state/known';
import type { Phase } from '../state/stored';

export interface FollowSettings {
	feed: Feed;
	/** IANA name of the credential's Time Zone. */
	zone: string;
	overlapMs: number;
	/** How late a due event is still emitted. */
	maxAgeMs: number;
	/** Most records to emit at a time; 1 or more. */
	maxItems: number;
}

/** A record to emit, and its event. */
export interface Emission {
	record: unknown;
	/** Stands for the event. */
	key: string;
	/** When the event happened, in milliseconds since 1970; null if unknown. */
	time: number | null;
	/** What has changed, if emitted with the record; null if nothing was seen before. */
	changes?: Changes | null;
	/** Whether it was emitted before n8n restarted. */
	again?: true;
}

/** The result of one poll. `P` is what the next poll starts from. */
export interface Step<P> {
	position: P;
	/** Oldest first. */
	emit: Emission[];
	/** Notices for the person, each naming its record. */
	notices: string[];
}

/** How a trigger starts. */
export type Start = Exclude<Phase, { kind: 'running' }>;

/** What was read of the records that must be known from the start. */
export interface Learned {
	records: readonly unknown[];
	/** What is left to read. */
	unread?: Period;
}

/** How the event of a feed is followed from poll to poll. Pure: the same input gives the same result. */
export interface Follower<P> {
	begin(start: Start, now: number): P;
	/** @returns starts that ask for less each time, for when the first response is too large */
	beginNearer?(start: Start, now: number): P[];
	/** @returns the times to ask the service for, as the feed's query takes them */
	ask(position: P, now: number): string[];
	/** @returns the period whose records must still be read to know them from the start */
	unread?(position: P, now: number): Period | undefined;
	/** Whether anything must be known about such records. */
	compares?(records: readonly unknown[]): boolean;
	/** @param page the service's response, in any order */
	advance(position: P, page: readonly unknown[], now: number, learned?: Learned): Step<P>;
	/** @returns the events of the records of a page, new or not; with `isSample`, examples of what may be emitted */
	events(page: readonly unknown[], isSample?: boolean): Emission[];
}
