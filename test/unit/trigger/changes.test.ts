import type { TriggerEvent } from '../../../nodes/HospitalityBookingTrigger/events/events';
import type { PollSettings } from '../../../nodes/HospitalityBookingTrigger/poll/poll';
import {
	DAY,
	HOUR,
	MINUTE,
	NOW,
	Polled,
	SECOND,
	at,
	booking,
	customer,
	feedOf,
	made,
	namesOf,
	published,
} from './support';

interface Case extends Partial<PollSettings> {
	event?: TriggerEvent;
	/** What is there when the trigger is published. */
	records?: unknown[];
	zone?: string;
	overlapMs?: number;
	statuses?: number[];
}

/** @returns the names of what comes out of pages, ten minutes apart */
async function emittedOf(
	pages: unknown[][],
	{ event = 'bookingChanged', zone = 'UTC', overlapMs = 2 * MINUTE, statuses, ...more }: Case = {},
) {
	const filters = statuses ? { statuses } : {};
	const trigger = await published(feedOf(event, { zone, overlapMs, filters }), more);
	return namesOf(await trigger.pages(pages));
}

const old = booking('a', 0);
const history = [
	{ changeDate: at(-6000), status: 1 },
	{ changeDate: at(720 * 60), status: 2 },
];

it.each<[what: string, pages: unknown[][], emitted: string[], options?: Case]>([
	[
		'although it has the timestamp of what was there before',
		[[old, booking('b', 0)]],
		['b'],
		{ records: [old] },
	],
	[
		'within one tick of the clock by its status',
		[[{ ...old, status: 2 }]],
		['a'],
		{ records: [old] },
	],
	[
		'by its creation where it was never changed',
		[[old, { ...made('b', 1), changeDate: null }]],
		['b'],
		{ records: [old] },
	],
	[
		'by the instant of its creation, whatever the form of either time',
		[[made('b', 1, { createdDate: '2026-07-01T14:01:00' })]],
		['b'],
		{ event: 'bookingCreated', records: [old], zone: 'Europe/Stockholm' },
	],
	[
		'once, though the form of its times changes',
		[
			[made('b', 1)],
			[made('b', 1, { createdDate: '2026-07-01T12:01:00', changeDate: '2026-07-01T12:01:00.000' })],
		],
		['b', ''],
		{ records: [old] },
	],
	[
		'though the service has held it back for hours',
		[[], [made('b', -30, { changeDate: at(15) })], [made('b', -30, { changeDate: at(25) })]],
		['', 'b', ''],
		{ event: 'bookingCreated', records: [booking('a', -200)], startAt: NOW - HOUR },
	],
	[
		'once, judged when it is first seen',
		[[made('a', 1)], [{ ...made('a', 1), status: 2 }]],
		['', ''],
		{ event: 'bookingCreated', records: [old], statuses: [2] },
	],
	[
		'and not where it is shown as it was before, by a replica that lags behind',
		[[booking('a', 9)], [booking('a', 5)], [booking('a', 9), booking('b', 18)]],
		['a', '', 'b'],
		{ records: [old], overlapMs: 20 * MINUTE },
	],
	[
		'though its timestamp is a second before the one that was seen',
		[[booking('a', 9)], [booking('a', 9 - 1 / 60, { status: 3 })]],
		['a', 'a'],
		{ records: [old] },
	],
	[
		'after a timestamp that lies far ahead',
		[[booking('a', 74 * 365 * 24 * 60)], [booking('a', 15)], [booking('a', 25)]],
		['a', 'a', 'a'],
		{ records: [old] },
	],
	[
		'once, though a clock that was days ahead has dated its status',
		[
			[booking('a', 1, { status: 2, history })],
			[booking('a', 15, { status: 2, history })],
			[booking('a', 25, { status: 2, history })],
		],
		['a', '', ''],
		{ event: 'bookingStatusChanged', records: [old] },
	],
	[
		'as a customer whose ID was not known, though it is lower than others',
		[
			[customer(7, 1), customer(5, 1)],
			[customer(5, 12), customer(6, 12)],
		],
		['5', '6'],
		{ event: 'customerCreated', records: [customer(7, -5000), customer(9, -6000), customer(4)] },
	],
	[
		'as a customer without a time, once',
		[[customer(8)], [customer(8), customer(8)]],
		['8', ''],
		{ event: 'customerCreated', records: [customer(7)] },
	],
])('what is new comes out %s', async (_, pages, emitted, options = {}) => {
	expect(await emittedOf(pages, options)).toEqual(emitted);
});

