import { HOUR, MINUTE, isoOf } from '../../shared/values/timestamp';
import type { Observed } from '../events/rule';
import type { Position } from '../state/stored';
import type { Notice, PollResponse } from './pollResponse';
import { unique } from '../../shared/values/keys';

/** Timestamps further ahead of the service's clock are reported, and a clock that stands still for longer. */
const ODD_MS = 10 * MINUTE;
const MAX_NAMED = 5;
const WAITS = 'Nothing is due, and later changes count as ahead of it, until it is right';

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
	const text = unique(names).slice(0, MAX_NAMED).join(', ');
	return [{ kind: 'unreadable', text }];
}

/** @returns the notice of a service's clock that is wrong or, if it is right, of records that were changed ahead of it */
export function clockNotices(response: PollResponse, observed: readonly Observed[]): Notice[] {
	const wrongClock = wrongClockOf(response);
	if (wrongClock !== undefined) return [{ kind: 'clock', text: wrongClock }];
	const latest = response.now + ODD_MS;
	const ahead = observed.find(({ changed }) => changed && changed.ms > latest);
	const change = ahead?.changed;
	if (!change) return [];
	const hint = change.isLocal ? "'Time Zone' in the credential" : 'the clock of the service';
	const text = `a record says that it was changed at ${change.text}, ahead of the service's clock: check ${hint}`;
	return [{ kind: 'ahead', text }];
}

/** @returns what is wrong with the `Date` of the service's responses; undefined if nothing seems to be */
function wrongClockOf(response: PollResponse): string | undefined {
	const latest = response.position.latestDate;
	const { date, n8n } = response.clocks;
	if (!latest || date === undefined) return undefined;
	if (date < latest.ms - HOUR) {
		return `the Date of the service's responses has gone back from ${isoOf(latest.ms)} to ${isoOf(date)}. ${WAITS}`;
	}
	const hasStoodStill = date === latest.ms && Math.abs(n8n - latest.at) > ODD_MS;
	if (!hasStoodStill) return undefined;
	return `the Date of the service's responses stands still at ${isoOf(date)}. ${WAITS}`;
}

/** @returns the latest `Date` that the service's responses have had, and when it was first seen, by n8n's clock */
export function latestDateOf(response: PollResponse): Position['latestDate'] {
	const latest = response.position.latestDate;
	const { date, n8n } = response.clocks;
	if (date === undefined) return latest;
	const isLater = !latest || date > latest.ms;
	return isLater ? { ms: date, at: n8n } : latest;
}
