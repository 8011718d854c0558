/** What every workflow file is tried with. */
export const CASES = [
	'nothing found',
	'one found',
	'many found',
	'another language',
	'a guest who wishes ill',
	'an outage',
	'the first day',
] as const;

/** What a file does in each case. */
export type Tried = Record<(typeof CASES)[number], () => Promise<void>>;

/** What the files do, by name. */
export type Table = Record<string, Tried>;

/** A test for each file and case. */
export function tryAll(table: Table): void {
	describe.each(Object.entries(table))('workflows/%s.json', (_, tried) => {
		test.each(CASES)('%s', async (one) => {
			await tried[one]();
		});
	});
}
