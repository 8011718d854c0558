import type { DueFeed, DueObservation } from '../feeds/feed';
import { type Seen, packSeen, unpackSeen } from '../state/seen';
import { HOUR, SECOND, WIDEST_ZONES_MS, overlapAt, writeLike } from '../timestamps';
import type { Emission, FollowSettings, Follower, Step } from './step';

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
	/** Until the first response: what is due before this moment is known. */
	dueFrom?: number;
	/** When the last poll was made. */
	lookedAt: number;
	/** What has come out is no longer remembered for anchors up to here. */
	forgotten: number;
	/** The time zone that local times were read in. */
	zone: string;
	/** An anchor as the service writes it; null until it has shown one. */
	like: string | null;
	/** Bookings that have been dealt with, and their anchors (see `seen.ts`). */
	seen: string;
	/** What of `seen` did not come out, because it was due before the beginning: so long as its anchor is before this one. */
	passedOver?: string;
	/** Bookings that are due and wait for a poll with room for them. */
	held: string;
}

interface Candidate extends DueObservation {
	record: unknown;
}

/** Follows the bookings' own times. A booking is due once for each anchor, so one that is moved is due anew. */
export function followDue(feed: DueFeed, settings: FollowSettings): Follower<DueState> {
	const begin = (startAt: number | null, now: number): DueState => ({
		begunAt: now,
		dueFrom: startAt ?? now + 1,
		lookedAt: 0,
		forgotten: 0,
		zone: settings.zone,
		like: null,
		seen: '',
		held: '',
	});
	/** A position that no clock can have got to yet is given up. */
	const believed = (position: DueState, now: number) =>
		position.forgotten > now + Math.max(0, -feed.offsetMs) + CLOCK_TOLERANCE_MS
			? { ...begin(null, now), seen: position.seen }
			: position;
	return {
		begin,
		query: (stored, now, origin) => {
			const position = believed(stored, now);
			const { after, upTo } = reachOf(position, now, feed, settings);
			let [first, last] = [Math.min(after, upTo), upTo];
			for (const second of unpackSeen(position.held).values()) first = Math.min(first, second * SECOND);
			const zones = position.zone === settings.zone ? 0 : WIDEST_ZONES_MS;
			if (typeof origin === 'number') {
				first = Math.min(first, origin);
				// It has come out, whatever clock, distance and time zone are now.
				for (const second of unpackSeen(position.seen).values())
					last = Math.max(last, second * SECOND + zones);
			}
			first -= zones;
			const { like } = position;
			const write = (ms: number) =>
				like === null ? new Date(ms).toISOString() : writeLike(like, ms, settings.zone);
			return feed.query(
				write(first - overlapAt(first, settings.zone)),
				write(last + overlapAt(last, settings.zone)),
			);
		},
		find: (page, last) => {
			const keys = last && unpackSeen(last.keys);
			return feed
				.observe(page, settings.zone)
				.observed.filter(({ key, wanted }) => wanted && (!keys || keys.has(key)))
				.map((one) => emissionOf(one, feed));
		},
		dealtWith: ({ seen, held, lookedAt }, events) => {
			const [out, waiting] = [unpackSeen(seen), unpackSeen(held)];
			return events.filter(({ rank, key }) => out.has(key) || (rank <= lookedAt && !waiting.has(key)));
		},
		advance: (stored, page, now) => {
			const position = believed(stored, now);
			const step = advance(position, page, now, feed, settings);
			if (position !== stored) {
				const reached = new Date(stored.forgotten).toISOString();
				step.notices.push(`the trigger had got to ${reached}, which is still to come: it has begun anew`);
			}
			if (position.begunAt > now + CLOCK_TOLERANCE_MS) {
				const when = `${new Date(position.begunAt).toISOString()}, which is still to come by n8n's clock`;
				step.notices.push(`the trigger began at ${when}: nothing is due before`);
			}
			return step;
		},
	};
}

/** Which bookings are due now and have not come out, and where the next poll goes on. */
function advance(
	position: DueState,
	page: readonly unknown[],
	now: number,
	feed: DueFeed,
	settings: FollowSettings,
): Step<DueState> {
	const reach = reachOf(position, now, feed, settings);
	const { observed, notices } = feed.observe(page, settings.zone);
	const seen = unpackSeen(position.seen);
	const passedOver = unpackSeen(position.passedOver ?? '');
	const held = unpackSeen(position.held);

	const due: Candidate[] = [];
	for (const candidate of new Map(observed.map((one) => [one.key, one])).values()) {
		const { key, anchor, createdAt, wanted } = candidate;
		// The time zone that it was passed over by was another one.
		if (anchor.ms >= (passedOver.get(key) ?? Infinity) * SECOND && passedOver.delete(key)) seen.delete(key);
		if (!wanted || anchor.ms > reach.upTo || seen.has(key)) continue;
		if (!held.has(key)) {
			if (anchor.ms <= reach.after) continue;
			if (anchor.ms <= reach.knownUpTo && anchor.ms + feed.offsetMs < reach.knownBefore) {
				note(seen, candidate);
				passedOver.set(key, Math.ceil((reach.knownBefore - feed.offsetMs) / SECOND));
				continue;
			}
			// What was entered after its start does not start soon.
			if (anchor.ms <= now && !feed.staysDue && createdAt !== null && createdAt >= anchor.ms) continue;
		}
		due.push(candidate);
	}
	due.sort((a, b) => a.anchor.ms - b.anchor.ms);
	const out = due.slice(0, settings.maxItems);
	for (const candidate of out) note(seen, candidate);
	for (const [key, second] of held) if (second * SECOND <= reach.upTo) held.delete(key);
	for (const candidate of due.slice(settings.maxItems)) note(held, candidate);
	for (const [key, second] of passedOver)
		if (second * SECOND + WIDEST_ZONES_MS <= reach.after) passedOver.delete(key);

	return {
		position: {
			begunAt: position.begunAt,
			lookedAt: now,
			forgotten: Math.max(position.forgotten, forget(seen, reach.after)),
			zone: settings.zone,
			like: observed.at(-1)?.anchor.text ?? position.like,
			seen: packSeen(seen),
			passedOver: packSeen(passedOver),
			held: packSeen(held),
		},
		emit: out.map((one) => emissionOf(one, feed)),
		origin: out[0]?.anchor.ms ?? Infinity,
		notices,
	};
}

/**
 * Anchors later than `after`, up to `upTo`, are due. Events before `knownBefore` are known where their anchor is no later than
 * `knownUpTo`.
 */
function reachOf(position: DueState, now: number, feed: DueFeed, settings: FollowSettings) {
	const { begunAt, dueFrom, lookedAt, forgotten, zone } = position;
	// A clock that is set back before the trigger's beginning makes nothing due.
	const asOf = Math.max(now, begunAt);
	const oldest = Math.min(asOf, asOf - feed.offsetMs - settings.maxAgeMs);
	const hasMoved = zone !== settings.zone;
	// Where a clock was set back or local times stand for other moments, only what has come out tells.
	const passedAfter = feed.staysDue || hasMoved || lookedAt > now ? 0 : lookedAt;
	return {
		after: Math.max(oldest, passedAfter, forgotten),
		upTo: now - feed.offsetMs,
		knownBefore: dueFrom ?? (hasMoved ? begunAt : 0),
		knownUpTo: dueFrom === undefined ? Math.min(now, lookedAt) : Infinity,
	};
}

function emissionOf({ record, key, anchor }: Candidate, { offsetMs }: DueFeed): Emission {
	const time = anchor.ms + offsetMs;
	return { record, key, time, rank: time };
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
