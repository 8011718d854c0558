import { DAY, SECOND, readTimestamp } from '../../shared/values/timestamp';
import { type Observed, fieldsOf } from '../events/rule';
import type { Feed } from '../events/observe';
import type { Position } from '../state/stored';
import { SKEW_MS } from './changeOrder';
import { newestOf, overlapAt } from './clock';
import { latestDateOf } from './notices';
import type { PollResponse } from './pollResponse';

/** How far back the first list goes: the clocks of the service and of n8n may differ by a day. */
const BASELINE_MS = 2 * DAY;

/**
 * @param startAt what happened from then on counts as new; null: nothing that is there does
 * @param now by n8n's clock
 * @returns what the first list is asked from
 */
export function firstWatermark(feed: Feed, startAt: number | null, now: number): number {
	// Which customers are new is known from all there are.
	if (feed.rule.isById) return 0;
	if (startAt === null || startAt > now) return now - BASELINE_MS;
	return startAt - SECOND;
}

/**
 * @param watermark what the first list was asked from
 * @param now by the service's clock, as of the first list
 * @returns the position of a trigger that begins
 */
export function firstPosition(
	{ rule }: Feed,
	startAt: number | null,
	watermark: number,
	now: number,
): Position {
	const start = startAt ?? now;
	const period = rule.baselinePeriod?.(start);
	return {
		isBaseline: startAt === null || rule.isById === true,
		watermark,
		newSince: startAt ?? 0,
		newestSeen: { at: 0, seen: 0 },
		dueReportedUpTo: start,
		dueUpTo: start - (rule.offsetMs ?? 0),
		timestampFormat: undefined,
		bookingTimeFormat: undefined,
		longestPeriodList: { length: 0, at: 0 },
		unread: period ? { ...period, failures: 0 } : null,
		latestDate: undefined,
		pollsInARow: {},
		memory: '',
	};
}

/**
 * @param observed what has changed
 * @returns the position that the next poll starts from, but for what is remembered
 */
export function nextPosition(
	response: PollResponse,
	observed: readonly Observed[],
	feed: Feed,
): Position {
	const { position, now, due } = response;
	const { zone, overlapMs } = feed.choice;
	const next = { ...position };
	next.latestDate = latestDateOf(response);
	next.longestPeriodList = response.longestPeriodList;
	const dated = observed.findLast(({ changed }) => changed);
	if (dated?.changed) next.timestampFormat = dated.changed.text;
	next.bookingTimeFormat = lastBookingTimeFormat(response, zone);
	if (response.baseline) next.unread = response.baseline.unread;

	const newest = newestOf(observed, now);
	if (newest > position.newestSeen.at) {
		next.newestSeen = { at: newest, seen: now };
	}
	const { at, seen } = next.newestSeen;
	const overlap = overlapAt(at || now, zone, overlapMs);
	// After a whole overlap without news, a late record can only be newer than the watermark.
	const isSettled = newest === at && now - seen >= overlap + SKEW_MS;
	const askFrom = isSettled ? at : at - overlap;
	next.watermark = Math.max(position.watermark, askFrom);

	// An empty response proves nothing: some services return empty lists during an outage.
	const hasRecords = observed.length > 0 || due?.records.length !== 0;
	if (hasRecords) {
		if (due) next.dueUpTo = due.upTo;
		// Where there was no time to ask for all that is due, the rest is still to be emitted.
		const { offsetMs = 0 } = feed.rule;
		const isAllDue = !due || due.upTo === now - offsetMs;
		if (isAllDue) next.dueReportedUpTo = now;
	}
	const hasChanges = observed.length > 0;
	if (position.isBaseline) endBaseline(next, now, hasChanges, feed);
	return next;
}

/** What was listed first is known: from here on, records are new. */
function endBaseline(next: Position, now: number, hasChanges: boolean, feed: Feed): void {
	if (hasChanges) {
		next.isBaseline = false;
		next.newSince = Math.max(next.newSince, next.watermark);
		return;
	}
	// Which customers are new is known once some are listed.
	if (feed.rule.isById) return;
	// A service that lists nothing at first: what it lists later is new if it was made since.
	const { zone, overlapMs } = feed.choice;
	next.isBaseline = false;
	next.newSince = Math.floor(now / SECOND) * SECOND;
	const newest = next.newestSeen.at || now;
	next.watermark = now - overlapAt(newest, zone, overlapMs);
}

/** @returns the last change date of records, as the service writes it */
export function timestampFormatOf(list: readonly unknown[], feed: Feed): string | undefined {
	const { zone } = feed.choice;
	for (const record of list.toReversed()) {
		const facts = feed.kind.factsOf(fieldsOf(record), zone);
		if (facts?.changed) return facts.changed.text;
	}
	return undefined;
}

/** @returns the last start or end of bookings that is a date and time, as the service writes it */
export function bookingTimeFormatOf(list: readonly unknown[], zone: string): string | undefined {
	for (const record of list.toReversed()) {
		const { start, end } = fieldsOf(record);
		const time = readTimestamp(start, zone) ?? readTimestamp(end, zone);
		if (time) return time.text;
	}
	return undefined;
}

function lastBookingTimeFormat(response: PollResponse, zone: string): string | undefined {
	const { due, baseline, changes, position } = response;
	for (const list of [due?.records, baseline?.records, changes]) {
		if (!list) continue;
		const format = bookingTimeFormatOf(list, zone);
		if (format !== undefined) return format;
	}
	return position.bookingTimeFormat;
}
