import sortedLastIndexBy from 'lodash/sortedLastIndexBy';
import uniq from 'lodash/uniq';

import type { Known } from '../events/rule';
import { MAX_CHARACTERS, type Stored } from './table';

type Range = [first: number, last: number];

/** A record whose ID is known: nothing else is remembered of it. */
const KNOWN: Known = { newest: 0, versions: [], values: [] };

/** Known IDs, as ranges. As text: the first and the last of each, in base 36. */
export class IdRanges {
	private readonly ranges: Range[];
	private readonly added: Range[] = [];

	constructor(text: string) {
		this.ranges = (text === '' ? [] : text.split(',')).map((range) => {
			const [first = '', last = first] = range.split('-');
			return [Number.parseInt(first, 36), Number.parseInt(last, 36)];
		});
	}

	find(id: string): Known | undefined {
		const index = sortedLastIndexBy(this.ranges, [Number(id), 0], ([first]) => first) - 1;
		return Number(id) <= (this.ranges[index]?.[1] ?? -1) ? KNOWN : undefined;
	}

	remember({ id }: { id: string }): void {
		this.added.push([Number(id), Number(id)]);
	}

	/** The gaps between the lowest IDs close first, where there is no more room. */
	store(): Stored {
		const ranges = this.merged();
		let text = write(ranges);
		const isFull = text.length > MAX_CHARACTERS;
		while (text.length > MAX_CHARACTERS) {
			const half = ranges.splice(0, Math.ceil(ranges.length / 2));
			ranges.unshift([half[0]?.[0] ?? 0, half.at(-1)?.[1] ?? 0]);
			text = write(ranges);
		}
		return { text, forgotten: isFull ? 0 : undefined };
	}

	private merged(): Range[] {
		const merged: Range[] = [];
		for (const [first, last] of [...this.ranges, ...this.added].sort(([a], [b]) => a - b)) {
			const before = merged.at(-1);
			if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
			else merged.push([first, last]);
		}
		return merged;
	}
}

function write(ranges: readonly Range[]): string {
	const base36 = (id: number) => id.toString(36);
	return ranges.map((range) => uniq(range).map(base36).join('-')).join(',');
}
