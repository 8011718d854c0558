import { isTooLarge } from '../../shared/errors/nodeErrors';
import {
	DEFAULT_SLICE_DAYS,
	type NextSlice,
	type Period,
	canHalve,
	readSlices,
} from '../../shared/booking/slices';
import { DAY, isoOf } from '../../shared/values/timestamp';
import type { Notice } from '../follow/pollResponse';
import { FEWEST_ASKED_ON, compareWithMore, cutNotice } from './cutLists';
import { IdSet } from './idSet';

/** A slice that has failed in so many polls is skipped. */
const MAX_FAILURES = 3;
/** After fewer bookings, the next slice is twice as wide. */
const FEW_RECORDS = 1000;

/** How the bookings of periods are listed. */
export interface PeriodSource {
	/** Lists the bookings of a period; those that may be emitted with related data. */
	list: (period: Period, withRelated: boolean) => Promise<unknown[]>;
	/** Whether there is time for another call. */
	hasTime: () => boolean;
	/** Whether it has been reported that lists of this length may be cut. */
	isReported: (length: number) => boolean;
	/** The longest list of a period that the service has returned lately: shorter ones are whole. */
	longest: number;
	notices: Notice[];
}

type SkipReason = 'tooLarge' | 'failed';

/** Reads the bookings of a period slice by slice. A slice whose list is too large, or may be cut, is read in halves. */
export class PeriodReader {
	readonly records: unknown[] = [];
	/** Whether a call has failed, or there was no time for one. */
	hasFailed = false;
	private readonly guids = new IdSet('guid');
	/** The length of the last list that may have been cut, and the end of its slice. */
	private readonly doubted = { length: 0, to: -Infinity };
	private isInDoubt = false;
	private isProven = false;

	/**
	 * @param isEmitted whether bookings may be emitted. Then the poll fails with a slice, and related data is asked for; otherwise a slice
	 * that always fails is skipped
	 * @param failures in how many polls the first slice has failed
	 */
	constructor(
		private readonly source: PeriodSource,
		private readonly isEmitted: boolean,
		private failures = 0,
	) {}

	/** @returns the rest of the period, which was not read */
	async read(period: Period): Promise<Period | undefined> {
		const firstMs = (DEFAULT_SLICE_DAYS * DAY) / 4 ** this.failures;
		let isFirst = true;
		const { from, to } = period;
		const read = async (slice: Period) => {
			if (!isFirst && !this.source.hasTime()) return 'stop';
			isFirst = false;
			return await this.readSlice(slice);
		};
		const reached = await readSlices(period, read, firstMs);
		if (reached >= to) return undefined;
		// Without time for one slice, the next poll begins with a shorter one.
		if (reached === from) this.hasFailed = true;
		return { from: reached, to };
	}

	private async readSlice(slice: Period): Promise<NextSlice> {
		const listing = this.source.list(slice, this.isEmitted);
		const list = await listing.catch((error: unknown): SkipReason => {
			const isHalved = isTooLarge(error) && canHalve(slice);
			if (isHalved || this.isEmitted) throw error;
			return isTooLarge(error) ? 'tooLarge' : 'failed';
		});
		if (typeof list === 'string') return this.skip(slice, list);
		const hasAdded = this.add(list);
		const isHalved = await this.checkForCut(slice, list, hasAdded);
		if (isHalved) return 'halve';
		this.failures = 0;
		return list.length < FEW_RECORDS ? 'goOnWider' : 'goOn';
	}

	private skip(slice: Period, why: SkipReason): NextSlice {
		if (why === 'failed' && this.failures < MAX_FAILURES - 1) {
			this.hasFailed = true;
			return 'stop';
		}
		const from = isoOf(slice.from);
		const to = isoOf(slice.to);
		const text = `bookings from ${from} to ${to} could not be read: their first change is not emitted`;
		this.source.notices.push({ kind: 'skipped', text });
		this.failures = 0;
		return 'goOn';
	}

	/** @returns whether the list has a booking that none before it had */
	private add(list: readonly unknown[]): boolean {
		for (const record of list) this.records.push(record);
		return this.guids.add(list).length > 0;
	}

	/**
	 * Doubts a list that is as long as any lately. If a half returns a booking that the whole did not, the whole was cut.
	 *
	 * @returns whether the slice must be read in halves, as its list may be cut
	 */
	private async checkForCut(
		slice: Period,
		list: readonly unknown[],
		hasAdded: boolean,
	): Promise<boolean> {
		const { doubted, source } = this;
		const { length } = list;
		const isPart = slice.to <= doubted.to;
		if (isPart && hasAdded && length <= doubted.length) this.isProven = true;
		// A half that adds no booking is halved on only until a slice of an hour, the shortest, has been as long too. From then on it is
		// not: bookings that are under way all the time make every list as long.
		const isLeft = this.isInDoubt && slice.from < doubted.to;
		if (!hasAdded && !isLeft) return false;
		if (length < FEWEST_ASKED_ON || length < source.longest) return false;
		source.longest = length;
		doubted.length = length;
		doubted.to = Math.max(doubted.to, slice.to);
		this.isInDoubt = canHalve(slice);
		if (this.isInDoubt) return true;
		const notice = await this.judge(slice, list);
		if (notice) source.notices.push(notice);
		return false;
	}

	/** @returns what to report of a shortest slice whose list may be cut */
	private async judge(slice: Period, list: readonly unknown[]): Promise<Notice | undefined> {
		const { source } = this;
		if (source.isReported(list.length)) return undefined;
		if (this.isProven) return cutNotice(list.length);
		return await compareWithMore(list, 'guid', async (ms) => {
			const wider = { from: slice.from - ms, to: slice.to + ms };
			const more = await source.list(wider, false);
			source.longest = Math.max(source.longest, more.length);
			return more;
		});
	}
}
