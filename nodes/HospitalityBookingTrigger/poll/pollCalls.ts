import clamp from 'lodash/clamp';

import { ExplainedError } from '../../shared/errors/explainedError';
import { type NodeError, messageWithoutPlace, isTooLarge } from '../../shared/errors/nodeErrors';
import { writeTime } from '../../shared/values/writeTime';
import { DAY, HOUR } from '../../shared/values/timestamp';
import type { Period } from '../../shared/booking/slices';
import { offsetAt } from '../../shared/values/zone';
import { bookings } from '../events/recordKinds';
import type { Feed } from '../events/observe';
import type { Query } from '../events/rule';
import { LATEST_MS } from '../events/rules/due';
import { clockAhead, overlapAt } from '../follow/clock';
import {
	bookingTimeFormatOf,
	firstPosition,
	firstWatermark,
	timestampFormatOf,
} from '../follow/position';
import type { Notice, PollResponse } from '../follow/pollResponse';
import type { Start } from '../state/choose';
import type { Position } from '../state/stored';
import { ChangesReader } from './cutLists';
import { PeriodReader, type PeriodSource } from './periodReader';

/** What a call returned. */
interface Listed {
	/** Undefined for a response without a body. */
	list: unknown[] | undefined;
	/** The service's clock, if it tells it. */
	date: number | undefined;
}

/** How the service is reached. */
export interface BookingClient {
	/** Makes the call. Always ends by the deadline, in milliseconds since 1970. */
	fetch: (query: Query, deadline: number) => Promise<Listed>;
	/** How long n8n waits for the poll, in milliseconds. */
	budgetMs: number;
	/** n8n's clock, in milliseconds since 1970. */
	now: () => number;
}

/** How long a poll takes at most where there is a state to go on from: a person may be waiting for the publication. */
const LONGEST_MS = 60_000;
/** For this long after a longer list of a period was returned, a shorter one counts as whole. */
const LONGEST_LIST_LASTS_MS = HOUR;

/**
 * The calls of one poll, which are what it costs: one for what has changed and, for Starting Soon and Ended, one for what is due. More
 * follow where the service may have cut a list, and at the beginning, until the baseline period is read.
 */
export class PollCalls {
	private readonly notices: Notice[] = [];
	/** Where the poll goes on from; undefined if the trigger begins. */
	private readonly lastPosition: Position | undefined;
	private readonly reported: readonly string[];
	private readonly begunAt: number;
	/** When the poll ends. */
	private readonly deadline: number;
	/** After this moment it begins no further call that could wait for the next poll. */
	private readonly lastCallAt: number;
	/** A change date as the service has written it last. */
	private timestampFormat: string | undefined;

	constructor(
		private readonly start: Start,
		private readonly feed: Feed,
		private readonly client: BookingClient,
	) {
		this.lastPosition = start.state?.position;
		this.reported = start.state?.reported ?? [];
		this.timestampFormat = start.state?.position.timestampFormat;
		this.begunAt = client.now();
		const longestMs = start.state ? LONGEST_MS : Infinity;
		const budgetMs = Math.min(client.budgetMs, longestMs);
		this.deadline = this.begunAt + budgetMs;
		this.lastCallAt = this.begunAt + budgetMs / 2;
	}

	/** @returns undefined where the poll goes on with nothing: a response without a body, or a service that still lists nothing */
	async run(): Promise<PollResponse | undefined> {
		const { feed, lastPosition, begunAt } = this;
		const { startAt } = this.start;
		if (lastPosition && (await this.isStillEmpty(lastPosition))) return undefined;
		const watermark = lastPosition?.watermark ?? firstWatermark(feed, startAt, begunAt);
		const { list, date } = await this.firstChanges(watermark);
		const now = date ?? begunAt;
		if (!list && lastPosition) return undefined;
		const position = lastPosition ?? firstPosition(feed, startAt, watermark, now);
		const changes = await this.readChanges(list ?? [], position, now);
		const source = this.periodSource(position, changes, now);
		const longestBefore = source.longest;
		const due = await this.readDue(position, now, source);
		const isSilent = changes.length === 0;
		const baseline = await this.readBaseline(position, isSilent, source);
		let { longestPeriodList } = position;
		if (source.longest > longestBefore) {
			longestPeriodList = { length: source.longest, at: now };
		}
		return {
			position,
			now,
			clocks: { date, n8n: begunAt },
			changes,
			due,
			baseline,
			longestPeriodList,
			notices: this.notices,
		};
	}

	/** For an event at a booking's own time: where nothing was ever listed, one call shows that nothing can be due. */
	private async isStillEmpty(position: Position): Promise<boolean> {
		const { offsetMs } = this.feed.rule;
		const { zone } = this.feed.choice;
		const { unread, dueUpTo, newestSeen, memory, isBaseline } = position;
		if (offsetMs === undefined || !unread || isBaseline) return false;
		const isEmpty = memory === '' && newestSeen.at === 0;
		if (!isEmpty) return false;
		const from = Math.min(unread.from, dueUpTo);
		const upTo = this.begunAt + clockAhead(position) - offsetMs + HOUR;
		const asked = {
			from: from - overlapAt(from, zone) - uncertaintyAt(from, zone, undefined),
			to: upTo + overlapAt(upTo, zone) + uncertaintyAt(upTo, zone, undefined),
		};
		const { list, date } = await this.during(asked, false);
		const dueNow = (date ?? this.begunAt) - offsetMs;
		return list?.length === 0 && dueNow <= upTo;
	}

	private async firstChanges(watermark: number): Promise<Listed> {
		return await this.changesFrom(watermark).catch((error: NodeError) => {
			if (!isTooLarge(error)) throw error;
			throw new ExplainedError(messageWithoutPlace(error), this.hintForLargeList());
		});
	}

