import type { TriggerEvent } from '../../../nodes/HospitalityBookingTrigger/events/events';
import type { Filters } from '../../../nodes/HospitalityBookingTrigger/events/recordKinds';
import { Table } from '../../../nodes/HospitalityBookingTrigger/state/table';
import { DAY, MINUTE, NOW, at, booking, feedOf, made, nameOf, namesOf, published } from './support';

/** Begins with bookings that are known, then takes one page after the other. @returns names and changes */
async function changesIn(
	event: TriggerEvent,
	booked: object[],
	pages: object[][],
	filters: Filters = {},
) {
	const trigger = await published(feedOf(event, { filters }), {
		booked,
		records: [booking('other', -5)],
	});
	const out = await trigger.pages(pages);
	return out.map((emitted) => emitted.map(({ record, changes }) => [nameOf(record), changes]));
}

const lengths = (polls: unknown[][]) => polls.map((poll) => poll.length);

describe('a changed payment', () => {
	const paid = (minutes: number, more: object) => booking('a', minutes, more);

	it('comes with the amounts as they were, and not for another change', async () => {
		const polls = await changesIn(
			'bookingPaymentChanged',
			[paid(-600, { chargeAuthorizedAmount: 80 })],
			[
				[paid(1, { chargeAuthorizedAmount: 80, message: 'By the window' })],
				[paid(11, { chargeAuthorizedAmount: 80, chargePayedAmount: 80.5 })],
				[paid(11, { chargeAuthorizedAmount: 80, chargePayedAmount: 80.5 })],
			],
		);
		const before = { chargeAuthorizedAmount: 80, chargePayedAmount: 0, chargeRefundedAmount: 0 };
		const now = { ...before, chargePayedAmount: 80.5 };
		expect(polls).toEqual([[], [['a', { fields: ['chargePayedAmount'], before, now }]], []]);
	});

	it('comes for a payment event, whatever the order of the list', async () => {
		const one = { id: 1 };
		const two = { id: 2 };
		const polls = await changesIn(
			'bookingPaymentChanged',
			[paid(-600, { paymentEvents: [one] })],
			[[paid(1, { paymentEvents: [one, two] })], [paid(11, { paymentEvents: [two, one] })]],
		);
		expect(polls).toEqual([[['a', expect.objectContaining({ fields: ['paymentEvents'] })]], []]);
		expect(JSON.stringify(polls)).not.toMatch(/"before":{[^}]*paymentEvents/);
	});

	it('of null is one of 0', async () => {
		const polls = await changesIn(
			'bookingPaymentChanged',
			[paid(-600, { chargePayedAmount: null })],
			[[paid(1, { chargePayedAmount: 0 })], [paid(11, { chargePayedAmount: 5 })], [paid(21, {})]],
		);
		expect(lengths(polls)).toEqual([0, 1, 1]);
	});

	it('is compared with what was seen of a GUID in other letter case', async () => {
		const polls = await changesIn(
			'bookingPaymentChanged',
			[booking('abc', -600, { chargePayedAmount: 5 })],
			[
				[booking('ABC', 1, { chargePayedAmount: 7 })],
				[booking('abc', 11, { chargePayedAmount: 7 })],
			],
		);
		expect(lengths(polls)).toEqual([1, 0]);
	});

	it('comes for a booking that is made with one, also if it was held back, and not for one that was there and was not seen', async () => {
		const polls = await changesIn(
			'bookingPaymentChanged',
			[],
			[
				[
					made('fresh', 1, { chargePayedAmount: 10 }),
					made('held', 1, { chargePayedAmount: 10, changeDate: at(9) }),
					booking('old', 1, { chargePayedAmount: 10 }),
					made('unpaid', 1, { paymentEvents: null }),
				],
				[booking('old', 11, { chargePayedAmount: 30 })],
			],
		);
		expect(polls.map((poll) => poll.map(([guid]) => guid))).toEqual([['fresh', 'held'], ['old']]);
	});

	it('of before the beginning does not come out, though a list that is cut had hidden the booking', async () => {
		const hidden = (changed: number) =>
			booking('paid', changed, { createdDate: at(-1.5), chargePayedAmount: 5 });
		const trigger = await published(feedOf('bookingPaymentChanged'), {
			records: [booking('listed', 0)],
			booked: [hidden(-1)],
		});
		expect(namesOf(await trigger.pages([[hidden(5)]]))).toEqual(['']);
	});

	it('is not taken back by a replica that lags behind, and comes out once', async () => {
		const feed = feedOf('bookingPaymentChanged', { overlapMs: 30 * MINUTE });
		const trigger = await published(feed, { booked: [paid(-600, {})] });
		const unpaid = paid(5, { guests: 3 });
		const before = paid(9, { chargePayedAmount: 5 });
		const out = await trigger.pages([
			[before],
			[unpaid],
			[before],
			[paid(35, { chargePayedAmount: 7 })],
		]);
		expect(namesOf(out)).toEqual(['a', '', '', 'a']);
		expect(out.at(-1)?.[0]?.changes?.before.chargePayedAmount).toBe(5);
	});

	it.each([
		[
			'the later one first, ends as the earlier one, which a replica shows then',
			[2, 1, 2],
			['a', 'a', ''],
		],
		['in their order, comes each time', [1, 2, 1], ['a', 'a', '']],
	])('twice within one second, seen %s', async (_, versions, names) => {
		const trigger = await published(feedOf('bookingPaymentChanged'), { booked: [paid(-600, {})] });
		const pages = versions.map((version) => [
			paid(5, { chargePayedAmount: version, status: version }),
		]);

		expect(namesOf(await trigger.pages(pages))).toEqual(names);
	});
});

