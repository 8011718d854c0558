import type { ChangeFeed } from '../feeds/feed';
import { DAYS_REMEMBERED, Memory } from '../state/known';
import type { ChangePosition } from '../state/stored';
import { DAY, HOUR, SECOND, writeLocal } from '../../shared/values/timestamp';
import { stepByIds } from './newIds';
import type { Emission, FollowSettings, Follower, Learned, Start, Step } from './step';
import {
	type Candidate,
	type Observed,
	WIDEST_ZONES_MS,
	candidatesOf,
	emissionOf,
	localOf,
	nextFrom,
	oldestFirst,
	resume,
} from './watermark';

/** The service returns what changed *after* a moment: asking from a second earlier includes equal timestamps. */
const TIE_MS = SECOND;
/** Twice the tolerated difference between the service's clock and n8n's: a baseline includes nothing older. */
const CLOCK_TOLERANCE_MS = 48 * HOUR;
/** Timestamps further ahead of n8n's clock are reported. */
const ODD_MS = 24 * HOUR;
/** Emitting older events is reported: there were no polls for so long, or the position is wrong. */
const FAR_BACK_MS = 60 * DAY;
/** Later bookings are remembered once they change. */
const BASELINE_AHEAD_MS = 730 * DAY;
/** How far back a start by IDs looks if the list of all records is too large; the newest record has changed in each. */
const LOOKS_BACK_MS = [730 * DAY, 90 * DAY, 7 * DAY];

/** Follows records by the service's own timestamps: their changes, or the new ones among them. */
export function followChanges(feed: ChangeFeed, given: FollowSettings): Follower<ChangePosition> {
	const settings = { ...given, zone: feed.zone ?? given.zone };
	const isById = feed.kind === 'newIds';
	const observe = (page: readonly unknown[]) => feed.observe(page, settings.zone);
	const beginAt = (phase: Start, now: number, back: number): ChangePosition => {
		const earliest = phase.kind === 'baseline' ? now - CLOCK_TOLERANCE_MS : phase.at - TIE_MS;
		return { from: new Date(Math.max(0, earliest - back)).toISOString(), since: 0, seen: {}, phase };
	};
	const begin = (start: Start, now: number) => beginAt(start, now, isById ? Infinity : 0);
	return {
		begin,
		beginNearer: (start, now) => (isById ? LOOKS_BACK_MS.map((back) => beginAt(start, now, back)) : []),
		ask: (position, now) => {
			const { from, phase } = isAhead(position, now) ? begin({ kind: 'baseline' }, now) : position;
			// The baseline must include all that the next poll asks for, whatever the zone of local times turns out to be.
			const isWide = phase.kind === 'baseline' && !feed.zone;
			return [isWide ? writeLocal(from, localOf(from) - WIDEST_ZONES_MS) : from];
		},
		unread: ({ known }, now) => {
			if (!feed.compares) return undefined;
			return known ? known.unread : { from: now - DAYS_REMEMBERED * DAY, to: now + BASELINE_AHEAD_MS };
		},
		compares: (records) => observe(records).observed.some(({ compared }) => compared),
		advance: (position, page, now, learned) => {
			const { observed, notices } = observe(page);
			const reached = localOf(position.from);
			const isWrong =
				isAhead(position, now) && !observed.some(({ changed }) => changed && changed.local >= reached);
			const begun = isWrong ? { ...begin({ kind: 'baseline' }, now), known: position.known } : position;
			const step = isById
				? stepByIds(begun, observed, now, settings)
				: stepByTimes(begun, observed, learned, now, feed, settings);
			for (const { record, changed } of observed) {
				if (!changed || changed.ms <= now + ODD_MS) continue;
				const when = `says that it was changed at ${changed.text}, more than a day ahead of n8n's clock`;
				notices.push(`${feed.nameOf(record)} ${when}`);
			}
			if (isWrong)
				notices.push(`the trigger had reached ${position.from}, which was in the future, so it started over`);
			const oldest = step.emit[0]?.time;
			if (position.phase.kind === 'running' && oldest && oldest < now - FAR_BACK_MS)
				notices.push('the trigger resumed from more than 60 days ago and emitted what happened since');
			if (step.position.known?.isFull && !position.known?.isFull)
				notices.push('more bookings lie ahead than the trigger can remember: it has forgotten some');
			return { ...step, notices };
		},
		events: (page, isSample = false) =>
			candidatesOf(observe(page).observed).flatMap((one) =>
				isSample ? sampleOf(one, feed) : emissionOf(one, feed.compares?.isShown && null),
			),
	};
}

