import type { ChangeFeed, ChangeObservation, NewIdFeed } from '../feeds/feed';
import type { ChangePosition } from '../state/stored';
import {
	DAY,
	HOUR,
	SECOND,
	type Timestamp,
	WIDEST_ZONES_MS,
	compareTimestamps,
	overlapAt,
	readTimestamp,
	toLocal,
	writeLocal,
} from '../timestamps';
import type { Emission, FollowSettings, Follower, Learned, Start, Step } from './step';

/** The service responds with what changed *after* a moment: asking from a second earlier takes in equal timestamps. */
const TIE_MS = SECOND;
/** How far the service's clock may be off n8n's, twice: nothing older is looked at for a baseline. */
const CLOCK_TOLERANCE_MS = 48 * HOUR;
/** Timestamps further ahead of n8n's clock are reported. */
const ODD_MS = 24 * HOUR;
/** What goes out later than this is told: nobody polled for so long, or the position is wrong. */
const FAR_BACK_MS = 60 * DAY;
/** So many records have to confirm a moment before the watermark goes there: two timestamps may be wrong. */
const WITNESSES = 3;

export interface Observed extends ChangeObservation {
	record: unknown;
}

export interface Candidate extends Observed {
	event: NonNullable<ChangeObservation['event']>;
}

/** How records are followed by the service's own timestamps; what is new, `step` says. */
export function followTimestamps(
	feed: ChangeFeed | NewIdFeed,
	{ zone }: FollowSettings,
	begin: (start: Start, now: number, nearer?: number) => ChangePosition | undefined,
	step: (
		position: ChangePosition,
		observed: readonly Observed[],
		now: number,
		learned?: Learned,
	) => Omit<Step<ChangePosition>, 'notices'>,
): Pick<Follower<ChangePosition>, 'begin' | 'ask' | 'advance'> {
	const startedOver = (now: number) => begin({ kind: 'baseline' }, now) as ChangePosition;
	return {
		begin,
		ask: (position, now) => {
			const { from, phase } = isAhead(position, now) ? startedOver(now) : position;
			// What is known has to take in all that the next poll asks for, whatever the zone of local times turns out to be.
			const isWide = phase.kind === 'baseline' && !feed.zone;
			return [isWide ? writeLocal(from, localOf(from) - WIDEST_ZONES_MS) : from];
		},
		advance: (position, page, now, learned) => {
			const { observed, notices } = feed.observe(page, zone);
			for (const { record, changed } of observed) {
				if (!changed || changed.ms <= now + ODD_MS) continue;
				const when = `says that it was changed at ${changed.text}, more than a day ahead of n8n's clock`;
				notices.push(`${feed.nameOf(record)} ${when}`);
			}
			const reached = localOf(position.from);
			const isWrong =
				isAhead(position, now) && !observed.some(({ changed }) => changed && changed.local >= reached);
			if (isWrong)
				notices.push(`the trigger had reached ${position.from}, which was in the future, so it started over`);
			const begun = isWrong ? { ...startedOver(now), known: position.known } : position;
			const next = step(begun, observed, now, learned);
			const [oldest] = next.emit;
			if (position.phase.kind === 'running' && oldest?.time && oldest.time < now - FAR_BACK_MS)
				notices.push('the trigger resumed from more than 60 days ago and emitted what happened since');
			if (next.position.known?.isFull && !position.known?.isFull)
				notices.push('more bookings lie ahead than the trigger can remember: it has forgotten some');
			return { ...next, notices };
		},
	};
}

/** The position can be right where n8n's clock is wrong: the service's response tells. */
function isAhead({ from, phase }: ChangePosition, now: number): boolean {
	return phase.kind === 'running' && localOf(from) > now + CLOCK_TOLERANCE_MS;
}

/** @returns from when on the records of a beginning are asked for, in milliseconds since 1970 */
export function earliestOf(start: Start, now: number): number {
	return start.kind === 'baseline' ? now - CLOCK_TOLERANCE_MS : start.at - TIE_MS;
}

/** How a position reads in the service's own form, which the first response tells. */
export interface Resumed {
	from: string;
	/** `local` of `from`. */
	asked: number;
	/** From milliseconds since 1970 to `local` of a timestamp. */
	inForm: (ms: number) => number;
}

export function resume(
	{ from, phase }: ChangePosition,
	observed: readonly Observed[],
	zone: string,
): Resumed {
	const sample = observed.find(({ changed }) => changed !== null)?.changed;
	const inForm = (ms: number) => (sample?.isLocal ? toLocal(ms, zone) : ms);
	if (phase.kind === 'running') return { from, asked: localOf(from), inForm };
	const asked = inForm(localOf(from));
	return { from: sample ? writeLocal(sample.text, asked) : from, asked, inForm };
}

/**
 * @param waiting the oldest event that waits for room
 * @returns what the next poll asks from, and `local` of it; never earlier than this poll
 */
export function nextFrom(
	{ from, asked }: Resumed,
	observed: readonly Observed[],
	waiting: Timestamp | null | undefined,
	now: number,
	{ zone, overlapMs }: FollowSettings,
): { from: string; asked: number } {
	const watermark = watermarkOf(observed, now);
	const reached = watermark && waiting && compareTimestamps(waiting, watermark) < 0 ? waiting : watermark;
	const next = reached ? reached.local - overlapAt(reached.ms, zone, overlapMs) : -Infinity;
	return reached && next > asked ? { from: writeLocal(reached.text, next), asked: next } : { from, asked };
}

/** The newest timestamp that n8n's clock has reached and other records confirm: a wrong one moves nothing. */
function watermarkOf(observed: readonly Observed[], now: number): Timestamp | undefined {
	return observed
		.flatMap(({ changed }) => (changed && changed.ms <= now ? [changed] : []))
		.sort((a, b) => compareTimestamps(b, a))[WITNESSES - 1];
}

/** What has happened, oldest change first. */
export function candidatesOf(observed: readonly Observed[]): Candidate[] {
	return observed.filter((one): one is Candidate => one.event !== null).sort(oldestFirst);
}

/** What has no timestamp comes last. */
export function oldestFirst({ changed: a }: Observed, { changed: b }: Observed): number {
	return a && b ? compareTimestamps(a, b) : Number(!a) - Number(!b);
}

/** A date-time of the service's or our own, as `local` of a timestamp. */
export function localOf(text: string): number {
	return readTimestamp(text, 'UTC')?.local ?? 0;
}

export function emissionOf(
	{ record, event: { key, time } }: Candidate,
	changes?: Emission['changes'],
): Emission {
	return { record, key, time, ...(changes === undefined ? {} : { changes }) };
}
