import mapValues from 'lodash/mapValues';
import { describeFile } from './support';

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