it('comes where a payment an hour later has the local time of the creation, as clocks are set back', async () => {
	const trigger = await published(feedOf('bookingPaymentChanged', { zone: 'Europe/Stockholm' }), {
		records: [booking('other', '2026-06-30T12:00:00')],
	});
	trigger.now = Date.parse('2026-10-25T00:30:00Z');
	const createdDate = '2026-10-25T02:30:00';
	const unpaid = booking('a', '2026-10-25T02:30:02', { createdDate });
	const paid = booking('a', createdDate, { createdDate, chargePayedAmount: 80 });
	await trigger.pages([[unpaid]]);
	trigger.now = Date.parse('2026-10-25T01:30:00Z');

	expect(namesOf(await trigger.pages([[paid], [paid]]))).toEqual(['a', '']);
});

describe('a booking that is moved', () => {
	it('comes with both earlier times, again when it is moved back, and not when it is first seen', async () => {
		const later = { end: '2026-08-01T21:00:00' };
		const polls = await changesIn(
			'bookingRescheduled',
			[booking('a', -600)],
			[
				[booking('a', 1, later), booking('new', 1)],
				[booking('a', 11, { ...later, guests: 4 })],
				[booking('a', 21), booking('new', 21, later)],
			],
		);
		const times = (end: string) => ({
			start: Date.parse('2026-08-01T18:00Z') / 1000,
			end: Date.parse(end) / 1000,
		});
		const eight = times('2026-08-01T20:00Z');
		const nine = times('2026-08-01T21:00Z');
		expect(polls).toEqual([
			[['a', { fields: ['end'], before: eight, now: nine }]],
			[],
			[
				['a', { fields: ['end'], before: nine, now: eight }],
				['new', { fields: ['end'], before: eight, now: nine }],
			],
		]);
	});

	it.each([
		['.000', '2026-08-01T18:00:00.000', '2026-08-01T20:00:00.000'],
		['Z', '2026-08-01T18:00:00Z', '2026-08-01T20:00:00Z'],
		['another offset', '2026-08-01T20:00:00+02:00', '2026-08-01T22:00:00+02:00'],
	])('is none whose times are written with %s', async (_, start, end) => {
		const polls = await changesIn(
			'bookingRescheduled',
			[booking('a', -600)],
			[[booking('a', 1, { start, end })]],
		);
		expect(polls).toEqual([[]]);
	});
});

