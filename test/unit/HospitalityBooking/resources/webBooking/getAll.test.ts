import fc from 'fast-check';
import { slicesOf } from '../../../../../nodes/HospitalityBooking/resources/webBooking/getAll.operation';

test('cuts a period into slices that meet, the last one shorter', () => {
	expect([...slicesOf('2026-01-01T00:00:00Z', '2026-03-05T12:00:00Z', 31)]).toEqual([
		{ startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' },
		{ startTime: '2026-02-01T00:00:00Z', endTime: '2026-03-04T00:00:00Z' },
		{ startTime: '2026-03-04T00:00:00Z', endTime: '2026-03-05T12:00:00Z' },
	]);
});

test('leaves a period as it is that fits into one slice', () => {
	const [from, to] = ['2026-01-01T00:00:00+01:00', '2026-02-01T00:00:00+01:00'];

	expect([...slicesOf(from, to, 31)]).toEqual([{ startTime: from, endTime: to }]);
});

test('keeps the offset of the start', () => {
	const [first] = slicesOf('2026-01-01T00:00:00+05:30', '2026-01-09T00:00:00Z', 2);

	expect(first?.endTime).toBe('2026-01-03T00:00:00+05:30');
});

test.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %p days per call', (days) => {
	expect(() => [...slicesOf('2026-01-01T00:00:00Z', '2026-01-09T00:00:00Z', days)]).toThrow(
		"'Days per Call'",
	);
});

test('covers every period without a gap and never asks for more than the days per call', () => {
	const instant = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });
	fc.assert(
		fc.property(
			instant,
			fc.integer({ min: 1, max: 900 }),
			fc.integer({ min: 1, max: 400 }),
			(at, hours, days) => {
				const iso = (ms: number) => new Date(ms).toISOString();
				const [from, to] = [iso(at), iso(at + hours * 3_600_000)];
				const slices = [...slicesOf(from, to, days)];

				expect(slices[0]?.startTime).toBe(from);
				expect(slices.at(-1)?.endTime).toBe(to);
				for (const [index, { startTime, endTime }] of slices.entries()) {
					const length = Date.parse(endTime) - Date.parse(startTime);
					expect(length).toBeGreaterThan(0);
					expect(length).toBeLessThanOrEqual(days * 86_400_000);
					if (index > 0) expect(startTime).toBe(slices[index - 1]?.endTime);
				}
			},
		),
		{ numRuns: 300 },
	);
});
