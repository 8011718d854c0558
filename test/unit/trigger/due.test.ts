import type { TriggerEvent } from '../../../nodes/HospitalityBookingTrigger/events/events';
import type { Filters } from '../../../nodes/HospitalityBookingTrigger/events/recordKinds';
import { DAY, HOUR, MINUTE, NOW, Polled, at, feedOf, nameOf } from './support';

type DueEvent = Extract<TriggerEvent, 'bookingStartsSoon' | 'bookingEnded'>;

interface Booking {
	guid: string;
	createdDate: string;
	changeDate: string;
	start: string;
	end: string;
	status: number;
}

/** A service with bookings, and a trigger an hour before their start or after their end. */
class Site {
	readonly bookings: Booking[] = [];
	readonly trigger: Polled;

	constructor(
		private readonly event: DueEvent,
		distanceMs = HOUR,
		filters: Filters = {},
	) {
		this.trigger = new Polled(feedOf(event, { distanceMs, filters }));
		this.trigger.answer = async ({ startTime, endTime, changedFrom }) =>
			await Promise.resolve(
				this.bookings.filter(({ start, end, changeDate }) =>
					startTime === undefined
						? changeDate > String(changedFrom)
						: end > String(startTime) && start < String(endTime),
				),
			);
	}

	/** @param start in minutes after {@link NOW}; made now */
	book(guid: string, start: number, created = this.minutes): void {
		const times = { start: at(start), end: at(start + 60) };
		this.bookings.push({
			guid,
			createdDate: at(created),
			changeDate: at(created),
			...times,
			status: 1,
		});
	}

	change(guid: string, change: Partial<Booking>): void {
		const booking = this.bookings.find((one) => one.guid === guid);
		if (booking) Object.assign(booking, change, { changeDate: at(this.minutes) });
	}

	/** @returns what comes out of a poll at some minutes after {@link NOW} */
	async at(minutes: number): Promise<string> {
		this.trigger.now = NOW + minutes * MINUTE;
		return (await this.trigger.poll(minutes === 0)).join(' ');
	}

	/** Tries another time before the start or after the end. */
	setDistance(distanceMs: number): void {
		this.trigger.settings.feed = feedOf(this.event, { distanceMs });
	}

	private get minutes(): number {
		return (this.trigger.now - NOW) / MINUTE;
	}
}

it('Starting Soon brings what was to come when the trigger began, what is booked late, and nothing twice', async () => {
	const site = new Site('bookingStartsSoon');
	site.book('known', 30, -600);
	site.book('later', 90, -600);
	const out = [await site.at(0), await site.at(20)];
	site.book('late', 70);
	site.change('known', { status: 3 });
	out.push(await site.at(25), await site.at(31), await site.at(32));
	expect(out).toEqual(['', '', 'late', 'later', '']);
});

it('Ended brings what ends, what is entered late, and nothing twice', async () => {
	const site = new Site('bookingEnded');
	site.book('known', -200, -600);
	site.book('later', -90, -600);
	const out = [await site.at(0), await site.at(20)];
	site.book('late', -300);
	site.change('known', { status: 3 });
	out.push(await site.at(25), await site.at(31), await site.at(32));
	expect(out).toEqual(['', '', 'late', 'later', '']);
});

it('a booking that is moved is due anew, and not again where it is moved back', async () => {
	const site = new Site('bookingStartsSoon');
	site.book('a', 30, -600);
	site.book('b', 90, -600);
	const out = [await site.at(0), await site.at(31)];
	const first = at(90);
	const second = at(95);
	for (const start of [second, first]) {
		site.change('b', { start });
		out.push(await site.at(out.length * 35));
	}
	expect(out).toEqual(['', 'b', 'b', '']);
});

it('Starting Soon does not come for what was entered after it had started, with polls hours apart', async () => {
	const site = new Site('bookingStartsSoon');
	await site.at(0);
	site.book('walk-in', 144, 150);
	site.book('missed', 144, -60);
	site.book('in time', 156, 150);
	for (const booking of site.bookings) booking.changeDate = at(150);
	expect(await site.at(180)).toBe('missed in time');
});

