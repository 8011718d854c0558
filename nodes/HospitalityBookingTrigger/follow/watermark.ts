import type { ChangeObservation, Page } from '../feeds/feed';
import type { ChangePosition } from '../state/stored';
import {
	HOUR,
	SECOND,
	type Timestamp,
	compareTimestamps,
	overlapAt,
	readTimestamp,
	toLocal,
	writeLocal,
} from '../timestamps';
import type { Emission, FollowSettings, Start } from './step';

/** The service responds with what changed *after* a moment: asking from a second earlier takes in equal timestamps. */
const TIE_MS = SECOND;
/** How far the service's clock may be off n8n's, twice: nothing older is looked at for a baseline. */
const CLOCK_TOLERANCE_MS = 48 * HOUR;
/** Timestamps further ahead of n8n's clock are reported. */
const ODD_MS = 24 * HOUR;
/** So many records have to confirm a moment before the watermark goes there: two timestamps may be wrong. */
const WITNESSES = 3;

export interface Observed extends ChangeObservation {
	record: unknown;
}

export interface Candidate extends Observed {
	event: NonNullable<ChangeObservation['event']>;
}

/** @returns from when on the records of a beginning are asked for, in milliseconds since 1970 */
export function earliestOf(start: Start, now: number): number {
	return start.kind === 'baseline' ? now - CLOCK_TOLERANCE_MS : start.at - TIE_MS;
}

/** The position can be right where n8n's clock is wrong: the service's response tells. */
export function isAhead({ from, phase }: ChangePosition, now: number): boolean {
	return phase.kind === 'running' && localOf(from) > now + CLOCK_TOLERANCE_MS;
}

/** Whether a position is still to come by n8n's clock and by all that the service shows. */
export function isImpossible(position: ChangePosition, observed: readonly Observed[], now: number): boolean {
	const reached = localOf(position.from);
	return isAhead(position, now) && !observed.some(({ changed }) => changed && changed.local >= reached);
}

/** @returns what has to be said of the timestamps of a page */
export function oddTimestamps(
	{ observed }: Page<ChangeObservation>,
	now: number,
	nameOf: (record: unknown) => string,
): string[] {
	return observed.flatMap(({ record, changed }) =>
		changed && changed.ms > now + ODD_MS
			? `${nameOf(record)} says that it was changed at ${changed.text}, more than a day ahead of n8n's clock`
			: [],
	);
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
