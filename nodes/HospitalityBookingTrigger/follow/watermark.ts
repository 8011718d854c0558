import uniqBy from 'lodash/uniqBy';

import type { ChangeObservation } from '../feeds/feed';
import type { ChangePosition } from '../state/stored';
import {
	HOUR,
	SECOND,
	type Timestamp,
	compareTimestamps,
	readTimestamp,
	toLocal,
	writeLocal,
} from '../../shared/values/timestamp';
import { offsetAt } from '../../shared/values/zone';
import type { Emission, FollowSettings } from './step';

/** The widest difference between two time zones. */
export const WIDEST_ZONES_MS = 26 * HOUR;
const DAYLIGHT_SAVING_MARGIN = 3 * HOUR;
/** Records that must confirm a timestamp or an id before the position moves there: two may be wrong. */
export const WITNESSES = 3;

export interface Observed extends ChangeObservation {
	record: unknown;
}

export interface Candidate extends Observed {
	event: NonNullable<ChangeObservation['event']>;
}

/** A position in the service's own form, which the first response shows. */
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
 * @param waiting the oldest event that waits for a later poll
 * @returns where the next poll asks from, and `local` of it; never earlier than this poll
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

/**
 * How far before a moment to ask. Includes equal timestamps, because the service compares with *after*; two hours near a
 * daylight-saving change, because a local time may mean two moments.
 */
export function overlapAt(ms: number, zone: string, overlapMs = 0): number {
	const overlap = Math.max(overlapMs, SECOND);
	return isNearDaylightSavingChange(ms, zone) ? Math.max(overlap + HOUR, 2 * HOUR) : overlap;
}

/** @returns whether the clock of `zone` is changed within three hours of an instant. */
function isNearDaylightSavingChange(ms: number, zone: string): boolean {
	return offsetAt(ms - DAYLIGHT_SAVING_MARGIN, zone) !== offsetAt(ms + DAYLIGHT_SAVING_MARGIN, zone);
}

/** The newest timestamp that n8n's clock has reached and other records confirm. A single wrong one has no effect. */
function watermarkOf(observed: readonly Observed[], now: number): Timestamp | undefined {
	return observed
		.flatMap(({ changed }) => (changed && changed.ms <= now ? [changed] : []))
		.sort((a, b) => compareTimestamps(b, a))[WITNESSES - 1];
}

/** Events that have happened, oldest change first; each once, with the newest of its records. */
export function candidatesOf(observed: readonly Observed[]): Candidate[] {
	const newestFirst = observed
		.filter((one): one is Candidate => one.event !== null)
		.sort(oldestFirst)
		.reverse();
	return uniqBy(newestFirst, ({ event }) => event.key).reverse();
}

/** Records without a timestamp come last. */
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
