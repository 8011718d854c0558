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
	const named = unique(names).slice(0, MAX_NAMED);
	return [{ kind: 'unreadable', text: named.join(', ') }];
}

/** @returns the notice of a service's clock that is wrong or, if it is right, of records that were changed ahead of it */
export function clockNotices(response: PollResponse, observed: readonly Observed[]): Notice[] {
	const wrongClock = wrongClockOf(response);
	if (wrongClock !== undefined) return [{ kind: 'clock', text: wrongClock }];
	const latest = response.now + ODD_MS;
	for (const { changed } of observed) {
		if (!changed || changed.ms <= latest) continue;
		const toCheck = changed.isLocal ? "'Time Zone' in the credential" : 'the clock of the service';
		const text = `a record says that it was changed at ${changed.text}, ahead of the service's clock: check ${toCheck}`;
		return [{ kind: 'ahead', text }];
	}
	return [];
}

/** @returns what is wrong with the `Date` of the service's responses; undefined if nothing seems to be */
function wrongClockOf(response: PollResponse): string | undefined {
	const latest = response.position.latestDate;
	const { date, n8n } = response.clocks;
	if (!latest || date === undefined) return undefined;
	const shown = isoOf(date);
	if (date < latest.ms - HOUR) {
		const before = isoOf(latest.ms);
		return `the Date of the service's responses has gone back from ${before} to ${shown}. ${WAITS}`;
	}
	const elapsed = Math.abs(n8n - latest.at);
	const standsStill = date === latest.ms && elapsed > ODD_MS;
	if (!standsStill) return undefined;
	return `the Date of the service's responses stands still at ${shown}. ${WAITS}`;
}

/** @returns the latest `Date` that the service's responses have had, and when it was first seen, by n8n's clock */
export function latestDateOf(response: PollResponse): Position['latestDate'] {
	const latest = response.position.latestDate;
	const { date, n8n } = response.clocks;
	if (date === undefined) return latest;
	if (latest && latest.ms >= date) return latest;
	return { ms: date, at: n8n };
}
