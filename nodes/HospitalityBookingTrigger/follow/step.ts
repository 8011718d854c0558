import pick from 'lodash/pick';
import sortBy from 'lodash/sortBy';
import zipObject from 'lodash/zipObject';

import { DAY, MINUTE, SECOND } from '../../shared/values/timestamp';
import { type Known, type Observed, type Times, type Value } from '../events/rule';
import { isAsMade } from '../events/kinds';
import { type Feed, observe } from '../events/observe';
import { HELD_MS } from '../events/rules/rules';
import { IdRanges } from '../state/idRanges';
import type { NoticeKind, Position } from '../state/stored';
import { Table } from '../state/table';
import { SKEW_MS, isStale, newestOf, overlapAt } from './clock';

/** Timestamps further ahead of the service's clock are reported. */
const ODD_MS = 10 * MINUTE;
const MAX_NAMED = 5;

export interface FollowSettings {
	feed: Feed;
	overlapMs: number;
}

/** What the service was asked for in one poll, and what it returned. */
export interface Asked {
	/** Where the poll started from. */
	position: Position;
	/** The service's clock. */
	now: number;
	/** The records changed since the position. */
	changes: readonly unknown[];
	/** Of an event at a booking's own time: the bookings up to `edge`. */
	crossing: { records: readonly unknown[]; edge: number } | undefined;
	/** What was read of the initial period, and what is left. */
	learned: { records: readonly unknown[]; unread: Position['unread'] } | undefined;
	longest: number;
	notices: Notice[];
}

export interface Notice {
	kind: NoticeKind;
	text: string;
}

/** What is different from what was last seen. */
export interface Changes {
	fields: string[];
	/** The earlier values, changed or not. */
	before: Record<string, Value>;
}

/** A record to emit, and its event. */
export interface Emission {
	record: unknown;
	/** Stands for the event. */
	key: string;
	/** When the event happened, in milliseconds since 1970; null if unknown. */
	time: number | null;
	/** What has changed, if emitted with the record; null if nothing was seen before. */
	changes?: Changes | null;
}

/** The result of one poll. */
export interface Step {
	position: Position;
	/** Oldest first. */
	emit: Emission[];
	notices: Notice[];
}

/** What is new in what was returned, and where the next poll goes on. The same input gives the same step. */
export function step(asked: Asked, settings: FollowSettings): Step {
	const { position, now, changes, crossing, learned } = asked;
	const { feed, overlapMs } = settings;
	const { isBaseline, from, since } = position;
	const memory = new (feed.rule.isById ? IdRanges : Table)(position.memory);
	const page = observe(changes, feed, isBaseline ? 0 : from);
	const due = observe(crossing?.records ?? [], feed);
	const read = observe(learned?.records ?? [], feed);
	const times: Times = {
		...{ now, from, since: Math.max(since, from - HELD_MS) },
		polled: position.polled - overlapMs,
		unreadTo: position.unread?.to ?? 0,
	};
	const remember = (one: Observed, known: Known | undefined) =>
		memory.remember({ ...one, ...feed.rule.keeps?.(one, known, times) }, times);

	const emit: Emission[] = [];
	// A 'Start From' may lie in the future.
	const hasStarted = !isBaseline && now >= since;
	for (const one of newestOfEach([...page.observed, ...due.observed])) {
		const known = memory.find(one.id);
		if (
			known &&
			(isStale(one, known, feed.choice.zone) || known.versions.includes(one.version ?? ''))
		)
			continue;
		const before = known ?? beginningOf(one, feed, times);
		if (hasStarted && one.wanted && one.at !== undefined && feed.rule.tells(one, before, times))
			emit.push(emissionOf(one, before, feed));
		remember(one, known);
	}

	const next = nextOf(asked, page.observed, settings);
	const madeSince = Math.max(next.since, isBaseline ? now : 0);
	for (const one of newestOfEach(read.observed)) {
		// The next poll lists what was made while this one read.
		const isListedNext =
			one.changed && one.changed.ms >= next.from && (one.madeBy ?? madeSince) >= madeSince;
		if (!memory.find(one.id) && !isListedNext) remember(one, undefined);
	}
	const { text, forgotten } = memory.store(next.from, Math.floor(next.from / DAY));
	const unreadable = [page, due, read].flatMap((one) => one.unreadable);
	return {
		position: { ...next, since: Math.max(next.since, forgotten ?? 0), memory: text },
		emit: sortBy(emit, ({ time }) => time ?? Infinity),
		notices: [
			...asked.notices,
			...noticesOf(unreadable, page.observed, now),
			...(forgotten === undefined ? [] : [{ kind: 'full', text: FULL } as const]),
		],
	};
}

