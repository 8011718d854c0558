import { readList } from '../../shared/http/response';
import type { Feed, Query } from '../feeds/feed';
import { followerOf } from '../follow/follower';
import type { Emission, FollowSettings } from '../follow/step';
import { DAY } from '../timestamps';

/** Near first: most services have records of these days, and the response is short. */
const LOOK_AROUND_DAYS = [2, 30, 365];

/**
 * The record nearest to now that the trigger would have emitted, for trying a workflow. Nothing is kept.
 *
 * @param now milliseconds since 1970
 * @param fetch makes the call and returns its parsed body
 * @returns undefined when there was none within a year
 * @throws CallError for a response that is something else
 */
export async function findSample(
	settings: FollowSettings,
	now: number,
	fetch: (path: string, query: Query) => Promise<unknown>,
): Promise<Emission | undefined> {
	const { feed } = settings;
	let asked = '';
	for (const days of LOOK_AROUND_DAYS) {
		const query = queryAround(feed, days * DAY, now);
		if (JSON.stringify(query) === asked) return undefined;
		asked = JSON.stringify(query);
		const page = readList(await fetch(feed.path, query)) ?? [];
		const distanceOf = ({ time }: Emission) => (time === null ? Infinity : Math.abs(now - time));
		const [nearest] = followerOf(settings)
			.events(page, true)
			.reverse()
			.sort((one, other) => distanceOf(one) - distanceOf(other));
		if (nearest) return nearest;
	}
	return undefined;
}

/** What is due lies on both sides of now; changes lie before it. */
function queryAround(feed: Feed, ms: number, now: number): Query {
	const iso = (moment: number) => new Date(moment).toISOString();
	if (feed.kind !== 'due') return feed.query(iso(now - ms));
	const anchor = now - feed.offsetMs;
	return feed.query(iso(anchor - ms), iso(anchor + ms));
}
