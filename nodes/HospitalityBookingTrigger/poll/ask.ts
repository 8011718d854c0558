import { isTransientCause } from '../../shared/errors/callFailure';
import { ExplainedError } from '../../shared/errors/explainedError';
import { isTooLarge } from '../../shared/errors/nodeErrors';
import { DAY, HOUR, MINUTE, SECOND, writeLike } from '../../shared/values/timestamp';
import { type Feed, type Query, fieldsOf } from '../feeds/feed';
import { hashKey } from '../feeds/hashes';
import { BASELINE_MS, prepared } from '../follow/begin';
import { newestOf, overlapAt } from '../follow/clock';
import { type Asked, type FollowSettings, type Notice, WAITING } from '../follow/step';
import type { Position } from '../state/stored';

/** How the service is reached in one poll. */
export interface Line {
	/** @returns the list, undefined for a response without a body, and the service's clock, if it tells it */
	fetch: (query: Query) => Promise<{ list: unknown[] | undefined; date: number | undefined }>;
	/** n8n's clock, in milliseconds since 1970. */
	now: () => number;
	/** When to begin no further call that can wait for the next poll. */
	halfTime: number;
}

/** The first slice of a period, and the shortest. */
const [WIDEST_MS, NARROWEST_MS] = [31 * DAY, HOUR];
/** Bookings that are due are asked for no further back. */
const LATEST_MS = 31 * DAY;
/** A slice that has failed in so many polls is skipped. */
const MAX_FAILURES = 3;
/** After fewer bookings, the next slice is twice as wide. */
const FEW_RECORDS = 1000;
/** Shorter lists are not taken for cut. */
const MIN_CUT = 10;
/** Two lists of the same length are a coincidence where they are shorter. */
const MIN_TOLD = 20;
/** How far back to look for what such a list hides. */
const LOOKS_BACK_MS = [6 * HOUR, 31 * DAY];
/** Of customers, where the list of all is too large. */
const NEARER_MS = 90 * DAY;

/**
 * Asks for what has changed, for what is due and for what must be known from the beginning.
 *
 * @returns undefined for a response without a body, which is not an empty list
 */
export async function ask(from: Position, settings: FollowSettings, line: Line): Promise<Asked | undefined> {
	return await new Asking(from, settings, line).toEnd();
}

/** Where a position, a form or a period is written in the service's own form. */
function written(form: string | null, ms: number, zone: string): string {
	return form === null ? new Date(ms).toISOString() : writeLike(form, ms, zone);
}

class Asking {
	private readonly feed: Feed;
	private readonly hostNow: number;
	private readonly longest: Position['longest'];
	private readonly notices: Notice[] = [];

	constructor(
		private position: Position,
		private readonly settings: FollowSettings,
		private readonly line: Line,
	) {
		this.feed = settings.feed;
		this.hostNow = line.now();
		this.longest = { ...position.longest };
	}

	async toEnd(): Promise<Asked | undefined> {
		const { feed, hostNow } = this;
		let { list, date } = await this.first();
		if (!list && !this.position.isBaseline) return undefined;
		const now = date ?? hostNow;
		const wasFrom = this.position.from;
		const wentBack = this.goBack(date);
		if (wentBack || this.isBehind(now)) ({ list, date } = await this.changesFrom(this.position.from));
		const hadUnread = this.position.unread !== null;
		this.position = prepared(this.position, feed, now);
		const changes = await this.askOn(list ?? [], now);
		const crossing = await this.crossing(now);
		const mayWait = hadUnread && this.position.unread?.failures === WAITING;
		const learned = mayWait && changes.records.length === 0 ? undefined : await this.learn();
		const { position, longest, notices } = this;
		return {
			...{ position, now, hostNow, longest, notices, seenUpTo: wentBack ? wasFrom : 0 },
			isDated: date !== undefined,
			changes: changes.records,
			isWhole: changes.isWhole,
			...(crossing ? { crossing } : {}),
			...(learned ? { learned } : {}),
		};
	}

	/** The first list; of all customers, where that is too large, those of a shorter time. */
	private async first() {
		const { position, feed, hostNow } = this;
		return await this.changesFrom(position.from).catch(async (error: unknown) => {
			if (!isTooLarge(error)) throw error;
			if (!feed.rule.isById || position.from > 0) throw tooMuch(error);
			this.position = { ...position, from: hostNow - NEARER_MS };
			return await this.changesFrom(this.position.from);
		});
	}

