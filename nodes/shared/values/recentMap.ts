import { KeyMap } from './keys';

const all: Array<RecentMap<unknown>> = [];

/** For tests: forgets what is remembered between runs, like a new process. */
export function forgetAll(): void {
	for (const map of all) map.clear();
}

/** Remembers the values of the most recently used keys. */
export class RecentMap<V> {
	private recent = new KeyMap<string, V>();
	/** Those that were recent before there were too many: what is not used again goes with the next lot. */
	private older = new KeyMap<string, V>();

	/** @param least so many are remembered, and at most twice as many: making room one by one would take longer the more there are */
	constructor(private readonly least: number) {
		all.push(this);
	}

	/** @returns the value of a key, created if missing */
	open(key: string, make: () => V): V {
		const known = this.recent.get(key);
		if (known !== undefined) return known;
		const value = this.older.get(key) ?? make();
		if (this.recent.size >= this.least) {
			this.older = this.recent;
			this.recent = new KeyMap();
		}
		this.recent.set(key, value);
		return value;
	}

	clear(): void {
		this.recent.clear();
		this.older.clear();
	}
}
