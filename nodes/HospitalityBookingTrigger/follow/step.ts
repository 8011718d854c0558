import mapValues from 'lodash/mapValues';
import pick from 'lodash/pick';
import sortBy from 'lodash/sortBy';
import zipObject from 'lodash/zipObject';

import { isAsMade } from '../events/kinds';
import { type Feed, KEY_LENGTH, observe } from '../events/observe';
import {
	type Known,
	type Observed,
	type Rule,
	type Times,
	type Value,
	hashKey,
} from '../events/rule';
import { SHOWN_LATE_MS } from '../events/rules/remembered';
import { Memory } from '../state/memory';
import type { Position } from '../state/stored';
import { isStale } from './clock';
import { countPolls, echoNotices } from './echo';
import { nextPosition } from './next';
import { FULL, UNDATED, clockNotices, unreadableNotices } from './notices';
import type { FollowSettings, Notice, PollResponse } from './pollResponse';

/** What is different from what was last seen. */
export interface WhatChanged {
	fields: string[];
	/** The earlier values, changed or not. */
	before: Record<string, Value>;
	/** The same values as they are now. */
	now: Record<string, Value>;
	/** What a person is told of it in a test. */
	note?: string;
}

/** A record to emit, and its event. */
export interface Emission {
	record: unknown;
	/** Stands for the event. */
	key: string;
	/** When the event happened, in milliseconds since 1970; null if unknown. */
	time: number | null;
	/** What has changed, if emitted with the record; null if nothing was seen before. */
	changes?: WhatChanged | null;
	/** Whether it is that the record was made; undefined if nobody can know. */
	isCreation?: boolean | undefined;
}

/** The result of one poll. */
export interface Step {
	position: Position;
	/** Oldest first. */
	emit: Emission[];
	notices: Notice[];
}

/** What is new in what was returned, and where the next poll goes on. The same input gives the same step. */
export function step(response: PollResponse, settings: FollowSettings): Step {
	const { position, now } = response;
	const { feed } = settings;
	const times = timesOf(response, settings);
	const memory = new Memory(position.memory, feed.rule, times);
	const changes = observe(response.changes, feed, position.isBaseline ? 0 : position.watermark);
	const due = observe(response.due?.records ?? [], feed);
	const baseline = observe(response.baseline?.records ?? [], feed);

	const found = findEvents([...changes.observed, ...due.observed], memory, {
		feed,
		times,
		// A 'Start From' may lie in the future.
		hasStarted: !position.isBaseline && now >= position.newSince,
	});

	const next = nextPosition(response, changes.observed, settings);
	const madeSince = Math.max(next.newSince, position.isBaseline ? now : 0);
	for (const observed of newestOfEach(baseline.observed)) {
		// The next poll lists what was made while this one read.
		const isListedNext =
			isChangedSince(observed, next.watermark) && (observed.madeBy ?? madeSince) >= madeSince;
		if (!memory.find(observed.id) && !isListedNext) memory.remember(observed, undefined);
	}
	const { text, forgotten } = memory.store(next.watermark);
	const unreadable = [...changes.unreadable, ...due.unreadable, ...baseline.unreadable];
	const pollsInARow = countPolls(position.pollsInARow, found.ids);
	const notices = [
		...response.notices,
		...unreadableNotices(unreadable),
		...clockNotices(response, changes.observed),
		...echoNotices(pollsInARow, feed.kind.name),
	];
	if (found.hasUnjudged) notices.push(UNDATED);
	if (forgotten !== undefined) notices.push(FULL);
	const newSince = Math.max(next.newSince, forgotten ?? 0);
	return {
		position: { ...next, newSince, pollsInARow, memory: text },
		emit: sortBy(found.emit, ({ time }) => time ?? Infinity),
		notices,
	};
}

/** Looks for events among records, and remembers each as it is now. */
function findEvents(
	records: readonly Observed[],
	memory: Memory,
	{ feed, times, hasStarted }: { feed: Feed; times: Times; hasStarted: boolean },
): { emit: Emission[]; ids: string[]; hasUnjudged: boolean } {
	const emit: Emission[] = [];
	const ids: string[] = [];
	let hasUnjudged = false;
	for (const observed of newestOfEach(records)) {
		const known = memory.find(observed.id);
		if (known && hasBeenSeen(observed, known, feed)) continue;
		const before = known ?? initiallyKnown(observed, feed.rule, times);
		if (hasStarted && isEvent(observed, before, feed.rule, times)) {
			const emission = emissionOf(observed, before, feed.rule);
			emission.isCreation = isCreation(observed, known, times.watermark);
			emit.push(emission);
			ids.push(observed.id);
		}
		hasUnjudged ||= hasStarted && !known && isUnjudged(observed, feed.rule);
		memory.remember(observed, before);
	}
	return { emit, ids, hasUnjudged };
}