it("emits what happened at 'Start From' itself, to the second, and nothing before it", async () => {
	const startAt = NOW - 60 * MINUTE;
	const trigger = new Polled(feedOf('bookingChanged'), { startAt });
	const all = [
		booking('before', at(-60 - 1 / 60)),
		booking('then', at(-60)),
		booking('after', -59),
	];
	trigger.answer = async ({ changedFrom }) => {
		const found = all.filter(
			({ changeDate }) => Date.parse(changeDate) > Date.parse(String(changedFrom)),
		);
		return await Promise.resolve(found);
	};

	expect(await trigger.poll(true)).toEqual(['then', 'after']);
});

describe('a service that lists nothing at first', () => {
	it.each<[TriggerEvent, unknown[], string]>([
		['bookingCreated', [made('old', -60), made('new', 5)], 'new'],
		['bookingChanged', [booking('old', -1), booking('edited', 5)], 'edited'],
		['customerCreated', [customer(3, -60), customer(4, 5)], ''],
	])('has shown nothing that was made before as new: %s', async (event, page, emitted) => {
		const trigger = await published(feedOf(event));
		trigger.records = [];
		expect(namesOf(await trigger.pages([[], page, page]))).toEqual(['', emitted, '']);
	});

	it.each<[TriggerEvent, changed: string]>([
		['bookingChanged', '2026-10-25T02:05:00'],
		['bookingCreated', '2026-10-25T02:05:00'],
		['bookingCreated', '2026-10-25T02:04:59'],
	])('loses nothing of an hour that occurs twice: %s, changed at %s', async (event, changed) => {
		const trigger = new Polled(feedOf(event, { zone: 'Europe/Stockholm' }));
		trigger.now = Date.parse('2026-10-25T01:00:00Z');
		await trigger.poll();
		const one = booking('a', changed, { createdDate: '2026-10-25T02:05:00' });
		expect(namesOf(await trigger.pages([[one]]))).toEqual(['a']);
	});

	it('loses no status that changes in an hour that occurs twice', async () => {
		const trigger = new Polled(feedOf('bookingStatusChanged', { zone: 'Europe/Stockholm' }));
		trigger.now = Date.parse('2026-10-25T01:00:00Z');
		await trigger.poll();
		const first = '2026-10-01T12:00:00';
		const last = '2026-10-25T02:05:00';
		const entries = [first, last].map((changeDate, index) => ({ changeDate, status: index + 1 }));
		const one = booking('a', last, { createdDate: first, status: 2, history: entries });
		expect(namesOf(await trigger.pages([[one]]))).toEqual(['a']);
	});

	it.each<TriggerEvent>(['bookingCreated', 'bookingStatusChanged'])(
		'emits nothing that was made before it in an hour that occurs twice, as its change tells: %s',
		async (event) => {
			const trigger = new Polled(feedOf(event, { zone: 'Europe/Stockholm' }));
			trigger.now = Date.parse('2026-10-25T01:04:30Z');
			await trigger.poll();
			const createdDate = '2026-10-25T02:59:59';
			const changed = '2026-10-25T02:00:00';
			const entries = [createdDate, changed].map((changeDate, index) => ({
				changeDate,
				status: index + 1,
			}));
			const one = booking('a', changed, { createdDate, status: 2, history: entries });
			expect(namesOf(await trigger.pages([[one]]))).toEqual(['']);
		},
	);

	it('is read from the beginning once it lists something', async () => {
		const trigger = await published(feedOf('bookingRescheduled'));
		const bookings = ['a', 'b'].map((guid) => booking(guid, -600));
		await trigger.polls(2);
		expect(trigger.state?.position.unread).not.toBeNull();
		trigger.booked = bookings;
		await trigger.pages([[booking('c', 5)]]);
		const moved = booking('a', 20, { end: '2026-08-01T21:00:00' });
		expect(namesOf(await trigger.pages([[moved]]))).toEqual(['a']);
	});

	it('loses nothing that changes while it lists nothing for an hour', async () => {
		const trigger = await published(feedOf('bookingChanged'), { records: [old] });
		await trigger.pages([[old], [], [], []]);
		expect(namesOf(await trigger.pages([[booking('b', 15)]]))).toEqual(['b']);
	});
});

