import { runHistories } from './history';

const RUNS = Number(process.env.MODEL_RUNS ?? 2000);
const SEED = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('the trigger in a world of random mishaps', () => {
	it(
		`loses no record and repeats none in ${RUNS} histories`,
		async () => {
			const outcome = await runHistories(RUNS, SEED);
			process.stdout.write(
				`model: seed ${outcome.seed}, ${outcome.histories} histories, ${outcome.polls} polls, ` +
					`${outcome.emitted} records emitted, ${outcome.crashes} crashes between emitting and saving\n`,
			);
			expect(outcome.failure).toBeUndefined();
			expect(outcome.histories).toBe(RUNS);
		},
		Math.max(60_000, RUNS * 100),
	);
});
