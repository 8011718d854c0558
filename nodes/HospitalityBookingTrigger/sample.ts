import type { Observation } from './cursor';
import type { Feed } from './feeds/feed';

const DAY = 24 * 3600 * 1000;
/** Recent first: most services have changes of the last days, and the answer is short. */
const LOOK_BACK_DAYS = [2, 30, 365];

/**
 * The newest record that the trigger would have emitted, for trying a workflow. Nothing is kept.
 *
 * @param fetch makes the call and returns its parsed body
 * @param now milliseconds since 1970
 * @returns undefined when there was none within a year
 */
export async function findSample(
	feed: Feed,
	zone: string,
	fetch: (path: string, query: ReturnType<Feed['query']>) => Promise<unknown>,
	now: number,
): Promise<unknown> {
	let asked = '';
	for (const days of LOOK_BACK_DAYS) {
		const query = feed.query(new Date(now - days * DAY).toISOString());
		if (JSON.stringify(query) === asked) return undefined;
		asked = JSON.stringify(query);
		const page = await fetch(feed.path, query);
		const newest = newestOf(feed, zone, Array.isArray(page) ? page : []);
		if (newest !== undefined) return newest;
	}
	return undefined;
}

function newestOf(feed: Feed, zone: string, page: readonly unknown[]): unknown {
	let newest: { record: unknown; rank: number } | undefined;
	for (const record of page) {
		const observation = feed.observe(record, zone);
		if ('malformed' in observation || !isWanted(observation)) continue;
		const rank = observation.stamp?.ms ?? 0;
		if (!newest || rank >= newest.rank) newest = { record, rank };
	}
	return newest?.record;
}

function isWanted({ event, wanted }: Observation): boolean {
	return event !== null && wanted;
}
