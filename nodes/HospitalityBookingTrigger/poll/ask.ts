import { ExplainedError } from '../../shared/errors/explainedError';
import { isTooLarge } from '../../shared/errors/nodeErrors';
import { DAY, HOUR, isoOf, writeLike } from '../../shared/values/timestamp';
import { type Period, type Query, fieldsOf } from '../events/rule';
import { type Feed, observe } from '../events/observe';
import { LATEST_MS } from '../events/rules/rules';
import { begin, beginsFrom } from '../follow/begin';
import { newestOf, overlapAt } from '../follow/clock';
import type { Asked, FollowSettings, Notice } from '../follow/step';
import type { StartingPoint } from '../state/choose';
import type { Position } from '../state/stored';

/** How the service is reached. */
export interface Line {
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

/** The first slice of a period, and the shortest. */
const [WIDEST_MS, NARROWEST_MS] = [31 * DAY, HOUR];
/** A slice that has failed in so many polls is skipped. */
const MAX_FAILURES = 3;
/** After fewer bookings, the next slice is twice as wide. */
const FEW_RECORDS = 1000;
/** Shorter lists are not taken for cut. */
const MIN_CUT = 10;
/** How far back to look for what a list hides that begins with the newest. */
const LOOK_BACK_MS = 31 * DAY;

/** Asks for what has changed, for what is due and for what must be known from the beginning. */
export class Asking {
	private readonly feed: Feed;
	private readonly notices: Notice[] = [];
	private readonly known: Position | undefined;
	private readonly begun: number;
	/** When the poll ends, and when it begins no further call that could wait for the next. */
	private readonly deadline: number;
	private readonly lastCall: number;
	private longest: number;

	constructor(
		private readonly start: StartingPoint,
		private readonly settings: FollowSettings,
		private readonly line: Line,
	) {
		this.feed = settings.feed;
		this.known = start.state?.position;
		this.longest = this.known?.longest ?? 0;
		this.begun = line.now();
		const budgetMs = this.known ? Math.min(line.budgetMs, LONGEST_MS) : line.budgetMs;
		[this.deadline, this.lastCall] = [this.begun + budgetMs, this.begun + budgetMs / 2];
	}

	/** @returns undefined for a response without a body, which is not an empty list */
	async toEnd(): Promise<Asked | undefined> {
		const { start, feed, known, notices, begun } = this;
		const from = known?.from ?? beginsFrom(feed, start.startAt, begun);
		const { list, date = begun } = await this.changesFrom(from).catch((error: Error) => {
			if (!isTooLarge(error)) throw error;
			const hint = feed.rule.isById
				? "Choose the event 'Customer Created or Updated': it needs no list of all customers"
				: "Choose less under 'Include', or rename the node and publish again: the trigger then starts over from now on";
			throw new ExplainedError(error.message, hint);
		});
		if (!list && known) return undefined;
		const position = known ?? begin(feed, start.startAt, from, date);
		const changes = await this.askOn(list ?? [], position, date);
		const crossing = await this.crossing(position, date);
		const learned = await this.learn(position, changes.length === 0);
		return { position, now: date, changes, crossing, learned, longest: this.longest, notices };
	}

	/** A list that the service may have cut is asked on from its newest timestamp. */
	private async askOn(
		first: unknown[],
		{ from, isBaseline }: Position,
		now: number,
	): Promise<unknown[]> {
		const { feed } = this;
		if (!this.mayBeCut(first) || feed.kind.listsAll) return first;
		const records = [...first];
		const { observed } = observe(first, feed);
		const isFalling = (observed[0]?.changed?.ms ?? 0) >= (observed.at(-1)?.changed?.ms ?? 0);
		if (isFalling && !isBaseline) await this.lookBack(from, first.length);
		let [after, newest, isLong] = [from, newestOf(observed, now), true];
		while (isLong && newest > after && this.hasTime) {
			// Those with the newest timestamp may be cut, too; where all have it, the rest of them cannot be listed.
			after = Math.max(newest - 1, after + 1);
			const { list = [] } = await this.changesFrom(after);
			for (const record of list) records.push(record);
			isLong = this.mayBeCut(list);
			newest = newestOf(observe(list, feed).observed, now);
		}
		return records;
	}

	/** A list that begins with the newest is cut where it is no longer when it is asked for from earlier. */
	private async lookBack(from: number, length: number): Promise<void> {
		const earlier = await this.changesFrom(from - LOOK_BACK_MS).catch(() => undefined);
		if (earlier?.list && earlier.list.length <= length) this.tellCut();
		this.mayBeCut(earlier?.list ?? []);
	}

