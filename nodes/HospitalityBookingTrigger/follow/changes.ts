import type { ChangeFeed, ChangeObservation } from '../feeds/feed';
import { type Seen, numberOfKey, packSeen, unpackSeen } from '../state/seen';
import {
	type Timestamp,
	compareTimestamps,
	isNearDaylightSavingChange,
	readTimestamp,
	toWall,
	writeWall,
} from '../timestamps';
import type { Emission, FollowSettings, Follower, Step } from './step';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** The service answers with what changed *after* a moment: asking from a second earlier takes in equal timestamps. */
const TIE_MS = SECOND;
const DAYLIGHT_SAVING_OVERLAP_MS = 2 * HOUR;
/** How far the service's clock may be off n8n's, twice: nothing older is looked at for a baseline. */
const CLOCK_TOLERANCE_MS = 48 * HOUR;
/** Timestamps further ahead of n8n's clock are reported. */
const ODD_MS = 24 * HOUR;
/** So many records have to confirm a moment before the watermark goes there: two timestamps may be wrong. */
const WITNESSES = 3;
/** So many ids are remembered of records that give no time to forget them by. */
const MAX_IDS = 1000;
const BEFORE_EVERYTHING = '1970-01-01T00:00:00.000Z';

/** What is kept between polls. Plain JSON, bounded by the changes since `from`. Times are `wall` of timestamps. */
export interface ChangeState {
	/** What the next poll asks from, in the service's own form: the watermark − overlap. Never goes back. */
	from: string;
	/** Every event ranked lower has been dealt with. */
	since: number;
	/** What has been dealt with and is not ranked lower than `since` (see `seen.ts`). */
	seen: string;
}

/** Where a trigger begins that has seen no record yet. */
export interface ChangeBeginning {
	/** What the first poll asks from. */
	from: string;
	/** Milliseconds since 1970 from which on changes are emitted; null: none of the first poll is. */
	startAt: number | null;
}

interface Observed extends ChangeObservation {
	record: unknown;
}

interface Candidate extends Observed {
	event: NonNullable<ChangeObservation['event']>;
}

type Position = ChangeState | ChangeBeginning;

/** Follows the changes of records by the service's own timestamps. */
export function followChanges(feed: ChangeFeed, settings: FollowSettings): Follower<Position> {
	const begin = (startAt: number | null, now: number): ChangeBeginning => {
		const earliest = startAt === null ? now - CLOCK_TOLERANCE_MS : startAt - TIE_MS;
		return { from: feed.ranking === 'id' ? BEFORE_EVERYTHING : new Date(earliest).toISOString(), startAt };
	};
	return {
		begin,
		query: (position, now, origin) => {
			const from = isAhead(position, now) ? begin(null, now).from : position.from;
			return feed.query(typeof origin === 'string' ? origin : from);
		},
		find: (page, keys) =>
			observeAll(page, feed, settings)
				.observed.filter((one): one is Candidate => one.wanted && !!one.event && keys.has(one.event.key))
				.sort(oldestFirst)
				.map(emissionOf),
		advance: (position, page, now) => {
			const { observed, notices } = observeAll(page, feed, settings);
			const odd = observed.filter(({ changed }) => changed && changed.ms > now + ODD_MS);
			for (const { record, changed } of odd) {
				const when = `says that it was changed at ${changed?.text}, more than a day ahead of n8n's clock`;
				notices.push(`${feed.nameOf(record)} ${when}`);
			}
			const { from } = position;
			const isWrong =
				isAhead(position, now) && !observed.some(({ changed }) => changed && changed.wall >= wallOf(from));
			if (isWrong) notices.push(`the trigger had got to ${from}, which is still to come: it has begun anew`);
			const step = advance(isWrong ? begin(null, now) : position, observed, now, feed, settings);
			return { ...step, notices };
		},
	};
}

/** The position can be right where n8n's clock is wrong: the service's response tells. */
function isAhead(position: Position, now: number): boolean {
	return 'seen' in position && wallOf(position.from) > now + CLOCK_TOLERANCE_MS;
}

/** What is new in a response, and where the next poll goes on. From the same position and page comes the same step. */
function advance(
	position: Position,
	observed: readonly Observed[],
	now: number,
	feed: ChangeFeed,
	settings: FollowSettings,
): Omit<Step<Position>, 'notices'> {
	const origin = position.from;
	if (observed.length === 0 && !('seen' in position)) {
		// Whatever comes is new.
		const startAt = position.startAt ?? wallOf(origin);
		const next = feed.ranking === 'id' ? { from: origin, since: 0, seen: '' } : { from: origin, startAt };
		return { position: next, emit: [], origin };
	}
	const { from, asked, since, seen } = resume(position, observed, feed, settings);
	const isSilent = 'startAt' in position && position.startAt === null;

	const emit: Emission[] = [];
	const waiting: Candidate[] = [];
	for (const candidate of candidatesOf(observed, since)) {
		if (seen.has(candidate.event.key)) continue;
		const goesOut = candidate.wanted && !isSilent;
		if (goesOut && emit.length === settings.maxItems) {
			waiting.push(candidate);
			continue;
		}
		if (goesOut) emit.push(emissionOf(candidate));
		const wall = feed.ranking === 'time' ? candidate.event.rank : (candidate.changed?.wall ?? now);
		seen.set(candidate.event.key, Math.floor(wall / SECOND));
	}

	const reached = earlier(watermarkOf(observed, now), waiting[0]?.changed);
	const next = reached ? reached.wall - overlapAt(reached.ms, settings) : -Infinity;
	const ranked = forget(seen, since, waiting, Math.max(asked, next), feed.ranking);
	return {
		position: {
			from: reached && next > asked ? writeWall(reached.text, next) : from,
			since: ranked,
			seen: packSeen(seen),
		},
		emit,
		origin,
	};
}

