import { ExplainedError } from '../../shared/errors/explainedError';
import { type NodeError, happenedIn, isTooLarge } from '../../shared/errors/nodeErrors';
import { writeTime } from '../../shared/values/notation';
import { HOUR } from '../../shared/values/timestamp';
import { bookings } from '../events/kinds';
import type { Feed } from '../events/observe';
import type { Query } from '../events/rule';
import { LATEST_MS } from '../events/rules/due';
import { overlapAt } from '../follow/clock';
import { bookingTimeFormatOf, firstPosition, firstWatermark } from '../follow/next';
import type { FollowSettings, Notice, PollResponse } from '../follow/pollResponse';
import type { Start } from '../state/choose';
import type { Position } from '../state/stored';
import { ChangesReader } from './cutLists';
import { PeriodReader, type PeriodSource } from './periodReader';

/** How the service is reached. */
export interface Service {
	/**
	 * Makes the call. Always ends by the deadline, in milliseconds since 1970.
	 *
	 * @returns the list, undefined for a response without a body, and the service's clock, if it tells it
	 */
	fetch: (
		query: Query,
		deadline: number,
	) => Promise<{ list: unknown[] | undefined; date: number | undefined }>;
	/** How long n8n waits for the poll, in milliseconds. */
	budgetMs: number;
	/** n8n's clock, in milliseconds since 1970. */
	now: () => number;
}

/** How long a poll takes at most where there is a state to go on from: a person may be waiting for the publication. */
const LONGEST_MS = 60_000;
/** For so long a period's list counts as whole if a longer one was returned. */
const LONGEST_LIST_LASTS_MS = HOUR;

/** Asks for what has changed, for what is due and for what must be known from the beginning. */
export class Poller {
	private readonly feed: Feed;
	private readonly notices: Notice[] = [];
	/** Where the poll goes on from; undefined if the trigger begins. */
	private readonly lastPosition: Position | undefined;
	private readonly reported: readonly string[];
	private readonly begunAt: number;
	/** When the poll ends. */
	private readonly deadline: number;
	/** After this moment it begins no further call that could wait for the next poll. */
	private readonly lastCallAt: number;

	constructor(
		private readonly start: Start,
		private readonly settings: FollowSettings,
		private readonly service: Service,
	) {
		this.feed = settings.feed;
		this.lastPosition = start.state?.position;
		this.reported = start.state?.reported ?? [];
		this.begunAt = service.now();
		const budgetMs = start.state ? Math.min(service.budgetMs, LONGEST_MS) : service.budgetMs;
		this.deadline = this.begunAt + budgetMs;
		this.lastCallAt = this.begunAt + budgetMs / 2;
	}

	/** @returns undefined for a response without a body, which is not an empty list */
	async run(): Promise<PollResponse | undefined> {
		const { start, feed, lastPosition, notices, begunAt } = this;
		const watermark = lastPosition?.watermark ?? firstWatermark(feed, start.startAt, begunAt);
		const { list, date } = await this.firstChanges(watermark);
		const now = date ?? begunAt;
		if (!list && lastPosition) return undefined;
		const position = lastPosition ?? firstPosition(feed, start.startAt, watermark, now);
		const changes = await this.changes(list ?? [], position, now);
		const source = this.periodSource(position, changes, now);
		const { longest } = source;
		const due = await this.due(position, now, source);
		const baseline = await this.baseline(position, changes.length === 0, source);
		const longestPeriodList =
			source.longest > longest ? { length: source.longest, at: now } : position.longestPeriodList;
		const clocks = { date, n8n: begunAt };
		return { position, now, clocks, changes, due, baseline, longestPeriodList, notices };
	}

	private async firstChanges(watermark: number): ReturnType<Service['fetch']> {
		return await this.changesFrom(watermark).catch((error: NodeError) => {
			if (!isTooLarge(error)) throw error;
			throw new ExplainedError(happenedIn(error), this.hintForLargeList());
		});
	}

