import sortBy from 'lodash/sortBy';
import sortedLastIndexBy from 'lodash/sortedLastIndexBy';

import type { Known } from '../events/rule';
import { MAX_CHARACTERS, type Stored } from './table';

/** IDs from the first to the last: they may be longer than a number counts exactly. */
interface Range {
	first: bigint;
	last: bigint;
}

/** A record whose ID is known: nothing else is remembered of it. */
const KNOWN: Known = { newest: 0, versions: [], values: [] };

/** Known IDs, as ranges, e.g. `1-20,35`. Where there is no more room, the gaps between the lowest IDs close first. */
export class IdRanges {
	private readonly ranges: Range[] = [];
	private readonly added: Range[] = [];

	constructor(text: string) {
		if (text === '') return;
		for (const range of text.split(',')) {
			const [first = '', last = first] = range.split('-');
			this.ranges.push({ first: BigInt(first), last: BigInt(last) });
		}
	}

	find(id: string): Known | undefined {
		const number = BigInt(id);
		const wanted = { first: number, last: number };
		const next = sortedLastIndexBy(this.ranges, wanted, 'first');
		const range = this.ranges[next - 1];
		if (!range || number > range.last) return undefined;
		return KNOWN;
	}

	remember(observed: { id: string }): void {
		const number = BigInt(observed.id);
		this.added.push({ first: number, last: number });
	}

	store(): Stored {
		const ranges = this.merged();
		let text = write(ranges);
		if (text.length <= MAX_CHARACTERS) return { text, forgotten: undefined };
		while (text.length > MAX_CHARACTERS) {
			const half = Math.ceil(ranges.length / 2);
			const lowest = ranges.splice(0, half);
			const first = lowest[0]?.first ?? 0n;
			const last = lowest.at(-1)?.last ?? 0n;
			ranges.unshift({ first, last });
			text = write(ranges);
		}
		return { text, forgotten: 0 };
	}

	private merged(): Range[] {
		const merged: Range[] = [];
		const ranges = this.ranges.concat(this.added);
		for (const { first, last } of sortBy(ranges, 'first')) {
			const before = merged.at(-1);
			if (!before || first > before.last + 1n) merged.push({ first, last });
			else if (last > before.last) before.last = last;
		}
		return merged;
	}
}

function write(ranges: readonly Range[]): string {
	const texts: string[] = [];
	for (const { first, last } of ranges) {
		texts.push(first === last ? `${first}` : `${first}-${last}`);
	}
	return texts.join(',');
}
