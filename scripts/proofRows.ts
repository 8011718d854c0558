/** A row of the table in docs/proof.md. */
export interface ProofRow {
	promise: string;
	/** Names of stages, and beginnings of paths below `test/`. */
	places: string[];
}

const ROW = /^\| (?<promise>[^|]+?) +\| (?<places>`[^|]+`) +\| *[^|]*\|$/;

/** Reads a row of the table in docs/proof.md; undefined for other lines. */
export function proofRow(line: string): ProofRow | undefined {
	const { promise, places = '' } = ROW.exec(line)?.groups ?? {};
	if (promise === undefined) return undefined;
	return { promise, places: [...places.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place) };
}

/** The row that a test file, by its path below `test/`, belongs to: the one with the longest match. */
export function rowOf(file: string, rows: readonly ProofRow[]): ProofRow | undefined {
	const named = ({ places }: ProofRow) =>
		Math.max(0, ...places.filter((place) => file.startsWith(place)).map((place) => place.length));
	return rows
		.filter((row) => named(row) > 0)
		.sort((one, other) => named(other) - named(one))
		.at(0);
}
