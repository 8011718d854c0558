import max from 'lodash/max';

import { DAY, SECOND, readTimestamp } from '../../../shared/values/timestamp';
import { type Choice, isCalledOff } from '../kinds';
import type { Observed, Rule } from '../rule';
import { dayOf } from './remembered';

/** How late a due event is still emitted. */
export const LATEST_MS = 31 * DAY;
/** A booking that has started is remembered for so long, whatever happens to a clock. */
const STARTED_REMEMBERED_MS = 2 * DAY;

/** A booking whose start is near, or whose end has passed: once for each start or end. */
export function due(boundary: 'start' | 'end', choice: Choice): Rule {
	const isEnd = boundary === 'end';
	const offsetMs = isEnd ? choice.distanceMs : -choice.distanceMs;
	const timeOf = ({ at }: Observed) => Number(at) - offsetMs;
	const secondOf = (observed: Observed) => Math.floor(timeOf(observed) / SECOND);
	const isNow = ({ at }: Observed, now: number) =>
		Number(at) <= now && Number(at) > now - LATEST_MS;
	return {
		offsetMs,
		baselinePeriod: (now) => {
			if (isEnd) return { from: now - offsetMs - LATEST_MS, to: now - offsetMs };
			return { from: now, to: now - offsetMs };
		},
		read: ({ record }) => {
			const time = readTimestamp(record[boundary], choice.zone);
			if (!time) return boundary;
			if (isCalledOff(record, choice)) return {};
			return { at: time.ms + offsetMs, key: `${time.ms}` };
		},
		emits: (observed, known, { now, dueReportedUpTo, newSince, unreadTo }) => {
			if (!isNow(observed, now) || known?.values.includes(secondOf(observed))) return false;
			const time = timeOf(observed);
			const hasStarted = !isEnd && time <= now;
			// The last poll emitted what had started by then.
			if (hasStarted && time <= dueReportedUpTo) return false;
			// A booking that is created after its own start is not *starting soon*.
			if (hasStarted && observed.created && observed.created.ms >= time) return false;
			return time >= unreadTo || (observed.madeBy ?? 0) >= newSince;
		},
		remember: (observed, known, { now }) => {
			const seconds = new Set(known?.values);
			if (observed.passesFilters && isNow(observed, now)) seconds.add(secondOf(observed));
			const values = [...seconds];
			if (values.length === 0) return { values, until: undefined };
			const latest = Number(max(values)) * SECOND;
			const lasts = isEnd ? offsetMs + LATEST_MS + DAY : STARTED_REMEMBERED_MS;
			return { values, until: dayOf(latest + lasts) };
		},
	};
}
