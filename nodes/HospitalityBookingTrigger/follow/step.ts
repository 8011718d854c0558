import sortBy from 'lodash/sortBy';

import { DAY, MINUTE, SECOND } from '../../shared/values/timestamp';
import type { Changes, Feed, Known, Observed, Times } from '../feeds/feed';
import { DAYS_REMEMBERED, HELD_MS } from '../feeds/rules';
import { IdRanges } from '../state/idRanges';
import type { NoticeKind, Position } from '../state/stored';
import { type Memory, Table } from '../state/table';
import { NEVER } from './begin';
import { SKEW_MS, isStale, newestOf, overlapAt } from './clock';

/** Timestamps further ahead of the service's clock are reported. */
const ODD_MS = 10 * MINUTE;
const MAX_NAMED = 5;
/** Failures of an initial period that is read once the service shows something. */
export const WAITING = -1;

export interface FollowSettings {
	feed: Feed;
	overlapMs: number;
}

/** What the service was asked for in one poll, and what it returned. */
export interface Asked {
	/** Where the poll started from. */
	position: Position;
	/** The service's clock, and n8n's. */
	now: number;
	hostNow: number;
	/** Whether the service told its clock. */
	isDated: boolean;
	/** The records changed since the position. */
	changes: readonly unknown[];
	/** Of an event at a booking's own time: the bookings up to `edge`. */
	crossing?: { records: readonly unknown[]; edge: number };
	/** What was read of the initial period, and what is left. */
	learned?: { records: readonly unknown[]; unread: Position['unread'] };
	longest: Position['longest'];
	/** Whether all was listed that has changed since the position. */
	isWhole: boolean;
	/** Where the service's clock was set back, what lies ahead of it was seen up to there; otherwise 0. */
	seenUpTo: number;
	notices: Notice[];
}

