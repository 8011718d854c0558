import { generated } from '../support/thorough';
import { runDueHistories } from './dueHistory';
import { runHistories } from './history';

/** `npm run test:model` plays the whole, the others a part of it. */
const STANDARD_RUNS = process.env.npm_lifecycle_event === 'test:model' ? 100_000 : generated(500, 2000);
const RUNS = Number(process.env.MODEL_RUNS ?? STANDARD_RUNS);
const SEED = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('the trigger in a world of random mishaps', () => {
	it.each([
		['changes of records', runHistories],
		['bookings that are due', runDueHistories],
	])(
		`loses nothing and repeats nothing in ${RUNS} histories of %s`,
		async (what, run) => {
			const outcome = await run(RUNS, SEED);
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