/**
 * A list of examples for trying a workflow, in no order: nothing is known, and all is read.
 *
 * @param now by n8n's clock
 */
export function samplesOf(list: readonly unknown[], feed: Feed, now: number): Emission[] {
	const times: Times = { now, watermark: 0, newSince: 0, dueReportedUpTo: 0, unreadTo: 0 };
	const { initialValues, offsetMs, comparedFields } = feed.rule;
	const samples: Emission[] = [];
	for (const observed of newestOfEach(observe(list, feed).observed)) {
		const known = { newest: 0, versions: [], values: initialValues ?? observed.values };
		const hasHappened = observed.passesFilters && observed.at !== undefined;
		const isOfEvent =
			offsetMs !== undefined ||
			feed.rule.emits(observed, initialValues && known, times) ||
			(comparedFields && !initialValues && !isAsMade(observed));
		if (hasHappened && isOfEvent) samples.push(sampleOf(observed, known, feed.rule));
	}
	return samples;
}

function timesOf({ position, now }: PollResponse, { overlapMs }: FollowSettings): Times {
	return {
		now,
		watermark: position.watermark,
		newSince: Math.max(position.newSince, position.watermark - SHOWN_LATE_MS),
		dueReportedUpTo: position.dueReportedUpTo - overlapMs,
		unreadTo: position.unread?.to ?? 0,
	};
}

function hasBeenSeen(observed: Observed, known: Known, { choice }: Feed): boolean {
	if (isStale(observed, known, choice.zone)) return true;
	return observed.version !== undefined && known.versions.includes(observed.version);
}

function isEvent(observed: Observed, before: Known | undefined, rule: Rule, times: Times): boolean {
	if (!observed.passesFilters || observed.at === undefined) return false;
	return rule.emits(observed, before, times);
}

/** Whether nobody can know if a record that passes the filters is the event, as there is no date of its creation. */
function isUnjudged({ madeBy, passesFilters }: Observed, { needsCreation }: Rule): boolean {
	return needsCreation === true && madeBy === undefined && passesFilters;
}

function isChangedSince({ changed }: Observed, watermark: number): boolean {
	return changed !== null && changed.ms >= watermark;
}

/** A booking created after publication starts from known values, so its first change can be compared. */
function initiallyKnown(
	{ madeBy }: Observed,
	{ initialValues }: Rule,
	{ newSince }: Times,
): Known | undefined {
	if (!initialValues || madeBy === undefined || madeBy < newSince) return undefined;
	return { newest: 0, versions: [], values: initialValues };
}

/** The newest of each record, oldest change first; records without a timestamp come last. */
function newestOfEach(observed: readonly Observed[]): Observed[] {
	const byId = new Map<string, Observed>();
	for (const record of sortBy(observed, ({ changed }) => changed?.ms ?? Infinity))
		byId.set(record.id, record);
	return [...byId.values()];
}

/**
 * @param watermark what was made before was seen then, in milliseconds since 1970
 * @returns whether a record has just been made; undefined if nobody can know
 */
function isCreation(
	observed: Observed,
	known: Known | undefined,
	watermark: number,
): boolean | undefined {
	if (known) return false;
	if (observed.madeBy === undefined) return undefined;
	return isAsMade(observed) || observed.madeBy >= watermark;
}

function emissionOf(observed: Observed, before: Known | undefined, rule: Rule): Emission {
	const { record, at = null, values } = observed;
	const more = rule.keyOf?.(observed, before) ?? '';
	const key = more === '' ? observed.key : hashKey(`${observed.key}|${more}`, KEY_LENGTH);
	const { comparedFields = [], changesShown } = rule;
	const emission: Emission = { record, key, time: at };
	if (!changesShown) return emission;
	if (!before || before.values.length === 0) return { ...emission, changes: null };
	const changes: WhatChanged = {
		fields: comparedFields.filter((_name, index) => values[index] !== before.values[index]),
		before: pick(zipObject(comparedFields, before.values), changesShown),
		now: pick(zipObject(comparedFields, values), changesShown),
	};
	return { ...emission, changes };
}

/** A test knows no earlier values, but those that every booking is made with. */
function sampleOf(observed: Observed, initially: Known | undefined, rule: Rule): Emission {
	const emission = emissionOf(observed, initially, rule);
	emission.isCreation = isCreation(observed, undefined, Infinity);
	if (!emission.changes || rule.initialValues) return emission;
	if (isAsMade(observed)) return { ...emission, changes: null };
	const { now } = emission.changes;
	const changes = { fields: [], before: mapValues(now, () => null), now, note: NO_EARLIER_VALUES };
	return { ...emission, changes };
}

const NO_EARLIER_VALUES =
	"A test knows no earlier values yet. In the items of the published workflow 'before' has them, and 'fields' names what differs.";
