import { generated } from '../support/thorough';
import { playDue } from './dueHistory';
import { playChanges, playDifferences } from './history';

/** `npm run test:model` plays the whole, the others a part of it. */
const IS_WHOLE = process.env.npm_lifecycle_event === 'test:model';
const RUNS = Number(process.env.MODEL_RUNS ?? (IS_WHOLE ? 100_000 : generated(300, 1800)));
/** The whole searches where nobody has looked; the others tell whether a change has broken what held. */
const SEED = Number(process.env.MODEL_SEED ?? (IS_WHOLE ? Math.floor(Math.random() * 2 ** 31) : 48_210_977));

describe('the trigger in a world of random mishaps', () => {
	it.each([
		['changes of records', playChanges],
		['bookings that are due', playDue],
		['what differs from what was last seen', playDifferences],
	])(
		`loses nothing and repeats nothing in ${RUNS} histories of %s`,
		async (what, play) => {
			const outcome = await play(RUNS, SEED);
			process.stdout.write(
				`model: seed ${outcome.seed}, ${outcome.histories} histories of ${what}, ${outcome.polls} polls, ` +
					`${outcome.emitted} records emitted, ${outcome.crashes} crashes between emitting and saving\n`,
			);
			expect(outcome.failure).toBeUndefined();
			expect(outcome.histories).toBe(RUNS);
		},
		Math.max(60_000, RUNS * 100),
	);
});
