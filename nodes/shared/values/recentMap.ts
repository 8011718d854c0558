const all: Array<{ clear(): void }> = [];

/** For tests: forgets what was remembered from one run to the next, as a new process does. */
export function forgetAll(): void {
	for (const map of all) map.clear();
}

/** What this process remembers by a key, of those used last only. */
export class RecentMap<V> extends Map<string, V> {
	/**
	 * @param most entries
	 * @param canForget whether an entry may make room for a new one
	 */
	constructor(
		private readonly most: number,
		private readonly canForget: (value: V) => boolean = () => true,
	) {
		super();
		all.push(this);
	}

	/** @returns the value of a key, made where there is none; the one used longest ago makes room for it */
	open(key: string, make: () => V): V {
		const value = this.get(key) ?? make();
		this.delete(key);
		if (this.size >= this.most) this.forgetOne();
		this.set(key, value);
		return value;
	}

	private forgetOne(): void {
		const [oldest] = this.keys();
		const [key = oldest] = [...this].find(([, value]) => this.canForget(value)) ?? [];
		if (key !== undefined) this.delete(key);
	}
}
