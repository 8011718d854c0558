import fc from 'fast-check';
import { DateTime } from 'luxon';
import { slicesOf } from '../../../../../nodes/HospitalityBooking/resources/webBooking/getAll.operation';
import { type Row, fullForm, prepare, rows } from '../../../../support/sampleForm';

const HOUR = 3_600_000;

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

test('finds in slices what one call would find, bookings without a length included, about the end of daylight saving, too', () => {
	const start = Date.UTC(2026, 9, 20);
	const hours = fc.integer({ min: -50, max: 500 });
	const zones = fc.constantFrom('UTC', 'Europe/Stockholm', 'America/New_York', 'Asia/Kolkata', 'UTC+14');
	/** The documents' rule: ending after one bound and starting before the other. */
	const found = (bookings: Array<[from: number, length: number]>, startTime: string, endTime: string) =>
		bookings.filter(
			([from, length]) =>
				start + (from + length) * HOUR > Date.parse(startTime) && start + from * HOUR < Date.parse(endTime),
		);
	const bookings = fc.array(fc.tuple(hours, fc.constantFrom(0, 0, 2, 24, 60)), { maxLength: 60 });
	const days = fc.constantFrom(1, 1.5, 2, 3, 4.25, 5);
	fc.assert(
		fc.property(bookings, zones, fc.integer({ min: 1, max: 450 }), days, (all, zone, length, perCall) => {
			const iso = (ms: number) =>
				String(DateTime.fromMillis(ms, { zone }).toISO({ suppressMilliseconds: true }));
			const [from, to] = [iso(start), iso(start + length * HOUR)];
			const slices = [...slicesOf(from, to, perCall)];
			const sliced = new Set(slices.flatMap((slice) => found(all, slice.startTime, slice.endTime)));

			expect(sliced).toEqual(new Set(found(all, from, to)));
			expect(slices).toHaveLength(Math.ceil(length / (24 * perCall)));
		}),
		{ numRuns: 500 },
	);
});

test('refuses a period that would take too many calls, with the setting that helps', async () => {
	const row = rows.find(({ id }) => id === 'webBooking.getAll') as Row;
	const form = { ...fullForm(row), startTime: '2026-01-01', endTime: '2126-01-01' };

	await expect(prepare(row, form)).rejects.toMatchObject({
		message: expect.stringMatching(/^'End Time' .* 1179 calls of 31 days each/) as string,
		description: expect.stringContaining("'Days per Call'") as string,
	});
});
