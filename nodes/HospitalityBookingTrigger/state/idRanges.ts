import sortedLastIndexBy from 'lodash/sortedLastIndexBy';

import type { Known } from '../feeds/feed';
import { MAX_CHARACTERS, type Memory, type StoredMemory } from './table';

type Range = [first: number, last: number];

/** A record whose ID is known: nothing else is remembered of it. */
const KNOWN: Known = { newest: 0, versions: [], values: [] };

/** Known IDs, as ranges. As text: the distance of each range from the one before, and its length, in base 36. */
export class IdRanges implements Memory {
	private ranges: Range[] = [];
	private readonly added = new Set<number>();

	constructor(text: string) {
		let end = -1;
		for (const range of text === '' ? [] : text.split(',')) {
			const [distance = '', length = '0'] = range.split('-');
			const first = end + Number.parseInt(distance, 36);
			end = first + Number.parseInt(length, 36);
			this.ranges.push([first, end]);
		}
	}

	find(id: string): Known | undefined {
		const number = Number(id);
		const [, last = -1] =
			this.ranges[sortedLastIndexBy(this.ranges, [number, 0], ([first]) => first) - 1] ?? [];
		return number <= last || this.added.has(number) ? KNOWN : undefined;
	}

	remember({ id }: { id: string }): void {
		this.added.add(Number(id));
	}

	/** Every ID up to the highest counts as known, as not all records were listed. */
	fill(): void {
		this.merge();
		const highest = this.ranges.at(-1)?.[1];
		if (highest !== undefined) this.ranges = [[0, highest]];
	}

	/** The gaps between the lowest IDs close first, where there is no more room. */
	store(): StoredMemory {
		this.merge();
		let text = this.write();
		const isFull = text.length > MAX_CHARACTERS;
		while (text.length > MAX_CHARACTERS) {
			const half = this.ranges.splice(0, Math.ceil(this.ranges.length / 2));
			this.ranges.unshift([half[0]?.[0] ?? 0, half.at(-1)?.[1] ?? 0]);
			text = this.write();
		}
		return { text, isFull };
	}

	private write(): string {
		let end = -1;
		return this.ranges
			.map(([first, last]) => {
				const distance = (first - end).toString(36);
				end = last;
				return last > first ? `${distance}-${(last - first).toString(36)}` : distance;
			})
			.join(',');
	}

	private merge(): void {
		if (this.added.size === 0) return;
		const all = [...this.ranges, ...[...this.added].map((id): Range => [id, id])].sort(([a], [b]) => a - b);
		this.added.clear();
		this.ranges = [];
		for (const [first, last] of all) {
			const before = this.ranges.at(-1);
			if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
			else this.ranges.push([first, last]);
		}
	}
}
