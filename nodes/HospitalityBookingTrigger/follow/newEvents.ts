/** Why a record is emitted, or not. */
import sortBy from 'lodash/sortBy';

import { type Feed, observe } from '../events/observe';
import type { Known, Observed, Times } from '../events/rule';
import { SHOWN_LATE_MS } from '../events/rules/remembered';
import { Memory } from '../state/memory';
import type { Position } from '../state/stored';
import { wasSeenBefore } from './alreadySeen';
import { newestOfEach } from './changeOrder';
import { type Emission, emissionOf, isCreation } from './buildEmission';
import { FULL, UNDATED, clockNotices, unreadableNotices } from './notices';
import type { Notice, PollResponse } from './pollResponse';
import { nextPosition } from './position';
import { countPolls, selfStartNotices } from './selfStart';

/** What a poll comes to. */
interface PollResult {
	/** Where the next poll goes on. */
	position: Position;
	/** What to emit, oldest first. */
	emit: Emission[];
	notices: Notice[];
}

/** Finds what is new in what was returned. The same input gives the same result. */
export function findNewEvents(response: PollResponse, feed: Feed): PollResult {
	const { position } = response;
	const times = timesOf(response, feed);
	const memory = new Memory(position.memory, feed.rule, times);
	const watermark = position.isBaseline ? 0 : position.watermark;
	const changes = observe(response.changes, feed, watermark);
	const due = observe(response.due?.records ?? [], feed);
	const baseline = observe(response.baseline?.records ?? [], feed);

	// A 'Start From' may lie in the future.
	const hasStarted = !position.isBaseline && response.now >= position.newSince;
	const found = new NewEvents(feed, times, memory, hasStarted);
	const listed = changes.observed.concat(due.observed);
	for (const observed of newestOfEach(listed)) {
		found.look(observed);
	}

	const next = nextPosition(response, changes.observed, feed);
	rememberBaseline(baseline.observed, memory, response, next);
	const { text, forgotten } = memory.store(next.watermark);
	next.memory = text;
	next.newSince = Math.max(next.newSince, forgotten ?? 0);
	next.pollsInARow = countPolls(position.pollsInARow, found.ids);
	const unreadable = changes.unreadable.concat(due.unreadable, baseline.unreadable);
	const notices = response.notices.concat(
		unreadableNotices(unreadable),
		clockNotices(response, changes.observed),
		selfStartNotices(next.pollsInARow, feed.kind.name),
	);
	if (found.hasUnjudged) notices.push(UNDATED);
	if (forgotten !== undefined) notices.push(FULL);
	return {
		position: next,
		emit: sortBy(found.emit, ({ time }) => time ?? Infinity),
		notices,
	};
}

/** Looks for events among records, one after the other. */
class NewEvents {
	readonly emit: Emission[] = [];
	/** The IDs of the records to emit. */
	readonly ids: string[] = [];
	/** Whether there is a new record of which nobody can know if it is the event, as there is no date of its creation. */
	hasUnjudged = false;

	/** @param hasStarted otherwise records are remembered, and none is emitted */
	constructor(
		private readonly feed: Feed,
		private readonly times: Times,
		private readonly memory: Memory,
		private readonly hasStarted: boolean,
	) {}

	/** Emits a record if it is new, and remembers it as it is now. */
	look(observed: Observed): void {
		const { zone } = this.feed.choice;
		const known = this.memory.find(observed.id);
		if (known && wasSeenBefore(observed, known, zone)) return;
		const before = known ?? this.initiallyKnown(observed);
		const passes = this.hasStarted && observed.passesFilters;
		if (passes) this.judge(observed, known, before);
		this.memory.remember(observed, before);
	}

	/**
	 * @param known what was remembered of the record
	 * @param before the same or, of a new booking, the values that every booking is made with
	 */
	private judge(observed: Observed, known: Known | undefined, before: Known | undefined): void {
		const { rule } = this.feed;
		const isUndated = observed.madeAtLatest === undefined;
		if (rule.needsCreation && isUndated && !known) this.hasUnjudged = true;
		if (observed.at === undefined) return;
		if (!rule.emits(observed, before, this.times)) return;
		const emission = emissionOf(observed, before, rule);
		emission.isCreation = false;
		if (!known) emission.isCreation = isCreation(observed, this.times.watermark);
		this.emit.push(emission);
		this.ids.push(observed.id);
	}

	/** A booking that was made after `newSince` starts from known values, so its first change can be compared. */
	private initiallyKnown(observed: Observed): Known | undefined {
		const { initialValues } = this.feed.rule;
		const madeAt = observed.madeAtLatest ?? -Infinity;
		const isNew = madeAt >= this.times.newSince;
		if (!initialValues || !isNew) return undefined;
		return {
			newest: 0,
			versions: [],
			values: initialValues,
		};
	}
}

function timesOf(response: PollResponse, feed: Feed): Times {
	const { now, position } = response;
	const { watermark, newSince, dueReportedUpTo, unread } = position;
	return {
		now,
		watermark,
		newSince: Math.max(newSince, watermark - SHOWN_LATE_MS),
		dueReportedUpTo: dueReportedUpTo - feed.choice.overlapMs,
		unreadTo: unread?.to ?? 0,
	};
}

/**
 * Remembers what was there from the beginning. What has changed since is not remembered yet: the next poll lists it, and it may be new.
 * In the first poll, only what was made while it read has changed since.
 */
function rememberBaseline(
	records: readonly Observed[],
	memory: Memory,
	response: PollResponse,
	{ watermark, newSince }: Position,
): void {
	const { position, now } = response;
	let madeSince = 0;
	if (position.isBaseline) madeSince = Math.max(newSince, now);
	for (const observed of newestOfEach(records)) {
		const { id, changed, madeAtLatest = madeSince } = observed;
		if (memory.find(id)) continue;
		const isListedNext = changed !== null && changed.ms >= watermark;
		const mayBeNew = madeAtLatest >= madeSince;
		if (isListedNext && mayBeNew) continue;
		memory.remember(observed, undefined);
	}
}
