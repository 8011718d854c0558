import { overlapAt } from '../../../nodes/HospitalityBookingTrigger/follow/clock';
import { HOUR, MINUTE } from '../../../nodes/shared/values/timestamp';

it.each([
	['2026-07-01T12:00:00Z', 0, 1000],
	['2026-07-01T12:00:00Z', 5 * MINUTE, 5 * MINUTE],
	['2026-10-25T01:00:00Z', 5 * MINUTE, 2 * HOUR],
	['2026-10-25T01:00:00Z', 3 * HOUR, 4 * HOUR],
	['2026-10-24T22:30:00Z', 0, 2 * HOUR],
	['2026-10-25T03:30:00Z', 0, 2 * HOUR],
	['2026-10-24T20:00:00Z', 0, 1000],
	['2026-03-29T02:00:00Z', 0, 2 * HOUR],
])('at %s an overlap of %p ms asks for %p ms more', (text, overlap, expected) => {
	expect(overlapAt(Date.parse(text), 'Europe/Stockholm', overlap)).toBe(expected);
});