	/** Where the service's clock was set back, what was changed since lies before the newest timestamp. */
	private goBack(date: number | undefined): boolean {
		const { position, hostNow, settings, feed } = this;
		const reached = position.newest?.at ?? position.polled.service;
		if (date === undefined || position.isBaseline || date > reached - MINUTE) return false;
		const since = date - Math.max(0, hostNow - position.polled.host);
		const from = Math.min(position.from, since - overlapAt(since, feed.zone, settings.overlapMs));
		this.position = { ...position, from, since: Math.min(position.since, from), newest: null };
		return true;
	}

	/** Whether the service's clock is so far behind n8n's that the first list was asked from too late. */
	private isBehind(now: number): boolean {
		const { isBaseline, from } = this.position;
		if (!isBaseline || from <= now - BASELINE_MS / 2) return false;
		this.position = { ...this.position, from: now - BASELINE_MS };
		return true;
	}

	/**
	 * A list that the service cuts is as long as the longest one. Then it is asked on from its newest timestamp, until that brings
	 * nothing more.
	 */
	private async askOn(first: unknown[], now: number): Promise<{ records: unknown[]; isWhole: boolean }> {
		const { feed, longest, line } = this;
		const keys = new Set<string>();
		const read = (page: unknown[]) => {
			const { observed } = feed.observe(page, 0);
			const fresh: unknown[] = [];
			for (const { id, changed, record } of observed) {
				const key = `${id}|${changed?.ms}.${changed?.finer}`;
				if (!keys.has(key)) fresh.push(record);
				keys.add(key);
			}
			const hasFractions = observed.some(({ changed }) => changed && changed.ms % SECOND > 0);
			const isRising = observed.every(
				({ changed }, index) => (changed?.ms ?? 0) >= (observed[index - 1]?.changed?.ms ?? 0),
			);
			return {
				...{ fresh, isRising, length: this.note(page) },
				newest: newestOf(observed, now) ?? 0,
				tick: hasFractions ? 1 : SECOND,
			};
		};
		const records = [...first];
		let [from, page] = [this.position.from, read(first)];
		let isRepeated = page.length === 'repeated';
		const mayHideOlder = page.length !== 'short' && !page.isRising && !feed.listsAll;
		if (mayHideOlder && !isRepeated) isRepeated = await this.hidesOlder(first.length);
		while (page.length !== 'short' && !feed.listsAll && page.newest > from) {
			if (line.now() > line.halfTime) return { records, isWhole: false };
			// Those with the newest timestamp may be cut, too. Where all are of one tick, the rest of that cannot be listed.
			const isStuck = page.newest - page.tick <= from;
			if (isStuck) {
				const earlier = await this.changesFrom(from - DAY);
				if (this.note(earlier.list ?? []) === 'repeated' || isRepeated) this.tellCut();
			}
			from = isStuck ? page.newest : page.newest - page.tick;
			page = read((await this.changesFrom(from)).list ?? []);
			isRepeated ||= page.length === 'repeated';
			if (page.fresh.length > 0) longest.canAskOn = true;
			for (const record of page.fresh) records.push(record);
		}
		if (isRepeated && !longest.canAskOn) this.tellCut();
		return { records, isWhole: true };
	}

	/** Whether a list that begins with the newest is cut: asked for from earlier, it is as long. */
	private async hidesOlder(length: number): Promise<boolean> {
		const { from } = this.position;
		for (const back of LOOKS_BACK_MS) {
			if (length < MIN_TOLD || from === 0 || !isRound(length)) return false;
			const earlier = await this.changesFrom(from - back).catch(() => undefined);
			if (this.note(earlier?.list ?? []) !== 'longest' || this.longest.count > length) return false;
		}
		return true;
	}

	/** The bookings whose start or end was crossed since the last poll. */
	private async crossing(now: number): Promise<Asked['crossing']> {
		const { position, feed, settings } = this;
		const { edge: before } = position;
		if (feed.rule.offsetMs === undefined || before === null || position.isBaseline) return undefined;
		const edge = now - feed.rule.offsetMs;
		const after = Math.max(Math.min(before, edge), edge - LATEST_MS);
		const period = {
			from: after - overlapAt(after, feed.zone, settings.overlapMs),
			to: edge + overlapAt(edge, feed.zone),
		};
		const { records, rest } = await this.slices(period, WIDEST_MS, true);
		// What is left for lack of time is asked for by the next poll.
		return { records, edge: rest ? Math.min(rest.from, edge) : edge };
	}

	/** Reads what has to be known from the beginning, as far as there is time. */
	private async learn(): Promise<Asked['learned']> {
		const { unread } = this.position;
		if (!unread) return undefined;
		const failures = Math.max(0, unread.failures);
		const widest = Math.max(NARROWEST_MS, WIDEST_MS / 4 ** failures);
		const { records, rest, hasFailed } = await this.slices(unread, widest, false, failures);
		return { records, unread: rest ? { ...rest, failures: hasFailed ? failures + 1 : 0 } : null };
	}

