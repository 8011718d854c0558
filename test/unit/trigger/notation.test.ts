import type { Query } from '../../../nodes/HospitalityBookingTrigger/events/rule';
import { isoOf } from '../../../nodes/shared/values/timestamp';
import {
	HOUR,
	MINUTE,
	NOW,
	Polled,
	at,
	booking,
	feedOf,
	made,
	namesOf,
	published,
} from './support';

/** A time as a service writes it that has no offsets. */
const localTime = (ms: number, hoursAhead: number) =>
	new Date(ms + hoursAhead * HOUR).toISOString().slice(0, 19);

/** @returns how a service answers that compares the digits of its bookings' times with those of a question */
function comparingDigits(
	bookings: ReadonlyArray<Record<'changeDate' | 'start' | 'end', string>>,
): (query: Query) => Promise<unknown[]> {
	return async ({ changedFrom, startTime, endTime }) => {
		const found = bookings.filter(({ changeDate, start, end }) => {
			if (changedFrom !== undefined) return changeDate > String(changedFrom);
			return end > String(startTime) && start < String(endTime);
		});
		return await Promise.resolve(found);
	};
}

describe('a query is written like the field that it is compared with', () => {
	it.each([
		['Europe/Stockholm', 2],
		['America/New_York', -4],
	])(
		'so Starting Soon comes from a service in %s that compares digits',
		async (zone, hoursAhead) => {
			const bookings = Array.from({ length: 40 }, (_, index) => {
				const start = NOW + (index + 61) * MINUTE;
				return {
					guid: `${index}`,
					createdDate: localTime(NOW - HOUR, hoursAhead),
					changeDate: localTime(NOW - HOUR, hoursAhead),
					start: localTime(start, hoursAhead),
					end: localTime(start + HOUR, hoursAhead),
					status: 1,
				};
			});
			const trigger = new Polled(feedOf('bookingStartsSoon', { zone }));
			trigger.answer = comparingDigits(bookings);
			await trigger.poll(true);

			const out = (await trigger.polls(45)).flat();

			expect(out).toEqual(bookings.map(({ guid }) => guid));
		},
	);

	it('and reaches what starts as clocks are set back, where nothing was listed before', async () => {
		const start = '2026-10-25T02:58:00';
		const late = booking('a', '2026-10-25T00:59:00', {
			createdDate: '2026-10-25T00:59:00',
			start,
			end: start,
		});
		const listed: object[] = [];
		const feed = feedOf('bookingStartsSoon', { zone: 'Europe/Stockholm', distanceMs: 2 * HOUR });
		const trigger = new Polled(feed);
		trigger.now = Date.parse('2026-10-24T22:57:00Z');
		trigger.answer = async ({ changedFrom, startTime, endTime }) => {
			const from = String(changedFrom ?? startTime).slice(0, 19);
			const to = String(endTime).slice(0, 19);
			const isIn = changedFrom === undefined ? start > from && start < to : late.changeDate > from;
			return await Promise.resolve(isIn ? listed : []);
		};
		await trigger.poll(true);
		listed.push(late);

		expect(await trigger.polls(2)).toEqual([['a'], []]);
	});

	/** When clocks are set in a zone, and one moment when they are not. */
	const aroundChanges: Array<[zone: string, moment: string]> = [
		['Europe/Stockholm', '2026-07-01T12:00:00Z'],
		['Europe/Stockholm', '2026-03-29T01:00:00Z'],
		['Europe/Stockholm', '2026-10-25T01:00:00Z'],
		['America/New_York', '2026-03-08T07:00:00Z'],
		['America/New_York', '2026-11-01T06:00:00Z'],
		['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
		['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
	];

	it.each(aroundChanges)(
		'and until it has listed something, a service that compares digits may write UTC: in %s, a day around %s',
		async (zone, moment) => {
			const lost: string[] = [];
			for (let hours = -24; hours <= 24; hours++) {
				for (const event of ['bookingCreated', 'bookingStartsSoon'] as const) {
					const listed: Array<ReturnType<typeof booking>> = [];
					const trigger = new Polled(feedOf(event, { zone }));
					trigger.now = Date.parse(moment) + hours * HOUR;
					trigger.answer = comparingDigits(listed);
					await trigger.poll(true);
					const createdDate = isoOf(trigger.now + MINUTE);
					const start = isoOf(trigger.now + HOUR + MINUTE);
					listed.push(booking('a', createdDate, { createdDate, start, end: start }));
					const out = await trigger.polls(3);
					if (out.flat().length !== 1) lost.push(`${event} at ${isoOf(trigger.now)}`);
				}
			}

			expect(lost).toEqual([]);
		},
	);

	it('also the rest of a first list that is cut', async () => {
		const listed = Array.from({ length: 30 }, (_, index) => made(`${index}`, index - 60));
		const trigger = new Polled(feedOf('bookingCreated', { zone: 'Europe/Stockholm' }), {
			startAt: NOW - 2 * HOUR,
		});
		trigger.answer = async ({ changedFrom }) => {
			const later = listed.filter(({ changeDate }) => changeDate > String(changedFrom));
			return await Promise.resolve(later.slice(0, 10));
		};

		expect(await trigger.poll(true)).toHaveLength(30);
		expect(
			trigger.queries.slice(1).filter(({ changedFrom }) => !/Z$/.test(String(changedFrom))),
		).toEqual([]);
	});

	it('also one that is cut, after nothing was listed', async () => {
		const listed: object[] = [];
		const trigger = new Polled(feedOf('bookingChanged', { zone: 'Asia/Kolkata' }));
		trigger.answer = async ({ changedFrom }) => {
			const from = Date.parse(String(changedFrom));
			const later = listed.filter(
				(one) => Date.parse((one as { changeDate: string }).changeDate) > from,
			);
			return await Promise.resolve(later.slice(0, 10));
		};
		await trigger.poll(true);
		for (let minute = -20; minute < 20; minute++) listed.push(made(`${minute}`, minute));

		expect((await trigger.polls(20)).flat()).toContain('19');
	});

	it('changedFrom like changeDate, startTime and endTime like the start and end of bookings', async () => {
		const soon = booking('a', '2026-07-01T11:59:00.000', {
			start: '2026-07-01T20:00:00+02:00',
			end: '2026-07-01T22:00:00+02:00',
		});
		const trigger = await published(feedOf('bookingStartsSoon'), { records: [soon] });

		await trigger.polls(1);

		const [changes, period] = trigger.queries.slice(-2);
		expect(changes?.changedFrom).toBe('2026-07-01T11:57:00.000');
		expect(period?.startTime).toMatch(/^2026-07-01T14:57:59\+02:00$/);
		expect(period?.endTime).toMatch(/^2026-07-01T15:01:01\+02:00$/);
	});

	it.each([
		['summer', '2026-07-01T12:00:00Z', '+02:00', '2026-12-01T18:00:00+01:00'],
		['winter', '2026-12-01T12:00:00Z', '+01:00', '2027-07-01T18:00:00+02:00'],
	])(
		"with the zone's offset of its own moment: what starts in %s comes, though a booking across a clock change was listed last",
		async (_season, now, offset, otherStart) => {
			const localStart = localTime(Date.parse(now) + 90 * MINUTE, Number(offset.slice(1, 3)));
			const soon = booking('soon', now, { start: localStart + offset, end: localStart + offset });
			const other = booking('other', now, { start: otherStart, end: otherStart });
			const feed = feedOf('bookingStartsSoon', { zone: 'Europe/Stockholm' });
			const trigger = new Polled(feed);
			trigger.now = Date.parse(now);
			trigger.answer = async ({ startTime, endTime }) => {
				const found = [soon, other].filter(
					({ start, end }) => end > String(startTime) && start < String(endTime),
				);
				return await Promise.resolve(startTime === undefined ? [other] : found);
			};
			await trigger.poll(true);

			expect((await trigger.polls(40)).flat()).toEqual(['soon']);
		},
	);

	it("before anything was received, in the credential's zone with its offset", async () => {
		const trigger = new Polled(feedOf('bookingStartsSoon', { zone: 'Europe/Stockholm' }));
		await trigger.poll(true);

		const times = trigger.queries.flatMap((query) => [
			query.changedFrom ?? query.startTime,
			query.changedFrom ?? query.endTime,
		]);

		expect(times.length).toBeGreaterThan(2);
		expect(times.filter((time) => !String(time).endsWith('+02:00'))).toEqual([]);
	});
});

it('a customer query, whose name says UTC, is in UTC', async () => {
	const trigger = new Polled(feedOf('customerChanged', { zone: 'Europe/Stockholm' }));

	await trigger.poll(true);

	expect(trigger.askedFrom).toMatch(/Z$/);
	expect(namesOf(await trigger.pages([[{ id: 5, lastChangedUtc: at(5) }]]))).toEqual(['5']);
});