export interface Notice {
	kind: NoticeKind;
	text: string;
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
export function step(asked: Asked, { feed, overlapMs }: FollowSettings): Step {
	const { position, now, changes, crossing, learned } = asked;
	const memory = memoryOf(feed, position);
	const page = feed.observe(changes, position.isBaseline ? 0 : position.from);
	const own = feed.observe(crossing?.records ?? [], 0);
	const read = feed.observe(learned?.records ?? [], 0);
	const times: Times = {
		now,
		from: position.from,
		since: Math.max(position.since, position.from - HELD_MS),
		polled: position.polled.service - overlapMs,
		hasRead: !position.unread,
	};
	const isKnown = ({ changed }: Observed) =>
		position.isBaseline && !(changed && changed.ms >= position.since);
	const wasSeen = ({ changed }: Observed) =>
		changed !== null && changed.ms >= now + SECOND && changed.ms < asked.seenUpTo;
	const remember = (one: Observed, known: Known | undefined) => {
		const kept = feed.rule.keeps?.(one, known, times) ?? one;
		memory.remember(
			{ ...one, values: kept.values, until: kept.until },
			believed(one, now),
			position.isBaseline ? 0 : position.from,
		);
	};

	const [old, fresh] = [[], []] as [Observed[], Observed[]];
	for (const one of newestOfEach([...page.observed, ...own.observed])) (isKnown(one) ? old : fresh).push(one);
	for (const one of old) remember(one, memory.find(one.id));
	// Where not all is known from before, the lower IDs are.
	if (memory instanceof IdRanges && position.isBaseline && (position.from > 0 || position.since !== NEVER))
		memory.fill();

	const emit: Emission[] = [];
	for (const one of fresh) {
		const known = memory.find(one.id);
		if (known && (isStale(one, known, now, feed.zone) || known.versions.includes(one.version ?? '')))
			continue;
		const before = known ?? beginningOf(one, feed, times);
		if (one.wanted && one.at !== undefined && !wasSeen(one) && feed.rule.tells(one, before, times))
			emit.push(emissionOf(one, before, feed));
		remember(one, known);
	}

	const isEmpty = old.length + fresh.length === 0;
	const next = nextOf(asked, page.observed, isEmpty, feed, overlapMs);
	const madeSince = Math.max(next.since, position.isBaseline ? now : 0);
	for (const one of newestOfEach(read.observed)) {
		// The next poll lists what was made while this one read.
		const isListedNext = one.changed && one.changed.ms >= next.from && (one.madeBy ?? madeSince) >= madeSince;
		if (!memory.find(one.id) && !isListedNext) remember(one, undefined);
	}
	const { text, isFull, floor } = memory.store(next.from, Math.floor(next.from / DAY));
	return {
		position: { ...next, since: Math.max(next.since, floor), memory: text },
		emit: sortBy(emit, ({ time }) => time ?? Infinity),
		notices: [
			...asked.notices,
			...noticesOf([...page.unreadable, ...own.unreadable, ...read.unreadable], page.observed, now),
			...(isFull ? [FULL] : []),
		],
	};
}

/**
 * A list of examples for trying a workflow, in no order: nothing is known, and all is read.
 *
 * @param now by n8n's clock
 */
export function samplesOf(page: readonly unknown[], feed: Feed, now: number): Emission[] {
	const times: Times = { now, from: 0, since: 0, polled: 0, hasRead: true };
	return newestOfEach(feed.observe(page, 0).observed).flatMap((one) => {
		const values = feed.rule.begins ?? one.values;
		const known = { newest: 0, versions: [], values };
		if (!one.wanted || one.at === undefined) return [];
		const isOne =
			feed.rule.offsetMs !== undefined ||
			feed.rule.tells(one, feed.rule.begins ? known : undefined, times) ||
			((feed.rule.compares ?? []).length > 0 && !feed.rule.begins && !one.isAsMade);
		return isOne ? [emissionOf(one, known, feed)] : [];
	});
}

/** @returns the position that the next poll starts from, but for what is remembered */
function nextOf(
	{ position, now, hostNow, isDated, isWhole, crossing, learned, longest }: Asked,
	observed: readonly Observed[],
	isEmpty: boolean,
	feed: Feed,
	overlapMs: number,
): Position {
	const { isBaseline, since } = position;
	const reached = newestOf(observed, now) ?? 0;
	const newest =
		reached > (position.newest?.at ?? 0) ? { at: reached, service: now, host: hostNow } : position.newest;
	// Once the overlap has passed since the newest timestamp was first seen, whatever is still to be shown is later than that.
	const passed = newest ? Math.min(now - newest.service, hostNow - newest.host) - SKEW_MS : 0;
	const overlap = overlapAt(newest?.at ?? now, feed.zone, overlapMs);
	const isSettled = isDated && isWhole && reached === newest?.at && passed >= overlap;
	const from = Math.max(position.from, newest ? newest.at - (isSettled ? 0 : overlap) : 0);
	// A service that lists nothing may be silent for an hour: nothing proves that it would list what is due.
	const isAlive = crossing === undefined || observed.length + crossing.records.length > 0;
	const next: Position = {
		...position,
		from,
		newest,
		longest,
		polled: isAlive ? { service: now, host: hostNow } : position.polled,
		edge: isAlive ? (crossing?.edge ?? position.edge) : position.edge,
		forms: {
			changed: observed.findLast(({ changed }) => changed)?.changed?.text ?? position.forms.changed,
			edge: lastForm(crossing?.records ?? learned?.records ?? [], feed) ?? position.forms.edge,
		},
		unread: learned ? learned.unread : position.unread,
		compares: namesOf(feed),
	};
	if (!isBaseline) return next;
	// A service that is silent at first: what it shows later is new if it was made since.
	if (isEmpty) {
		const begun = since === NEVER ? Math.floor(now / SECOND) * SECOND : since;
		const { unread } = position;
		const isSilent = unread !== null && (learned?.records.length ?? 0) === 0;
		const silent = isSilent ? { ...unread, failures: WAITING } : next.unread;
		if (feed.rule.isById) return { ...next, from: 0, since: begun, unread: silent };
		return {
			...next,
			isBaseline: false,
			from: now - overlapAt(now, feed.zone, overlapMs),
			since: begun,
			unread: silent,
		};
	}
	return { ...next, isBaseline: false, since: since === NEVER ? from : since };
}

/** Of a record that was made since and was never seen, what it began with is known. */
function beginningOf({ madeBy }: Observed, { rule: { begins } }: Feed, { since }: Times): Known | undefined {
	return begins && madeBy !== undefined && madeBy >= since
		? { newest: 0, versions: [], values: begins }
		: undefined;
}

function namesOf({ rule: { compares = [] } }: Feed): string {
	return compares.join();
}

function memoryOf(feed: Feed, { memory, compares }: Position): Memory {
	if (feed.rule.isById) return new IdRanges(memory);
	const table = new Table(memory, DAYS_REMEMBERED);
	if (compares !== namesOf(feed)) table.forgetValues();
	return table;
}

/** The newest of each record, oldest change first; records without a timestamp come last. */
function newestOfEach(observed: readonly Observed[]): Observed[] {
	const newest = new Map<string, Observed>();
	for (const one of observed) {
		const other = newest.get(one.id);
		if (!other || compare(other, one) <= 0) newest.set(one.id, one);
	}
	return [...newest.values()].sort(compare);
}

function compare({ changed: a }: Observed, { changed: b }: Observed): number {
	if (!a || !b) return Number(!a) - Number(!b);
	return a.ms - b.ms || (a.finer < b.finer ? -1 : Number(a.finer > b.finer));
}

/** @returns the second since 1970 of a change; 0 for one ahead of the service's clock, which says nothing */
function believed({ changed }: Observed, now: number): number {
	return changed && changed.ms < now + SECOND ? Math.floor(changed.ms / SECOND) : 0;
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
	const earlier = compares.flatMap((name, index) =>
		shows.includes(name) ? [[name, before.values[index] ?? null] as const] : [],
	);
	return { ...emission, changes: { fields, before: Object.fromEntries(earlier) } };
}

function lastForm(records: readonly unknown[], { rule: { formOf } }: Feed): string | undefined {
	for (const record of records) {
		const form = formOf?.(record);
		if (form !== undefined) return form;
	}
	return undefined;
}

const FULL: Notice = {
	kind: 'full',
	text: 'more lies ahead than the trigger can remember: it has forgotten what was seen the longest ago',
};

function noticesOf(unreadable: readonly string[], observed: readonly Observed[], now: number): Notice[] {
	const notices: Notice[] = [];
	const names = [...new Set(unreadable)];
	if (names.length > 0) {
		const more = names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : '';
		notices.push({ kind: 'unreadable', text: `${names.slice(0, MAX_NAMED).join(', ')}${more}` });
	}
	const ahead = observed.find(({ changed }) => changed !== null && changed.ms > now + ODD_MS);
	if (ahead) {
		const when = `says that it was changed at ${ahead.changed?.text}, ahead of the service's clock`;
		notices.push({ kind: 'ahead', text: `a record ${when}: check 'Time Zone' in the credential` });
	}
	return notices;
}
