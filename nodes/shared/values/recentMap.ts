const all: Array<{ clear(): void }> = [];

/** For tests: forgets what was remembered from one run to the next, as a new process does. */
export function forgetAll(): void {
	for (const map of all) map.clear();
}

/** What this process remembers by a key, of those used last only. */
export class RecentMap<V> {
	private readonly entries = new Map<string, V>();

	/**
	 * @param most entries
	 * @param canForget whether an entry may make room for a new one
	 */
	constructor(
		private readonly most: number,
		private readonly canForget: (value: V) => boolean = () => true,
	) {
		all.push(this);
	}

	get size(): number {
		return this.entries.size;
	}

	/** @returns the value of a key, made where there is none; the one used longest ago makes room for it */
	open(key: string, make: () => V): V {
		const value = this.entries.get(key) ?? make();
		this.entries.delete(key);
		if (this.entries.size >= this.most) this.forgetOne();
		this.entries.set(key, value);
		return value;
	}

	clear(): void {
		this.entries.clear();
	}

	private forgetOne(): void {
		for (const [key, value] of this.entries) {
			if (!this.canForget(value)) continue;
			this.entries.delete(key);
			return;
		}
	}
}