	/** How less can be asked for than a first list that is too large. */
	private hintForLargeList(): string {
		const { kind, rule } = this.feed;
		if (rule.isById)
			return "Choose the event 'Customer Created or Updated': it needs no list of all customers";
		if (kind.listsAll) return "Choose a survey under 'Filters'";
		const less = kind === bookings ? "Choose less under 'Include', or set" : 'Set';
		if (!this.lastPosition)
			return `${less} 'Start From' to a moment of today: the first list then begins there, instead of two days ago`;
		return `${less} 'Start From' to a moment of today, rename the node and publish again: the trigger then starts over from that moment`;
	}

	/** What has changed, with what the service may have cut off. */
	private async changes(
		list: unknown[],
		{ watermark, isBaseline }: Position,
		now: number,
	): Promise<unknown[]> {
		const reader = new ChangesReader(list, {
			feed: this.feed,
			watermark,
			now,
			isBaseline,
			ask: async (ms) => (await this.changesFrom(ms)).list ?? [],
			hasTime: () => this.hasTime(),
			isReported: (length) => this.isReported(length),
		});
		const notice = await reader.readOn();
		if (notice) this.notices.push(notice);
		return reader.records;
	}

	/** The bookings whose start or end was crossed since the last poll. */
	private async due(
		{ dueUpTo, isBaseline }: Position,
		now: number,
		source: PeriodSource,
	): Promise<PollResponse['due']> {
		const { rule, choice } = this.feed;
		if (rule.offsetMs === undefined || isBaseline) return undefined;
		const upTo = now - rule.offsetMs;
		const after = Math.max(Math.min(dueUpTo, upTo), upTo - LATEST_MS);
		const reader = new PeriodReader(source, true);
		const rest = await reader.read({
			from: after - overlapAt(after, choice.zone, this.settings.overlapMs),
			to: upTo + overlapAt(upTo, choice.zone),
		});
		// What is left for lack of time is asked for by the next poll.
		return { records: reader.records, upTo: rest ? Math.min(rest.from, upTo) : upTo };
	}

	/** Reads what has to be known from the beginning, as far as there is time. */
	private async baseline(
		{ unread }: Position,
		isSilent: boolean,
		source: PeriodSource,
	): Promise<PollResponse['baseline']> {
		if (!unread) return undefined;
		const reader = new PeriodReader(source, false, unread.failures);
		const rest = await reader.read(unread);
		const { records, hasFailed } = reader;
		// A service that lists nothing at all may be silent for an hour.
		if (isSilent && records.length === 0 && !rest) return undefined;
		if (!rest) return { records, unread: null };
		return { records, unread: { ...rest, failures: hasFailed ? unread.failures + 1 : 0 } };
	}

	/** How the bookings of periods are listed, all that are read in one poll. */
	private periodSource(
		{ longestPeriodList, bookingTimeFormat }: Position,
		changes: readonly unknown[],
		now: number,
	): PeriodSource {
		const { kind, choice } = this.feed;
		const { length, at } = longestPeriodList;
		const format = bookingTimeFormatOf(changes, choice.zone) ?? bookingTimeFormat;
		return {
			list: async ({ from, to }, isEmitted) => {
				// Includes the bound itself, because the service compares with *after* and *before*.
				const startTime = writeTime(from - overlapAt(from, choice.zone), choice.zone, format);
				const endTime = writeTime(to, choice.zone, format);
				const query = kind.during?.(startTime, endTime, choice, isEmitted) ?? {};
				return (await this.service.fetch(query, this.deadline)).list ?? [];
			},
			hasTime: () => this.hasTime(),
			isReported: (limit) => this.isReported(limit),
			longest: Math.abs(now - at) < LONGEST_LIST_LASTS_MS ? length : 0,
			notices: this.notices,
		};
	}

	private async changesFrom(ms: number): ReturnType<Service['fetch']> {
		const { kind, choice } = this.feed;
		const after = Math.max(0, ms);
		const from = writeTime(after, choice.zone, this.lastPosition?.timestampFormat);
		return await this.service.fetch(kind.changedAfter(from, choice), this.deadline);
	}

	private hasTime(): boolean {
		return this.service.now() <= this.lastCallAt;
	}

	private isReported(limit: number): boolean {
		return this.reported.includes(`cut ${limit}`) || this.reported.includes(`mayBeCut ${limit}`);
	}
}
