import { DAY, SECOND, readTimestamp } from '../../shared/values/timestamp';
import { type Observed, fieldsOf } from '../events/rule';
import type { Feed } from '../events/observe';
import type { Position } from '../state/stored';
import { SKEW_MS, newestOf, overlapAt } from './clock';
import { latestDateOf } from './notices';
import type { FollowSettings, PollResponse } from './pollResponse';

/** How far back the first list goes: the clocks of the service and of n8n may differ by a day. */
const BASELINE_MS = 2 * DAY;

/**
 * @param startAt what happened from then on counts as new; null: nothing that is there does
 * @param now by n8n's clock
 * @returns what the first list is asked from
 */
export function firstWatermark({ rule }: Feed, startAt: number | null, now: number): number {
	// Which customers are new is known from all there are.
	if (rule.isById) return 0;
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
	{ feed, overlapMs }: FollowSettings,
): Position {
	const { position, now, due } = response;
	const newest = newestOf(observed, now);
	const isNewer = newest > position.newestSeen.at;
	const newestSeen = isNewer ? { at: newest, seen: now } : position.newestSeen;
	const overlap = overlapAt(newestSeen.at || now, feed.choice.zone, overlapMs);
	// After a whole overlap without news, a late record can only be newer than the watermark.
	const isSettled = newest === newestSeen.at && now - newestSeen.seen >= overlap + SKEW_MS;
	const watermark = newestSeen.at - (isSettled ? 0 : overlap);
	// An empty response proves nothing: some services return empty lists during an outage.
	const dueUpTo = due && observed.length + due.records.length > 0 ? due.upTo : position.dueUpTo;
	// What was left for lack of time has not been reported by this poll.
	const isComplete = !due || dueUpTo === now - (feed.rule.offsetMs ?? 0);
	const next: Position = {
		...position,
		watermark: Math.max(position.watermark, watermark),
		newestSeen,
		longestPeriodList: response.longestPeriodList,
		dueUpTo,
		dueReportedUpTo: isComplete ? now : position.dueReportedUpTo,
		timestampFormat:
			observed.findLast(({ changed }) => changed)?.changed?.text ?? position.timestampFormat,
		bookingTimeFormat: lastBookingTimeFormat(response, feed.choice.zone),
		unread: response.baseline ? response.baseline.unread : position.unread,
		latestDate: latestDateOf(response),
	};
	if (!position.isBaseline) return next;
	if (observed.length > 0)
		return { ...next, isBaseline: false, newSince: Math.max(next.newSince, next.watermark) };
	if (feed.rule.isById) return next;
	// A service that lists nothing at first: what it lists later is new if it was made since.
	const newSince = Math.floor(now / SECOND) * SECOND;
	return { ...next, isBaseline: false, watermark: now - overlap, newSince };
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
	for (const list of [response.due?.records, response.baseline?.records, response.changes]) {
		const format = bookingTimeFormatOf(list ?? [], zone);
		if (format !== undefined) return format;
	}
	return response.position.bookingTimeFormat;
}
