import type { DueFeed, DueObservation } from '../feeds/feed';
import { type Seen, packSeen, unpackSeen } from '../state/seen';
import { isNearDaylightSavingChange, writeLike } from '../timestamps';
import type { Emission, FollowSettings, Follower, Step } from './step';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** Between any two time zones. */
const WIDEST_ZONES_MS = 26 * HOUR;
/** What lies further ahead of n8n's clock than this is not believed. */
const CLOCK_TOLERANCE_MS = 48 * HOUR;
/** What has come out is remembered beyond its window up to this number: no clock makes the trigger forget it. */
const MIN_REMEMBERED = 1000;

/**
 * What is kept between polls of an event that is due a while before a booking's start or after its end. Plain JSON,
 * bounded by the bookings of the window. Times are milliseconds since 1970.
 */
export interface DueState {
	/** When the trigger began. */
	begunAt: number;
	/** When the last poll was made. */
	lookedAt: number;
	/** What has come out is no longer remembered for anchors up to here. */
	forgotten: number;
	/** The time zone that local times were read in. */
	zone: string;
	/** An anchor as the service writes it; null until it has shown one. */
	like: string | null;
	/** Bookings that have come out, and their anchors (see `seen.ts`). */
	seen: string;
	/** Bookings that are due and wait for a poll with room for them. */
	held: string;
}

/** Where a trigger without a state begins. */
export interface DueBeginning {
	/** What is due from this moment on is emitted, in milliseconds since 1970. */
	dueFrom: number;
}

interface Candidate extends DueObservation {
	record: unknown;
}

type Position = DueState | DueBeginning;

/** Follows the bookings' own times. A booking is due once for each anchor, so one that is moved is due anew. */
export function followDue(feed: DueFeed, settings: FollowSettings): Follower<Position> {
	return {
		begin: (startAt, now) => ({ dueFrom: startAt ?? now + 1 }),
		query: (position, now, origin) => {
			const { after, upTo } = reachOf(position, now, feed, settings);
			const held = 'held' in position ? [...unpackSeen(position.held).values()] : [];
			const firsts = [after, upTo, ...held.map((second) => second * SECOND)];
			if (typeof origin === 'number') firsts.push(origin);
			const shift = hasOtherZone(position, settings) ? WIDEST_ZONES_MS : 0;
			const first = Math.min(...firsts) - shift;
			const like = 'like' in position ? position.like : null;
			const write = (ms: number) =>
				like === null ? new Date(ms).toISOString() : writeLike(like, ms, settings.zone);
			return feed.query(
				write(first - slackAt(first, settings.zone)),
				write(upTo + slackAt(upTo, settings.zone)),
			);
		},
		find: (page, keys) =>
			observeAll(page, feed, settings)
				.candidates.filter(({ key, wanted }) => wanted && keys.has(key))
				.map((one) => emissionOf(one, feed)),
		advance: (position, page, now) => advance(position, page, now, feed, settings),
	};
}

/** Which bookings are due now and have not come out, and where the next poll goes on. */
function advance(
	position: Position,
	page: readonly unknown[],
	now: number,
	feed: DueFeed,
	settings: FollowSettings,
): Step<Position> {
	const reach = reachOf(position, now, feed, settings);
	const { candidates, notices, like } = observeAll(page, feed, settings);
	if ('seen' in position && isAhead(position, now, feed)) {
		const reached = new Date(position.forgotten).toISOString();
		notices.push(`the trigger had got to ${reached}, which is still to come: it has begun anew`);
	}
	const seen: Seen = 'seen' in position ? unpackSeen(position.seen) : new Map();
	const held: Seen = 'held' in position ? unpackSeen(position.held) : new Map();

	const due: Candidate[] = [];
	for (const candidate of candidates) {
		const { key, anchor, createdAt, wanted } = candidate;
		if (!wanted || anchor.ms > reach.upTo || seen.has(key)) continue;
		const hasPassed = anchor.ms <= now;
		if (!held.has(key)) {
			if (anchor.ms <= reach.after) continue;
			const known = hasPassed ? reach.knownBefore : reach.allKnownBefore;
			if (anchor.ms + feed.offsetMs < known) {
				note(seen, candidate);
				continue;
			}
			// What was entered after its start does not start soon.
			if (hasPassed && !feed.staysDue && createdAt !== null && createdAt >= anchor.ms) continue;
		}
		due.push(candidate);
	}
	due.sort((a, b) => a.anchor.ms - b.anchor.ms);
	const out = due.slice(0, settings.maxItems);
	for (const candidate of out) note(seen, candidate);
	for (const [key, second] of held) if (second * SECOND <= reach.upTo) held.delete(key);
	for (const candidate of due.slice(settings.maxItems)) note(held, candidate);

	const forgotten = forget(seen, reach.after);
	return {
		position: {
			begunAt: 'begunAt' in position ? position.begunAt : now,
			lookedAt: now,
			forgotten: Math.max(
				forgotten,
				'seen' in position && !isAhead(position, now, feed) ? position.forgotten : 0,
			),
			zone: settings.zone,
			like: like ?? ('like' in position ? position.like : null),
			seen: packSeen(seen),
			held: packSeen(held),
		},
		emit: out.map((one) => emissionOf(one, feed)),
		origin: Math.min(...out.map(({ anchor }) => anchor.ms)),
		notices,
	};
}

