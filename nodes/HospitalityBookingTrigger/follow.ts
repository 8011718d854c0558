import { type Beginning, type CursorState, type Step, advance, begin } from './cursor';
import { type DueBeginning, type DueState, advanceDue, dueWindow, joinDue } from './due';
import type { ChangeFeed, DueFeed, Feed, Query } from './feeds/feed';

/** Where a poll begins: what the one before has left, or the first one's beginning. */
export type Position = CursorState | Beginning | DueState | DueBeginning;

export interface FollowSettings {
	feed: Feed;
	/** IANA name of the credential's Time Zone. */
	zone: string;
	overlapMs: number;
	/** How late an event that is due still comes out. */
	maxAgeMs: number;
}

/** How the event of a feed is followed from poll to poll. Pure: the same input gives the same result. */
export interface Follower {
	/** @param startAt emit what happened from then on (milliseconds since 1970); null: only what comes */
	begin(startAt: number | null, now: number): Position;
	/**
	 * What to ask the service for.
	 *
	 * @param earlier a position from before this one: the response is to serve both
	 */
	query(position: Position, now: number, earlier?: Position): Query;
	/** @returns a position from which comes what comes from either; the earlier one first */
	join(earlier: Position, later: Position): Position;
	/** @param page the service's response to the query */
	advance(
		position: Position,
		page: readonly unknown[],
		now: number,
		maxItems: number,
	): Step<unknown, Position>;
}

/** @returns how to follow the feed: by change stamps, or by the times at which bookings are due */
export function followerOf(settings: FollowSettings): Follower {
	const { feed } = settings;
	return feed.kind === 'due' ? followDue(feed, settings) : followChanges(feed, settings);
}

/** A state belongs to one event (see `watching` in poll.ts), so its position is of the feed's own kind. */
function followChanges(feed: ChangeFeed, { zone, overlapMs }: FollowSettings): Follower {
	const { ranking, observe, nameOf } = feed;
	return {
		begin: (startAt, now) => begin(startAt, ranking, now),
		query: (position, _now, earlier = position) => feed.query((earlier as CursorState | Beginning).from),
		join: (earlier) => earlier,
		advance: (position, page, now, maxItems) =>
			advance(position as CursorState | Beginning, page, {
				zone,
				overlapMs,
				maxItems,
				ranking,
				now,
				observe,
				nameOf,
			}),
	};
}

function followDue(feed: DueFeed, { zone, maxAgeMs }: FollowSettings): Follower {
	const { offsetMs, staysDue, observe } = feed;
	const clock = { zone, offsetMs, maxAgeMs, staysDue };
	return {
		begin: (startAt, now) => ({ dueFrom: startAt ?? now + 1 }),
		query: (position, now, earlier = position) => {
			const positions = [position, earlier] as Array<DueState | DueBeginning>;
			const { from, to } = dueWindow(positions, { ...clock, now });
			return feed.query(from, to);
		},
		join: (earlier, later) => joinDue(earlier as DueState | DueBeginning, later as DueState),
		advance: (position, page, now, maxItems) =>
			advanceDue(position as DueState | DueBeginning, page, { ...clock, now, maxItems, observe }),
	};
}