function emissionOf({ record, event: { key, time } }: Candidate): Emission {
	return { record, key, time };
}

function observeAll(
	page: readonly unknown[],
	feed: ChangeFeed,
	{ zone }: FollowSettings,
): { observed: Observed[]; notices: string[] } {
	const observed: Observed[] = [];
	const notices: string[] = [];
	for (const record of page) {
		const observation = feed.observe(record, zone);
		if ('malformed' in observation) notices.push(observation.malformed);
		else observed.push({ ...observation, record });
	}
	return { observed, notices };
}

/** @returns `from` in the service's own form, and as `asked` its wall */
function resume(
	position: Position,
	observed: readonly Observed[],
	{ ranking }: ChangeFeed,
	{ zone }: FollowSettings,
): { from: string; asked: number; since: number; seen: Seen } {
	const { from } = position;
	if ('seen' in position)
		return { from, asked: wallOf(from), since: position.since, seen: unpackSeen(position.seen) };
	const sample = observed.find(({ changed }) => changed !== null)?.changed;
	const inForm = (ms: number) => (sample?.isLocal ? toWall(ms, zone) : ms);
	const asked = inForm(wallOf(from));
	const begun = { from: sample ? writeWall(sample.text, asked) : from, asked, seen: new Map() };
	const { startAt } = position;
	if (startAt === null) return { ...begun, since: 0 };
	if (ranking === 'time') return { ...begun, since: inForm(startAt) };
	const old = observed.filter(({ changed }) => !changed || changed.ms < startAt);
	return { ...begun, since: old.reduce((id, { event }) => Math.max(id, (event?.rank ?? -1) + 1), 0) };
}

/** What has happened and was not dealt with, oldest change first. */
function candidatesOf(observed: readonly Observed[], since: number): Candidate[] {
	return observed
		.filter((one): one is Candidate => one.event !== null && one.event.rank >= since)
		.sort(oldestFirst);
}

/** What has no timestamp comes last. */
function oldestFirst({ changed: a }: Observed, { changed: b }: Observed): number {
	return a && b ? compareTimestamps(a, b) : Number(!a) - Number(!b);
}

/** The newest timestamp that n8n's clock has reached and other records confirm: a wrong one moves nothing. */
function watermarkOf(observed: readonly Observed[], now: number): Timestamp | undefined {
	return observed
		.flatMap(({ changed }) => (changed && changed.ms <= now ? [changed] : []))
		.sort((a, b) => compareTimestamps(b, a))[WITNESSES - 1];
}

function earlier(one: Timestamp | undefined, other: Timestamp | null | undefined): Timestamp | undefined {
	return one && other && compareTimestamps(other, one) < 0 ? other : one;
}

/** A date-time of the service's or our own, as `wall` of a timestamp. */
function wallOf(text: string): number {
	return readTimestamp(text, 'UTC')?.wall ?? 0;
}

function overlapAt(ms: number, { overlapMs, zone }: FollowSettings): number {
	const overlap = Math.max(overlapMs, TIE_MS);
	return isNearDaylightSavingChange(ms, zone)
		? Math.max(overlap + HOUR, DAYLIGHT_SAVING_OVERLAP_MS)
		: overlap;
}

/**
 * Removes what the next poll does not ask for.
 *
 * @returns the rank below which everything has been dealt with; never above what still waits
 */
function forget(
	seen: Seen,
	since: number,
	waiting: readonly Candidate[],
	asked: number,
	ranking: ChangeFeed['ranking'],
): number {
	let reached = ranking === 'time' ? asked : since;
	if (ranking === 'id') {
		const ids = [...seen.keys()].map(numberOfKey).sort((a, b) => b - a);
		const kept = ids[MAX_IDS - 1] ?? 0;
		for (const [key, second] of seen) {
			const id = numberOfKey(key);
			if (second * SECOND < asked || id < kept) reached = Math.max(reached, id + 1);
		}
	}
	const lowest = waiting.reduce((rank, { event }) => Math.min(rank, event.rank), Infinity);
	const ranked = Math.min(Math.max(since, reached), lowest);
	for (const [key, second] of seen) {
		const rank = ranking === 'time' ? second * SECOND + SECOND - 1 : numberOfKey(key);
		if (rank < ranked) seen.delete(key);
	}
	return ranked;
}
