import { type Seen, numberOfKey, packSeen, unpackSeen } from './seen';
import { type Stamp, instantOf, isNearDaylightSavingChange, readStamp, writeLike } from './stamps';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** The service answers with what changed *after* a moment: asking from a second earlier takes in equal stamps. */
const TIE_MS = SECOND;
const DAYLIGHT_SAVING_OVERLAP_MS = 2 * HOUR;
/** How far the service's clock may be off ours, twice: nothing older is looked at for a baseline, nothing newer believed. */
const CLOCK_TOLERANCE_MS = 48 * HOUR;
const BEFORE_EVERYTHING = '1970-01-01T00:00:00Z';

/** What is kept between polls. Plain JSON, bounded by the changes within the overlap. */
export interface CursorState {
	/** The newest change stamp that was reached, as received from the service; null while it has given none. */
	watermark: string | null;
	/** What the next poll asks from: watermark − overlap, in the watermark's own form. Never goes back. */
	from: string;
	/** Everything ranked lower has been dealt with. */
	since: number;
	/** The time zone that local times were read in. */
	zone: string;
	/** What has been dealt with and is not ranked lower than `since` (see `seen.ts`). */
	seen: string;
}

/** Where a trigger without a state begins. */
export interface Beginning {
	/** What the first poll asks from. */
	from: string;
	/** Milliseconds since 1970 from which on changes are emitted; null: none of the first poll is. */
	startAt: number | null;
}

/** What a feed reads off one record for the event that is waited for. */
export interface Observation {
	/** The record's newest change; null where the service leaves it out. */
	stamp: Stamp | null;
	/**
	 * Whether and when the event happened to the record. `key` (8 characters, see `seen.ts`) stands for this one event.
	 * `rank` is the milliseconds since 1970 at which it happened, never later than the stamp; or, when ranking by id,
	 * the id, which is also what the key stands for.
	 */
	event: { key: string; rank: number } | null;
	/** Whether the filters let it through. */
	wanted: boolean;
}

/** A record that cannot be followed, and why. */
export interface Malformed {
	malformed: string;
}

export interface CursorRules<R> {
	/** IANA name of the time zone of stamps without an offset. */
	zone: string;
	overlapMs: number;
	/** At most so many records are emitted at a time; 1 or more. */
	maxItems: number;
	/** Whether an event is new by its time, or by its record having a higher id than any before. */
	ranking: 'time' | 'id';
	/** Milliseconds since 1970. Only to tell a bogus stamp: no stamp is compared with it to find what is new. */
	now: number;
	observe: (record: R, zone: string) => Observation | Malformed;
	/** What a person calls the record, e.g. `web booking 3f2a…`. */
	nameOf: (record: R) => string;
}

/** A record that goes out, and the event it goes out for. */
export interface Emission<R> {
	record: R;
	/** As in {@link Observation}. */
	key: string;
	/** When the event happened, in milliseconds since 1970; null where the service does not say. */
	time: number | null;
}

/** The result of one poll. `S` is what the next poll starts from, `P` that or where the first one starts. */
export interface Step<R, S, P = S> {
	state: S;
	/** From here the same records come out again. */
	undo: P;
	/** Oldest first. */
	emit: Array<Emission<R>>;
	/** Why records were skipped, one text each, which names the record. */
	skipped: string[];
}

interface Observed<R> extends Observation {
	record: R;
}

interface Candidate<R> extends Observed<R> {
	event: NonNullable<Observation['event']>;
}

/**
 * Where to begin when there is no state.
 *
 * @param startAt emit what happened from this moment on (milliseconds since 1970), or null to emit only what comes
 * @param now milliseconds since 1970
 */
export function begin(
	startAt: number | null,
	ranking: CursorRules<unknown>['ranking'],
	now: number,
): Beginning {
	if (ranking === 'id') return { from: BEFORE_EVERYTHING, startAt };
	return {
		from: new Date(startAt === null ? now - CLOCK_TOLERANCE_MS : startAt - TIE_MS).toISOString(),
		startAt,
	};
}

/**
 * One poll: what is new in an answer, and where the next poll goes on.
 *
 * `page` is all that the service has from `position.from` on, in any order. From the same position and page comes the
 * same step. A step that emits nothing may be forgotten: from the older position the same records come out.
 */
export function advance<R>(
	position: CursorState | Beginning,
	page: readonly R[],
	rules: CursorRules<R>,
): Step<R, CursorState, CursorState | Beginning> {
	const { observed, skipped } = observeAll(page, rules);
	const { since, seen } = 'seen' in position ? resume(position, rules) : start(position, observed, rules);
	const silent = !('seen' in position) && position.startAt === null;
	const watermark = newestStamp(observed, position, rules.zone);

	const emit: Array<Emission<R>> = [];
	const waiting: Array<Candidate<R>> = [];
	for (const candidate of freshOnes(observed, since, seen)) {
		if (seen.has(candidate.event.key)) continue;
		const goesOut = candidate.wanted && !silent;
		if (goesOut && emit.length === rules.maxItems) {
			waiting.push(candidate);
			continue;
		}
		if (goesOut) emit.push(emissionOf(candidate, rules));
		const ms = rules.ranking === 'time' ? candidate.event.rank : (candidate.stamp ?? watermark)?.ms;
		seen.set(candidate.event.key, Math.floor((ms ?? 0) / SECOND));
	}

	const reached = waiting[0]?.stamp ?? watermark;
	const from = nextFrom(position.from, reached, rules);
	const state = { watermark: reached?.text ?? null, from, zone: rules.zone };
	const ranked = forgetOld(seen, since, waiting, instantOf(from, rules.zone), rules.ranking);
	return {
		state: { ...state, since: ranked, seen: packSeen(seen) },
		undo: position,
		emit,
		skipped,
	};
}

