import type { Changes, Compared, Snapshot, Value } from '../feeds/feed';
import { differ, splitHashes } from '../feeds/hashes';

/** What is kept of a record: the day after which it is over, the hashes, and the values as they are. */
type Entry = [lastDay: number, hashes: string, ...values: Value[]];

/** What was last seen of records, as it is stored. */
export interface Known {
	/** Names of the hashed fields, in the order of the hashes. */
	hashed: string[];
	/** By id, the longest ago first. */
	records: Record<string, Entry>;
	/** Of the period that is read at the beginning, what has not been read yet: milliseconds since 1970. */
	unread?: { from: number; to: number };
	/** Whether more lies ahead than is remembered: told once. */
	isFull?: true;
}

/** What is over is forgotten after so many days, or when there is no more room. */
export const DAYS_REMEMBERED = 30;
/** Of all records together: some 15,000 bookings with their times. */
const MAX_CHARACTERS = 1_000_000;

/** What was last seen of records. */
export class Memory {
	private readonly entries: Map<string, Entry>;

	/** @param hashed names of the fields that are hashed today: of the hashes of others nothing is known */
	constructor(
		private readonly stored: Pick<Known, 'hashed' | 'records' | 'isFull'>,
		private readonly hashed: readonly string[],
	) {
		this.entries = new Map(Object.entries(stored.records));
		if (stored.hashed.join() === hashed.join()) return;
		for (const [id, [lastDay, , ...values]] of this.entries) this.entries.set(id, [lastDay, '', ...values]);
	}

	has({ id }: Compared): boolean {
		return this.entries.has(id);
	}

	/** Takes a record for what it is like now, or was like then. */
	remember({ id, lastDay, now }: Compared, snapshot: Snapshot = now): void {
		this.entries.delete(id);
		this.entries.set(id, [lastDay, snapshot.hashes, ...Object.values(snapshot.values)]);
	}

	/**
	 * @param since a record that was made later was seen as it was made
	 * @returns what the record was like; undefined where that is not known
	 */
	lastSeen({ id, now, made }: Compared, since: number): Snapshot | undefined {
		const entry = this.entries.get(id);
		if (!entry) return made && made.rank >= since ? made.snapshot : undefined;
		const [, hashes, ...values] = entry;
		const names = Object.keys(now.values);
		return { hashes, values: Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])) };
	}

	/**
	 * What is over goes first, and after its days in any case; then what was seen the longest ago.
	 *
	 * @param today in days since 1970, by the service's clock
	 */
	store(today: number): Omit<Known, 'unread'> {
		const all = [...this.entries].filter(([, [lastDay]]) => lastDay + DAYS_REMEMBERED >= today);
		const [over, ahead] = [[], []] as [typeof all, typeof all];
		for (const entry of all) (entry[1][0] < today ? over : ahead).push(entry);
		let left = MAX_CHARACTERS;
		const kept = new Set<string>();
		for (const entry of [...ahead.reverse(), ...over.reverse()])
			if ((left -= JSON.stringify(entry).length) >= 0) kept.add(entry[0]);
		const isFull = this.stored.isFull === true || ahead.some(([id]) => !kept.has(id));
		return {
			hashed: [...this.hashed],
			records: Object.fromEntries(all.filter(([id]) => kept.has(id))),
			...(isFull ? { isFull } : {}),
		};
	}
}

/** @param hashed names of the hashed fields */
export function changesBetween(before: Snapshot, now: Snapshot, hashed: readonly string[]): Changes {
	const [was, is] = [splitHashes(before.hashes), splitHashes(now.hashes)];
	const fields = [
		...Object.keys(now.values).filter((name) => before.values[name] !== now.values[name]),
		...hashed.filter((_name, index) => differ(was[index], is[index])),
	];
	return { fields, before: before.values };
}
