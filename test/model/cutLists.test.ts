import * as fc from 'fast-check';

import { generated } from '../support/thorough';
import { DAY, HOUR, MINUTE, SECOND } from '../unit/trigger/support';
import {
	type Caps,
	type CutEvent,
	type CutHistory,
	type Happening,
	ORDERS,
	playCutLists,
} from './cutLists';

const SEED = Number(process.env.MODEL_SEED ?? 48_210_977);
const RUNS = Number(process.env.MODEL_RUNS ?? generated(150, 300));

const EVENTS: CutEvent[] = [
	'bookingCreated',
	'bookingUpdated',
	'bookingChanged',
	'bookingRescheduled',
	'bookingPaymentChanged',
	'bookingStartsSoon',
	'bookingEnded',
	'customerCreated',
	'customerChanged',
];

/** Caps that differ for changes and for periods, or not; none. */
const cap = fc.constantFrom(undefined, 50, 100, 100, 250, 1000);
const caps: fc.Arbitrary<Caps> = fc.oneof(
	fc.record({ changes: cap, periods: cap }),
	cap.map((most) => ({ changes: most, periods: most })),
);

const happening: fc.Arbitrary<Happening> = fc.record({
	what: fc.constantFrom('make', 'edit'),
	count: fc.constantFrom(1, 12, 49, 51, 99, 101, 150, 300, 1100),
	apartMs: fc.constantFrom(0, 0, 1, 20, 300, SECOND),
	startsApartMs: fc.constantFrom(0, 0, SECOND, MINUTE, 10 * MINUTE),
	waitMs: fc.constantFrom(10 * SECOND, MINUTE, 5 * MINUTE, HOUR),
});

const history: fc.Arbitrary<CutHistory> = fc.record({
	event: fc.constantFrom(...EVENTS),
	order: fc.constantFrom(...ORDERS),
	caps,
	later: fc.option(fc.record({ from: fc.constantFrom(1, 2), caps }), { freq: 2, nil: undefined }),
	inSeconds: fc.boolean(),
	old: fc.record({
		count: fc.constantFrom(0, 1, 60, 200, 1100),
		apartMs: fc.constantFrom(0, SECOND, MINUTE, HOUR, DAY),
	}),
	happenings: fc.array(happening, { minLength: 1, maxLength: 4 }),
});

it(
	`every change is emitted, or told, in ${RUNS} histories of lists that the service cuts, in every order`,
	async () => {
		let emitted = 0;
		const property = fc.asyncProperty(history, async (drawn) => {
			// Which customers are known is seen in the first list that has some.
			const isUnlisted = drawn.event === 'customerCreated' && drawn.old.count === 0;
			const old = isUnlisted ? { ...drawn.old, count: 1 } : drawn.old;
			emitted += (await playCutLists({ ...drawn, old })).emitted;
		});
		const result = await fc.check(property, { numRuns: RUNS, seed: SEED, endOnFailure: true });
		process.stdout.write(
			`model: seed ${SEED}, ${result.numRuns} histories of cut lists, ${emitted} records emitted\n`,
		);
		expect(
			result.failed
				? `${String(result.errorInstance)}\n${fc.defaultReportMessage(result)}`
				: undefined,
		).toBeUndefined();
	},
	Math.max(600_000, RUNS * 300),
);

const EDITED_AT_ONCE: Happening = {
	what: 'edit',
	count: 1,
	apartMs: 0,
	startsApartMs: 0,
	waitMs: MINUTE,
};
const PLAIN: CutHistory = {
	event: 'bookingUpdated',
	order: 'changed ascending',
	caps: {},
	inSeconds: true,
	old: { count: 0, apartMs: MINUTE },
	happenings: [],
};

const edit = (count: number, more: Partial<Happening> = {}) => ({
	...EDITED_AT_ONCE,
	count,
	...more,
});
const make = (count: number, more: Partial<Happening> = {}) => ({
	...EDITED_AT_ONCE,
	what: 'make' as const,
	count,
	...more,
});
const both = (most: number): Caps => ({ changes: most, periods: most });