function emissionOf<R>({ record, event, stamp }: Candidate<R>, { ranking }: CursorRules<R>): Emission<R> {
	return { record, key: event.key, time: ranking === 'time' ? event.rank : (stamp?.ms ?? null) };
}

function observeAll<R>(
	page: readonly R[],
	rules: CursorRules<R>,
): { observed: Array<Observed<R>>; skipped: string[] } {
	const observed: Array<Observed<R>> = [];
	const skipped: string[] = [];
	const believable = rules.now + CLOCK_TOLERANCE_MS;
	for (const record of page) {
		const observation = rules.observe(record, rules.zone);
		if ('malformed' in observation) skipped.push(observation.malformed);
		else if (observation.stamp && observation.stamp.ms > believable) {
			const when = `changed at ${observation.stamp.text}, more than two days from now`;
			skipped.push(`${rules.nameOf(record)} was ${when}`);
		} else observed.push({ ...observation, record });
	}
	return { observed, skipped };
}

/** Where the credential's time zone was changed, local times stand for other moments, and so does what was kept of them. */
function resume<R>(state: CursorState, { zone, ranking }: CursorRules<R>): { since: number; seen: Seen } {
	const seen = unpackSeen(state.seen);
	if (state.zone === zone) return { since: state.since, seen };
	const shift = instantOf(state.from, zone) - instantOf(state.from, state.zone);
	for (const [key, second] of seen) seen.set(key, second + shift / SECOND);
	return { since: ranking === 'time' ? state.since + shift : state.since, seen };
}

function start<R>(
	{ startAt }: Beginning,
	observed: ReadonlyArray<Observed<R>>,
	{ ranking }: CursorRules<R>,
): { since: number; seen: Seen } {
	const seen: Seen = new Map();
	if (startAt === null) return { since: 0, seen };
	if (ranking === 'time') return { since: startAt, seen };
	let since = 0;
	for (const { stamp, event } of observed) {
		if (event && (!stamp || stamp.ms < startAt)) since = Math.max(since, event.rank + 1);
	}
	return { since, seen };
}

/** What was not dealt with before, oldest change first, what has no stamp last. */
function freshOnes<R>(observed: ReadonlyArray<Observed<R>>, since: number, seen: Seen): Array<Candidate<R>> {
	return observed
		.filter(
			(one): one is Candidate<R> => one.event !== null && one.event.rank >= since && !seen.has(one.event.key),
		)
		.sort((a, b) =>
			a.stamp && b.stamp ? compareStamps(a.stamp, b.stamp) : Number(!a.stamp) - Number(!b.stamp),
		);
}

function newestStamp<R>(
	observed: ReadonlyArray<Observed<R>>,
	position: CursorState | Beginning,
	zone: string,
): Stamp | undefined {
	let newest = 'seen' in position ? readStamp(position.watermark, zone) : undefined;
	for (const { stamp } of observed) {
		if (stamp && (!newest || compareStamps(stamp, newest) > 0)) newest = stamp;
	}
	return newest;
}

function nextFrom<R>(before: string, newest: Stamp | undefined, rules: CursorRules<R>): string {
	if (!newest) return before;
	const from = writeLike(newest.text, newest.ms - overlapAt(newest.ms, rules), rules.zone);
	return instantOf(from, rules.zone) > instantOf(before, rules.zone) ? from : before;
}

function overlapAt(
	ms: number,
	{ overlapMs, zone }: Pick<CursorRules<unknown>, 'overlapMs' | 'zone'>,
): number {
	const overlap = Math.max(overlapMs, TIE_MS);
	return isNearDaylightSavingChange(ms, zone)
		? Math.max(overlap + HOUR, DAYLIGHT_SAVING_OVERLAP_MS)
		: overlap;
}

/**
 * Removes keys already below the cursor.
 *
 * @returns the rank below which everything has been dealt with; never above what still waits
 */
function forgetOld<R>(
	seen: Seen,
	since: number,
	waiting: ReadonlyArray<Candidate<R>>,
	fromMs: number,
	ranking: CursorRules<R>['ranking'],
): number {
	let reached = ranking === 'time' ? fromMs : since;
	if (ranking === 'id') {
		for (const [key, second] of seen) {
			if (second * SECOND < fromMs) reached = Math.max(reached, numberOfKey(key) + 1);
		}
	}
	const lowest = waiting.reduce((rank, candidate) => Math.min(rank, candidate.event.rank), Infinity);
	const ranked = Math.min(Math.max(since, reached), lowest);
	for (const [key, second] of seen) {
		const rank = ranking === 'time' ? second * SECOND + SECOND - 1 : numberOfKey(key);
		if (rank < ranked) seen.delete(key);
	}
	return ranked;
}

function compareStamps(a: Stamp, b: Stamp): number {
	return a.ms - b.ms || (a.finer < b.finer ? -1 : Number(a.finer > b.finer));
}