it('does not emit as updated what is made in an hour that occurs twice, in two forms', async () => {
	const trigger = new Polled(feedOf('bookingUpdated', { zone: 'Europe/Stockholm' }));
	trigger.now = Date.parse('2026-10-25T00:50:00Z');
	const one = booking('a', '2026-10-25T02:00:00', { createdDate: '2026-10-25T01:00:00Z' });
	await trigger.poll();
	expect(namesOf(await trigger.pages([[one]]))).toEqual(['']);
});

describe('the next poll', () => {
	it('asks from the overlap before the newest timestamp, as the service wrote it', async () => {
		const trigger = await published(feedOf('bookingChanged'), {
			records: [booking('a', '2026-07-01T11:30:00.5000000')],
		});
		trigger.now += 2 * SECOND;
		await trigger.poll();
		expect(trigger.askedFrom).toBe('2026-07-01T11:28:00.5000000');
	});

	it('asks from the minutes of the overlap that are set', async () => {
		const trigger = await published(feedOf('bookingChanged', { overlapMs: 10 * MINUTE }), {
			records: [booking('a', 0)],
		});
		await trigger.polls(1);
		expect(trigger.askedFrom).toBe(at(-10));
	});

	it('fetches no more of a quiet site once the overlap has passed by the clock of each instance', async () => {
		const trigger = await published(feedOf('bookingChanged'), { records: [booking('a', 0)] });
		for (const [seconds, from] of [
			[121, -2],
			[124, -2],
			[125, 0],
		] as const) {
			trigger.now = NOW + seconds * SECOND;
			await trigger.poll();
			expect(trigger.askedFrom).toBe(at(from));
		}
	});

	it('is not moved by a timestamp ahead of the service’s clock, and tells a person', async () => {
		const trigger = await published(feedOf('bookingChanged'), { records: [booking('a', 0)] });
		expect(namesOf(await trigger.pages([[booking('a', 0), booking('x', 30)]]))).toEqual(['x']);
		expect(trigger.reports.flat()).toEqual([
			expect.stringContaining("ahead of the service's clock"),
		]);
		await trigger.poll();
		expect(Date.parse(String(trigger.askedFrom))).toBeLessThanOrEqual(NOW);
	});

	it('reaches two hours back around a clock change, and never goes back for that', async () => {
		const trigger = new Polled(feedOf('bookingChanged', { zone: 'Europe/Stockholm' }));
		trigger.now = Date.parse('2026-03-28T22:10:00Z');
		const asked: unknown[] = [];
		for (const changed of [
			'2026-03-28T22:59:00',
			'2026-03-28T23:05:00',
			'2026-03-29T03:10:00',
			'2026-03-29T03:11:00',
		]) {
			trigger.now = Math.max(trigger.now, Date.parse(`${changed}Z`) - 30 * MINUTE);
			trigger.records = [booking(changed, changed)];
			await trigger.poll();
			asked.push(trigger.askedFrom);
		}
		expect(asked.slice(2)).toEqual(['2026-03-28T22:57:00', '2026-03-29T00:10:00']);
	});

	it('goes by the service’s clock, however wrong that of n8n is', async () => {
		const trigger = await published(feedOf('bookingChanged'), { records: [old] });
		const service = NOW;
		trigger.date = () => service + 10 * MINUTE;
		trigger.now += 30 * DAY;
		trigger.records = [booking('a', 47 * 60)];
		await trigger.poll();
		expect(trigger.state?.position.newestSeen?.at).toBe(NOW);
	});
});