	/** The bookings whose start or end was crossed since the last poll. */
	private async crossing(
		{ edge: before, isBaseline }: Position,
		now: number,
	): Promise<Asked['crossing']> {
		const { feed, settings } = this;
		if (feed.rule.offsetMs === undefined || isBaseline) return undefined;
		const edge = now - feed.rule.offsetMs;
		const after = Math.max(Math.min(before, edge), edge - LATEST_MS);
		const period = {
			from: after - overlapAt(after, feed.choice.zone, settings.overlapMs),
			to: edge + overlapAt(edge, feed.choice.zone),
		};
		const { records, rest } = await this.slices(period, true);
		// What is left for lack of time is asked for by the next poll.
		return { records, edge: rest ? Math.min(rest.from, edge) : edge };
	}

	/** Reads what has to be known from the beginning, as far as there is time. */
	private async learn({ unread }: Position, isSilent: boolean): Promise<Asked['learned']> {
		if (!unread) return undefined;
		const { records, rest, hasFailed } = await this.slices(unread, false, unread.failures);
		// A service that lists nothing at all may be silent for an hour.
		if (isSilent && records.length === 0 && !rest) return undefined;
		return {
			records,
			unread: rest ? { ...rest, failures: hasFailed ? unread.failures + 1 : 0 } : null,
		};
	}

	/**
	 * Reads a period in slices; one that is too large, or may be cut, is halved. It was cut if a half has what the whole had not.
	 *
	 * @param isNeeded whether the poll fails with a slice; otherwise one that always fails is skipped
	 * @returns the rest of the period that was not read
	 */
	private async slices({ from, to }: Period, isNeeded: boolean, failures = 0) {
		const { feed } = this;
		const first = from;
		let [width, hasFailed] = [Math.max(NARROWEST_MS, WIDEST_MS / 4 ** failures), false];
		const records: unknown[] = [];
		const seen = new Set<unknown>();
		let [doubtedTo, isDoubted, areCut] = [from, false, false];
		for (let calls = 0; from < to && (calls === 0 || this.hasTime); calls++) {
			const end = Math.min(from + width, to);
			const canHalve = end - from > NARROWEST_MS;
			const slice = await this.during(
				from - overlapAt(from, feed.choice.zone),
				end,
				isNeeded,
			).catch((error: unknown) => {
				if (isNeeded && (!canHalve || !isTooLarge(error))) throw error;
				return isTooLarge(error) ? 'tooLarge' : 'failed';
			});
			if (slice === 'failed' && failures < MAX_FAILURES - 1) {
				hasFailed = true;
				break;
			}
			const isList = typeof slice !== 'string';
			const known = seen.size;
			for (const record of isList ? slice : []) {
				records.push(record);
				seen.add(fieldsOf(record).guid);
			}
			const isNew = seen.size > known;
			areCut ||= isNew && end <= doubtedTo;
			const mayBeCut = isList && (isNew || (isDoubted && from < doubtedTo)) && this.mayBeCut(slice);
			// The same bookings may be under way all the time: one hour is proof enough.
			if (mayBeCut) [doubtedTo, isDoubted] = [Math.max(doubtedTo, end), canHalve];
			if ((slice === 'tooLarge' || mayBeCut) && canHalve) {
				width = Math.max(NARROWEST_MS, (end - from) / 2);
				continue;
			}
			if (mayBeCut && areCut) this.tellCut();
			if (!isList) {
				const period = [from, end].map(isoOf).join(' to ');
				const text = `bookings from ${period} could not be read: their first change is not emitted`;
				this.notices.push({ kind: 'skipped', text });
			}
			failures = 0;
			from = end;
			if (isList && slice.length < FEW_RECORDS) width *= 2;
		}
		// Without time for one slice, the next poll begins with a shorter one.
		return {
			records,
			hasFailed: hasFailed || from === first,
			rest: from < to ? { from, to } : undefined,
		};
	}

	private get hasTime(): boolean {
		return this.line.now() <= this.lastCall;
	}

	private async changesFrom(ms: number) {
		const { kind, choice } = this.feed;
		const [form, after] = [this.known?.form, Math.max(0, ms)];
		const from = form === undefined ? isoOf(after) : writeLike(form, after, choice.zone);
		return await this.line.fetch(kind.changedAfter(from, choice), this.deadline);
	}

	private async during(from: number, to: number, isComplete: boolean): Promise<unknown[]> {
		const { kind, choice } = this.feed;
		const query = kind.during?.(isoOf(from), isoOf(to), choice, isComplete) ?? {};
		return (await this.line.fetch(query, this.deadline)).list ?? [];
	}

	/** Whether a list may be cut: none that the service has returned was longer. */
	private mayBeCut({ length }: readonly unknown[]): boolean {
		if (length < Math.max(MIN_CUT, this.longest)) return false;
		this.longest = length;
		return true;
	}

	private tellCut(): void {
		if (this.notices.some(({ kind }) => kind === 'cut')) return;
		const text = `the service lists at most ${this.longest} records a call: some may be missing where more change at once`;
		this.notices.push({ kind: 'cut', text });
	}
}