	/**
	 * Reads a period in slices; one that is too large, or cut, is halved.
	 *
	 * @param isNeeded whether the poll fails with a slice; otherwise one that always fails is skipped
	 * @returns the rest of the period that was not read
	 */
	private async slices(
		{ from, to }: { from: number; to: number },
		widest: number,
		isNeeded: boolean,
		failures = 0,
	) {
		const { line, feed } = this;
		const begun = from;
		let [width, hasFailed] = [widest, false];
		/** What the last slice held where it was as long as the longest: the same again is no shorter in a shorter slice. */
		let accepted = '';
		const records: unknown[] = [];
		for (let calls = 0; from < to && (calls === 0 || line.now() <= line.halfTime); calls++) {
			const end = Math.min(from + width, to);
			const canHalve = end - from > NARROWEST_MS;
			const slice = await this.during(from - overlapAt(from, feed.zone), end, isNeeded).catch(
				(error: unknown) => {
					if (isNeeded ? !canHalve || !isTooLarge(error) : isOfAccount(error)) throw error;
					return isTooLarge(error) ? 'tooLarge' : 'failed';
				},
			);
			if (slice === 'failed' && failures < MAX_FAILURES - 1) {
				hasFailed = true;
				break;
			}
			const isList = typeof slice !== 'string';
			if (isList) for (const record of slice) records.push(record);
			const length = isList ? this.note(slice) : 'short';
			const isLong = isList && length === 'longest' && isRound(slice.length);
			const isCut = length === 'repeated' || (isLong && this.longest.print !== accepted);
			if ((slice === 'tooLarge' || isCut) && canHalve) {
				width = Math.max(NARROWEST_MS, (end - from) / 2);
				continue;
			}
			if (length === 'repeated' && !isNeeded) this.tellCut();
			if (!isList) this.tellSkipped(from, end);
			if (length !== 'short') accepted = this.longest.print;
			failures = 0;
			from = end;
			if (isList && slice.length < FEW_RECORDS) width *= 2;
		}
		// Without time for one slice, the next poll begins with a shorter one.
		return { records, hasFailed: hasFailed || from === begun, rest: from < to ? { from, to } : undefined };
	}

	private async changesFrom(ms: number) {
		const { feed, position } = this;
		return await this.line.fetch(
			feed.changedAfter(written(position.forms.changed, Math.max(0, ms), feed.zone)),
		);
	}

	private async during(from: number, to: number, isComplete: boolean): Promise<unknown[]> {
		const { feed, position, line } = this;
		const [startTime, endTime] = [from, to].map((ms) => written(position.forms.edge, ms, feed.zone));
		const query = feed.during(startTime ?? '', endTime ?? '', isComplete);
		return (await line.fetch(query)).list ?? [];
	}

	/** @returns whether a list may be cut: it is as long as the longest one, or longer; `repeated` if that held other records */
	private note(page: readonly unknown[]): 'short' | 'longest' | 'repeated' {
		const { longest } = this;
		if (page.length < Math.max(MIN_CUT, longest.count)) return 'short';
		const ids = page.map(fieldsOf).map(({ guid, id }) => String(guid ?? id));
		const print = hashKey(ids.sort().join(), 6);
		const isRepeated = page.length === longest.count && print !== longest.print;
		Object.assign(longest, { count: page.length, print });
		return isRepeated ? 'repeated' : 'longest';
	}

	private tellCut(): void {
		const { count } = this.longest;
		if (count < MIN_TOLD || this.notices.some(({ kind }) => kind === 'cut')) return;
		const text = `the service lists at most ${count} records a call: some may be missing where more change at once`;
		this.notices.push({ kind: 'cut', text });
	}

	private tellSkipped(from: number, to: number): void {
		const [first, last] = [from, to].map((ms) => new Date(ms).toISOString());
		const text = `bookings from ${first} to ${last} could not be read: their first change is not emitted`;
		this.notices.push({ kind: 'skipped', text });
	}
}

/** A service cuts at a round number. */
function isRound(length: number): boolean {
	return length % 10 === 0 || length % 25 === 0;
}

/** Whether an error is transient, in n8n's own terms. */
export function isPassing(error: unknown): boolean {
	return isTransientCause(causeOf(error));
}

/** Whether a person has to act on the account. */
function isOfAccount(error: unknown): boolean {
	return causeOf(error) !== undefined && !isPassing(error);
}

function tooMuch(error: unknown): ExplainedError {
	return new ExplainedError(
		(error as Error).message,
		"Choose less under 'Include', or rename the node and publish again: the trigger then starts over from now on",
	);
}

function causeOf(error: unknown): string | undefined {
	return (error as { failure?: { cause?: string } }).failure?.cause;
}
