import mapValues from 'lodash/mapValues';
import { describeFile } from './support';

/** What every workflow file is tried with. */
const CASES = [
	'nothing found',
	'one found',
	'many found',
	'another language',
	'a guest who wishes ill',
	'an outage',
	'the first day',
] as const;

type Cases<One> = Record<(typeof CASES)[number], One>;
type Texts = Array<string | RegExp>;

/** What a file does in each case. */
export type Tried = Cases<() => Promise<void>>;

/** What the files do, by name. */
type Table = Record<string, Tried>;

/** What goes in, and what comes out and does not; or what is done and expected, where that says more. */
type Row<Given> = { given: Given; shows?: Texts; hides?: Texts } | (() => Promise<void>);

/** A file whose cases are rows: `play` runs it with what goes in, and gives what came of it as a text. */
export function rows<Given>(play: (given: Given) => Promise<string>, cases: Cases<Row<Given>>): Tried {
	return mapValues(cases, (row) => async () => {
		if (typeof row === 'function') return await row();
		const text = await play(row.given);
		for (const part of row.shows ?? []) expect(text).toEqual(holding(part));
		for (const part of row.hides ?? []) expect(text).not.toEqual(holding(part));
	});
}

function holding(part: string | RegExp): unknown {
	return typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part);
}

/** A test for each file and case. */
export function tryAll(table: Table): void {
	for (const [name, tried] of Object.entries(table))
		describeFile(name, () => {
			test.each(CASES)('%s', async (one) => {
				await tried[one]();
			});
		});
}

/** A test for each file and case. All begin at once, as each mostly waits for polls; only the outage, which all share, comes last. */
export function tryAllAtOnce(table: Table): void {
	const begun = new Map<() => Promise<void>, Promise<void>>();

	beforeAll(() => {
		const cases = Object.values(table).flatMap(({ 'an outage': _, ...others }) => Object.values(others));
		for (const one of cases) begun.set(one, one());
		const ended = Promise.allSettled(begun.values());
		for (const { 'an outage': outage } of Object.values(table)) begun.set(outage, ended.then(outage));
		void Promise.allSettled(begun.values());
	});

	tryAll(mapValues(table, (tried) => mapValues(tried, (one) => async () => await begun.get(one))));
}
