import type { DueFeed, DueObservation } from '../feeds/feed';
import type { DuePosition } from '../state/stored';
import { HOUR, SECOND, writeLike } from '../../shared/values/timestamp';
import type { Emission, FollowSettings, Follower, Start, Step } from './step';
import { WIDEST_ZONES_MS, overlapAt } from './watermark';

/** Times further ahead of n8n's clock than this are ignored. */
const CLOCK_TOLERANCE_MS = 48 * HOUR;
/** Emitted bookings that are remembered beyond their window: no clock makes the trigger forget them. */
const MIN_REMEMBERED = 1000;

interface Candidate extends DueObservation {
	record: unknown;
}

/**
 * Follows the bookings' own times. A booking is due once for each anchor (its start, or its end), so one that is moved is
 * due anew. An example: 'Booking Starting Soon', an hour before the start, one item a poll, published at 12:00.
 *
 *     12:00  begins   A starts 12:30: it was due at 11:30, before the beginning. It is taken for known (`dueFrom` is just
 *                     after 12:00) and is `passedOver` until 13:00: were the time zone corrected so that A starts at 14:30,
 *                     it would be due at 13:30 after all.
 *     12:20  poll     B and C start 13:10 and 13:15: both are due. B goes out and is in `seen`; C waits in `held`.
 *     12:21  poll     C goes out, though nothing of it has changed: what is `held` is not judged again.
 *     12:40  poll     D was made at 12:39 for 12:38, after its start: it is left out. E was made at 12:35 for 13:00: it is late
 *                     and goes out.
 *     15:00  poll     Nobody polled since 12:40 (`lookedAt`). F started 14:00: it goes out, late. With the time zone corrected
 *                     meanwhile, a booking that by the new zone was due before 12:00 (`knownBefore`) and started before 12:40
 *                     (`knownUpTo`) is known; what has gone out is in `seen` whatever its zone was.
 */
export function followDue(feed: DueFeed, settings: FollowSettings): Follower<DuePosition> {
	const begin = (start: Start, now: number): DuePosition => ({
		begunAt: now,
		dueFrom: start.kind === 'since' ? start.at : now + 1,
		lookedAt: 0,
		forgotten: 0,
		zone: settings.zone,
		template: null,
		seen: {},
		passedOver: {},
		held: {},
	});
	/** Rejects a position that no clock can have reached yet. */
	const believed = (position: DuePosition, now: number) =>
		position.forgotten > now + Math.max(0, -feed.offsetMs) + CLOCK_TOLERANCE_MS
			? { ...begin({ kind: 'baseline' }, now), seen: position.seen }
			: position;
	return {
		begin,
		ask: (stored, now) => {
			const position = believed(stored, now);
			const { after, upTo } = reachOf(position, now, feed, settings);
			const held = Object.values(position.held);
			const oldest = held.reduce((least, second) => Math.min(least, second * SECOND), Math.min(after, upTo));
			const first = oldest - (position.zone === settings.zone ? 0 : WIDEST_ZONES_MS);
			return [first - overlapAt(first, settings.zone), upTo + overlapAt(upTo, settings.zone)].map((ms) =>
				position.template === null
					? new Date(ms).toISOString()
					: writeLike(position.template, ms, settings.zone),
			);
		},
		events: (page) =>
			feed
				.observe(page, settings.zone)
				.observed.filter(({ wanted }) => wanted)
				.map((one) => dueEmission(one, feed)),
		advance: (stored, page, now) => {
			const position = believed(stored, now);
			const step = advance(position, page, now, feed, settings);
			if (position !== stored) {
				const reached = new Date(stored.forgotten).toISOString();
				step.notices.push(`the trigger had reached ${reached}, which was in the future, so it started over`);
			}
			if (position.begunAt > now + CLOCK_TOLERANCE_MS) {
				const when = `${new Date(position.begunAt).toISOString()}, which is in the future by n8n's clock`;
				step.notices.push(`the trigger started at ${when}: bookings due earlier are not emitted`);
			}
			return step;
		},
	};
}

/** The bookings that are due now and have not been emitted, and where the next poll continues. */
function advance(
	position: DuePosition,
	page: readonly unknown[],
	now: number,
	feed: DueFeed,
	settings: FollowSettings,
): Step<DuePosition> {
	const reach = reachOf(position, now, feed, settings);
	const { observed, notices } = feed.observe(page, settings.zone);
	const seen = new Map(Object.entries(position.seen));
	const passedOver = new Map(Object.entries(position.passedOver));
	const held = new Map(Object.entries(position.held));

	const due: Candidate[] = [];
	for (const candidate of new Map(observed.map((one) => [one.key, one])).values()) {
		const { key, anchor, createdAt, wanted } = candidate;
		// It was passed over in another time zone.
		if (anchor.ms >= (passedOver.get(key) ?? Infinity) * SECOND && passedOver.delete(key)) seen.delete(key);
		if (!wanted || anchor.ms > reach.upTo || seen.has(key)) continue;
		if (!held.has(key)) {
			if (anchor.ms <= reach.after) continue;
			if (anchor.ms <= reach.knownUpTo && anchor.ms + feed.offsetMs < reach.knownBefore) {
				note(seen, candidate);
				passedOver.set(key, Math.ceil((reach.knownBefore - feed.offsetMs) / SECOND));
				continue;
			}
			// A booking that is made after its start does not start soon.
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
			template: observed.at(-1)?.anchor.text ?? position.template,
			seen: Object.fromEntries(seen),
			passedOver: Object.fromEntries(passedOver),
			held: Object.fromEntries(held),
		},
		emit: out.map((one) => dueEmission(one, feed)),
		notices,
	};
}

/**
 * Anchors later than `after`, up to `upTo`, are due. Events before `knownBefore` are known if their anchor is no later than
 * `knownUpTo`.
 */
function reachOf(position: DuePosition, now: number, feed: DueFeed, settings: FollowSettings) {
	const { begunAt, dueFrom, lookedAt, forgotten, zone } = position;
	// Nothing is due if the clock is set back to before the trigger's start.
	const asOf = Math.max(now, begunAt);
	const oldest = Math.min(asOf, asOf - feed.offsetMs - settings.maxAgeMs);
	const hasMoved = zone !== settings.zone;
	// The last poll may not have been shown what was made within the overlap. If a clock was set back or the time zone changed,
	// only emitted bookings are known for certain.
	const passedAfter = feed.staysDue || hasMoved || lookedAt > now ? 0 : lookedAt - settings.overlapMs;
	return {
		after: Math.max(oldest, passedAfter, forgotten),
		upTo: now - feed.offsetMs,
		knownBefore: dueFrom ?? (hasMoved ? begunAt : 0),
		knownUpTo: dueFrom === undefined ? Math.min(now, lookedAt) : Infinity,
	};
}

function dueEmission({ record, key, anchor }: Candidate, { offsetMs }: DueFeed): Emission {
	return { record, key, time: anchor.ms + offsetMs };
}

function note(seen: Map<string, number>, { key, anchor }: DueObservation): void {
	seen.set(key, Math.floor(anchor.ms / SECOND));
}

/** Forgets the oldest bookings that are too old to be emitted. @returns up to which anchor */
function forget(seen: Map<string, number>, after: number): number {
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