it('is due from its minute on, for 31 days; Starting Soon not for what has started when it is entered, or had by the last poll', async () => {
	const soon = new Site('bookingStartsSoon');
	soon.book('due now', 90, -600);
	const out = [await soon.at(0), await soon.at(20)];
	soon.book('told by then', 18, 17);
	soon.book('since then', 19, 17);
	soon.book('walk-in', 30, 30);
	for (const booking of soon.bookings.slice(1)) booking.changeDate = at(30);
	expect([...out, await soon.at(30)]).toEqual(['', '', 'since then due now']);
	const ended = new Site('bookingEnded');
	await ended.at(0);
	const days = 31 * 24 * 60;
	for (const [guid, start] of [
		['31 days', -120],
		['less', -119],
	] as const) {
		ended.book(guid, start, days - 1);
	}
	expect(await ended.at(days)).toBe('less');
});

it.each<[DueEvent, number]>([
	['bookingStartsSoon', 60],
	['bookingEnded', -120],
])(
	'after a pause of 40 days, %s comes for what came due in the last 31, and asks for no more',
	async (event, startsAfterDue) => {
		const site = new Site(event);
		const days = 24 * 60;
		const now = 40 * days;
		site.book('known', 600, -600);
		await site.at(0);
		site.book('too late', now - 31 * days - 1 + startsAfterDue, -600);
		site.book('in time', now - 31 * days + 5 + startsAfterDue, -600);
		site.book('today', now - 5 + startsAfterDue, -600);
		site.trigger.queries = [];

		expect(await site.at(now)).toBe('in time today');
		const period = site.trigger.queries.find(({ startTime }) => startTime !== undefined);
		const askedFrom = Date.parse(String(period?.startTime));
		expect(site.trigger.now - askedFrom).toBeLessThan(31 * DAY + 3 * HOUR);
	},
);

it('brings a due booking that a filter had left out once it passes, while it is still due', async () => {
	const site = new Site('bookingStartsSoon', HOUR, { statuses: [3] });
	site.book('a', 90, -600);
	const out = [await site.at(0), await site.at(31)];
	site.trigger.now += MINUTE;
	site.change('a', { status: 3 });

	out.push(await site.at(33), await site.at(34));

	expect(out).toEqual(['', '', 'a', '']);
});

it('leaves out canceled and no-show bookings, until they are expected again', async () => {
	const site = new Site('bookingStartsSoon');
	for (const guid of ['canceled', 'noShow', 'expected']) site.book(guid, 90, -600);
	site.change('canceled', { status: 2 });
	site.change('noShow', { status: 8 });
	const out = [await site.at(0), await site.at(31)];
	site.trigger.now += MINUTE;
	site.change('canceled', { status: 1 });
	expect([...out, await site.at(33)]).toEqual(['', 'expected', 'canceled']);
});

it('leaves them in where a filter names them', async () => {
	const site = new Site('bookingStartsSoon', HOUR, { statuses: [2] });
	site.book('canceled', 90, -600);
	site.change('canceled', { status: 2 });
	expect([await site.at(0), await site.at(31)]).toEqual(['', 'canceled']);
});

it('brings at once what a longer time makes due, and nothing twice where it is shorter again', async () => {
	const site = new Site('bookingStartsSoon');
	site.book('soon', 50, -600);
	site.book('tomorrow', 24 * 60, -600);
	const out = [await site.at(0)];
	site.setDistance(26 * HOUR);
	out.push(await site.at(1));
	site.setDistance(HOUR);
	out.push(await site.at(2));
	site.book('fresh', 120, 2);
	out.push(await site.at(61), await site.at(23 * 60 + 1));
	expect(out).toEqual(['', 'tomorrow', '', 'fresh', '']);
});

it('is not misled by a replica that shows a booking before it was moved', async () => {
	const site = new Site('bookingStartsSoon');
	site.book('a', 90, -600);
	await site.at(0);
	const before = structuredClone(site.bookings);
	site.trigger.now = NOW + 29 * MINUTE;
	site.change('a', { start: at(600), end: at(660) });
	const out = [await site.at(29.5)];
	site.trigger.answer = async () => await Promise.resolve(before);
	out.push(await site.at(30.5));
	expect(out).toEqual(['', '']);
});

