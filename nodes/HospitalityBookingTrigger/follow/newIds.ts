import type { ChangePosition } from '../state/stored';
import { SECOND } from '../../shared/values/timestamp';
import type { FollowSettings, Step } from './step';
import {
	type Candidate,
	type Observed,
	WITNESSES,
	candidatesOf,
	emissionOf,
	localOf,
	nextFrom,
	resume,
} from './watermark';

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
	const candidates = candidatesOf(observed);
	const known = candidates.filter(
		({ changed }) =>
			phase.kind === 'baseline' || (phase.kind === 'since' && (!changed || changed.ms < phase.at)),
	);
	const seen = new Map(Object.entries(position.seen));
	const note = ({ event, changed }: Candidate) =>
		seen.set(event.key, Math.floor((changed?.local ?? now) / SECOND));
	known.forEach(note);
	// Of a beginning that not all records were asked for, every id up to the highest is known.
	const isPart = phase.kind === 'since' || (phase.kind === 'baseline' && localOf(position.from) > 0);
	const since = isPart ? confirmedId(known.map(({ event }) => event.rank)) + 1 : position.since;
	const unseen = candidates.filter(({ event }) => event.rank >= since && !seen.has(event.key));
	const [taken, waiting] = [unseen.slice(0, settings.maxItems), unseen.slice(settings.maxItems)];
	taken.forEach(note);

	const resumed = resume(position, observed, settings.zone);
	const { from, asked } = nextFrom(resumed, observed, waiting[0]?.changed, now, settings);
	const ids = [...seen.keys()].map(Number).sort((a, b) => b - a);
	const oldestKept = ids[MAX_IDS - 1] ?? 0;
	const forgotten = ids
		.slice(WITNESSES - 1)
		.filter((id) => (seen.get(String(id)) ?? 0) * SECOND < asked || id < oldestKept);
	const reached = Math.max(since, (forgotten[0] ?? -1) + 1);
	const next = waiting.reduce((id, { event }) => Math.min(id, event.rank), reached);
	for (const id of ids) if (id < next) seen.delete(String(id));
	return {
		position: { from, since: next, seen: Object.fromEntries(seen), phase: running },
		emit: taken.map((one) => emissionOf(one)),
	};
}

/** The third-highest id, or the lowest of fewer: higher ones are not believed yet, see {@link WITNESSES}. -1 for none. */
function confirmedId(ids: number[]): number {
	return (
		ids
			.sort((a, b) => b - a)
			.slice(0, WITNESSES)
			.at(-1) ?? -1
	);
}
