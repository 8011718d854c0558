import type { Position } from '../state/stored';
import { followChanges } from './changes';
import { followDue } from './due';
import { followNewIds } from './newIds';
import type { FollowSettings, Follower } from './step';

/** @returns how to follow the feed: by change timestamps, by ids, or by the times at which bookings are due */
export function followerOf(settings: FollowSettings): Follower<Position> {
	const { feed } = settings;
	// A stored position is of the feed's own kind: its reader makes sure of it.
	switch (feed.kind) {
		case 'changes':
			return followChanges(feed, settings) as Follower<Position>;
		case 'newIds':
			return followNewIds(feed, settings) as Follower<Position>;
		case 'due':
			return followDue(feed, settings) as Follower<Position>;
	}
}
