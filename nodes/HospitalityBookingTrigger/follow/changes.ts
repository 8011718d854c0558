import type { ChangeFeed } from '../feeds/feed';
import { DAYS_REMEMBERED, Memory, changesBetween } from '../state/known';
import { packSeen, unpackSeen } from '../state/seen';
import type { ChangePosition } from '../state/stored';
import { DAY, SECOND } from '../timestamps';
import type { Emission, FollowSettings, Follower, Learned, Start, Step } from './step';
import {
	type Candidate,
	type Observed,
	candidatesOf,
	earliestOf,
	emissionOf,
	followTimestamps,
	localOf,
	nextFrom,
	oldestFirst,
	resume,
} from './watermark';

/** Bookings that begin later are remembered once they change. */
const BASELINE_AHEAD_MS = 730 * DAY;

/** Follows the changes of records by the service's own timestamps. */
export function followChanges(feed: ChangeFeed, given: FollowSettings): Follower<ChangePosition> {
	const settings = { ...given, zone: feed.zone ?? given.zone };
	const observe = (page: readonly unknown[]) => feed.observe(page, settings.zone).observed;
	const begin = (phase: Start, now: number, nearer = 0): ChangePosition | undefined => {
		const from = new Date(earliestOf(phase, now)).toISOString();
		return nearer === 0 ? { from, since: 0, seen: '', phase } : undefined;
	};
	return {
		...followTimestamps(feed, settings, begin, (position, observed, now, learned) => {
			const read = learned && { ...learned, observed: observe(learned.records) };
			return advance(position, observed, read, now, feed, settings);
		}),
		unread: ({ known }, now) => {
			if (!feed.compares) return undefined;
			return known ? known.unread : { from: now - DAYS_REMEMBERED * DAY, to: now + BASELINE_AHEAD_MS };
		},
		compares: (records) => observe(records).some(({ compared }) => compared),
		events: (page, isSample = false) =>
			candidatesOf(observe(page)).flatMap((one) =>
				isSample ? sampleOf(one, feed) : emissionOf(one, feed.compares?.isShown && null),
			),
	};
}

/** What is new in a response, and where the next poll goes on. From the same position and page comes the same step. */
function advance(
	position: ChangePosition,
	observed: readonly Observed[],
	learned: (Pick<Learned, 'unread'> & { observed: readonly Observed[] }) | undefined,
	now: number,
	{ compares }: ChangeFeed,
	settings: FollowSettings,
): Omit<Step<ChangePosition>, 'notices'> {
	const { phase } = position;
	const resumed = resume(position, [...observed, ...(learned?.observed ?? [])], settings.zone);
	const since = phase.kind === 'since' ? resumed.inForm(phase.at) : position.since;
	const seen = unpackSeen(position.seen);
	const memory =
		compares && new Memory(position.known ?? { hashed: [...compares.hashed], records: {} }, compares.hashed);
	const remember = ({ compared }: Observed) => compared && memory?.remember(compared);
	for (const one of learned?.observed ?? []) {
		const isDealtWith =
			phase.kind === 'baseline' || (one.changed?.local ?? Infinity) < since || seen.has(one.event?.key ?? '');
		if (isDealtWith && one.compared && !memory?.has(one.compared)) remember(one);
	}
	[...observed].sort(oldestFirst).forEach((one) => {
		if (!one.event || one.event.rank < since) remember(one);
	});
	const unread = learned ? learned.unread : position.known?.unread;
	const known = (from: string) =>
		memory && { ...memory.store(Math.floor(localOf(from) / DAY)), ...(unread ? { unread } : {}) };
	if (observed.length === 0 && phase.kind !== 'running') {
		// Whatever comes is new; what changed at `from` itself has not been asked for.
		const next: Start = phase.kind === 'since' ? phase : { kind: 'since', at: localOf(position.from) + 1 };
		return { position: { ...position, phase: next, known: known(position.from) }, emit: [] };
	}

	const emit: Emission[] = [];
	const waiting: Candidate[] = [];
	for (const candidate of candidatesOf(observed)) {
		const { compared, event } = candidate;
		if (event.rank < since || seen.has(event.key)) continue;
		const before = compared && memory?.lastSeen(compared, since);
		const changes = before && changesBetween(before, compared.now, compares?.hashed ?? []);
		const goesOut =
			candidate.wanted &&
			phase.kind !== 'baseline' &&
			(!compared || !compares || compares.tells(changes, compared.now));
		if (goesOut && emit.length === settings.maxItems) {
			waiting.push(candidate);
			// By the next poll it is not told that it was made since.
			if (before) memory?.remember(compared, before);
			continue;
		}
		if (goesOut) emit.push(emissionOf(candidate, compares?.isShown && (changes ?? null)));
		remember(candidate);
		seen.set(event.key, Math.floor(event.rank / SECOND));
	}

	const { from, asked } = nextFrom(resumed, observed, waiting[0]?.changed, now, settings);
	const lowest = waiting.reduce((rank, { event }) => Math.min(rank, event.rank), Infinity);
	const ranked = Math.min(Math.max(since, asked), lowest);
	for (const [key, second] of seen) if (second * SECOND + SECOND - 1 < ranked) seen.delete(key);
	const next: ChangePosition = {
		from,
		since: ranked,
		seen: packSeen(seen),
		phase: { kind: 'running' },
		known: known(from),
	};
	return { position: next, emit };
}

/** For trying a workflow: what was last seen is what the record began with, or has. */
function sampleOf(candidate: Candidate, { compares }: ChangeFeed): Emission[] {
	const { compared, wanted } = candidate;
	if (!wanted) return [];
	if (!compared || !compares) return [emissionOf(candidate)];
	const { made, now } = compared;
	const changes = changesBetween(made?.snapshot ?? now, now, compares.hashed);
	return !made || compares.tells(changes, now) ? [emissionOf(candidate, compares.isShown && changes)] : [];
}
