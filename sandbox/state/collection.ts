interface Version<T, I> {
	record: T | undefined;
	index: I | undefined;
	/** Milliseconds since 1970 from which lists show this version. */
	visibleFrom: number;
}

interface Entry<T, I> {
	record: T | undefined;
	index: I | undefined;
	/** Earlier versions that lists may still show; absent if there are none. */
	versions?: Array<Version<T, I>>;
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An ID for comparison, regardless of the case of a GUID's letters. */
export function sameCase(id: string): string {
	return GUID.test(id) ? id.toLowerCase() : id;
}

/** A record as lists see it, with the numbers it is filtered by. */
export interface Visible<T, I> {
	record: T;
	index: I;
}

/**
 * Records by key, in the order they were made. Every change replaces the whole record. During a visibility delay, lists
 * show the previous version, like a database with late commits; `get` returns the newest at once.
 */
export class Collection<T, I = undefined> {
	private readonly entries = new Map<string, Entry<T, I>>();
	private readonly keyOf: (record: T) => string;
	private readonly indexOf: (record: T) => I;
	private readonly delay: () => number;
	private count = 0;

	/** @param delay milliseconds after which a change becomes visible in lists */
	constructor(keyOf: (record: T) => string, indexOf: (record: T) => I, delay: () => number = () => 0) {
		this.keyOf = keyOf;
		this.indexOf = indexOf;
		this.delay = delay;
	}

	/** How many records there are. */
	get size(): number {
		return this.count;
	}

	get(key: string): T | undefined {
		return this.entries.get(sameCase(key))?.record;
	}

	/** Adds a record or replaces the one of the same key. Returns it. */
	put(record: T): T {
		this.store(sameCase(this.keyOf(record)), record);
		return record;
	}

	/** Removes a record. Returns whether there was one. */
	remove(key: string): boolean {
		if (this.get(key) === undefined) return false;
		this.store(sameCase(key), undefined);
		return true;
	}

	clear(): void {
		this.entries.clear();
		this.count = 0;
	}

	/** All current records, regardless of the delay. */
	*all(): Generator<T> {
		for (const { record } of this.entries.values()) if (record !== undefined) yield record;
	}

	/** The records that lists show now. */
	*visible(): Generator<Visible<T, I>> {
		const now = Date.now();
		for (const [key, entry] of this.entries) {
			const shown = entry.versions ? this.shownVersion(key, entry, now) : entry;
			if (shown?.record !== undefined) yield { record: shown.record, index: shown.index as I };
		}
	}

	private store(key: string, record: T | undefined): void {
		const before = this.entries.get(key);
		this.count += (record === undefined ? 0 : 1) - (before?.record === undefined ? 0 : 1);
		const index = record === undefined ? undefined : this.indexOf(record);
		const delay = this.delay();
		if (delay <= 0 && !before?.versions) {
			if (record === undefined) this.entries.delete(key);
			else this.entries.set(key, { record, index });
			return;
		}
		const versions = before?.versions ?? [{ record: before?.record, index: before?.index, visibleFrom: 0 }];
		const entry = {
			record,
			index,
			versions: [...versions, { record, index, visibleFrom: Date.now() + delay }],
		};
		this.entries.set(key, entry);
	}

	private shownVersion(key: string, entry: Entry<T, I>, now: number): Version<T, I> | undefined {
		const versions = entry.versions ?? [];
		const shown = versions.findLast((version) => version.visibleFrom <= now);
		if (shown === versions.at(-1)) {
			if (entry.record === undefined) this.entries.delete(key);
			else delete entry.versions;
		}
		return shown;
	}
}
