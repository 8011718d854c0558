const all: Array<{ clear(): void }> = [];

/** For tests: forgets what is remembered between runs, like a new process. */
export function forgetAll(): void {
	for (const map of all) map.clear();
}

/** Entries that are asked whether they may be dropped; those that may not count as used. */
const MOST_TRIES = 10;

/** Remembers the values of the most recently used keys. */
export class RecentMap<V> extends Map<string, V> {
	/**
	 * @param most entries
	 * @param canForget whether an entry may be dropped for a new one
	 */
	constructor(
		private readonly most: number,
		private readonly canForget: (value: V) => boolean = () => true,
	) {
		super();
		all.push(this);
	}

	/** @returns the value of a key, created if missing; the least recently used entry is dropped for it */
	open(key: string, make: () => V): V {
		const value = this.get(key) ?? make();
		this.delete(key);
		if (this.size >= this.most) this.forgetOne();
		this.set(key, value);
		return value;
	}

	private forgetOne(): void {
		for (let tries = Math.min(MOST_TRIES, this.size); tries > 0; tries--) {
			const [oldest] = this;
			if (!oldest || this.canForget(oldest[1])) break;
			this.delete(oldest[0]);
			this.set(...oldest);
		}
		const [forgotten] = this.keys();
		if (forgotten !== undefined) this.delete(forgotten);
	}
}