describe('what changed of a booking', () => {
	const guest = { contact: { fname: 'Anna', email: 'anna@example.com' }, message: 'Nuts, please' };
	const old = booking('a', -600, { guests: 2, ...guest });
	const begun = async (booked: object[] = [old]) =>
		await published(feedOf('bookingUpdated', { whatChanged: true }), {
			booked,
			records: [booking('other', -5)],
		});

	it('is start, end, guests and status, named with what they were, and nothing else', async () => {
		const changed = {
			...old,
			changeDate: at(1),
			guests: 4,
			status: 7,
			message: 'None',
			markings: [{ text: 'x' }],
		};
		const [[one] = []] = await (await begun()).pages([[changed]]);
		const [start, end] = [old.start, old.end].map((time) => Date.parse(`${time}Z`) / 1000);
		expect(one?.changes).toEqual({
			fields: ['guests', 'status'],
			before: { start, end, guests: 2, status: 1 },
			now: { start, end, guests: 4, status: 7 },
		});
	});

	it('is emitted of a known booking though the service shows its change late, unless it is older', async () => {
		const trigger = await begun();
		await trigger.pages([[booking('other', 9)]]);
		const late = booking('a', 5, { guests: 3 });
		const older = booking('a', -700, { guests: 9 });

		const out = await trigger.pages([[older], [late], [late]]);

		expect(namesOf(out)).toEqual(['', 'a', '']);
	});

	it('is kept without a word that a guest has written', async () => {
		expect(JSON.stringify((await begun()).own)).not.toMatch(/Anna|example\.com|Nuts/);
	});

	it('is known from the creation on, and null of a booking that was not seen', async () => {
		const trigger = await begun();
		const seen = made('made', 1, { guests: 2 });
		const out = await trigger.pages([
			[seen],
			[{ ...seen, changeDate: at(15), guests: 3 }, booking('unseen', 11)],
		]);
		expect(out[1]?.map(({ changes }) => changes?.fields ?? null)).toEqual([null, ['guests']]);
	});
});

describe('a status without a history', () => {
	const undated = (statuses: number[]) => statuses.map((status) => ({ status, changeDate: null }));

	it.each([
		['none', () => null],
		['an empty one', () => []],
		['one without dates', undated],
	])(
		'comes each time it changes, there and back, and not for another change: %s',
		async (_, historyOf) => {
			const polls = async ([first = 0, ...more]: number[]) =>
				lengths(
					await changesIn(
						'bookingStatusChanged',
						[booking('a', -600, { status: first, history: historyOf([first]) })],
						more.map((status, index) => {
							const history = historyOf([first, ...more.slice(0, index + 1)]);
							return [booking('a', 10 * index + 1, { status, history })];
						}),
					),
				);
			expect(await polls([1, 2, 104, 2, 104, 2])).toEqual([1, 1, 1, 1, 1]);
			expect(await polls([2, 2, 2, 1, 1, 1])).toEqual([0, 0, 1, 0, 0]);
		},
	);

	it.each<[TriggerEvent, number, number[], number[]]>([
		['bookingCanceled', 1, [2, 2, 1, 2], [1, 0, 0, 1]],
		['bookingCanceled', 2, [2, 1, 104, 2], [0, 0, 0, 1]],
		['bookingNoShow', 1, [2, 8, 8, 1], [0, 1, 0, 0]],
	])(
		'that means %s comes when a booking gets it, from %i: %j',
		async (event, first, more, polls) => {
			const out = await changesIn(
				event,
				[booking('a', -600, { status: first })],
				more.map((status, index) => [booking('a', 10 * index + 1, { status })]),
			);
			expect(lengths(out)).toEqual(polls);
		},
	);

	it('that means Booking Canceled comes for a booking that is first seen canceled, if it was made since', async () => {
		const page = [made('made since', 1, { status: 2 }), booking('old', 1, { status: 2 })];
		const [poll] = await changesIn('bookingCanceled', [], [page]);
		expect(poll?.map(([guid]) => guid)).toEqual(['made since']);
	});

	it('is learned though the first bookings have a history', async () => {
		const dated = (guid: string) =>
			booking(guid, -5, { history: [{ changeDate: at(-6000), status: 1 }] });
		const booked = Array.from({ length: 100 }, (_, index) => booking(`b${index}`, -600));
		const trigger = await published(feedOf('bookingCanceled'), {
			booked,
			records: [dated('x'), dated('y')],
		});
		const [out] = await trigger.pages([
			booked.map((one) => ({ ...one, changeDate: at(5), status: 2 })),
		]);
		expect(out).toHaveLength(100);
	});

	it('is learned in few calls where the same bookings are under way all the time', async () => {
		const guests = Array.from({ length: 100 }, (_, index) => booking(`b${index}`, -600));
		const trigger = await published(feedOf('bookingRescheduled'), { booked: guests, records: [] });
		expect(trigger.queries.length).toBeLessThan(60);
	});

	it('that has a first entry without a date does not hide one with a date', async () => {
		const imported = [{ changeDate: null, status: 1 }];
		const canceled = [...imported, { changeDate: at(5), status: 2 }];
		const polls = await changesIn(
			'bookingCanceled',
			[booking('a', -600, { history: imported })],
			[
				[
					booking('a', 5, { status: 2, history: canceled }),
					booking('b', 5, { status: 2, history: canceled }),
				],
				[booking('a', 15, { status: 2, history: canceled })],
			],
		);
		expect(lengths(polls)).toEqual([2, 0]);
	});

	it('that its history does not show yet comes once', async () => {
		const history = [{ changeDate: at(-6000), status: 1 }];
		const grown = [...history, { changeDate: at(5), status: 8 }];
		const polls = await changesIn(
			'bookingNoShow',
			[booking('a', -600, { history })],
			[
				['a', 'first seen'].map((guid) => booking(guid, 5, { status: 8, history })),
				[booking('a', 15, { status: 8, history: grown })],
			],
		);
		expect(lengths(polls)).toEqual([2, 0]);
	});

	it('has another key each time', async () => {
		const trigger = await published(feedOf('bookingStatusChanged'), {
			booked: [booking('a', -600)],
		});
		const pages = [2, 1, 2, 1].map((status, index) => [booking('a', 10 * index + 1, { status })]);
		const out = await trigger.pages(pages);
		expect(new Set(out.map(([one]) => one?.key)).size).toBe(4);
	});
});

