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
	// Of a short name so few edits leave nothing.
	if (closest === undefined || fewest > closest.length / 2) return undefined;
	return closest;
}

/** Levenshtein distance; any number above {@link MAX_EDITS} if the lengths differ by more. */
function editsBetween(one: string, other: string): number {
	if (Math.abs(one.length - other.length) > MAX_EDITS) return MAX_EDITS + 1;
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [at, character] of [...one].entries()) {
		const next = [at + 1];
		for (let index = 0; index < other.length; index++) {
			const isSame = other[index] === character;
			const replaced = Number(row[index]) + (isSame ? 0 : 1);
			const removed = Number(row[index + 1]) + 1;
			const added = Number(next[index]) + 1;
			next.push(Math.min(replaced, removed, added));
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}