it.each<DueEvent>(['bookingStartsSoon', 'bookingEnded'])(
	'asks for the window once, in slices, then for what is near the edge, and keeps within its state: %s',
	async (event) => {
		const site = new Site(event, 90 * DAY);
		for (let index = 0; index < 48 * 104; index++) {
			site.book(`${index}`, (index - 48 * 10) * 30, -600);
		}
		let largest = 0;
		const { answer } = site.trigger;
		site.trigger.answer = async (query, deadline) => {
			const list = (await answer(query, deadline)) as unknown[];
			largest = Math.max(largest, list.length);
			return list;
		};
		await site.at(0);
		const periods = site.trigger.queries.filter(({ startTime }) => startTime !== undefined);
		expect(periods.length).toBeGreaterThanOrEqual(event === 'bookingEnded' ? 1 : 3);
		await site.at(10);
		const emitted: string[] = [];
		for (let minutes = 60; minutes < 24 * 60; minutes += 60) {
			largest = 0;
			emitted.push(...(await site.at(minutes)).split(' ').filter(Boolean));
			expect(largest).toBeLessThan(12);
		}
		expect(emitted).toHaveLength(event === 'bookingStartsSoon' ? 46 : 0);
		expect(JSON.stringify(site.trigger.own).length).toBeLessThan(250_000);
	},
);

it('fetches nothing of a quiet site but what is going on at the edge', async () => {
	const site = new Site('bookingStartsSoon', 24 * HOUR);
	for (let index = 0; index < 500; index++) site.book(`${index}`, index * 10, -600);
	await site.at(0);
	await site.at(4);
	let fetched: string[] = [];
	const { answer } = site.trigger;
	site.trigger.answer = async (query, deadline) => {
		const list = (await answer(query, deadline)) as Booking[];
		fetched = fetched.concat(list.map(nameOf));
		return list;
	};
	await site.at(5);
	expect(fetched.length).toBeLessThan(10);
	const from = String(site.trigger.queries.at(-1)?.startTime);
	expect(Date.parse(from)).toBe(Date.parse(at(24 * 60 + 4 - 2 - 1 / 60)));
});

it.each<[DueEvent, number]>([
	['bookingStartsSoon', 130],
	['bookingEnded', -125],
])(
	'makes one call a poll of a service that lists nothing, and brings what is booked then: %s',
	async (event, start) => {
		const site = new Site(event);
		await site.at(0);
		site.trigger.queries = [];
		const out = [await site.at(1), await site.at(30), await site.at(60)];
		expect(site.trigger.queries).toHaveLength(3);

		site.book('a', start, 60);
		out.push(await site.at(61), await site.at(71), await site.at(80));

		expect(out.filter(Boolean)).toEqual(['a']);
	},
);

it('emits what has started while the service listed nothing, for longer than the time before a start', async () => {
	const site = new Site('bookingStartsSoon');
	site.book('known', 30, -600);
	site.book('a', 90, -600);
	expect([await site.at(0), await site.at(10)]).toEqual(['', '']);
	const { answer } = site.trigger;
	site.trigger.answer = async () => await Promise.resolve([]);
	for (const minutes of [20, 50, 95]) expect(await site.at(minutes)).toBe('');
	site.trigger.answer = answer;
	expect(await site.at(100)).toBe('a');
});

it('emits it as well where the outage is as long as the time before a start, and nothing is left of that', async () => {
	const site = new Site('bookingStartsSoon', 2 * HOUR);
	site.book('known', 30, -600);
	expect([await site.at(0), await site.at(10)]).toEqual(['', '']);
	const { answer } = site.trigger;
	site.trigger.answer = async () => await Promise.resolve([]);
	site.setDistance(0);
	expect(await site.at(130)).toBe('');
	site.book('a', 60, 20);
	site.trigger.answer = answer;
	expect(await site.at(140)).toBe('a');
});
