/**
 * Lists that the service may cut. The API does not specify whether it does, at which length, or in which order.
 *
 * A list that is no longer when asked for more is *suspected*. It is *proven* cut when a question that it should have answered brings a
 * record that it lacks. A list that is sorted oldest first is asked on from its newest timestamp, and so loses nothing. Only proof is
 * reported as a fact. A suspicion that cannot be cleared is reported as one if the list has a round number of records, from
 * {@link FEWEST_REPORTED} on.
 */
import isEqual from 'lodash/isEqual';
import map from 'lodash/map';
import sortBy from 'lodash/sortBy';

import { DAY } from '../../shared/values/timestamp';
import type { Feed } from '../events/observe';
import { type Facts, fieldsOf } from '../events/rule';
import { newestOf } from '../follow/clock';
import type { Notice } from '../follow/pollResponse';
import { IdSet } from './idSet';

/** A shorter list is not asked on. */
export const FEWEST_ASKED_ON = 10;
const FEWEST_REPORTED = 50;
/** How much more is asked for, to see whether a list gets longer. */
const MORE_MS = [DAY, 31 * DAY];

/** A list of changes, and how others are asked for. */
export interface ChangesQuestion {
	feed: Feed;
	/** What the list was asked from. */
	askedFrom: number;
	/** The service's clock, as of the list. */
	now: number;
	/** Lists what was changed after a moment. */
	ask: (ms: number) => Promise<unknown[]>;
	hasTime: () => boolean;
	/** Whether nothing in the list is emitted. */
	isBaseline: boolean;
	/** Whether it has been reported that lists of this length may be cut. */
	isReported: (length: number) => boolean;
}

/** Reads what a list of changes lacks, as far as it can be asked for. */
export class ChangesReader {
	readonly records: unknown[];
	/** Whether asking on has brought what the list should have had. */
	private isProven = false;

	constructor(
		private readonly list: readonly unknown[],
		private readonly question: ChangesQuestion,
	) {
		this.records = [...list];
	}

	/** @returns what to report of the list */
	async readOn(): Promise<Notice | undefined> {
		const { feed, isBaseline, isReported, askedFrom, ask } = this.question;
		const length = this.list.length;
		if (length < FEWEST_ASKED_ON || feed.kind.listsAll) return undefined;
		const times = map(this.changesOf(this.list), timeOf);
		if (isEqual(times, sortBy(times))) await this.askOn();
		if (isReported(length)) return undefined;
		if (this.isProven) return cutNotice(length);
		// Nothing is earlier than all customers.
		if (isBaseline && feed.rule.isById) return mayBeCutNotice(length);
		return await compareWithMore(this.list, feed.kind.idName, async (ms) => {
			return await ask(Math.max(0, askedFrom - ms));
		});
	}

	/** Asks from the newest timestamp of a list for what follows, as long as a list is as long as the first. */
	private async askOn(): Promise<void> {
		const { feed, askedFrom, now, ask, hasTime } = this.question;
		const ids = new IdSet(feed.kind.idName, this.list);
		let list = this.list;
		let after = askedFrom;
		while (list.length >= this.list.length && hasTime()) {
			const newest = newestOf(this.changesOf(list), now);
			if (newest <= after) return;
			// The cut may fall within the newest timestamp. If every record has that, the rest of them cannot be listed.
			after = Math.max(newest - 1, after + 1);
			list = await ask(after);
			const added = ids.add(list);
			for (const record of list) this.records.push(record);
			// A short list may have what the service has only just begun to show.
			const isLacking = this.changesOf(added).some((change) => timeOf(change) < now);
			if (list.length >= this.list.length && isLacking) this.isProven = true;
		}
	}

	private changesOf(list: readonly unknown[]): Change[] {
		const { kind, choice } = this.question.feed;
		return list.map((record) => ({
			changed: kind.factsOf(fieldsOf(record), choice.zone)?.changed,
		}));
	}
}

type Change = Pick<Facts, 'changed'>;

/** @returns when a record was changed; 0 if unknown */
function timeOf({ changed }: Change): number {
	return changed?.ms ?? 0;
}

/**
 * Asks for more than a list, which makes it longer unless it is cut.
 *
 * @param askMore lists so many milliseconds more
 * @returns what to report of the list
 */
export async function compareWithMore(
	list: readonly unknown[],
	idName: string,
	askMore: (ms: number) => Promise<unknown[]>,
): Promise<Notice | undefined> {
	for (const ms of MORE_MS) {
		const more = await askMore(ms).catch(() => undefined);
		// One that fails or is shorter, from a replica that lags behind, says nothing.
		if (more?.length !== list.length) return undefined;
		const ids = new IdSet(idName, more);
		if (list.some((record) => ids.lacks(record))) return cutNotice(list.length);
	}
	return mayBeCutNotice(list.length);
}

/** @returns the notice that lists are cut at a length */
export function cutNotice(length: number): Notice {
	return {
		kind: `cut ${length}`,
		text: `the service lists at most ${length} records a call. The trigger asks for the rest of a list that is sorted by change, oldest first; of any other, some may be missing where more change at once`,
	};
}

/** @returns the notice that lists may be cut at a length; none for one that is short, as many lists are, or no round number, as limits are */
function mayBeCutNotice(length: number): Notice | undefined {
	const isRound = length % 10 === 0 || length % 64 === 0;
	if (length < FEWEST_REPORTED || !isRound) return undefined;
	return {
		kind: `mayBeCut ${length}`,
		text: `perhaps the service lists at most ${length} records a call: then some are missing where more change at once`,
	};
}
