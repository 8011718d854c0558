import { shortHash } from './seen';

type Value = string | number | boolean | null;

/** What is remembered of a record: the kept values and, last, all hashes as one text. */
export type Digest = Value[];

/** What was last seen of records, by id, the longest ago first. */
export type LastSeen = Record<string, Digest>;

/** The parts of a record that are remembered, and what is kept of them. */
export interface Facts {
	/** Names of the kept values, and of those of which a hash is kept. */
	kept: string[];
	hashed: string[];
	digest: Digest;
}

/** What is different from what was last seen. */
export interface Changes {
	fields: string[];
	/** The kept values as they were, changed or not. */
	before: Record<string, Value>;
}

/** What goes out with a record, by which it is found again. */
export interface Difference {
	/** Stands for the record. */
	id: string;
	/** Null where what was last seen is not known. */
	changes: Changes | null;
}

/** Of all records together: a moved booking takes some 60 characters, so 8,000 fit in. */
const MAX_CHARACTERS = 500_000;
const HASH_CHARACTERS = 4;

/**
 * @param kept values to keep as they are, by name
 * @param hashed values of which a hash is kept, which only tells that they have changed
 */
export function factsOf(kept: Record<string, Value>, hashed: Record<string, unknown> = {}): Facts {
	const hash = (value: unknown) => shortHash(JSON.stringify(value) ?? '', HASH_CHARACTERS);
	const digest = [...Object.values(kept), Object.values(hashed).map(hash).join('')];
	return { kept: Object.keys(kept), hashed: Object.keys(hashed), digest };
}

/** @returns undefined where nothing is known, or not of the same parts */
export function changesSince(
	seen: Digest | undefined,
	{ kept, hashed, digest: now }: Facts,
): Changes | undefined {
	const [was, is] = [String(seen?.at(-1)), String(now.at(-1))];
	if (seen?.length !== now.length || was.length !== is.length) return undefined;
	const hashAt = (text: string, index: number) => text.substr(index * HASH_CHARACTERS, HASH_CHARACTERS);
	const fields = [
		...kept.filter((_name, index) => seen[index] !== now[index]),
		...hashed.filter((_name, index) => hashAt(was, index) !== hashAt(is, index)),
	];
	const before = Object.fromEntries(kept.map((name, index) => [name, seen[index] ?? null]));
	return { fields: [...new Set(fields)], before };
}

/** Takes out what was seen the longest ago where all of it would be too much. */
export function bounded(seen: ReadonlyMap<string, Digest>): LastSeen {
	let left = MAX_CHARACTERS;
	const kept = [...seen].reverse().filter((entry) => (left -= JSON.stringify(entry).length) >= 0);
	return Object.fromEntries(kept.reverse());
}
