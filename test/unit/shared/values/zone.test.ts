import { IANAZone } from 'luxon';
import { offsetAt } from '../../../../nodes/shared/values/zone';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const BEGIN = Date.parse('2025-12-30T00:00:00Z');
const DAYS = 370;
/** Clocks that change by an hour, by half of one, twice around a month, by less than an hour from UTC, and never. */
const ZONES = [
	'Europe/Stockholm',
	'America/New_York',
	'Australia/Lord_Howe',
	'Africa/Casablanca',
	'America/St_Johns',
	'Asia/Kathmandu',
	'UTC',
];
const plainly = (ms: number, zone: string) => IANAZone.create(zone).offset(ms) * MINUTE;

describe('the offset of a zone', () => {
	it.each(ZONES)('is the one that a plain look-up gives, at any time of a year: %s', (zone) => {
		const different: string[] = [];
		for (let day = 0; day < DAYS; day++) {
			const begin = BEGIN + day * DAY;
			const changes = plainly(begin, zone) !== plainly(begin + DAY, zone);
			const step = changes ? MINUTE / 2 : 12 * 60 * MINUTE - 1;
			for (let ms = begin; ms < begin + DAY; ms += step)
				if (offsetAt(ms, zone) !== plainly(ms, zone)) different.push(new Date(ms).toISOString());
		}
		expect(different).toEqual([]);
	});

	it('is looked up a few times for a whole year, whatever the times asked for', () => {
		const zone = 'Europe/Berlin';
		const lookUps = jest.spyOn(IANAZone.prototype, 'offset');
		for (let ms = BEGIN; ms < BEGIN + DAYS * DAY; ms += 17 * MINUTE) offsetAt(ms, zone);
		const count = lookUps.mock.calls.length;
		lookUps.mockRestore();

		// Two for each day, and each time asked for on the two days on which the clocks change.
		expect(count).toBeLessThan(2 * DAYS + 200);
		expect(count).toBeGreaterThan(2 * DAYS);
	});
});
