import type { Malformed, Step } from './cursor';
import { type Seen, packSeen, unpackSeen } from './seen';
import { type Stamp, instantOf, isNearDaylightSavingChange, writeLike } from './stamps';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/**
 * What is kept between polls of an event that is due a while before a booking's start or after its end. Plain JSON,
 * bounded by the bookings of the window. The booking's start or end is called its anchor here.
 */
export interface DueState {
	/** Anchors up to here have been dealt with, those held back apart. Milliseconds since 1970. */
	floor: number;
	/** The time zone that local times were read in. */
	zone: string;
	/** An anchor as the service writes it; null until it has shown one. */
	like: string | null;
	/** Bookings that have come out, with anchors above `floor` (see `seen.ts`). */
	seen: string;
	/** Bookings that are due and wait for a poll with room for them. */
	held: string;
}

/** Where a trigger without a state begins. */
export interface DueBeginning {
	/** What is due from this moment on is emitted, in milliseconds since 1970. */
	dueFrom: number;
}

/** What a feed reads off one booking. */
export interface DueObservation {
	/** Stands for this booking with this anchor (8 characters, see `seen.ts`). */
	key: string;
	anchor: Stamp;
	/** Whether the filters let it through, as it is now. */
	wanted: boolean;
}

export interface DueRules<R> {
	/** IANA name of the time zone of times without an offset. */
	zone: string;
	/** From the anchor to the moment the event is due; below 0: before it. */
	offsetMs: number;
	/** How long after it was due an event still comes out. */
	maxAgeMs: number;
	/** Whether what is made or moved too late still comes out when its anchor has passed. */
	staysDue: boolean;
	/** At most so many records are emitted at a time; 1 or more. */
	maxItems: number;
	/** Milliseconds since 1970 by n8n's clock, which alone decides what is due. */
	now: number;
	observe: (record: R, zone: string) => DueObservation | Malformed;
}

type Clock = Omit<DueRules<unknown>, 'observe' | 'maxItems'>;

interface Candidate<R> extends DueObservation {
	record: R;
}

/**
 * @param positions one to go on from, or several at once
 * @returns the period that holds every booking that can be due, as date-times in the service's own form
 */
export function dueWindow(
	positions: ReadonlyArray<DueState | DueBeginning>,
	clock: Clock,
): { from: string; to: string } {
	const firsts = positions.flatMap((position) => [
		reachOf(position, clock).after,
		...('held' in position ? [...unpackSeen(position.held).values()] : []).map((second) => second * SECOND),
	]);
	const first = Math.min(...firsts);
	const last = clock.now - clock.offsetMs;
	const like = positions.map((position) => ('like' in position ? position.like : null)).find(Boolean);
	const write = (ms: number) => (like ? writeLike(like, ms, clock.zone) : new Date(ms).toISOString());
	return { from: write(first - slackAt(first, clock)), to: write(last + slackAt(last, clock)) };
}

/**
 * One poll: which bookings are due now and have not come out, and where the next poll goes on.
 *
 * A booking is due once for each anchor, so one that is moved is due anew. Only what has come out is remembered: a
 * booking that the filters let through later is due then. A step that emits nothing may be forgotten.
 *
 * @param page all bookings of {@link dueWindow}, in any order
 */
export function advanceDue<R>(
	position: DueState | DueBeginning,
	page: readonly R[],
	rules: DueRules<R>,
): Step<R, DueState> {
	const { after, upTo } = reachOf(position, rules);
	const before = keptOf(position, page, rules);
	const { due, skipped, like } = findDue(page, { after, upTo, ...before }, rules);
	const seen = before.seen;
	const wanted = due.filter(({ wanted }) => wanted).sort((a, b) => a.anchor.ms - b.anchor.ms);
	const dueFrom = 'dueFrom' in position ? position.dueFrom : -Infinity;
	const known = wanted.filter(({ anchor }) => anchor.ms + rules.offsetMs < dueFrom);
	for (const candidate of known) note(seen, candidate);
	const fresh = wanted.slice(known.length);
	const out = fresh.slice(0, rules.maxItems);
	const waiting = fresh.slice(rules.maxItems);

	const floor = rules.staysDue ? after : Math.max(after, Math.min(rules.now, upTo));
	const stateWith = (gone: Array<Candidate<R>>, held: Array<Candidate<R>>): DueState => ({
		floor,
		zone: rules.zone,
		like: like ?? ('like' in position ? position.like : null),
		seen: packSeen(forget(new Map([...seen, ...entries(gone)]), floor)),
		held: packSeen(new Map(entries(held))),
	});
	return {
		state: stateWith(out, waiting),
		undo: stateWith([], fresh),
		emit: out.map(({ record, key, anchor }) => ({ record, key, time: anchor.ms + rules.offsetMs })),
		skipped,
	};
}

