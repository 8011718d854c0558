import { DAY, SECOND } from '../../shared/values/timestamp';
import type { Feed } from '../events/observe';
import type { Position } from '../state/stored';

/** How far back the first list goes: the clocks of the service and of n8n may differ by a day. */
const BASELINE_MS = 2 * DAY;

/**
 * What the first list is asked from.
 *
 * @param startAt what happened from then on counts as new; null: nothing that is there does
 * @param now by n8n's clock
 */
export function beginsFrom({ rule }: Feed, startAt: number | null, now: number): number {
	// Which customers are new is known from all there are.
	if (rule.isById) return 0;
	return startAt === null || startAt > now ? now - BASELINE_MS : startAt - SECOND;
}

/** @param now by the service's clock, as of the first list */
export function begin({ rule }: Feed, startAt: number | null, from: number, now: number): Position {
	const { isById = false, learns, offsetMs = 0 } = rule;
	const start = startAt ?? now;
	return {
		isBaseline: startAt === null || isById,
		from,
		since: startAt ?? 0,
		newest: { at: 0, seen: 0 },
		polled: start,
		edge: start - offsetMs,
		form: undefined,
		longest: 0,
		unread: learns ? { ...learns(start), failures: 0 } : null,
		memory: '',
	};
}
