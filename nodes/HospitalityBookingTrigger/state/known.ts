import type { Changes, Compared, Snapshot, Value } from '../feeds/feed';
import { differ, splitHashes } from '../feeds/hashes';

/** What is stored of a record: the day after which it is over, the hashes, and the unchanged values. */
type Entry = [lastDay: number, hashes: string, ...values: Value[]];

/** A period, in milliseconds since 1970. */
export interface Period {
	from: number;
	to: number;
}

/** What was last seen of records, as it is stored. */
export interface Known {
	/** Names of the hashed fields, in the order of the hashes. */
	hashed: string[];
	/** By ID, least recently seen first. */
	records: Record<string, Entry>;
	/** The part of the initial period that has not been read yet. */
	unread?: Period;
	/** Set if more lies ahead than can be remembered: reported once. */
	isFull?: true;
}

/** Past records are forgotten after so many days, or when there is no more room. */
export const DAYS_REMEMBERED = 30;
/** For all records together: about 15,000 bookings with their times. */
const MAX_CHARACTERS = 1_000_000;

/** What was last seen of records. */
export class Memory {
	private readonly entries: Map<string, Entry>;

	/** @param hashed names of the fields that are hashed today: hashes of others are unknown */
	constructor(
		private readonly stored: Known = { hashed: [], records: {} },
		private readonly hashed: readonly string[] = [],
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
	 * @param since a record that was made later was seen as it was made, and is known by that from now on
	 * @returns undefined where it is not known what the record was like
	 */
	changesOf(compared: Compared, since: number): Changes | undefined {
		const { id, now, made } = compared;
		if (!this.has(compared) && made && made.rank >= since) this.remember(compared, made.snapshot);
		const entry = this.entries.get(id);
		if (!entry) return undefined;
		const [, hashes, ...values] = entry;
		const names = Object.keys(now.values);
		const before = Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]));
		const [was, is] = [splitHashes(hashes), splitHashes(now.hashes)];
		const fields = [
			...names.filter((name) => before[name] !== now.values[name]),
			...this.hashed.filter((_name, index) => differ(was[index], is[index])),
		];
		return { fields, before };
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
