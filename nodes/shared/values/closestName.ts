import range from 'lodash/range';

/** Most typos in a name; with more it is another word. */
const MAX_EDITS = 2;

/** @returns how to fix a name that is none of the fields */
export function hintOnName(given: string, fields: readonly string[]): string {
	const meant = closestName(given, fields);
	if (meant !== undefined) return `Did you mean '${meant}'?`;
	return `Fields: ${fields.join(', ')}`;
}

/** @returns the name that was probably meant; undefined if none is close */
export function closestName(given: string, names: readonly string[]): string | undefined {
	const lower = given.trim().toLowerCase();
	let closest: string | undefined;
	let fewest = MAX_EDITS + 1;
	for (const name of names) {
		const edits = editsBetween(lower, name.toLowerCase());
		if (edits >= fewest) continue;
		closest = name;
		fewest = edits;
	}
	if (closest === undefined) return undefined;
	// Of a short name so few edits leave nothing.
	const isAnother = fewest > closest.length / 2;
	return isAnother ? undefined : closest;
}

/** Levenshtein distance; any number above {@link MAX_EDITS} if the lengths differ by more. */
function editsBetween(one: string, other: string): number {
	if (Math.abs(one.length - other.length) > MAX_EDITS) return MAX_EDITS + 1;
	/** Edits from what was read of `one` to each start of `other`. */
	let edits = range(other.length + 1);
	for (let at = 0; at < one.length; at++) {
		const next = [at + 1];
		for (let index = 0; index < other.length; index++) {
			let replaced = Number(edits[index]);
			if (one[at] !== other[index]) replaced++;
			const removed = Number(edits[index + 1]) + 1;
			const added = Number(next[index]) + 1;
			const fewest = Math.min(replaced, removed, added);
			next.push(fewest);
		}
		edits = next;
	}
	return Number(edits.at(-1));
}
