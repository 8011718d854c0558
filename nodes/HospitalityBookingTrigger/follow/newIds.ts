import type { NewIdFeed } from '../feeds/feed';
import { numberOfKey } from '../keys';
import { packSeen, unpackSeen } from '../state/seen';
import type { ChangePosition } from '../state/stored';
import { DAY, SECOND } from '../timestamps';
import type { FollowSettings, Follower, Start, Step } from './step';
import {
	type Observed,
	candidatesOf,
	earliestOf,
	emissionOf,
	followTimestamps,
	localOf,
	nextFrom,
	resume,
} from './watermark';

/** So many ids are remembered of records that give no time to forget them by. */
const MAX_IDS = 1000;
/** How far back a beginning looks where the list of all records is too large: in each of them the newest record has changed. */
const LOOKS_BACK_MS = [Infinity, 730 * DAY, 90 * DAY, 7 * DAY];

/**
 * Follows records that carry no time of creation: new is one with a higher id than any before. `since` of the position is an
 * id; what is kept in `seen` are ids above it, with the second of their last change.
 */
export function followNewIds(feed: NewIdFeed, given: FollowSettings): Follower<ChangePosition> {
	const settings = { ...given, zone: feed.zone ?? given.zone };
	const begin = (phase: Start, now: number, nearer = 0): ChangePosition | undefined => {
		const back = LOOKS_BACK_MS[nearer];
		if (back === undefined) return undefined;
		const from = new Date(Math.max(0, earliestOf(phase, now) - back)).toISOString();
		return { from, since: 0, seen: '', phase };
	};
	return {
		...followTimestamps(feed, settings, begin, (position, observed, now) =>
			advance(position, observed, now, settings),
		),
		events: (page) => candidatesOf(feed.observe(page, settings.zone).observed).map((one) => emissionOf(one)),
	};
}

function advance(
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
	const seen = unpackSeen(position.seen);
	const unseen = candidatesOf(observed).filter(({ event }) => event.rank >= since && !seen.has(event.key));
	const room = phase.kind === 'baseline' ? Infinity : settings.maxItems;
	const [taken, waiting] = [unseen.slice(0, room), unseen.slice(room)];
	for (const { event, changed } of taken) seen.set(event.key, Math.floor((changed?.local ?? now) / SECOND));

	const resumed = resume(position, observed, settings.zone);
	const { from, asked } = nextFrom(resumed, observed, waiting[0]?.changed, now, settings);
	const ids = [...seen.keys()].map(numberOfKey).sort((a, b) => b - a);
	const oldestKept = ids[MAX_IDS - 1] ?? 0;
	const forgotten = [...seen]
		.map(([key, second]) => ({ id: numberOfKey(key), isAsked: second * SECOND >= asked }))
		.filter(({ id, isAsked }) => !isAsked || id < oldestKept);
	const reached = forgotten.reduce((id, one) => Math.max(id, one.id + 1), since);
	const next = waiting.reduce((id, { event }) => Math.min(id, event.rank), reached);
	for (const key of [...seen.keys()]) if (numberOfKey(key) < next) seen.delete(key);
	return {
		position: { from, since: next, seen: packSeen(seen), phase: running },
		emit: phase.kind === 'baseline' ? [] : taken.map((one) => emissionOf(one)),
	};
}

/** New is what has a higher id than every record last changed before a moment. */
function firstNewId(observed: readonly Observed[], at: number): number {
	const old = observed.filter(({ changed }) => !changed || changed.ms < at);
	return old.reduce((id, { event }) => Math.max(id, (event?.rank ?? -1) + 1), 0);
}
