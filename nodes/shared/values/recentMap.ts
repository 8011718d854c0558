const all: Array<{ clear(): void }> = [];

/** For tests: forgets what is remembered between runs, like a new process. */
export function forgetAll(): void {
	for (const map of all) map.clear();
}

/** Remembers the values of the most recently used keys. */
export class RecentMap<V> extends Map<string, V> {
	/** @param most entries */
	constructor(private readonly most: number) {
		super();
		all.push(this);
	}

	/** @returns the value of a key, created if missing; the least recently used entry is dropped for it */
	open(key: string, make: () => V): V {
		const value = this.get(key) ?? make();
		this.delete(key);
		if (this.size >= this.most) this.delete(String(this.keys().next().value));
		this.set(key, value);
		return value;
	}
}