/** @returns the earlier position, with what waits for room at either: by now it may be too old to be due otherwise */
export function joinDue<P extends DueState | DueBeginning>(earlier: P, later: DueState): P {
	if (!('held' in earlier)) return earlier;
	return { ...earlier, held: packSeen(new Map([...unpackSeen(earlier.held), ...unpackSeen(later.held)])) };
}

/** Anchors later than `after`, up to `upTo`, are due; earlier ones are too old or dealt with. */
function reachOf(
	position: DueState | DueBeginning,
	{ now, offsetMs, maxAgeMs, zone }: Clock,
): { after: number; upTo: number } {
	const upTo = now - offsetMs;
	const floor = 'floor' in position ? position.floor + zoneShift(position, zone) : -Infinity;
	return { after: Math.max(floor, Math.min(now, upTo - maxAgeMs)), upTo };
}

/** The credential's time zone was changed: local times stand for other moments now. */
function zoneShift({ zone: before, like, floor }: DueState, zone: string): number {
	if (zone === before || like === null) return 0;
	return instantOf(writeLike(like, floor, before), zone) - floor;
}

function keptOf<R>(
	position: DueState | DueBeginning,
	page: readonly R[],
	{ zone, observe }: DueRules<R>,
): { seen: Seen; held: Seen } {
	if (!('seen' in position)) return { seen: new Map(), held: new Map() };
	const kept = { seen: unpackSeen(position.seen), held: unpackSeen(position.held) };
	if (zone === position.zone) return kept;
	for (const record of page) {
		const observation = observe(record, zone);
		if (!('malformed' in observation) && kept.seen.has(observation.key)) note(kept.seen, observation);
	}
	return kept;
}

function findDue<R>(
	page: readonly R[],
	{ after, upTo, seen, held }: { after: number; upTo: number; seen: Seen; held: Seen },
	{ zone, observe }: DueRules<R>,
): { due: Array<Candidate<R>>; skipped: string[]; like: string | undefined } {
	const due = new Map<string, Candidate<R>>();
	const skipped: string[] = [];
	let like: string | undefined;
	for (const record of page) {
		const observation = observe(record, zone);
		if ('malformed' in observation) {
			skipped.push(observation.malformed);
			continue;
		}
		const { key, anchor } = observation;
		like = anchor.text;
		const isDue = held.has(key) || (anchor.ms > after && !seen.has(key));
		if (isDue && anchor.ms <= upTo) due.set(key, { ...observation, record });
	}
	return { due: [...due.values()], skipped, like };
}

/** Asked for a little more, so that equal times are in; by two hours where local times may stand for two moments. */
function slackAt(ms: number, { zone }: Clock): number {
	return isNearDaylightSavingChange(ms, zone) ? 2 * HOUR : SECOND;
}

function note(seen: Seen, { key, anchor }: DueObservation): void {
	seen.set(key, Math.floor(anchor.ms / SECOND));
}

function entries(candidates: readonly DueObservation[]): Array<[string, number]> {
	return candidates.map(({ key, anchor }) => [key, Math.floor(anchor.ms / SECOND)]);
}

/** Anchors up to the floor are not due any more, whether seen or not. */
function forget(seen: Seen, floor: number): Seen {
	for (const [key, second] of seen) if (second * SECOND + SECOND - 1 <= floor) seen.delete(key);
	return seen;
}
