import { createHash } from 'crypto';

/** V8 hashes a text of more than 16,383 characters by its length alone: many of one length would be compared with each other. */
const LONGEST_KEY = 1_000;

/** @returns what stands for a key: the hash of a long text, otherwise the key itself */
function shortKey<K>(key: K): K {
	if (typeof key !== 'string' || key.length <= LONGEST_KEY) return key;
	const hash = createHash('sha256').update(key);
	return hash.digest('hex') as K;
}

/** A Map whose keys may come from outside, as long as they like. `keys()` has the hash of a long one. */
export class KeyMap<K, V> extends Map<K, V> {
	override get(key: K): V | undefined {
		return super.get(shortKey(key));
	}

	override has(key: K): boolean {
		return super.has(shortKey(key));
	}

	override set(key: K, value: V): this {
		return super.set(shortKey(key), value);
	}

	override delete(key: K): boolean {
		return super.delete(shortKey(key));
	}
}

/** A Set of the same kind, to ask what is in it. What is to be listed goes through {@link unique}. */
export class KeySet<K> extends Set<K> {
	override has(key: K): boolean {
		return super.has(shortKey(key));
	}

	override add(key: K): this {
		return super.add(shortKey(key));
	}
}

/** @returns each of the values once, in their order */
export function unique<T>(list: readonly T[]): T[] {
	return uniqueBy(list, (value) => value);
}

/** @returns the first entry with each key, in the order of the list */
export function uniqueBy<T>(list: readonly T[], keyOf: (entry: T) => unknown): T[] {
	const groups = groupedBy(list, keyOf);
	return groups.map((group) => group[0]);
}

/** Entries with the same key: at least one. */
type Group<T> = [T, ...T[]];

/** @returns the entries with the same key together, in the order of the first of each */
export function groupedBy<T>(list: readonly T[], keyOf: (entry: T) => unknown): Array<Group<T>> {
	const groups = new KeyMap<unknown, Group<T>>();
	for (const entry of list) {
		const key = keyOf(entry);
		const group = groups.get(key);
		if (group) group.push(entry);
		else groups.set(key, [entry]);
	}
	return [...groups.values()];
}
