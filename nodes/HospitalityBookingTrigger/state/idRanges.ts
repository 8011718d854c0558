import sortBy from 'lodash/sortBy';
import sortedLastIndexBy from 'lodash/sortedLastIndexBy';
import uniq from 'lodash/uniq';

import type { Known } from '../events/rule';
import { MAX_CHARACTERS, type Stored } from './table';

type Range = [first: bigint, last: bigint];

/** A record whose ID is known: nothing else is remembered of it. */
const KNOWN: Known = { newest: 0, versions: [], values: [] };

/** Known IDs, as ranges. As text: the first and the last of each. An ID may be longer than a number counts exactly. */
export class IdRanges {
	private readonly ranges: Range[];
	private readonly added: Range[] = [];

	constructor(text: string) {
		this.ranges = (text === '' ? [] : text.split(',')).map((range) => {
			const [first = '', last = first] = range.split('-');
			return [BigInt(first), BigInt(last)];
		});
	}

	find(id: string): Known | undefined {
		const number = BigInt(id);
		const index = sortedLastIndexBy(this.ranges, [number, number], ([first]) => first) - 1;
		const range = this.ranges[index];
		return range && number <= range[1] ? KNOWN : undefined;
	}

	remember({ id }: { id: string }): void {
		this.added.push([BigInt(id), BigInt(id)]);
	}

	/** The gaps between the lowest IDs close first, where there is no more room. */
	store(): Stored {
		const ranges = this.merged();
		let text = write(ranges);
		const isFull = text.length > MAX_CHARACTERS;
		while (text.length > MAX_CHARACTERS) {
			const half = ranges.splice(0, Math.ceil(ranges.length / 2));
			ranges.unshift([half[0]?.[0] ?? 0n, half.at(-1)?.[1] ?? 0n]);
			text = write(ranges);
		}
		return { text, forgotten: isFull ? 0 : undefined };
	}

	private merged(): Range[] {
		const merged: Range[] = [];
		for (const [first, last] of sortBy([...this.ranges, ...this.added], 0)) {
			const before = merged.at(-1);
			if (!before || first > before[1] + 1n) merged.push([first, last]);
			else if (last > before[1]) before[1] = last;
		}
		return merged;
	}
}

function write(ranges: readonly Range[]): string {
	return ranges.map((range) => uniq(range).join('-')).join(',');
}