/** The position can be right and n8n's clock wrong: the service's response shows which. */
function isAhead({ from, phase }: ChangePosition, now: number): boolean {
	return phase.kind === 'running' && localOf(from) > now + CLOCK_TOLERANCE_MS;
}

/** What has changed in a response, and where the next poll continues. The same position and page give the same step. */
function stepByTimes(
	position: ChangePosition,
	observed: readonly Observed[],
	learned: Learned | undefined,
	now: number,
	{ compares, observe }: ChangeFeed,
	settings: FollowSettings,
): Omit<Step<ChangePosition>, 'notices'> {
	const { phase } = position;
	const read = observe(learned?.records ?? [], settings.zone).observed;
	const resumed = resume(position, [...observed, ...read], settings.zone);
	const since = phase.kind === 'since' ? resumed.inForm(phase.at) : position.since;
	const seen = new Map(Object.entries(position.seen));
	const memory = new Memory(position.known, compares?.hashed);
	// What is older than what was last seen of a record tells nothing new of it.
	for (const { event, compared } of [...observed, ...read].sort(oldestFirst).reverse()) {
		const isDealtWith = phase.kind === 'baseline' || !event || event.rank < since || seen.has(event.key);
		if (isDealtWith && compared && !memory.has(compared)) memory.remember(compared);
	}
	const unread = learned ? learned.unread : position.known?.unread;
	const known = (from: string) =>
		compares && { ...memory.store(Math.floor(localOf(from) / DAY)), ...(unread ? { unread } : {}) };
	if (observed.length === 0 && phase.kind !== 'running') {
		// Whatever comes is new; what changed at `from` itself has not been asked for.
		const next: Start = phase.kind === 'since' ? phase : { kind: 'since', at: localOf(position.from) + 1 };
		return { position: { ...position, phase: next, known: known(position.from) }, emit: [] };
	}

	const emit: Emission[] = [];
	const waiting: Candidate[] = [];
	for (const candidate of candidatesOf(observed)) {
		const { compared, event, wanted } = candidate;
		if (event.rank < since || seen.has(event.key)) continue;
		const changes = compared && memory.changesOf(compared, since);
		const isTold = !compared || !compares || compares.tells(changes, compared.now);
		if (wanted && isTold && phase.kind !== 'baseline') {
			if (emit.length === settings.maxItems) {
				waiting.push(candidate);
				continue;
			}
			emit.push(emissionOf(candidate, compares?.isShown && (changes ?? null)));
		}
		if (compared) memory.remember(compared);
		seen.set(event.key, Math.floor(event.rank / SECOND));
	}

	const { from, asked } = nextFrom(resumed, observed, waiting[0]?.changed, now, settings);
	const lowest = waiting.reduce((rank, { event }) => Math.min(rank, event.rank), Infinity);
	const ranked = Math.min(Math.max(since, asked), lowest);
	for (const [key, second] of seen) if (second * SECOND + SECOND - 1 < ranked) seen.delete(key);
	const next: ChangePosition = {
		from,
		since: ranked,
		seen: Object.fromEntries(seen),
		phase: { kind: 'running' },
		known: known(from),
	};
	return { position: next, emit };
}

/** For trying a workflow: compares the record with its initial values, or with itself. */
function sampleOf(candidate: Candidate, { compares }: ChangeFeed): Emission[] {
	const { compared, wanted } = candidate;
	if (!wanted) return [];
	if (!compared || !compares) return [emissionOf(candidate)];
	const { made, now } = compared;
	const memory = new Memory(undefined, compares.hashed);
	memory.remember(compared, made?.snapshot);
	const changes = memory.changesOf(compared, 0);
	return !made || compares.tells(changes, now) ? [emissionOf(candidate, compares.isShown && changes)] : [];
}
