import { DAY, SECOND } from '../../shared/values/timestamp';
import type { Feed } from '../feeds/feed';
import type { Position } from '../state/stored';

/** Later than any record: what is there is known. */
export const NEVER = Number.MAX_SAFE_INTEGER;
/** How far back the first list goes: the clocks of the service and of n8n may differ by a day. */
export const BASELINE_MS = 2 * DAY;

/**
 * @param startAt what happened from then on counts as new; null: nothing that is there does
 * @param now by n8n's clock
 */
export function begin(feed: Feed, startAt: number | null, now: number): Position {
	const { isById = false, learns, offsetMs, compares = [] } = feed.rule;
	const earliest = startAt === null ? now - BASELINE_MS : startAt - SECOND;
	return {
		// Which customers are new is known from all there are.
		isBaseline: startAt === null || isById,
		from: isById ? 0 : earliest,
		since: startAt ?? NEVER,
		newest: null,
		polled: { service: startAt ?? now, host: now },
		edge: startAt === null || offsetMs === undefined ? null : startAt - offsetMs,
		forms: { changed: null, edge: null },
		longest: { count: 0, print: '', canAskOn: false },
		unread: learns && startAt !== null ? { ...learns(startAt), failures: 0 } : null,
		compares: compares.join(),
		memory: '',
	};
}

/**
 * What of a position depends on the service's clock at its first response, or on options that were changed since.
 *
 * @param now by the service's clock
 */
export function prepared(
	position: Position,
	{ rule: { learns, compares = [], offsetMs } }: Feed,
	now: number,
): Position {
	const isOther = position.compares !== compares.join();
	const mustLearn = learns && (isOther || (position.isBaseline && !position.unread));
	return {
		...position,
		edge: offsetMs === undefined ? null : (position.edge ?? now - offsetMs),
		unread: mustLearn ? { ...learns(now), failures: 0 } : learns ? position.unread : null,
	};
}