	/** How less can be asked for than a first list that is too large. */
	private hintForLargeList(): string {
		const { kind, rule } = this.feed;
		if (rule.isById) {
			return "Choose the event 'Customer Created or Updated': it needs no list of all customers";
		}
		if (kind.listsAll) return "Choose a survey under 'Filters'";
		const less = kind === bookings ? "Choose less under 'Include', or set" : 'Set';
		if (!this.lastPosition) {
			return `${less} 'Start From' to a moment of today: the first list then begins there, instead of two days ago`;
		}
		return `${less} 'Start From' to a moment of today, rename the node and publish again: the trigger then starts over from that moment`;
	}

	/** What has changed, with what the service may have cut off. */
	private async readChanges(list: unknown[], position: Position, now: number): Promise<unknown[]> {
		const { watermark } = position;
		const askedFrom = watermark - this.uncertaintyAt(watermark);
		this.timestampFormat = timestampFormatOf(list, this.feed) ?? this.timestampFormat;
		const reader = new ChangesReader(list, {
			feed: this.feed,
			askedFrom,
			now,
			isBaseline: position.isBaseline,
			ask: async (ms) => {
				const { list: more } = await this.changesFrom(ms);
				return more ?? [];
			},
			hasTime: () => this.hasTime(),
			isReported: (length) => this.isReported(length),
		});
		const notice = await reader.readOn();
		if (notice) this.notices.push(notice);
		return reader.records;
	}

	/** The bookings whose start or end was crossed since the last poll. */
	private async readDue(
		position: Position,
		now: number,
		source: PeriodSource,
	): Promise<PollResponse['due']> {
		const { offsetMs } = this.feed.rule;
		const { zone, overlapMs } = this.feed.choice;
		if (offsetMs === undefined || position.isBaseline) return undefined;
		const upTo = now - offsetMs;
		const after = clamp(position.dueUpTo, upTo - LATEST_MS, upTo);
		const from = after - overlapAt(after, zone, overlapMs);
		const to = upTo + overlapAt(upTo, zone);
		const reader = new PeriodReader(source, true);
		const rest = await reader.read({ from, to });
		// What is left for lack of time is asked for by the next poll.
		const readUpTo = Math.min(rest?.from ?? upTo, upTo);
		return { records: reader.records, upTo: readUpTo };
	}

	/** Reads what has to be known from the beginning, as far as there is time. */
	private async readBaseline(
		{ unread }: Position,
		isSilent: boolean,
		source: PeriodSource,
	): Promise<PollResponse['baseline']> {
		if (!unread) return undefined;
		const reader = new PeriodReader(source, false, unread.failures);
		const rest = await reader.read(unread);
		const { records } = reader;
		if (rest) {
			const failures = reader.hasFailed ? unread.failures + 1 : 0;
			return { records, unread: { ...rest, failures } };
		}
		// A service that lists nothing at all may be silent for an hour.
		if (isSilent && records.length === 0) return undefined;
		return { records, unread: null };
	}

	/** How the bookings of periods are listed, all that are read in one poll. */
	private periodSource(position: Position, changes: readonly unknown[], now: number): PeriodSource {
		const { zone } = this.feed.choice;
		const { length, at } = position.longestPeriodList;
		const isLately = Math.abs(now - at) < LONGEST_LIST_LASTS_MS;
		const format = bookingTimeFormatOf(changes, zone) ?? position.bookingTimeFormat;
		return {
			list: async ({ from, to }, withRelated) => {
				// Includes the bound itself, because the service compares with *after* and *before*.
				const after = from - overlapAt(from, zone);
				const asked = {
					from: after - uncertaintyAt(from, zone, format),
					to: to + uncertaintyAt(to, zone, format),
				};
				const { list } = await this.during(asked, withRelated, format);
				return list ?? [];
			},
			hasTime: () => this.hasTime(),
			isReported: (limit) => this.isReported(limit),
			longest: isLately ? length : 0,
			notices: this.notices,
		};
	}

	/** @param format a time of a booking as the service writes it */
	private async during(asked: Period, withRelated: boolean, format?: string): Promise<Listed> {
		const { kind, choice } = this.feed;
		const startTime = writeTime(asked.from, choice.zone, format);
		const endTime = writeTime(asked.to, choice.zone, format);
		const query = kind.during?.(startTime, endTime, choice, withRelated) ?? {};
		return await this.client.fetch(query, this.deadline);
	}

	private async changesFrom(ms: number): Promise<Listed> {
		const { kind, choice } = this.feed;
		const after = Math.max(0, ms - this.uncertaintyAt(ms));
		const from = writeTime(after, choice.zone, this.timestampFormat);
		const query = kind.changedAfter(from, choice);
		return await this.client.fetch(query, this.deadline);
	}

	private uncertaintyAt(ms: number): number {
		return uncertaintyAt(ms, this.feed.choice.zone, this.timestampFormat);
	}

	private hasTime(): boolean {
		return this.client.now() <= this.lastCallAt;
	}

	private isReported(limit: number): boolean {
		if (this.reported.includes(`cut ${limit}`)) return true;
		return this.reported.includes(`mayBeCut ${limit}`);
	}
}

/**
 * Until the service has shown how it writes a time, it may be UTC: to one that compares digits, a time in the zone is then off by its
 * offset. Moving a time by that may take it across a clock change, to another offset.
 *
 * @param format a time of the field as the service has written it
 */
function uncertaintyAt(ms: number, zone: string, format: string | undefined): number {
	if (format !== undefined) return 0;
	const before = offsetAt(ms - DAY, zone);
	const after = offsetAt(ms + DAY, zone);
	return Math.max(Math.abs(before), Math.abs(after));
}
