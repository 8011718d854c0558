/** Most typos in a name; with more it is another word. */
const MAX_EDITS = 2;

/** @returns the name that was probably meant; undefined if none is close */
export function closestName(given: string, names: readonly string[]): string | undefined {
	const lower = given.trim().toLowerCase();
	const ranked = names
		.map((name) => ({ name, edits: editsBetween(lower, name.toLowerCase()) }))
		.sort((one, other) => one.edits - other.edits);
	const [best] = ranked;
	return best && best.edits <= Math.min(MAX_EDITS, best.name.length / 2) ? best.name : undefined;
}

/** In shorter names, one letter makes another word: `date` is not a typo of `name`. */
const LEAST_LENGTH = 8;

/**
 * @returns the name that a column surely means: its letters and digits differ only in case or, if it is long, by a typo;
 * undefined if there is none
 */
export function nearName(given: string, names: readonly string[]): string | undefined {
	const bare = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
	const own = bare(given);
	const meant = own.length < LEAST_LENGTH ? own : closestName(own, names.map(bare));
	return names.find((name) => bare(name) === meant);
}

/** Levenshtein distance; any number above {@link MAX_EDITS} if the lengths differ by more. */
function editsBetween(one: string, other: string): number {
	if (Math.abs(one.length - other.length) > MAX_EDITS) return MAX_EDITS + 1;
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [at, character] of [...one].entries()) {
		const next = [at + 1];
		for (let index = 0; index < other.length; index++) {
			const replaced = (row[index] ?? 0) + (other[index] === character ? 0 : 1);
			next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}
