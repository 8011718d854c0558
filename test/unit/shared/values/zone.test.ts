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
			for (let ms = begin; ms < begin + DAY; ms += step) {
				if (offsetAt(ms, zone) !== plainly(ms, zone)) different.push(new Date(ms).toISOString());
			}
		}
		expect(different).toEqual([]);
	});

	it.each([
		['1600-07-01', '1900-01-01'],
		['9999-07-01', '2100-01-01'],
	])('in %s, when nobody knows what clocks show, is that of %s', (year, known) => {
		const lookUps = jest.spyOn(IANAZone.prototype, 'offset');
		const offset = offsetAt(Date.parse(year), 'Europe/Berlin');
		offsetAt(Date.parse(year) + 100 * DAY, 'Europe/Berlin');
		const count = lookUps.mock.calls.length;
		lookUps.mockRestore();

		expect(offset).toBe(plainly(Date.parse(known), 'Europe/Berlin'));
		expect(count).toBe(2);
	});

	it('is looked up a constant number of times, however many days are asked for', () => {
		const lookUps = jest.spyOn(IANAZone.prototype, 'offset');
		const ask = (from: string, to: string, step: number) => {
			for (let ms = Date.parse(from); ms < Date.parse(to); ms += step) {
				offsetAt(ms, 'Europe/Berlin');
			}
			return lookUps.mock.calls.length;
		};
		const ofAllYears = ask('2000-01-01', '2101-01-01', 9 * DAY);
		const again = ask('2000-01-01', '2101-01-01', 9 * DAY) - ofAllYears;
		lookUps.mockRestore();

		// Two for each of some 2,300 blocks, and a search for each of 202 changes of the clocks.
		expect(ofAllYears).toBeLessThan(2 * 2_310 + 203 * 32);
		expect(again).toBe(0);
	});
});
