import { PollError } from '../poll/poll';
import type { Feed, Query } from './feed';

const DAY = 24 * 3600 * 1000;
/** Near first: most services have records of these days, and the response is short. */
const LOOK_AROUND_DAYS = [2, 30, 365];

/**
 * The record nearest to now that the trigger would have emitted, for trying a workflow. Nothing is kept.
 *
 * @param now milliseconds since 1970
 * @param fetch makes the call and returns its parsed body
 * @returns undefined when there was none within a year
 * @throws PollError for a response that is something else
 */
export async function findSample(
	feed: Feed,
	zone: string,
	now: number,
	fetch: (path: string, query: Query) => Promise<unknown>,
): Promise<Sample | undefined> {
	let asked = '';
	for (const days of LOOK_AROUND_DAYS) {
		const query = queryAround(feed, days * DAY, now);
		if (JSON.stringify(query) === asked) return undefined;
		asked = JSON.stringify(query);
		const page = (await fetch(feed.path, query)) ?? [];
		if (!Array.isArray(page)) throw new PollError('no list');
		const nearest = nearestOf(feed, zone, page, now);
		if (nearest !== undefined) return nearest;
	}
	return undefined;
}

export interface Sample {
	record: unknown;
	key: string;
	time: number | null;
}

/** What is due lies on both sides of now; changes lie before it. */
function queryAround(feed: Feed, ms: number, now: number): Query {
	const iso = (moment: number) => new Date(moment).toISOString();
	if (feed.kind === 'changes') return feed.query(iso(now - ms));
	const anchor = now - feed.offsetMs;
	return feed.query(iso(anchor - ms), iso(anchor + ms));
}

function nearestOf(feed: Feed, zone: string, page: readonly unknown[], now: number): Sample | undefined {
	let nearest: (Sample & { distance: number }) | undefined;
	for (const record of page) {
		const sample = sampleOf(feed, zone, record);
		if (!sample) continue;
		const distance = sample.sortedBy === null ? Infinity : Math.abs(now - sample.sortedBy);
		if (!nearest || distance <= nearest.distance) nearest = { ...sample, record, distance };
	}
	return nearest;
}

function sampleOf(
	feed: Feed,
	zone: string,
	record: unknown,
): (Omit<Sample, 'record'> & { sortedBy: number | null }) | undefined {
	const observation = feed.observe(record, zone);
	if ('malformed' in observation || !observation.wanted) return undefined;
	if (feed.kind === 'due' && 'anchor' in observation) {
		const time = observation.anchor.ms + feed.offsetMs;
		return { key: observation.key, time, sortedBy: time };
	}
	if (!('event' in observation) || !observation.event) return undefined;
	const { key, time } = observation.event;
	return { key, time, sortedBy: observation.changed?.ms ?? null };
}
