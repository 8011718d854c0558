import type { BookingChange } from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { customerFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/customers';
import type { Feed } from '../../../nodes/HospitalityBookingTrigger/feeds/feed';
import type { FollowSettings, Start } from '../../../nodes/HospitalityBookingTrigger/follow/step';
import { generated } from '../../support/thorough';
import { BASELINE, DAY, HOUR, MINUTE, NOW, asStored, at, bookingsOf, follow, nameOf } from './support';

const LATER = NOW + HOUR;

interface Options extends Partial<FollowSettings> {
	event?: BookingChange;
	feed?: Feed;
	start?: Start;
	/** n8n's clock at each of the polls; the last one holds for the rest. */
	clock?: number[];
}

/** Takes a baseline of a page and then the steps of the pages that follow. */
function steps(pages: unknown[][], { event = 'bookingChanged', start = BASELINE, ...more }: Options = {}) {
	const { feed = bookingsOf(event), clock = [LATER], ...settings } = more;
	const follower = follow(feed, settings);
	let position = follower.begin(start, Math.min(NOW, clock[0] ?? NOW));
	return pages.map((page, index) => {
		const now = clock[Math.min(index, clock.length - 1)] ?? LATER;
		const step = follower.advance(position, page, now);
		position = asStored(step.position);
		const [asks] = follower.ask(position, now);
		return { position, asks, notices: step.notices, emit: step.emit.map(({ record }) => record) };
	});
}

const booking = (guid: string, changed: number | string, more: object = {}) => ({
	guid,
	createdDate: at(-600),
	changeDate: typeof changed === 'number' ? at(changed) : changed,
	status: 1,
	...more,
});

it('asks for customers without an offset from the same moment when the first has been seen, in a zone west of UTC', () => {
	const customer = { id: 1, lastChangedUtc: at(-60).slice(0, 19) };
	const [step] = steps([[customer]], { feed: customerFeed('customerChanged'), zone: 'America/New_York' });
	expect(Date.parse(`${String(step?.asks)}Z`)).toBe(NOW - 2 * DAY);
});

it.each(['Pacific/Kiritimati', 'America/New_York', 'Etc/GMT+12'])(
	'asks at first for all that the next poll asks for, so that nothing old comes out, in a zone unlike the service’s: %s',
	(zone) => {
		const follower = follow(bookingsOf('bookingCreated'), { zone });
		const begun = follower.begin(BASELINE, NOW);
		const first = Date.parse(String(follower.ask(begun, NOW)[0]));
		for (const serviceOffset of [-12, 0, 14]) {
			const local = at(serviceOffset * 60).slice(0, 19);
			const { position } = follower.advance(begun, [booking('a', local, { createdDate: local })], NOW);
			const [next] = follower.ask(position, LATER);
			expect(Date.parse(`${String(next)}Z`) - serviceOffset * HOUR).toBeGreaterThanOrEqual(first);
		}
	},
);

describe('the next poll', () => {
	const three = (text: string) => ['a', 'b', 'c'].map((guid) => booking(guid, text));

	it('asks from 2 minutes before the newest timestamp that other records confirm, as the service wrote it', () => {
		const page = [...three('2026-07-01T12:30:00.5000000'), booking('d', '2026-07-01T12:29:00')];
		expect(steps([page])[0]?.asks).toBe('2026-07-01T12:28:00.5000000');
	});

	it('asks from no later than n8n says it is, so that a service whose clock is put right loses nothing', () => {
		const page = [...three(at(0)), ...['d', 'e', 'f'].map((guid) => booking(guid, at(600)))];
		expect(steps([page])[0]?.asks).toBe(at(-2));
	});

	it('is not moved by two timestamps that are wrong, and all that comes after them comes out', () => {
		const wrong = [booking('x', at(47 * 60)), booking('y', at(50 * 365 * 24 * 60))];
		const next = booking('d', at(1));
		const [, step, after] = steps([three(at(0)), [...wrong, ...three(at(0))], [...wrong, next]]);
		expect(step?.emit).toEqual(wrong);
		expect(step?.notices).toEqual([
			expect.stringContaining('web booking x says'),
			expect.stringContaining('2076'),
		]);
		expect(after?.emit).toEqual([next]);
	});

	it('reaches two hours back around a daylight-saving change of the time zone, and never goes back for that', () => {
		const zone = 'Europe/Stockholm';
		const clock = [Date.parse('2026-03-29T02:00:00Z')];
		const [step] = steps([three('2026-03-29T03:10:00')], { zone, clock });
		expect(step?.asks).toBe('2026-03-29T01:10:00');
		const before = [Date.parse('2026-03-28T22:10:00Z')];
		const pages = [three('2026-03-28T22:59:00'), three('2026-03-28T23:05:00')];
		const asked = steps(pages, { zone, clock: before }).map(({ asks }) => asks);
		expect(asked).toEqual(['2026-03-28T22:57:00', '2026-03-28T22:57:00']);
	});

	it('asks from two days before n8n’s clock as long as the service has given no timestamp', () => {
		expect(steps([[]])[0]?.asks).toBe(at(-48 * 60));
	});

	it('starts over, and says so, where the position is still to come by all that the service shows', () => {
		const clock = [LATER, NOW - 30 * 24 * 60 * MINUTE];
		const old = three(at(-40 * 24 * 60));
		const [, step] = steps([three(at(0)), old], { clock });
		expect(step?.emit).toEqual([]);
		expect(step?.notices).toEqual([expect.stringContaining('so it started over')]);
		const [, right] = steps([three(at(0)), [...old, ...three(at(0)), booking('d', at(1))]], {
			clock,
		});
		expect(right?.emit).toEqual([booking('d', at(1))]);
	});
});

const old = booking('a', 0);
const created = (guid: string, changed: number) => booking(guid, changed, { createdDate: at(1) });
const history = [
	{ changeDate: at(-600), status: 1 },
	{ changeDate: at(720 * 60), status: 2 },
];
/** One that a clock which was days ahead has changed the status of, among others. */
const edited = (minutes: number) => [
	booking('a', minutes, { status: 2, history }),
	...['b', 'c', 'd'].map((guid) => booking(guid, minutes, { history: history.slice(0, 1) })),
];
const customer = (id: number, changed?: number) => ({
	...{ id, lastChangedUtc: changed === undefined ? null : at(changed) },
});
const oddIds = [
	...[customer(7, -5000), customer(8, -4000), customer(9_000_000, -3000), customer(8_000_000, 1)],
	...[10, 11, 12, 13, 14, 15].map((id) => customer(id, id * 3)),
];
const newCustomers = { feed: customerFeed('customerCreated') };

it.each<[what: string, pages: unknown[][], emitted: string[], options?: Options]>([
	[
		'comes out although it has the timestamp of what was there before',
		[[old], [old, booking('b', 0)]],
		['', 'b'],
	],
	['is told within one tick of the clock by its status', [[old], [{ ...old, status: 2 }]], ['', 'a']],
	[
		'is what was changed since Start From',
		[[booking('a', -30), booking('b', -10)]],
		['b'],
		{ start: { kind: 'since', at: NOW - 20 * MINUTE } },
	],
	[
		'counts by its creation where it was never changed',
		[[old], [{ ...created('b', 1), changeDate: null }]],
		['', 'b'],
	],
	[
		'is no booking that was created at the very moment that was asked from, where nothing was there',
		[[], [booking('old', 5, { createdDate: at(-48 * 60) }), created('fresh', 5)]],
		['', 'fresh'],
		{ event: 'bookingCreated' },
	],
	[
		'is a new booking although it waited behind others and was changed meanwhile',
		[[], [created('a', 1), created('b', 20)], [created('a', 1), created('b', 40)], [created('b', 40)]],
		['', 'a', 'b', ''],
		{ event: 'bookingCreated', maxItems: 1 },
	],
	[
		'is not the change of a status by a clock that was days ahead, each time the booking is edited',
		[[], edited(1), edited(20), edited(40)],
		['', 'a', '', ''],
		{ event: 'bookingStatusChanged' },
	],
	[
		'is judged once: not asked for twice when a filter held it back',
		[[], [created('a', 1)], [{ ...created('a', 1), status: 2 }]],
		['', '', ''],
		{ feed: bookingsOf('bookingCreated', { statuses: [2] }) },
	],
	[
		'is a customer with a higher id than any before',
		[
			[customer(7, -5000), customer(8, -6000), customer(9, -9000)],
			[customer(7, 1), customer(10, 1), customer(8, 1)],
		],
		['', '10'],
		newCustomers,
	],
	[
		'is a customer although one with a higher id was shown before it',
		[[customer(7, -5000)], [customer(9, 1)], [customer(9, 1), customer(8, 1)]],
		['', '9', '8'],
		newCustomers,
	],
	[
		'is a customer without a time, once',
		[[customer(7)], [customer(8)], [customer(8)]],
		['', '8', ''],
		newCustomers,
	],
	[
		'is a customer once though the response lists it three times',
		[[customer(7, -5000)], [customer(8, 1), customer(8, 1), customer(8, 2)]],
		['', '8'],
		newCustomers,
	],
	[
		'is a customer after two whose ids are far too high',
		[oddIds.slice(0, 3), ...oddIds.slice(3).map((_each, index) => oddIds.slice(0, index + 4))],
		['', '8000000', '10', '11', '12', '13', '14', '15'],
		newCustomers,
	],
	[
		'is a customer since Start From though one from before has an id that is far too high',
		[[customer(7, -50), customer(8, -40), customer(9_000_000, -30), customer(10, -25), customer(11, -10)]],
		['11'],
		{ ...newCustomers, start: { kind: 'since', at: NOW - 20 * MINUTE } },
	],
	[
		'is a customer changed since Start From with a higher id than those from before, whose time may be unknown',
		[[customer(7, -30), customer(8), customer(9, -10)]],
		['9'],
		{ ...newCustomers, start: { kind: 'since', at: NOW - 20 * MINUTE } },
	],
])('what is new %s', (_, pages, emitted, options = {}) => {
	expect(steps(pages, options).map(({ emit }) => emit.map(nameOf).join(' '))).toEqual(emitted);
});

it('emits a booking as it is by now though the response also lists it as it was', () => {
	const [, step] = steps([[old], [created('b', 2), created('b', 1)]], { event: 'bookingCreated' });
	expect(step?.emit).toEqual([created('b', 2)]);
});

it.each([
	[{ changeDate: at(1) }, 'no guid'],
	[{ guid: 'x', changeDate: 'soon' }, 'x has no readable change date'],
	['text', 'no guid'],
	[null, 'no guid'],
])(
	'skips a record that cannot be followed with a reason, and goes on with the rest: %j',
	(record, reason) => {
		const good = booking('a', 1);
		const [, step] = steps([[], [record, good]]);
		expect(step?.emit).toEqual([good]);
		expect(step?.notices).toEqual([expect.stringContaining(reason)]);
	},
);

it.each([
	['UTC', 'Asia/Tokyo'],
	['Asia/Tokyo', 'UTC'],
])(
	'neither loses nor repeats what has no offset where the Time Zone is changed: %s, then %s',
	(before, after) => {
		const local = (guid: string, text: string) => booking(guid, text, { createdDate: text });
		const three = ['a', 'b', 'c'].map((guid) => local(guid, '2026-07-01T12:00:00'));
		const seen = local('d', '2026-07-01T12:01:00');
		const fresh = local('e', '2026-07-01T12:01:30');
		for (const event of ['bookingCreated', 'bookingChanged'] as const) {
			const first = follow(bookingsOf(event), { zone: before });
			const baseline = first.advance(first.begin(BASELINE, NOW), three, LATER);
			const step = first.advance(baseline.position, [...three, seen], LATER);
			const second = follow(bookingsOf(event), { zone: after });
			const next = second.advance(step.position, [...three, seen, fresh], LATER);
			const last = second.advance(next.position, [...three, seen, fresh], LATER);
			const emitted = [step, next, last].map(({ emit }) => emit.map(({ record }) => record));
			expect(emitted).toEqual([[seen], [fresh], []]);
		}
	},
);

describe('the state', () => {
	const bytes = (position: unknown) => Buffer.byteLength(JSON.stringify({ polling: { position } }));

	it('stays below 256 KiB with 10,000 changes within the overlap, and does not grow however many are processed', () => {
		const rounds = generated(4, 40);
		const pages = Array.from({ length: rounds }, (_, round) =>
			Array.from({ length: 10_000 }, (_each, index) =>
				booking(`guid-${index}`, round * 10 + 1 + index / 10_000),
			),
		);
		const clock = [NOW, ...pages.map((_, round) => NOW + (round + 1) * 10 * MINUTE)];
		const results = steps([[], ...pages], { maxItems: 10_000, clock }).slice(1);
		const sizes = results.map(({ position }) => bytes(position));
		expect(results.map(({ emit }) => emit.length)).toEqual(Array(rounds).fill(10_000));
		expect(sizes[0]).toBeLessThan(256 * 1024);
		expect(Math.max(...sizes)).toBeLessThanOrEqual((sizes[0] ?? 0) + 100);
	});

	it('is bounded for survey answers and customers, too, which are told from all there are', () => {
		const page = Array.from({ length: 50_000 }, (_, id) => ({ id, lastChangedUtc: at(-60 - id) }));
		const [step] = steps([page], { feed: customerFeed('customerCreated') });
		expect(step?.emit).toEqual([]);
		expect(bytes(step?.position)).toBeLessThan(1024);
	});
});
