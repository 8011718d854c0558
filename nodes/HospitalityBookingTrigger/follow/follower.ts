import { type ChangeState, followChanges } from './changes';
import { type DueState, followDue } from './due';
import type { FollowSettings, Follower } from './step';

/** Where a poll begins: what the one before has left, or the first one's beginning. */
export type Position = ChangeState | DueState;

/** @returns how to follow the feed: by change timestamps, or by the times at which bookings are due */
export function followerOf(settings: FollowSettings): Follower<Position> {
	const { feed } = settings;
	// A stored position is of the feed's own kind: its reader makes sure of it.
	return (
		feed.kind === 'due' ? followDue(feed, settings) : followChanges(feed, settings)
	) as Follower<Position>;
}
