/** Why a record is emitted, or not. */
import sortBy from 'lodash/sortBy';

import { type Feed, observe } from '../events/observe';
import type { Known, Observed, Times } from '../events/rule';
import { SHOWN_LATE_MS } from '../events/rules/remembered';
import { Memory } from '../state/memory';
import type { Position } from '../state/stored';
import { wasSeenBefore } from './alreadySeen';
import { newestOfEach } from './changeOrder';
import { type Emission, emissionOf, isCreation } from './emission';
import { FULL, UNDATED, clockNotices, unreadableNotices } from './notices';
import type { Notice, PollResponse } from './pollResponse';
import { nextPosition } from './position';
import { countPolls, selfStartNotices } from './selfStart';

/**
 * Finds what is new in what was returned. The same input gives the same result.
 *
 * @returns what to emit, oldest first, and where the next poll goes on
 */
export function findNewEvents(
	response: PollResponse,
	feed: Feed,
): { position: Position; emit: Emission[]; notices: Notice[] } {
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
	for (const observed of newestOfEach(listed)) found.look(observed);

	const next = nextPosition(response, changes.observed, feed);
	rememberBaseline(baseline.observed, memory, response, next);
	const { text, forgotten } = memory.store(next.watermark);
	next.memory = text;
	next.newSince = Math.max(next.newSince, forgotten ?? 0);
	next.pollsInARow = countPolls(position.pollsInARow, found.ids);
	const notices = response.notices.concat(
		unreadableNotices(changes.unreadable.concat(due.unreadable, baseline.unreadable)),
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
		const known = this.memory.find(observed.id);
		if (known && wasSeenBefore(observed, known, this.feed.choice.zone)) return;
		const before = known ?? this.initiallyKnown(observed);
		const passes = this.hasStarted && observed.passesFilters;
		if (passes) this.judge(observed, known, before);
		this.memory.remember(observed, before);
	}

	private judge(observed: Observed, known: Known | undefined, before: Known | undefined): void {
		const { rule } = this.feed;
		const isUndated = observed.madeAtLatest === undefined;
		if (rule.needsCreation && isUndated && !known) this.hasUnjudged = true;
		const hasHappened = observed.at !== undefined;
		if (!hasHappened || !rule.emits(observed, before, this.times)) return;
		const emission = emissionOf(observed, before, rule);
		emission.isCreation = known ? false : isCreation(observed, this.times.watermark);
		this.emit.push(emission);
		this.ids.push(observed.id);
	}

	/** A booking created after publication starts from known values, so its first change can be compared. */
	private initiallyKnown(observed: Observed): Known | undefined {
		const { initialValues } = this.feed.rule;
		const madeAt = observed.madeAtLatest ?? -Infinity;
		if (!initialValues || madeAt < this.times.newSince) return undefined;
		return {
			newest: 0,
			versions: [],
			values: initialValues,
		};
	}
}

function timesOf(response: PollResponse, feed: Feed): Times {
	const { position } = response;
	return {
		now: response.now,
		watermark: position.watermark,
		newSince: Math.max(position.newSince, position.watermark - SHOWN_LATE_MS),
		dueReportedUpTo: position.dueReportedUpTo - feed.choice.overlapMs,
		unreadTo: position.unread?.to ?? 0,
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
	const madeSince = position.isBaseline ? Math.max(newSince, now) : 0;
	for (const observed of newestOfEach(records)) {
		if (memory.find(observed.id)) continue;
		const isListedNext = observed.changed !== null && observed.changed.ms >= watermark;
		const mayBeNew = (observed.madeAtLatest ?? madeSince) >= madeSince;
		if (!isListedNext || !mayBeNew) memory.remember(observed, undefined);
	}
}