/**
 * Anchors later than `after`, up to `upTo`, are due. Events before `knownBefore` are known where their anchor has passed, all
 * of them before `allKnownBefore`.
 */
function reachOf(position: Position, now: number, feed: DueFeed, settings: FollowSettings) {
	const { offsetMs } = feed;
	const upTo = now - offsetMs;
	const begunAt = 'begunAt' in position ? position.begunAt : 0;
	// A clock that is set back before the trigger's beginning makes nothing due.
	const asOf = Math.max(now, begunAt);
	const oldest = Math.min(asOf, asOf - offsetMs - settings.maxAgeMs);
	if (!('seen' in position)) {
		const { dueFrom } = position;
		return { after: oldest, upTo, knownBefore: dueFrom, allKnownBefore: dueFrom };
	}
	const isWrong = isAhead(position, now, feed);
	const hasMoved = hasOtherZone(position, settings);
	// Where a clock was set back or local times stand for other moments, only what has come out tells.
	const passedAfter = feed.staysDue || hasMoved || position.lookedAt > now ? 0 : position.lookedAt;
	return {
		after: Math.max(oldest, passedAfter, isWrong ? 0 : position.forgotten),
		upTo,
		knownBefore: isWrong ? now : hasMoved ? begunAt : 0,
		allKnownBefore: isWrong ? now : 0,
	};
}

function hasOtherZone(position: Position, { zone }: FollowSettings): boolean {
	return 'zone' in position && position.zone !== zone;
}

function isAhead({ forgotten }: DueState, now: number, { offsetMs }: DueFeed): boolean {
	return forgotten > now + Math.max(0, -offsetMs) + CLOCK_TOLERANCE_MS;
}

function observeAll(
	page: readonly unknown[],
	feed: DueFeed,
	{ zone }: FollowSettings,
): { candidates: Candidate[]; notices: string[]; like: string | undefined } {
	const candidates = new Map<string, Candidate>();
	const notices: string[] = [];
	let like: string | undefined;
	for (const record of page) {
		const observation = feed.observe(record, zone);
		if ('malformed' in observation) {
			notices.push(observation.malformed);
			continue;
		}
		like = observation.anchor.text;
		candidates.set(observation.key, { ...observation, record });
	}
	return { candidates: [...candidates.values()], notices, like };
}

function emissionOf({ record, key, anchor }: Candidate, { offsetMs }: DueFeed): Emission {
	return { record, key, time: anchor.ms + offsetMs };
}

/** Asked for a little more, so that equal times are in; by two hours where local times may stand for two moments. */
function slackAt(ms: number, zone: string): number {
	return isNearDaylightSavingChange(ms, zone) ? 2 * HOUR : SECOND;
}

function note(seen: Seen, { key, anchor }: DueObservation): void {
	seen.set(key, Math.floor(anchor.ms / SECOND));
}

/** Forgets the oldest of what is too old to come out. @returns up to which anchor */
function forget(seen: Seen, after: number): number {
	let forgotten = 0;
	const oldest = [...seen].sort(([, a], [, b]) => a - b).slice(0, Math.max(0, seen.size - MIN_REMEMBERED));
	for (const [key, second] of oldest) {
		const latest = second * SECOND + SECOND - 1;
		if (latest > after) break;
		seen.delete(key);
		forgotten = latest;
	}
	return forgotten;
}