describe('a list that the service cuts', () => {
	/** @param first which of the changes it lists, a tenth of a second apart */
	function cutAt(most: number, first: 'oldest' | 'newest', event: TriggerEvent = 'bookingChanged') {
		const changes: Array<{ changeDate: string }> = [];
		const trigger = new Polled(feedOf(event));
		trigger.answer = async ({ changedFrom, startTime }) => {
			if (startTime !== undefined) return await Promise.resolve([]);
			const found = changes.filter(({ changeDate }) => changeDate > String(changedFrom));
			found.sort((a, b) => (a.changeDate < b.changeDate ? -1 : 1) * (first === 'newest' ? -1 : 1));
			return await Promise.resolve(found.slice(0, most));
		};
		const add = (
			count: number,
			minutes: number,
			make: (guid: string, changed: number) => object = booking,
		) => {
			for (let index = 0; index < count; index++) {
				changes.push(make(`${minutes}/${index}`, minutes + index / 60_000) as never);
			}
		};
		return { trigger, add };
	}

	it('oldest first, is asked on from its newest timestamp, also when the trigger is published, and is told once', async () => {
		const { trigger, add } = cutAt(100, 'oldest', 'bookingCreated');
		add(1_400, -600, made);
		expect(await trigger.poll(true)).toEqual([]);
		add(150, 1, made);
		trigger.now += 2 * MINUTE;
		expect(await trigger.poll()).toHaveLength(150);
		expect(await trigger.polls(3)).toEqual([[], [], []]);
		expect(trigger.reports).toEqual([
			[
				expect.stringMatching(
					/^the service lists at most 100 records a call\. The trigger asks for/,
				),
			],
		]);
	});

	it('in the order of its changes only by chance, is told', async () => {
		const { trigger, add } = cutAt(50, 'oldest');
		const edited = booking('edited', 3, { start: '2027-01-01T18:00:00' });
		add(5, -600);
		const { answer } = trigger;
		trigger.answer = async (query, deadline) => {
			const list = (await answer(query, deadline)) as Array<typeof edited>;
			const isListed = list.length < 50 && edited.changeDate > String(query.changedFrom);
			return isListed ? list.concat(edited) : list;
		};
		await trigger.poll(true);
		expect(trigger.reports).toEqual([]);
		add(120, 4);
		trigger.now += 10 * MINUTE;
		await trigger.poll();
		expect(trigger.reports).toEqual([[expect.stringContaining('lists at most 50 records')]]);
	});

	it('newest first, is told once', async () => {
		const { trigger, add } = cutAt(100, 'newest');
		add(81, -600);
		await trigger.poll(true);
		add(150, 1);
		trigger.now += 2 * MINUTE;
		expect(await trigger.poll()).toHaveLength(100);
		await trigger.polls(2);
		add(150, 5);
		await trigger.polls(3);
		expect(trigger.reports).toEqual([
			[expect.stringContaining('perhaps the service lists at most 100 records')],
		]);
	});

	it('costs one call once that is told', async () => {
		const { trigger, add } = cutAt(100, 'oldest');
		const { answer } = trigger;
		// It is cut oldest first, and listed the other way round: nothing is asked on.
		trigger.answer = async (query, deadline) => {
			const list = (await answer(query, deadline)) as unknown[];
			return list.toReversed();
		};
		add(60, -700);
		add(5, -600);
		await trigger.poll(true);
		const costOf = async (minutes: number) => {
			add(150, minutes);
			trigger.now += 3 * MINUTE;
			const before = trigger.queries.length;
			await trigger.poll();
			return trigger.queries.length - before;
		};
		expect([await costOf(1), await costOf(5)]).toEqual([2, 1]);
		expect(trigger.reports).toEqual([[expect.stringContaining('lists at most 100 records')]]);
	});

	it('within one tick of its clock, does not stop the trigger, and is told', async () => {
		const { trigger, add } = cutAt(100, 'oldest');
		add(120, -600);
		await trigger.poll(true);
		for (let index = 0; index < 150; index++) {
			add(1, 1, (guid, changed) => booking(`${guid}${index}`, changed));
		}
		trigger.now += 2 * MINUTE;
		expect(await trigger.poll()).toHaveLength(100);
		add(1, 5);
		trigger.now += 4 * MINUTE;
		expect(await trigger.poll()).toEqual(['5/0']);
		expect(trigger.reports).toEqual([[expect.stringContaining('lists at most 100 records')]]);
	});

	it('is not seen in a list that is whole', async () => {
		const { trigger, add } = cutAt(10_000, 'newest');
		for (const minutes of [-600, -1000, -2000]) add(61, minutes);
		await trigger.poll(true);
		for (let minutes = 1; minutes < 5; minutes++) {
			add(61 + minutes, minutes);
			trigger.now += MINUTE;
			await trigger.poll();
		}
		expect(trigger.reports).toEqual([]);
	});
});

