import type { ChangeFeed, ChangeObservation, Remembered } from '../feeds/feed';
import { type Changes, type Digest, type LastSeen, bounded, changesSince } from '../state/lastSeen';
import { type Seen, hexOf, keyOfHex, numberOfKey, packSeen, unpackSeen } from '../state/seen';
import {
	HOUR,
	SECOND,
	type Timestamp,
	WIDEST_ZONES_MS,
	compareTimestamps,
	overlapAt,
	readTimestamp,
	toWall,
	writeWall,
} from '../timestamps';
import type { Emission, FollowSettings, Follower, LastBatch, Step } from './step';

/** The service answers with what changed *after* a moment: asking from a second earlier takes in equal timestamps. */
const TIE_MS = SECOND;
/** How far the service's clock may be off n8n's, twice: nothing older is looked at for a baseline. */
const CLOCK_TOLERANCE_MS = 48 * HOUR;
/** Timestamps further ahead of n8n's clock are reported. */
const ODD_MS = 24 * HOUR;
/** What goes out later than this is told: nobody polled for so long, or the position is wrong. */
const FAR_BACK_MS = 60 * 24 * HOUR;
/** So many records have to confirm a moment before the watermark goes there: two timestamps may be wrong. */
const WITNESSES = 3;
/** So many ids are remembered of records that give no time to forget them by. */
const MAX_IDS = 1000;
/** Bookings that ended, or begin, further away from the beginning are remembered once they change. */
const STANDING_MS = { past: 30 * 24 * HOUR, future: 730 * 24 * HOUR };
const BEFORE_EVERYTHING = '1970-01-01T00:00:00.000Z';

/** What is kept between polls. Plain JSON, bounded by the changes since `from`. Times are `wall` of timestamps. */
export interface ChangeState {
	/** What the next poll asks from, in the service's own form: the watermark − overlap. Never goes back. */
	from: string;
	/** Every event ranked lower has been dealt with. */
	since: number;
	/** What has been dealt with and is not ranked lower than `since` (see `seen.ts`). */
	seen: string;
	/**
	 * Until the first record has been seen: milliseconds since 1970 from which on changes are emitted; null: none of the first
	 * poll is.
	 */
	startAt?: number | null;
	/** What was last seen of the records, where that matters. Bounded by itself. */
	known?: LastSeen;
}

interface Observed extends ChangeObservation {
	record: unknown;
}

interface Candidate extends Observed {
	event: NonNullable<ChangeObservation['event']>;
}

/** Follows the changes of records by the service's own timestamps. */
export function followChanges(feed: ChangeFeed, given: FollowSettings): Follower<ChangeState> {
	const settings = { ...given, zone: feed.zone ?? given.zone };
	const begin = (startAt: number | null, now: number): ChangeState => {
		const earliest = startAt === null ? now - CLOCK_TOLERANCE_MS : startAt - TIE_MS;
		const from = feed.ranking === 'id' ? BEFORE_EVERYTHING : new Date(earliest).toISOString();
		return { from, since: 0, seen: '', startAt };
	};
	return {
		begin,
		query: (position, now, origin) => {
			const isDoubted = isAhead(position, now);
			const { from, startAt } = isDoubted ? begin(null, now) : position;
			// What is known has to take in all that the next poll asks for, whatever the zone of local times turns out to be.
			const first = startAt === null && !feed.zone ? writeWall(from, wallOf(from) - WIDEST_ZONES_MS) : from;
			const asksMore = typeof origin !== 'string' || (isDoubted && wallOf(first) < wallOf(origin));
			return feed.query(asksMore ? first : origin);
		},
		find: (page, last) => {
			const found = candidatesOf(feed.observe(page, settings.zone).observed).filter(({ wanted }) => wanted);
			if (!last) return found.flatMap(sampleOf);
			const keys = unpackSeen(last.keys);
			return found.flatMap((one) => onceMore(one, keys, last.differences));
		},
		dealtWith: ({ since, seen }, events) => {
			const keys = unpackSeen(seen);
			return events.filter(({ rank, key }) => rank < since || keys.has(key));
		},
		standing: ({ known }, now) => {
			const { past, future } = STANDING_MS;
			const [from, to] = [now - past, now + future].map((ms) => new Date(ms).toISOString());
			return known ? undefined : feed.remembers?.standing?.(String(from), String(to));
		},
		advance: (position, page, now, standing = []) => {
			const { observed, notices } = feed.observe(page, settings.zone);
			const before = feed.observe(standing, settings.zone).observed;
			const odd = observed.filter(({ changed }) => changed && changed.ms > now + ODD_MS);
			for (const { record, changed } of odd) {
				const when = `says that it was changed at ${changed?.text}, more than a day ahead of n8n's clock`;
				notices.push(`${feed.nameOf(record)} ${when}`);
			}
			const { from } = position;
			const isWrong =
				isAhead(position, now) && !observed.some(({ changed }) => changed && changed.wall >= wallOf(from));
			if (isWrong) notices.push(`the trigger had got to ${from}, which is still to come: it has begun anew`);
			const step = advance(
				isWrong ? { ...begin(null, now), known: position.known } : position,
				observed,
				before,
				now,
				feed,
				settings,
			);
			const [oldest] = step.emit;
			if (position.startAt === undefined && oldest?.time && oldest.time < now - FAR_BACK_MS)
				notices.push('the trigger went on from more than 60 days ago, and emitted what happened since');
			return { ...step, notices };
		},
	};
}

/** The position can be right where n8n's clock is wrong: the service's response tells. */
function isAhead({ from, startAt }: ChangeState, now: number): boolean {
	return startAt === undefined && wallOf(from) > now + CLOCK_TOLERANCE_MS;
}