describe('emitted or told, where', () => {
	it.each<[string, Partial<CutHistory>]>([
		[
			'5,000 are edited in one second, and another 20 s before, with a cap of 1,000',
			{
				event: 'bookingChanged',
				caps: both(1000),
				old: { count: 5000, apartMs: MINUTE },
				happenings: [make(1, { waitMs: 20 * SECOND, isBeforeNext: true }), edit(5000)],
			},
		],
		...ORDERS.map(
			(order) =>
				[
					`900 are edited, a second apart, with a cap of 100, in the order '${order}'`,
					{
						order,
						caps: both(100),
						old: { count: 900, apartMs: HOUR },
						happenings: [edit(900, { apartMs: SECOND })],
					},
				] as [string, Partial<CutHistory>],
		),
		[
			'5,000 are edited, and the newest 1,000 are listed, oldest first',
			{
				order: 'newest written ascending',
				caps: both(1000),
				old: { count: 5000, apartMs: MINUTE },
				happenings: [edit(5000, { apartMs: 20 })],
			},
		],
		[
			'150 are rescheduled, with changes cut at 100 and periods at 1,000',
			{
				event: 'bookingRescheduled',
				order: 'start',
				caps: { changes: 100, periods: 1000 },
				old: { count: 1100, apartMs: HOUR },
				happenings: [edit(150)],
			},
		],
		[
			'150 are edited after a cap was lowered from 1,000 to 100',
			{
				order: 'start',
				caps: both(1000),
				later: { from: 1, caps: both(100) },
				old: { count: 1500, apartMs: MINUTE },
				happenings: [edit(1500, { apartMs: 20, waitMs: HOUR }), edit(150)],
			},
		],
		[
			'51 are moved after a cap fell to 50, and what is listed is in the order of its changes by chance',
			{
				event: 'bookingRescheduled',
				order: 'start',
				caps: { changes: 1000, periods: 100 },
				later: { from: 2, caps: both(50) },
				old: { count: 1, apartMs: DAY },
				happenings: [
					make(101, { apartMs: 20, waitMs: 10 * SECOND }),
					make(150, { apartMs: 300, waitMs: 10 * SECOND }),
					edit(51, { apartMs: SECOND, waitMs: 10 * SECOND }),
					make(1100, { apartMs: 300, startsApartMs: MINUTE }),
				],
			},
		],
		[
			'300 are moved after a cap rose to 1,000, of which a cap of 100 had hidden 200',
			{
				event: 'bookingRescheduled',
				order: 'changed descending',
				caps: both(100),
				later: { from: 2, caps: { changes: 1000, periods: 250 } },
				happenings: [make(101), make(300, { apartMs: 1 }), edit(300, { apartMs: 20 })],
			},
		],
		[
			'150 start at one time, with a cap of 100',
			{
				event: 'bookingStartsSoon',
				caps: both(100),
				happenings: [make(75, { apartMs: SECOND }), make(150)],
			},
		],
		[
			'old customers change of whom a list of the newest 1,000 of 3,000 did not tell',
			{
				event: 'customerCreated',
				order: 'changed descending',
				caps: both(1000),
				old: { count: 3000, apartMs: MINUTE },
				happenings: [make(30, { apartMs: SECOND }), edit(30)],
			},
		],
	])('%s', async (_what, more) => {
		const { emitted } = await playCutLists({ ...PLAIN, ...more });
		expect(emitted).toBeGreaterThan(0);
	});
});

it('nothing is told of 12 bookings that are edited in one second, where no list is cut', async () => {
	const old = { count: 12, apartMs: HOUR };
	const outcome = await playCutLists({ ...PLAIN, old, happenings: [edit(12)] });
	expect(outcome).toEqual({ emitted: 12, told: [] });
});
