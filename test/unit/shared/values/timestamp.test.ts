import { type Timestamp, latestOf, readTimestamp } from '../../../../nodes/shared/values/timestamp';

const STOCKHOLM = 'Europe/Stockholm';
const ms = (text: string, zone = STOCKHOLM) => readTimestamp(text, zone)?.ms;

describe('a timestamp', () => {
	it.each([
		['2026-07-01T12:00:00Z', '2026-07-01T12:00:00Z'],
		['2026-07-01T12:00:00+02:00', '2026-07-01T10:00:00Z'],
		['2026-07-01T12:00:00-0430', '2026-07-01T16:30:00Z'],
		['2026-07-01T12:00:00+02', '2026-07-01T10:00:00Z'],
		['2026-07-01T12:00:00', '2026-07-01T10:00:00Z'],
		['2026-12-01 12:00', '2026-12-01T11:00:00Z'],
		['2026-12-01T12:00:00.1234567', '2026-12-01T11:00:00.123Z'],
	])('%s is the moment %s', (text, utc) => {
		expect(ms(text)).toBe(Date.parse(utc));
	});

	it('is none of anything else', () => {
		const dates = ['2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', '2026-01-01T24:00:00'];
		for (const value of [undefined, null, 5, '', 'soon', ...dates]) {
			expect(readTimestamp(value, STOCKHOLM)).toBeUndefined();
		}
	});

	it.each([
		[
			'is the first of two where the clock shows a time twice',
			'2026-10-25T02:30:00',
			'2026-10-25T00:30:00Z',
		],
		[
			'comes later where the clock shows a later time',
			'2026-10-25T03:00:00',
			'2026-10-25T02:00:00Z',
		],
		['is read also where the clock never shows it', '2026-03-29T02:30:00', '2026-03-29T01:30:00Z'],
		['is read as ever right after that', '2026-03-29T03:00:00', '2026-03-29T01:00:00Z'],
	])('%s', (_, text, utc) => {
		expect(ms(text)).toBe(Date.parse(utc));
	});

	it('may be the later of two, also where the clock goes back by half an hour', () => {
		const zone = 'Australia/Lord_Howe';
		const read = readTimestamp('2026-04-05T01:45:00', zone) as Timestamp;
		expect(latestOf(read, zone) - read.ms).toBe(30 * 60_000);
	});
});
