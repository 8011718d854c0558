/** Most typos in a name; with more it is another word. */
const MAX_EDITS = 2;

/** @returns how to fix a name that is none of the fields */
export function hintOnName(given: string, fields: readonly string[]): string {
	const meant = closestName(given, fields);
	return meant === undefined ? `Fields: ${fields.join(', ')}` : `Did you mean '${meant}'?`;
}

/** @returns the name that was probably meant; undefined if none is close */
export function closestName(given: string, names: readonly string[]): string | undefined {
	const lower = given.trim().toLowerCase();
	const ranked = names
		.map((name) => ({ name, edits: editsBetween(lower, name.toLowerCase()) }))
		.sort((one, other) => one.edits - other.edits);
	const [best] = ranked;
	return best && best.edits <= Math.min(MAX_EDITS, best.name.length / 2) ? best.name : undefined;
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
