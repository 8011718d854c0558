/** A record as it was from a moment on. */
interface Version<T, I> {
	/** undefined when it was removed. */
	record: T | undefined;
	index: I | undefined;
	/** Milliseconds since 1970 from which lists show this version. */
	visibleFrom: number;
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
	/** The versions of each record that lists may still show, the newest last. */
	private readonly entries = new Map<string, Array<Version<T, I>>>();
	private readonly keyOf: (record: T) => string;
	private readonly indexOf: (record: T) => I;
	private readonly delay: () => number;

	/** @param delay milliseconds after which a change becomes visible in lists */
	constructor(
		keyOf: (record: T) => string,
		indexOf: (record: T) => I,
		delay: () => number = () => 0,
	) {
		this.keyOf = keyOf;
		this.indexOf = indexOf;
		this.delay = delay;
	}

	/** How many records there are. */
	get size(): number {
		return [...this.all()].length;
	}

	get(key: string): T | undefined {
		return this.entries.get(sameCase(key))?.at(-1)?.record;
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
	}

	/** All current records, regardless of the delay. */
	*all(): Generator<T> {
		for (const versions of this.entries.values()) {
			const record = versions.at(-1)?.record;
			if (record !== undefined) yield record;
		}
	}

	/** The records that lists show now. */
	*visible(): Generator<Visible<T, I>> {
		const now = Date.now();
		for (const versions of this.entries.values()) {
			const shown = versions.findLast(({ visibleFrom }) => visibleFrom <= now);
			if (shown?.record !== undefined) yield { record: shown.record, index: shown.index as I };
		}
	}

	private store(key: string, record: T | undefined): void {
		const delay = this.delay();
		const index = record === undefined ? undefined : this.indexOf(record);
		const version = { record, index, visibleFrom: delay > 0 ? Date.now() + delay : 0 };
		const before = delay > 0 ? (this.entries.get(key) ?? []) : [];
		this.entries.set(key, [...before, version]);
	}
}
