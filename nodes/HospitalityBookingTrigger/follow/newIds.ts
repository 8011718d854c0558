import max from 'lodash/max';

import type { ChangePosition } from '../state/stored';
import { SECOND } from '../../shared/values/timestamp';
import type { FollowSettings, Step } from './step';
import { type Observed, candidatesOf, emissionOf, localOf, nextFrom, resume } from './watermark';

/** IDs that are remembered of records without a time to forget them by. */
const MAX_IDS = 1000;

/**
 * Which records are new where they carry no time of creation: those with a higher id than any before. `since` of the position
 * is an id; what is kept in `seen` are ids above it, with the second of their last change.
 */
export function stepByIds(
	position: ChangePosition,
	observed: readonly Observed[],
	now: number,
	settings: FollowSettings,
): Omit<Step<ChangePosition>, 'notices'> {
	const { phase } = position;
	const running = { kind: 'running' } as const;
	if (observed.length === 0 && phase.kind !== 'running')
		return { position: { ...position, phase: running }, emit: [] };
	// Of a beginning that not all records were asked for, every id up to the highest is known.
	const isPart = phase.kind === 'baseline' && localOf(position.from) > 0;
	const knownUntil = phase.kind === 'since' ? phase.at : isPart ? Infinity : undefined;
	const since = knownUntil === undefined ? position.since : firstNewId(observed, knownUntil);
	const seen = new Map(Object.entries(position.seen));
	const unseen = candidatesOf(observed).filter(({ event }) => event.rank >= since && !seen.has(event.key));
	const room = phase.kind === 'baseline' ? Infinity : settings.maxItems;
	const [taken, waiting] = [unseen.slice(0, room), unseen.slice(room)];
	for (const { event, changed } of taken) seen.set(event.key, Math.floor((changed?.local ?? now) / SECOND));

	const resumed = resume(position, observed, settings.zone);
	const { from, asked } = nextFrom(resumed, observed, waiting[0]?.changed, now, settings);
	const ids = [...seen.keys()].map(Number).sort((a, b) => b - a);
	const oldestKept = ids[MAX_IDS - 1] ?? 0;
	const forgotten = ids.filter((id) => (seen.get(String(id)) ?? 0) * SECOND < asked || id < oldestKept);
	const reached = Math.max(since, (max(forgotten) ?? -1) + 1);
	const next = waiting.reduce((id, { event }) => Math.min(id, event.rank), reached);
	for (const id of ids) if (id < next) seen.delete(String(id));
	return {
		position: { from, since: next, seen: Object.fromEntries(seen), phase: running },
		emit: phase.kind === 'baseline' ? [] : taken.map((one) => emissionOf(one)),
	};
}

/** New is what has a higher id than every record last changed before a moment. */
function firstNewId(observed: readonly Observed[], at: number): number {
	const old = observed.filter(({ changed }) => !changed || changed.ms < at);
	return (max(old.map(({ event }) => event?.rank)) ?? -1) + 1;
}
