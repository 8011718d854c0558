import { generated } from '../support/thorough';
import { playDue } from './dueHistory';
import { playChanges, playDifferences } from './history';

/** Other seeds search where nobody has looked; this one tells whether a change has broken what held. */
const SEED = Number(process.env.MODEL_SEED ?? 48_210_977);
const RUNS = Number(process.env.MODEL_RUNS ?? generated(300, 1000));

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
