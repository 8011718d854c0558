import { DateTime } from 'luxon';

import { inZone, toServiceDateTime } from '../../../../nodes/shared/values/dateTime';
import { checkTimeZone, zoneOf } from '../../../../nodes/shared/values/zone';

const wire = (value: unknown, zone = 'Europe/Stockholm') =>
	toServiceDateTime(value, 'Start Time', zone);

describe('dates and times on the wire', () => {
	it.each([
		['2026-12-24T18:00:00+01:00', '2026-12-24T18:00:00+01:00'],
		['2026-12-24T18:00:00Z', '2026-12-24T19:00:00+01:00'],
		['2026-12-24T18:00', '2026-12-24T18:00:00+01:00'],
		['2026-07-01T18:00:00', '2026-07-01T18:00:00+02:00'],
		['2026-12-24 18:00:00', '2026-12-24T18:00:00+01:00'],
		['2026-12-24T18:00:00.1234567', '2026-12-24T18:00:00.1234567+01:00'],
		[
			DateTime.fromISO('2026-12-24T18:00:00', { zone: 'America/New_York' }),
			'2026-12-25T00:00:00+01:00',
		],
		['2026-12-24T18:00:00.1234567-05:00', '2026-12-25T00:00:00.1234567+01:00'],
	])("have the offset of the credential's time zone: %p", (value, expected) => {
		expect(wire(value)).toBe(expected);
	});

	it.each([
		['2026-12-24T18:00:00z', '2026-12-24T18:00:00Z'],
		['2026-12-24T18:00:00-0500', '2026-12-24T18:00:00-05:00'],
		['2026-12-24 18:00:00+05:30', '2026-12-24T18:00:00+05:30'],
		['2026-12-24 18:00:00.5-05', '2026-12-24T18:00:00.5-05:00'],
		['2026-12-24 18:00:00Z', '2026-12-24T18:00:00Z'],
		[new Date('2026-12-24T17:00:00Z'), '2026-12-24T17:00:00Z'],
	])('are the same moment in the form that the service takes: %p', (value, moment) => {
		expect(Date.parse(wire(value))).toBe(Date.parse(moment));
		expect(wire(value)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
	});

	it.each(['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'])(
		'are the first of two where the clock shows the time twice, and as if the clock had not changed where it skips it, whatever today is: %s',
		(today) => {
			jest.useFakeTimers({ now: new Date(today) });
			try {
				expect(wire('2026-10-25T02:30:00')).toBe('2026-10-25T02:30:00+02:00');
				expect(wire('2026-10-25T03:00:00')).toBe('2026-10-25T03:00:00+01:00');
				expect(wire('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T01:30:00-04:00');
				expect(wire('2026-03-29 03:00:00')).toBe('2026-03-29T03:00:00+02:00');
				expect(wire('2026-03-29T02:30:00+01:00')).toBe('2026-03-29T03:30:00+02:00');
				expect(wire('2026-03-29T02:30:00')).toBe('2026-03-29T03:30:00+02:00');
				expect(wire('2026-03-08 02:00', 'America/New_York')).toBe('2026-03-08T03:00:00-04:00');
				// Midnight itself is skipped there.
				expect(toServiceDateTime('2026-04-24', 'Changed After', 'Africa/Cairo', 'day')).toBe(
					'2026-04-24T01:00:00+03:00',
				);
			} finally {
				jest.useRealTimers();
			}
		},
	);

	const noDates = [
		'tomorrow',
		'18:00',
		'T18:00',
		'2026-12',
		'2026T18:00',
		'2026-12T18:00',
		'20261224',
	];
	const noMoments = [
		'Invalid DateTime',
		DateTime.fromISO('soon'),
		'2026-12-24T',
		'2026-02-30T10:00:00',
		20261224,
		{},
		[],
		new Date('x'),
	];

	it.each([
		['is empty', ['', null, undefined]],
		['is a date without a time', ['2026-12-24', ' 2026-12-24 ']],
		['is not a date and time', [...noDates, ...noMoments, '1845', '2026', '2026-13-01']],
	])('refuse what %s, naming the parameter', (what, values: unknown[]) => {
		for (const value of values) expect(() => wire(value)).toThrow(`'Start Time' ${what}`);
	});
});

describe('a day on the wire', () => {
	const day = (value: unknown) =>
		toServiceDateTime(value, 'Changed After', 'Europe/Stockholm', 'day');

	it.each([
		['2026-12-24', '2026-12-24T00:00:00+01:00'],
		['2026-07-01', '2026-07-01T00:00:00+02:00'],
		['2026-12-24T18:00', '2026-12-24T18:00:00+01:00'],
	])("is the start of that day in the credential's time zone for %s", (value, expected) => {
		expect(day(value)).toBe(expected);
	});

	it.each([
		'18:00',
		'T18:00',
		'1845',
		'2026',
		'2026-12',
		'2026-W52',
		'20261224',
		'2026T18:00',
		'24.12.2026',
	])('is refused for %p, which leaves the day open', (value) => {
		expect(() => day(value)).toThrow(/'Changed After' is/);
	});
});

describe('the time zone of the credential', () => {
	it('is any IANA name', () => {
		const names = ['UTC', ' Europe/Stockholm ', 'US/Eastern'];
		expect(names.map(checkTimeZone)).toEqual(['UTC', 'Europe/Stockholm', 'US/Eastern']);
	});

	it.each([undefined, null, '', ' ', 7])('is refused when it is %p', (zone) => {
		expect(() => checkTimeZone(zone)).toThrow("'Time Zone' is empty");
	});

	it('is refused when unknown', () => {
		expect(() => checkTimeZone('Stockholm')).toThrow(
			"'Time Zone' is 'Stockholm', which is not a known time zone",
		);
	});
});

describe('a time without an offset', () => {
	it.each([
		['lastChangedUtc', '2026-11-20T10:00:00Z'],
		['customer.lastChangedUtc', '2026-11-20T10:00:00Z'],
		['changedFromUtc', '2026-11-20T10:00:00Z'],
		['changedFrom', '2026-11-20T15:00:00Z'],
		['start', '2026-11-20T15:00:00Z'],
	])('means the same moment in both directions in the field %s', (field, moment) => {
		const zone = zoneOf(field, 'America/New_York');
		const sent = toServiceDateTime('2026-11-20T10:00:00', field, zone);
		const shown = inZone('2026-11-20T10:00:00', 'America/New_York', zone);
		expect([sent, shown].map((time) => Date.parse(String(time)))).toEqual(
			Array(2).fill(Date.parse(moment)),
		);
	});
});

describe('a time of the service in a zone', () => {
	it.each([
		['2026-07-01T12:00:00Z', '2026-07-01T14:00:00+02:00'],
		['2026-12-31T23:30:00.1234567Z', '2027-01-01T00:30:00.1234567+01:00'],
		['2026-07-01T12:00:00.000+00:00', '2026-07-01T14:00:00+02:00'],
		['2026-07-01T12:00:00', '2026-07-01T12:00:00+02:00'],
		['2026-10-25T02:30:00', '2026-10-25T02:30:00+02:00'],
		['2026-07-01T12:00', '2026-07-01T12:00:00+02:00'],
		['2026-12-24', '2026-12-24'],
		['0001-01-01T00:00:00', null],
		['1900-01-01T00:00:00Z', null],
		['2026-13-41T00:00:00', '2026-13-41T00:00:00'],
		['soon', 'soon'],
		[null, null],
		[7, 7],
	])('%j is %j in Stockholm', (value, expected) => {
		expect(inZone(value, 'Europe/Stockholm', 'Europe/Stockholm')).toBe(expected);
	});

	it('without an offset is UTC where the field says so, and an offset has minutes where the zone has', () => {
		expect(inZone('2026-07-01T12:00:00', 'Europe/Stockholm', 'UTC')).toBe(
			'2026-07-01T14:00:00+02:00',
		);
		expect(inZone('2026-07-01T12:00:00Z', 'America/St_Johns', 'UTC')).toBe(
			'2026-07-01T09:30:00-02:30',
		);
		expect(inZone('2026-07-01T12:00:00Z', 'UTC', 'UTC')).toBe('2026-07-01T12:00:00+00:00');
	});
});
