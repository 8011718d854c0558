import max from 'lodash/max';

import { DAY, SECOND, readTimestamp } from '../../../shared/values/timestamp';
import { type Choice, isCanceledOrNoShow } from '../recordKinds';
import type { Observed, Rule, Times } from '../rule';
import { dayOf } from './remembered';

/** How late a due event is still emitted. */
export const LATEST_MS = 31 * DAY;
/** A booking that has started is remembered for so long, whatever happens to a clock. */
const STARTED_REMEMBERED_MS = 2 * DAY;

/** A booking whose start is near, or whose end has passed: once for each start or end. */
export function due(boundary: 'start' | 'end', choice: Choice): Rule {
	const isEnd = boundary === 'end';
	const offsetMs = isEnd ? choice.distanceMs : -choice.distanceMs;
	const timeOf = (observed: Observed) => Number(observed.at) - offsetMs;
	const secondOf = (observed: Observed) => Math.floor(timeOf(observed) / SECOND);
	return {
		offsetMs,
		baselinePeriod: (now) => {
			const dueNow = now - offsetMs;
			return isEnd ? { from: dueNow - LATEST_MS, to: dueNow } : { from: now, to: dueNow };
		},
		read: (facts) => {
			const time = readTimestamp(facts.record[boundary], choice.zone);
			if (!time) return boundary;
			if (isCanceledOrNoShow(facts.record, choice)) return {};
			return { at: time.ms + offsetMs, key: `${time.ms}` };
		},
		emits: (observed, known, times) => {
			const wasEmitted = known?.values.includes(secondOf(observed));
			if (!isDueNow(observed, times.now) || wasEmitted) return false;
			const time = timeOf(observed);
			if (!isEnd && isStartMissed(observed, time, times)) return false;
			const madeAt = observed.madeAtLatest ?? 0;
			return time >= times.unreadTo || madeAt >= times.newSince;
		},
		remember: (observed, known, times) => {
			const seconds = new Set(known?.values);
			const isEmitted = observed.passesFilters && isDueNow(observed, times.now);
			if (isEmitted) seconds.add(secondOf(observed));
			if (seconds.size === 0) return { values: [], until: undefined };
			const values = [...seconds];
			const latest = Number(max(values)) * SECOND;
			const lasts = isEnd ? offsetMs + LATEST_MS + DAY : STARTED_REMEMBERED_MS;
			return { values, until: dayOf(latest + lasts) };
		},
	};
}

function isDueNow(observed: Observed, now: number): boolean {
	const at = Number(observed.at);
	return at <= now && at > now - LATEST_MS;
}

/** Whether a booking had started before it could be *starting soon*. */
function isStartMissed(observed: Observed, start: number, times: Times): boolean {
	if (start > times.now) return false;
	// The last poll emitted what had started by then.
	if (start <= times.dueReportedUpTo) return true;
	const madeAt = observed.created?.ms ?? -Infinity;
	return madeAt >= start;
}