/** What is new in a response, and where the next poll goes on. From the same position and page comes the same step. */
function advance(
	position: ChangeState,
	observed: readonly Observed[],
	standing: readonly Observed[],
	now: number,
	feed: ChangeFeed,
	settings: FollowSettings,
): Omit<Step<ChangeState>, 'notices'> {
	const { from: origin, startAt } = position;
	const { from, asked, since } = resume(position, [...observed, ...standing], feed, settings);
	const seen = unpackSeen(position.seen);
	const known = new Map(Object.entries(position.known ?? {}));
	const remember = ({ remembered }: Observed) => {
		if (!remembered) return;
		known.delete(remembered.id);
		known.set(remembered.id, remembered.facts.digest);
	};
	const isDealtWith = ({ changed, event }: Observed) =>
		startAt === null || (changed !== null && changed.wall < since) || seen.has(event?.key ?? '');
	const dealtWith = [
		...standing.filter(isDealtWith),
		...observed.filter(({ event }) => !event || event.rank < since),
	];
	dealtWith.sort(oldestFirst).forEach(remember);
	const kept = () => (feed.remembers ? { known: bounded(known) } : {});
	if (observed.length === 0 && startAt !== undefined) {
		// Whatever comes is new; what changed at `from` itself has not been asked for.
		const next = feed.ranking === 'id' ? undefined : (startAt ?? wallOf(origin) + 1);
		return { position: { ...position, ...kept(), startAt: next }, emit: [], origin };
	}

	const emit: Emission[] = [];
	const waiting: Candidate[] = [];
	for (const candidate of candidatesOf(observed)) {
		const { remembered, event } = candidate;
		if (event.rank < since || seen.has(event.key)) continue;
		const before = remembered && lastSeenOf(remembered, known, since);
		const changes = remembered && changesSince(before, remembered.facts);
		const goesOut = candidate.wanted && startAt !== null && (remembered?.tells(changes) ?? true);
		if (goesOut && emit.length === settings.maxItems) {
			waiting.push(candidate);
			// By the next poll it is not told that it was made since.
			if (before) known.set(remembered.id, before);
			continue;
		}
		if (goesOut) emit.push(emissionOf(candidate, changes));
		remember(candidate);
		const wall = feed.ranking === 'time' ? event.rank : (candidate.changed?.wall ?? now);
		seen.set(event.key, Math.floor(wall / SECOND));
	}

	const reached = earlier(watermarkOf(observed, now), waiting[0]?.changed);
	const next = reached ? reached.wall - overlapAt(reached.ms, settings.zone, settings.overlapMs) : -Infinity;
	const ranked = forget(seen, since, waiting, Math.max(asked, next), feed.ranking);
	return {
		position: {
			from: reached && next > asked ? writeWall(reached.text, next) : from,
			since: ranked,
			seen: packSeen(seen),
			...kept(),
		},
		emit,
		origin,
	};
}

function emissionOf({ record, event, remembered }: Candidate, changes?: Changes): Emission {
	const difference = remembered?.isShown ? { id: remembered.id, changes: changes ?? null } : undefined;
	return { record, ...event, difference };
}

/** A record of the last batch, as it is now: its event and what had changed are those that went out with it. */
function onceMore(candidate: Candidate, keys: Seen, differences: LastBatch['differences'] = []): Emission[] {
	const { remembered, event } = candidate;
	// Where any change is an event, the newest one comes by itself.
	const isAny = remembered?.tells(undefined);
	const own = differences.filter(({ id, key }) =>
		isAny ? key === hexOf(event.key) : remembered?.isShown && id === remembered.id,
	);
	if (own.length === 0) return keys.has(event.key) ? [emissionOf(candidate)] : [];
	return own.map(({ key, changes }) => ({
		...emissionOf(candidate, changes ?? undefined),
		key: keyOfHex(key),
	}));
}

/** For trying a workflow: what was last seen is what the record began with, or has. */
function sampleOf(candidate: Candidate): Emission[] {
	const { remembered } = candidate;
	if (!remembered) return [emissionOf(candidate)];
	const { made, facts, tells } = remembered;
	const changes = changesSince(made?.digest ?? facts.digest, facts);
	return !made || tells(changes) ? [emissionOf(candidate, changes)] : [];
}

/** A record that was not seen can have been made since. */
function lastSeenOf({ id, made }: Remembered, known: ReadonlyMap<string, Digest>, since: number) {
	return known.get(id) ?? (made && made.rank >= since ? made.digest : undefined);
}

/** @returns `from` in the service's own form, and as `asked` its wall */
function resume(
	{ from, since, startAt }: ChangeState,
	observed: readonly Observed[],
	{ ranking }: ChangeFeed,
	{ zone }: FollowSettings,
): { from: string; asked: number; since: number } {
	if (startAt === undefined) return { from, asked: wallOf(from), since };
	const sample = observed.find(({ changed }) => changed !== null)?.changed;
	const inForm = (ms: number) => (sample?.isLocal ? toWall(ms, zone) : ms);
	const asked = inForm(wallOf(from));
	const begun = { from: sample ? writeWall(sample.text, asked) : from, asked };
	if (startAt === null) return { ...begun, since };
	if (ranking === 'time') return { ...begun, since: inForm(startAt) };
	const old = observed.filter(({ changed }) => !changed || changed.ms < startAt);
	return { ...begun, since: old.reduce((id, { event }) => Math.max(id, (event?.rank ?? -1) + 1), 0) };
}

/** What has happened, oldest change first. */
function candidatesOf(observed: readonly Observed[]): Candidate[] {
	return observed.filter((one): one is Candidate => one.event !== null).sort(oldestFirst);
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
