import fc from 'fast-check';
import { DateTime } from 'luxon';
import { slicesOf } from '../../../../../nodes/HospitalityBooking/resources/webBooking/getAll.operation';

test('cuts a period into slices that overlap by a second, the last one shorter', () => {
	expect([...slicesOf('2026-01-01T00:00:00Z', '2026-03-05T12:00:00Z', 31)]).toEqual([
		{ startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' },
		{ startTime: '2026-01-31T23:59:59Z', endTime: '2026-03-04T00:00:00Z' },
		{ startTime: '2026-03-03T23:59:59Z', endTime: '2026-03-05T12:00:00Z' },
	]);
});

test('leaves a period as it is that fits into one slice', () => {
	const [from, to] = ['2026-01-01T00:00:00+01:00', '2026-02-01T00:00:00+01:00'];

	for (const days of [31, 9e15])
		expect([...slicesOf(from, to, days)]).toEqual([{ startTime: from, endTime: to }]);
});

test('counts days as luxon does, also about the end of daylight saving and with parts of a day', () => {
	const instant = fc.integer({ min: Date.UTC(2026, 9, 20), max: Date.UTC(2026, 10, 1) });
	const zone = fc.constantFrom('UTC', 'Europe/Stockholm', 'America/New_York', 'Asia/Kolkata', 'UTC+14');
	const days = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.double({ min: 1, max: 12, noNaN: true }));
	fc.assert(
		fc.property(instant, fc.integer({ min: 1, max: 400 }), zone, days, (at, hours, inZone, perCall) => {
			const time = DateTime.fromMillis(at, { zone: inZone });
			const iso = (moment: DateTime) => moment.toISO({ suppressMilliseconds: true }) ?? '';
			const [from, to] = [iso(time), iso(time.plus({ hours }))];
			const expected = [];
			let startTime = from;
			let next = DateTime.fromISO(from, { setZone: true }).plus({ days: perCall });
			for (; next < DateTime.fromISO(to); next = next.plus({ days: perCall })) {
				expected.push({ startTime, endTime: iso(next) });
				startTime = iso(next.minus({ seconds: 1 }));
			}
			expect([...slicesOf(from, to, perCall)]).toEqual([...expected, { startTime, endTime: to }]);
		}),
		{ numRuns: 500 },
	);
});

test('finds in slices what one call would find, bookings without a length included', () => {
	const HOUR = 3_600_000;
	const start = Date.UTC(2026, 0, 1);
	const hours = fc.integer({ min: -50, max: 500 });
	const iso = (ms: number) => new Date(ms).toISOString();
	/** The documents' rule: ending after one bound and starting before the other. */
	const found = (bookings: Array<[from: number, length: number]>, startTime: string, endTime: string) =>
		bookings.filter(
			([from, length]) =>
				start + (from + length) * HOUR > Date.parse(startTime) && start + from * HOUR < Date.parse(endTime),
		);
	const bookings = fc.array(fc.tuple(hours, fc.constantFrom(0, 0, 2, 24, 60)), { maxLength: 60 });
	fc.assert(
		fc.property(
			bookings,
			fc.integer({ min: 1, max: 450 }),
			fc.integer({ min: 1, max: 5 }),
			(all, length, days) => {
				const [from, to] = [iso(start), iso(start + length * HOUR)];
				const slices = [...slicesOf(from, to, days)];
				const sliced = new Set(slices.flatMap((slice) => found(all, slice.startTime, slice.endTime)));

				expect(sliced).toEqual(new Set(found(all, from, to)));
				expect(slices).toHaveLength(Math.ceil(length / (24 * days)));
			},
		),
		{ numRuns: 500 },
	);
});
