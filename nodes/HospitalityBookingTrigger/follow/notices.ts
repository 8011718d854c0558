import { HOUR, MINUTE, isoOf } from '../../shared/values/timestamp';
import type { Observed } from '../events/rule';
import type { Position } from '../state/stored';
import type { Notice, PollResponse } from './pollResponse';

/** Timestamps further ahead of the service's clock are reported, and a clock that stands still for longer. */
const ODD_MS = 10 * MINUTE;
const MAX_NAMED = 5;

/** Records that are not emitted, as the service does not say when they were made. */
export const UNDATED: Notice = {
	kind: 'undated',
	text: "a web booking has no createdDate, so that nobody can know whether it is new: it was not emitted. The event 'Booking Created or Updated' emits it",
};

/** The memory has no room for all that lies ahead. */
export const FULL: Notice = {
	kind: 'full',
	text: "the trigger's memory is full. It forgot the bookings that changed longest ago; another change of one of them may be missed",
};

/** @returns the notice of records that cannot be followed, with their names and why */
export function unreadableNotices(names: readonly string[]): Notice[] {
	if (names.length === 0) return [];
	return [{ kind: 'unreadable', text: [...new Set(names)].slice(0, MAX_NAMED).join(', ') }];
}

/** @returns the notice of a service's clock that is wrong or, if it is right, of records that were changed ahead of it */
export function clockNotices(response: PollResponse, observed: readonly Observed[]): Notice[] {
	const wrongClock = wrongClockOf(response);
	if (wrongClock !== undefined) return [{ kind: 'clock', text: wrongClock }];
	for (const { changed } of observed) {
		if (!changed || changed.ms <= response.now + ODD_MS) continue;
		const what = `a record says that it was changed at ${changed.text}, ahead of the service's clock`;
		const hint = changed.isLocal ? "'Time Zone' in the credential" : 'the clock of the service';
		return [{ kind: 'ahead', text: `${what}: check ${hint}` }];
	}
	return [];
}

/** @returns what is wrong with the `Date` of the service's responses; undefined if nothing seems to be */
function wrongClockOf({ position, clocks }: PollResponse): string | undefined {
	const latest = position.latestDate;
	const { date, n8n } = clocks;
	if (!latest || date === undefined) return undefined;
	const waits = 'Nothing is due, and later changes count as ahead of it, until it is right';
	if (date < latest.ms - HOUR)
		return `the Date of the service's responses has gone back from ${isoOf(latest.ms)} to ${isoOf(date)}. ${waits}`;
	if (date === latest.ms && Math.abs(n8n - latest.at) > ODD_MS)
		return `the Date of the service's responses stands still at ${isoOf(date)}. ${waits}`;
	return undefined;
}

/** @returns the latest `Date` that the service's responses have had, and when it was first seen, by n8n's clock */
export function latestDateOf({ position, clocks }: PollResponse): Position['latestDate'] {
	const { latestDate } = position;
	const { date, n8n } = clocks;
	if (date === undefined || (latestDate && date <= latestDate.ms)) return latestDate;
	return { ms: date, at: n8n };
}
