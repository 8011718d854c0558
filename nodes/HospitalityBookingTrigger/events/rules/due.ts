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
			if (isEnd) return { from: dueNow - LATEST_MS, to: dueNow };
			return { from: now, to: dueNow };
		},
		read: (facts) => {
			const time = readTimestamp(facts.record[boundary], choice.zone);
			if (!time) return boundary;
			if (isCanceledOrNoShow(facts.record, choice)) return {};
			return { at: time.ms + offsetMs, key: `${time.ms}` };
		},
		emits: (observed, known, times) => {
			if (!isDueNow(observed, times.now)) return false;
			const emitted = known?.values ?? [];
			if (emitted.includes(secondOf(observed))) return false;
			const time = timeOf(observed);
			if (!isEnd && isStartMissed(observed, time, times)) return false;
			const madeAt = observed.madeAtLatest ?? 0;
			return time >= times.unreadTo || madeAt >= times.newSince;
		},
		remember: (observed, known, times) => {
			const emitted = new Set(known?.values);
			const isEmitted = observed.passesFilters && isDueNow(observed, times.now);
			if (isEmitted) emitted.add(secondOf(observed));
			const values = Array.from(emitted);
			const latest = max(values);
			if (typeof latest !== 'number') return { values, until: undefined };
			const lasts = isEnd ? offsetMs + LATEST_MS + DAY : STARTED_REMEMBERED_MS;
			const until = dayOf(latest * SECOND + lasts);
			return { values, until };
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