it.each([
	[{ changeDate: at(1) }, 'no guid'],
	[{ guid: 'x', changeDate: 'soon' }, 'x has no readable change date'],
	['text', 'no guid'],
	[null, 'no guid'],
])(
	'skips a record that cannot be followed with a reason, told once, and goes on: %j',
	async (record, reason) => {
		const trigger = await published(feedOf('bookingChanged'), { records: [old] });
		const good = booking('a', 1);
		expect(
			namesOf(
				await trigger.pages([
					[record, good],
					[record, good],
				]),
			),
		).toEqual(['a', '']);
		expect(trigger.reports).toEqual([[expect.stringContaining(reason)]]);
	},
);

it('emits a booking as it is by now though the response also lists it as it was', async () => {
	const trigger = await published(feedOf('bookingCreated'), { records: [old] });
	const [emitted] = await trigger.pages([[made('b', 2), made('b', 1)]]);
	expect(emitted?.map(({ record }) => record)).toEqual([made('b', 2)]);
});

describe('the state', () => {
	const bytes = (trigger: Polled) => Buffer.byteLength(JSON.stringify(trigger.own));

	it('stays below 300 KB with 5,000 changes within the overlap, and does not grow however many are processed', async () => {
		const trigger = await published(feedOf('bookingChanged'), { records: [old] });
		const sizes: number[] = [];
		for (const round of [1, 2]) {
			const page = Array.from({ length: 5_000 }, (_, index) =>
				booking(`guid-${index}`, round * 10 - 1 + index / 5_000),
			);
			expect((await trigger.pages([page]))[0]).toHaveLength(5_000);
			sizes.push(bytes(trigger));
		}
		expect(Math.max(...sizes)).toBeLessThan(300_000);
	});

	it('holds at most 1 MB, though 40,000 bookings change at once, which come out once, and loses none that is shown later', async () => {
		const trigger = await published(feedOf('bookingChanged'), { records: [old] });
		trigger.answer = async ({ changedFrom }) => {
			const from = Date.parse(String(changedFrom));
			const all = [booking('older', -600), ...(trigger.records as Array<typeof old>)];
			return await Promise.resolve(all.filter(({ changeDate }) => Date.parse(changeDate) > from));
		};
		const page = Array.from({ length: 40_001 }, (_, index) =>
			booking(`guid-${index}`, 1 + (index % 60) / 60),
		);
		const held = booking('held', 9);
		const again = page.map((one) => ({ ...one, changeDate: at(35) }));
		const out = await trigger.pages([
			page,
			[...page, held],
			[...page, held, booking('later', 25)],
			again,
		]);
		expect(out.map((emitted) => emitted.length)).toEqual([40_001, 1, 1, 40_001]);
		expect(bytes(trigger)).toBeLessThan(1_000_000);
		expect(trigger.reports).toEqual([[expect.stringContaining("the trigger's memory is full")]]);
	});

	it('keeps 20,000 customer IDs as ranges', async () => {
		const records = Array.from({ length: 20_000 }, (_, id) =>
			customer(id + Math.floor(id / 1000) * 500, -60 - id),
		);
		const trigger = await published(feedOf('customerCreated'), { records });
		expect(bytes(trigger)).toBeLessThan(2_000);
		expect(namesOf(await trigger.pages([[...records.slice(0, 9), customer(1_200, 1)]]))).toEqual([
			'1200',
		]);
	});
});

test('is not new again where it changes after it was forgotten', async () => {
	const trigger = await published(feedOf('bookingCreated'), { records: [old] });
	expect(namesOf(await trigger.pages([[made('b', 1)]]))).toEqual(['b']);
	trigger.now += 10 * DAY;
	const later = 10 * 24 * 60;
	const pages = [[made('c', later)], [made('b', 1, { changeDate: at(later + 15) })]];
	expect(namesOf(await trigger.pages(pages))).toEqual(['c', '']);
});

test('comes in the order in which it happened, not in that of later changes', async () => {
	const first = made('first', 1, { changeDate: at(9) });
	const second = made('second', 5);

	expect(await emittedOf([[first, second]], { event: 'bookingCreated', records: [old] })).toEqual([
		'first second',
	]);
});