describe('a status that its history dates', () => {
	it.each([
		{ what: 'all but the first', changeDate: null },
		{ what: 'all', changeDate: at(-6000) },
	])(
		'comes once where it went and came back between two polls: dated are $what',
		async ({ changeDate }) => {
			const first = [{ changeDate, status: 1 }];
			const back = [...first, { changeDate: at(4), status: 2 }, { changeDate: at(5), status: 1 }];
			const polls = await changesIn(
				'bookingStatusChanged',
				[booking('a', -600, { history: first })],
				[[booking('a', 5, { history: back })], [booking('a', 15, { history: back })]],
			);
			expect(lengths(polls)).toEqual([1, 0]);
		},
	);

	it('is Canceled once more where the booking was restored and canceled between two polls', async () => {
		const canceled = [
			{ changeDate: at(-6000), status: 1 },
			{ changeDate: at(-600), status: 2 },
		];
		const again = [...canceled, { changeDate: at(4), status: 1 }, { changeDate: at(5), status: 2 }];
		const polls = await changesIn(
			'bookingCanceled',
			[booking('a', -600, { status: 2, history: canceled })],
			[
				[booking('a', 5, { status: 2, history: again })],
				[booking('a', 15, { status: 2, history: again })],
			],
		);
		expect(lengths(polls)).toEqual([1, 0]);
	});
});

describe('what is remembered', () => {
	const TODAY = Math.floor(NOW / DAY);
	const record = (id: string, until: number, values: Array<number | null> = [1, 2]) => ({
		id: id.padEnd(8, '.'),
		until,
		values,
		version: 'v',
		changed: null,
	});
	const storedOf = (records: Array<ReturnType<typeof record>>) => {
		const table = new Table('');
		for (const one of records) table.remember(one, { watermark: 0, now: NOW });
		return new Table(table.store(NOW, TODAY).text);
	};

	it('is forgotten after its day, by time alone', () => {
		const table = storedOf([record('over', TODAY - 1), record('kept', TODAY)]);
		expect([table.find('over....'), table.find('kept....')?.values]).toEqual([undefined, [1, 2]]);
		expect(table.store(NOW + DAY, TODAY + 1).text).toBe('');
	});

	it('comes back as it was, whatever it is', () => {
		const values = [null, 0, -5, 80.5, -0.01, 1e21];
		expect(storedOf([record('a', TODAY, values)]).find('a.......')?.values).toEqual(values);
	});

	it('keeps what lies ahead, however long ago it was seen, before what is over, within 1 MB', () => {
		const ahead = Array.from({ length: 12_000 }, (_, index) =>
			record(`h${index}`, TODAY + 300, [1e12, 1e12]),
		);
		const over = Array.from({ length: 30_000 }, (_, index) =>
			record(`o${index}`, TODAY + 29, [1e12, 1e12]),
		);
		const table = new Table('');
		for (const one of [...ahead, ...over]) table.remember(one, { watermark: 0, now: NOW });
		const { text, forgotten } = table.store(NOW, TODAY);
		const names = text.split(';').map((row) => row.slice(0, 8));
		expect(names.filter((name) => name.startsWith('h'))).toHaveLength(12_000);
		expect(names.at(-1)).toBe('o29999..');
		expect(names.length).toBeLessThan(42_000);
		expect(text.length).toBeLessThan(1_000_000);
		expect(forgotten).toBeUndefined();
	});
});
