import type { NewIdFeed } from '../feeds/feed';
import { numberOfKey } from '../keys';
import { packSeen, unpackSeen } from '../state/seen';
import type { ChangePosition } from '../state/stored';
import { DAY, SECOND } from '../timestamps';
import type { Emission, FollowSettings, Follower, Start } from './step';
import {
	type Candidate,
	type Observed,
	candidatesOf,
	earliestOf,
	emissionOf,
	isAhead,
	isImpossible,
	nextFrom,
	oddTimestamps,
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
	const over = (now: number) => begin({ kind: 'baseline' }, now) as ChangePosition;
	return {
		begin,
		ask: (position, now) => [isAhead(position, now) ? over(now).from : position.from],
		events: (page) => candidatesOf(feed.observe(page, settings.zone).observed).map((one) => emissionOf(one)),
		advance: (stored, page, now) => {
			const observation = feed.observe(page, settings.zone);
			const { observed, notices } = observation;
			notices.push(...oddTimestamps(observation, now, feed.nameOf));
			const isWrong = isImpossible(stored, observed, now);
			if (isWrong)
				notices.push(`the trigger had reached ${stored.from}, which is in the future: it has started over`);
			const position = isWrong ? over(now) : stored;
			const { phase } = position;
			if (observed.length === 0 && phase.kind !== 'running')
				return { position: { ...position, phase: { kind: 'running' } }, emit: [], notices };

			const since = phase.kind === 'since' ? firstNewId(observed, phase.at) : position.since;
			const resumed = resume(position, observed, settings.zone);
			const seen = unpackSeen(position.seen);
			const emit: Emission[] = [];
			const waiting: Candidate[] = [];
			for (const candidate of candidatesOf(observed)) {
				const { event, changed } = candidate;
				if (event.rank < since || seen.has(event.key)) continue;
				const goesOut = phase.kind !== 'baseline';
				if (goesOut && emit.length === settings.maxItems) {
					waiting.push(candidate);
					continue;
				}
				if (goesOut) emit.push(emissionOf(candidate));
				seen.set(event.key, Math.floor((changed?.local ?? now) / SECOND));
			}
			const { from, asked } = nextFrom(resumed, observed, waiting[0]?.changed, now, settings);
			const lowest = waiting.reduce((id, { event }) => Math.min(id, event.rank), Infinity);
			const ids = [...seen.keys()].map(numberOfKey).sort((a, b) => b - a);
			const kept = ids[MAX_IDS - 1] ?? 0;
			let reached = since;
			for (const [key, second] of seen) {
				const id = numberOfKey(key);
				if (second * SECOND < asked || id < kept) reached = Math.max(reached, id + 1);
			}
			const ranked = Math.min(reached, lowest);
			for (const key of [...seen.keys()]) if (numberOfKey(key) < ranked) seen.delete(key);
			const next: ChangePosition = { from, since: ranked, seen: packSeen(seen), phase: { kind: 'running' } };
			return { position: next, emit, notices };
		},
	};
}

/** New is what has a higher id than every record last changed before a moment. */
function firstNewId(observed: readonly Observed[], at: number): number {
	const old = observed.filter(({ changed }) => !changed || changed.ms < at);
	return old.reduce((id, { event }) => Math.max(id, (event?.rank ?? -1) + 1), 0);
}