/**
 * A list of examples for trying a workflow, in no order: nothing is known, and all is read.
 *
 * @param now by n8n's clock
 */
export function samplesOf(page: readonly unknown[], feed: Feed, now: number): Emission[] {
	const times: Times = { now, from: 0, since: 0, polled: 0, unreadTo: 0 };
	return newestOfEach(observe(page, feed).observed).flatMap((one) => {
		const { begins, offsetMs, compares, tells } = feed.rule;
		const known = { newest: 0, versions: [], values: begins ?? one.values };
		if (!one.wanted || one.at === undefined) return [];
		const isOne =
			offsetMs !== undefined ||
			tells(one, begins ? known : undefined, times) ||
			(compares && !begins && !isAsMade(one));
		return isOne ? [emissionOf(one, known, feed)] : [];
	});
}

/**
 * @param observed what has changed
 * @returns the position that the next poll starts from, but for what is remembered
 */
function nextOf(
	{ position, now, crossing, learned, longest }: Asked,
	observed: readonly Observed[],
	{ feed, overlapMs }: FollowSettings,
): Position {
	const { isBaseline, since } = position;
	const reached = newestOf(observed, now);
	const newest = reached > position.newest.at ? { at: reached, seen: now } : position.newest;
	const overlap = overlapAt(newest.at || now, feed.choice.zone, overlapMs);
	// Once the overlap has passed since the newest timestamp was first seen, whatever is still to be shown is later than that.
	const isSettled = reached === newest.at && now - newest.seen >= overlap + SKEW_MS;
	const from = Math.max(position.from, newest.at - (isSettled ? 0 : overlap));
	// A service that lists nothing may be silent for an hour: nothing proves that it would list what is due.
	const isAlive = crossing && observed.length + crossing.records.length > 0;
	const edge = isAlive ? crossing.edge : position.edge;
	// What was left of the crossing had not been told by this poll.
	const isWhole = !crossing || edge === now - (feed.rule.offsetMs ?? 0);
	const next: Position = {
		...{ ...position, from, newest, longest, edge },
		polled: isWhole ? now : position.polled,
		form: observed.findLast(({ changed }) => changed)?.changed?.text ?? position.form,
		unread: learned ? learned.unread : position.unread,
	};
	if (!isBaseline) return next;
	if (observed.length > 0) return { ...next, isBaseline: false, since: Math.max(since, from) };
	if (feed.rule.isById) return next;
	// A service that is silent at first: what it shows later is new if it was made since.
	const begun = Math.floor(now / SECOND) * SECOND;
	return { ...next, isBaseline: false, from: now - overlap, since: begun };
}

/** Of a record that was made since and was never seen, what it began with is known. */
function beginningOf(
	{ madeBy }: Observed,
	{ rule: { begins } }: Feed,
	{ since }: Times,
): Known | undefined {
	return begins && madeBy !== undefined && madeBy >= since
		? { newest: 0, versions: [], values: begins }
		: undefined;
}

/** The newest of each record, oldest change first; records without a timestamp come last. */
function newestOfEach(observed: readonly Observed[]): Observed[] {
	const byTime = sortBy(observed, ({ changed }) => changed?.ms ?? Infinity);
	return [...new Map(byTime.map((one) => [one.id, one])).values()];
}

function emissionOf(
	one: Observed,
	before: Known | undefined,
	{ rule: { compares = [], shows } }: Feed,
): Emission {
	const { record, key, at = null, values } = one;
	const emission = { record, key, time: at };
	if (!shows) return emission;
	if (!before || before.values.length === 0) return { ...emission, changes: null };
	const fields = compares.filter((_name, index) => values[index] !== before.values[index]);
	const earlier = pick(zipObject(compares, before.values), shows);
	return { ...emission, changes: { fields, before: earlier } };
}

const FULL =
	'more lies ahead than the trigger can remember: it has forgotten what was seen the longest ago';

function noticesOf(
	unreadable: readonly string[],
	observed: readonly Observed[],
	now: number,
): Notice[] {
	const notices: Notice[] = [];
	if (unreadable.length > 0)
		notices.push({
			kind: 'unreadable',
			text: [...new Set(unreadable)].slice(0, MAX_NAMED).join(', '),
		});
	const ahead = observed.find(({ changed }) => changed !== null && changed.ms > now + ODD_MS);
	if (ahead) {
		const when = `says that it was changed at ${ahead.changed?.text}, ahead of the service's clock`;
		notices.push({ kind: 'ahead', text: `a record ${when}: check 'Time Zone' in the credential` });
	}
	return notices;
}
