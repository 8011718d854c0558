import { DateTime } from 'luxon';
import { isTooLarge, toNodeError } from '../../../../../nodes/shared/errors/nodeErrors';
import { CallError } from '../../../../../nodes/shared/errors/failure';
import type { ItemContext } from '../../../../../nodes/shared/operation/operation';
import { prepareRequest } from '../../../../../nodes/shared/run/request';
import { makeNode, manifest } from '../../../../support/packageSources';
import { type Form, type Row, SETTINGS, itemOf, rows } from '../../../../support/sampleForm';
import { fc } from '../../../../support/property';

const HOUR = 3_600_000;
const row = rows.find(({ id }) => id === 'webBooking.getAll') as Row;

interface Asked {
	startTime?: string;
	endTime?: string;
	[name: string]: unknown;
}

/** Runs the operation for one item against a service of our own. */
async function getMany(
	form: Form,
	respond: (query: Asked) => unknown = () => [],
	{ limit = Infinity, timeZone = 'Europe/Stockholm', roles = {}, deployment = {} } = {},
) {
	const asked: Asked[] = [];
	const call: ItemContext['call'] = async ({ query }) => {
		asked.push(query as Asked);
		const body = await respond(query as Asked);
		return { status: 200, headers: {}, body } as Awaited<ReturnType<ItemContext['call']>>;
	};
	const raw = { output: 'raw', include: [], period: 'times', ...form };
	const item = Object.assign(itemOf(row, raw, timeZone), { call });
	Object.assign(item.account, { statusRoles: roles });
	Object.assign(item.account.deployment, deployment);
	const request = prepareRequest(item, row.operation, SETTINGS);
	const found = (await row.operation.sendAll?.(item, request, limit)) as Asked[];
	return { found, asked, mayHaveMore: item.omitted.mayHaveMore };
}

const guids = (found: Asked[]) => found.map(({ guid }) => guid);
const period = (from: string, to: string) => ({ getBy: 'period', startTime: from, endTime: to });
const changed = { getBy: 'lastChange', changedFrom: '2026-03-01' };

describe('a day', () => {
	afterEach(() => jest.useRealTimers());

	it.each([
		[
			undefined,
			'Europe/Stockholm',
			'2026-11-25T23:30:00Z',
			undefined,
			'2026-11-26T00:00:00+01:00',
			24,
		],
		['today', 'America/New_York', '2026-11-25T23:30:00Z', 0, '2026-11-25T00:00:00-05:00', 24],
		['today', 'Asia/Tokyo', '2026-11-25T23:30:00Z', 0, '2026-11-26T00:00:00+09:00', 24],
		['tomorrow', 'Asia/Tokyo', '2026-12-31T14:59:00Z', 0, '2027-01-01T00:00:00+09:00', 24],
		['today', 'Europe/Stockholm', '2026-10-25T12:00:00Z', 0, '2026-10-25T00:00:00+02:00', 25],
		['today', 'Europe/Stockholm', '2026-10-25T12:00:00Z', 5, '2026-10-25T05:00:00+01:00', 24],
		['tomorrow', 'Europe/Stockholm', '2026-03-28T12:00:00Z', 0, '2026-03-29T00:00:00+01:00', 23],
		['today', 'Europe/Stockholm', '2026-11-26T03:59:00Z', 5, '2026-11-25T05:00:00+01:00', 24],
		['tomorrow', 'Europe/Stockholm', '2026-11-26T03:59:00Z', 5, '2026-11-26T05:00:00+01:00', 24],
		['today', 'Europe/Stockholm', '2026-11-26T04:00:00Z', 5, '2026-11-26T05:00:00+01:00', 24],
	])('is %s in %s at %s, ending at %p', async (day, timeZone, now, dayEndsAt, from, hours) => {
		jest.useFakeTimers({ now: new Date(now) });
		const { asked } = await getMany(day ? { day, dayEndsAt } : {}, undefined, { timeZone });

		expect(asked).toEqual([{ startTime: from, endTime: expect.any(String) as string }]);
		expect(Date.parse(String(asked[0]?.endTime)) - Date.parse(from)).toBe(hours * HOUR);
	});

	it.each([
		['2026-12-24', '2026-12-24T00:00:00+01:00'],
		['2026-12-24T00:00:00', '2026-12-24T00:00:00+01:00'],
		['2026-12-24T18:00:00', '2026-12-24T00:00:00+01:00'],
		['2026-12-24T23:30:00Z', '2026-12-25T00:00:00+01:00'],
		[DateTime.fromISO('2026-12-24', { zone: 'Europe/Stockholm' }), '2026-12-24T00:00:00+01:00'],
	])('is the date of %s', async (date, from) => {
		const { asked } = await getMany({ getBy: 'day', day: 'date', date });
		expect(asked[0]?.startTime).toBe(from);
	});

	it.each([
		['2026-12-24', '2026-12-24T00:00:00+01:00'],
		[' TOMORROW ', '2026-11-27T00:00:00+01:00'],
		[
			DateTime.fromISO('2026-12-24T18:00', { zone: 'Europe/Stockholm' }),
			'2026-12-24T00:00:00+01:00',
		],
	])('is what an expression or an agent gives for Day: %s', async (day, from) => {
		jest.useFakeTimers({ now: new Date('2026-11-26T12:00:00Z') });
		const { asked } = await getMany({ getBy: 'day', day });
		expect(asked[0]?.startTime).toBe(from);
	});

	it("can be filled in by an agent, whose model reads what the parameter's name says", () => {
		const { properties } = makeNode(String(manifest.n8n.nodes[0])).description;
		const days = properties.filter(({ name }) => name === 'day');
		const ofTool = days.find((property) => property.displayOptions?.show?.['@tool']?.[0] === true);
		const ofPerson = days.find(
			(property) => property.displayOptions?.hide?.['@tool']?.[0] === true,
		);

		expect(days).toHaveLength(2);
		expect(ofTool).toMatchObject({ type: 'string', default: 'today' });
		expect(ofTool?.displayName).toContain('YYYY-MM-DD');
		expect(ofPerson).toMatchObject({ type: 'options', default: 'today' });
		for (const { noDataExpression } of days) expect(noDataExpression).not.toBe(true);
	});

	it.each([
		[{ date: '' }, "'Date' is empty"],
		[{ date: 'tomorrow' }, "'Date' is not a date"],
		[{ date: 'Invalid DateTime' }, "'Date' is not a date"],
		[{ day: 'yesterday' }, "'Day' is not a day ('yesterday')"],
		[{ day: '2026-13-01' }, "'Day' is not a day"],
		[{ day: 'today', dayEndsAt: 24 }, "'Day Ends At' is 24"],
		[{ day: 'today', dayEndsAt: 'late' }, "'Day Ends At' is not a number"],
	])('is refused by name for %j', async (form, message) => {
		await expect(getMany({ getBy: 'day', day: 'date', ...form })).rejects.toThrow(message);
	});

	it('has the bookings that start in it, and those whose start cannot be read', async () => {
		const bookings = [
			'2026-12-23T22:00:00',
			'2026-12-24T05:00:00',
			'2026-12-25T04:59:00+01:00',
			'soon',
		];
		const records = bookings.map((start) => ({ guid: start, start }));
		const { found } = await getMany(
			{ getBy: 'day', day: 'date', date: '2026-12-24', dayEndsAt: 5 },
			() => records,
		);

		expect(guids(found)).toEqual(bookings.slice(1));
	});
});

describe('a period', () => {
	afterEach(() => jest.useRealTimers());

	it('is today in the zone of the credential where both times are empty', async () => {
		jest.useFakeTimers({ now: new Date('2026-11-25T23:30:00Z') });
		for (const times of [{}, { startTime: '', endTime: ' ' }]) {
			expect((await getMany({ getBy: 'period', ...times })).asked).toEqual([
				{ startTime: '2026-11-26T00:00:00+01:00', endTime: '2026-11-27T00:00:00+01:00' },
			]);
		}
	});

	it.each([
		['yesterday', '2026-11-24', '2026-11-25'],
		['last7Days', '2026-11-18', '2026-11-25'],
		['thisWeek', '2026-11-23', '2026-11-30'],
		['next7Days', '2026-11-25', '2026-12-02'],
		['thisMonth', '2026-11-01', '2026-12-01'],
		['around30Days', '2026-10-26', '2026-12-26'],
		['next365Days', '2026-11-25', '2027-11-25'],
	])('%s has whole days of the zone of the credential', async (chosen, from, to) => {
		jest.useFakeTimers({ now: new Date('2026-11-26T02:00:00Z') });
		const form = { getBy: 'period', period: chosen };
		const { asked } = await getMany(form, undefined, { timeZone: 'America/Bogota' });

		expect(asked[0]).toMatchObject({ startTime: `${from}T00:00:00-05:00` });
		expect(asked.at(-1)).toMatchObject({ endTime: `${to}T00:00:00-05:00` });
	});

	it.each([
		['thisWeek', '2026-10-25T12:00:00Z', '2026-10-19T00:00:00+02:00', '2026-10-26T00:00:00+01:00'],
		['thisWeek', '2026-10-19T00:00:00Z', '2026-10-19T00:00:00+02:00', '2026-10-26T00:00:00+01:00'],
		['thisMonth', '2026-02-28T22:59:00Z', '2026-02-01T00:00:00+01:00', '2026-03-01T00:00:00+01:00'],
		['yesterday', '2026-01-01T00:00:00Z', '2025-12-31T00:00:00+01:00', '2026-01-01T00:00:00+01:00'],
	])('%s at %s begins and ends with a day', async (chosen, now, startTime, endTime) => {
		jest.useFakeTimers({ now: new Date(now) });
		const { asked } = await getMany({ getBy: 'period', period: chosen });

		expect(asked).toEqual([{ startTime, endTime }]);
	});

	it('does not look at the two times where it is one of days', async () => {
		const form = period('2031-01-01', 'never');
		await expect(getMany({ ...form, period: 'yesterday' })).resolves.toBeDefined();
		await expect(getMany({ ...form, period: 'nextYear' })).rejects.toThrow(
			"'Period' is not one of",
		);
	});

	it("between two times begins now and ends in a week, as in n8n's own nodes", () => {
		const { properties } = makeNode(String(manifest.n8n.nodes[0])).description;
		const times = properties.filter(({ displayOptions }) =>
			displayOptions?.show?.period?.includes('times'),
		);

		expect(times.map(({ default: initial }) => initial)).toEqual([
			'={{ $now }}',
			'={{ $now.plus({ week: 1 }) }}',
		]);
	});

	it.each([
		[{ startTime: '2026-11-26' }, "'End Time' is empty"],
		[{ endTime: '2026-11-26' }, "'Start Time' is empty"],
		[period('2026-11-26', '2026-11-26'), "'End Time' is not after 'Start Time'"],
	])('is refused for %j', async (times, message) => {
		await expect(getMany({ getBy: 'period', ...times })).rejects.toThrow(message);
	});

	it('of ten years is allowed, and no longer one', async () => {
		const from = Date.parse('2026-01-01');
		const daysLater = (days: number) => new Date(from + days * 24 * HOUR).toISOString();
		const { asked } = await getMany(period(daysLater(0), daysLater(3660)));

		expect(asked).toHaveLength(Math.ceil(3660 / 31));
		await expect(getMany(period(daysLater(0), daysLater(3661)))).rejects.toMatchObject({
			message: "'End Time' is more than 10 years after 'Start Time'",
			description: 'Choose a shorter period',
		});
	});

	it('is asked for in slices that overlap by a second, the last one shorter', async () => {
		const { asked } = await getMany(
			period('2026-01-01T00:00:00+01:00', '2026-03-05T12:00:00+01:00'),
		);
		expect(asked).toEqual([
			{ startTime: '2026-01-01T00:00:00+01:00', endTime: '2026-02-01T00:00:00+01:00' },
			{ startTime: '2026-01-31T23:59:59+01:00', endTime: '2026-03-04T00:00:00+01:00' },
			{ startTime: '2026-03-03T23:59:59+01:00', endTime: '2026-03-05T12:00:00+01:00' },
		]);
	});

	it('whose response is too large is halved until it is small enough, and asked for as a whole', async () => {
		const tooLarge = {
			kind: 'body',
			reason: 'size',
			status: 200,
			problem: 'is larger than 32 MB',
		} as const;
		const lengthOf = ({ startTime, endTime }: Asked) =>
			Date.parse(String(endTime)) - Date.parse(String(startTime));
		const answered: Asked[] = [];
		const error = toNodeError(itemOf(row, {}), new CallError(tooLarge));
		const { asked } = await getMany(
			period('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'),
			(query) => {
				if (lengthOf(query) > 100 * HOUR) throw error;
				answered.push(query);
				return [];
			},
		);

		expect(isTooLarge(error)).toBe(true);
		expect(asked.length - answered.length).toBe(3);
		expect([answered[0]?.startTime, answered.at(-1)?.endTime]).toEqual([
			'2026-01-01T01:00:00+01:00',
			'2026-02-01T01:00:00+01:00',
		]);
		for (const [index, { startTime }] of answered.slice(1).entries()) {
			expect(Date.parse(String(startTime))).toBe(
				Date.parse(String(answered[index]?.endTime)) - 1_000,
			);
		}
		await expect(
			getMany(period('2026-01-01', '2026-01-02'), () => Promise.reject(error)),
		).rejects.toBe(error);
	});

	it('whose response is too large is halved down to an hour, and no further', async () => {
		const tooLarge = {
			kind: 'body',
			reason: 'size',
			status: 200,
			problem: 'is too large',
		} as const;
		const error = toNodeError(itemOf(row, {}), new CallError(tooLarge));
		let shortest = Infinity;
		const failing = getMany(period('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'), (query) => {
			const length = Date.parse(String(query.endTime)) - Date.parse(String(query.startTime));
			shortest = Math.min(shortest, length);
			throw error;
		});

		await expect(failing).rejects.toBe(error);
		expect(shortest).toBe(HOUR);
	});

	it('that fails for another reason is asked for once', async () => {
		let calls = 0;
		const other = toNodeError(itemOf(row, {}), new CallError({ kind: 'status', status: 500 }));
		const failing = getMany(period('2026-01-01', '2026-02-01'), () => {
			calls++;
			throw other;
		});
		await expect(failing).rejects.toBe(other);
		expect(calls).toBe(1);
	});

	it('has in slices what one call would find, bookings without a length included, about the end of daylight saving, too', async () => {
		const start = Date.UTC(2026, 9, 20);
		const hours = fc.integer({ min: -50, max: 2_500 });
		const zones = fc.constantFrom(
			'UTC',
			'Europe/Stockholm',
			'America/New_York',
			'Asia/Kolkata',
			'UTC+14',
		);
		const bookings = fc.array(fc.tuple(hours, fc.constantFrom(0, 0, 2, 24, 800)), {
			maxLength: 60,
		});
		await fc.assert(
			fc.asyncProperty(
				bookings,
				zones,
				fc.integer({ min: 1, max: 2_400 }),
				async (all, zone, length) => {
					const iso = (ms: number) =>
						String(DateTime.fromMillis(ms, { zone }).toISO({ suppressMilliseconds: true }));
					const records = all.map(([from, lasts], guid) => ({
						guid,
						start: iso(start + from * HOUR),
						end: iso(start + (from + lasts) * HOUR),
					}));
					/** The documents' rule: ending after one bound and starting before the other. */
					const found = ({ startTime, endTime }: Asked) =>
						records.filter(
							(one) =>
								Date.parse(one.end) > Date.parse(String(startTime)) &&
								Date.parse(one.start) < Date.parse(String(endTime)),
						);
					const whole = { startTime: iso(start), endTime: iso(start + length * HOUR) };
					const sliced = await getMany(period(whole.startTime, whole.endTime), found);

					expect(guids(sliced.found).sort()).toEqual(
						found(whole)
							.map(({ guid }) => guid)
							.sort(),
					);
					expect(sliced.asked).toHaveLength(Math.ceil(length / (24 * 31)));
				},
			),
			{ numRuns: 200 },
		);
	});
});

describe('the bookings of the response', () => {
	const three = ['2026-03-03T18:00:00', '2026-03-01T18:00:00Z', '2026-03-01T18:30:00'].map(
		(start, guid) => ({
			guid,
			start,
			contact: { fname: ['Anna', 'Bo', 'Anna'][guid] },
		}),
	);

	it.each([changed, period('2026-03-01', '2026-03-04')])(
		'come sorted by start, unreadable ones last: %j',
		async (form) => {
			const { found } = await getMany(form, () => [{ guid: 'last', start: null }, ...three]);
			expect(guids(found)).toEqual([2, 1, 0, 'last']);
		},
	);

	it.each([changed, period('2026-03-01', '2026-03-04')])(
		'are filtered before Limit counts: %j',
		async (form) => {
			const { found } = await getMany({ ...form, filters: { search: 'anna' } }, () => three, {
				limit: 2,
			});
			expect(guids(found)).toEqual([2, 0]);
		},
	);

	it.each([changed, period('2026-03-01', '2026-03-04')])(
		'that share a GUID, or have none, are rows of their own: %j',
		async (form) => {
			const twins = [
				{ guid: 'a', guests: 1 },
				{ guid: 'a', guests: 2 },
				{ guests: 3 },
				{ guid: '', guests: 4 },
			];
			expect((await getMany(form, () => twins)).found).toEqual(twins);
		},
	);

	it('of two slices are one where they are the same', async () => {
		const long = { guid: 'a', start: '2026-01-01T10:00:00' };
		const { found } = await getMany(period('2026-01-01', '2026-03-01'), () => [long, { ...long }]);
		expect(found).toEqual([long, long]);
	});

	it('of two slices are two where they have no GUID, though they start together', async () => {
		const start = '2026-01-20T18:00:00Z';
		const page = () => [{ guid: null, start, guests: 2 }];
		const { found, asked } = await getMany(period('2026-01-01', '2026-02-15'), page);

		expect(asked).toHaveLength(2);
		expect(found).toHaveLength(2);
	});

	it.each([
		[1, 1, true],
		[2, 2, true],
		[3, 2, true],
		[5, 3, false],
		[6, 3, false],
	])('end the calls once Limit %p is met', async (limit, calls, mayHaveMore) => {
		let made = 0;
		const page = () => [{ guid: `a${++made}` }, { guid: `b${made}` }].slice(0, made === 1 ? 1 : 2);
		const outcome = await getMany(period('2026-01-01', '2026-03-15'), page, { limit });

		expect(outcome.asked).toHaveLength(calls);
		expect(outcome.mayHaveMore).toBe(mayHaveMore);
	});

	it.each([
		[{ search: 'Anna' }, ['includeContact']],
		[{ customerId: '7' }, ['includeCustomer']],
		[{ search: 'Anna', customerId: '7' }, ['includeContact', 'includeCustomer']],
		[{ minGuests: 2, statuses: [1] }, []],
	])(
		'come with what the filters %j look at, and the filters are not sent',
		async (filters, asksFor) => {
			const { asked } = await getMany({ ...changed, include: [], filters });
			expect(Object.keys(asked[0] ?? {}).sort()).toEqual(['changedFrom', ...asksFor]);
		},
	);

	it('are of a state by what the credential says of their status', async () => {
		const roles = {
			canceled: new Set(['5']),
			noShow: new Set<string>(),
			finished: new Set<string>(),
		};
		const records = [
			{ guid: 'a', status: 5 },
			{ guid: 'b', status: 4 },
		];
		const only = (states: string[]) => ({ ...changed, filters: { states } });

		expect(guids((await getMany(only(['canceled']), () => records, { roles })).found)).toEqual([
			'a',
		]);
		await expect(getMany(only(['canceled']))).rejects.toThrow("'State' cannot be determined");
	});

	it.each([
		[['includeContact'], ['includeContact', 'includeTableArticles', 'includeNonTableArticles']],
		[['includeNonTableArticles'], ['includeNonTableArticles']],
	])('of article categories come with articles: %j', async (include, asksFor) => {
		const { asked } = await getMany({ ...changed, include, filters: { articleCategoryIds: '3' } });
		const flags = Object.keys(asked[0] ?? {}).filter((name) => name.startsWith('include'));

		expect(flags.sort()).toEqual([...asksFor].sort());
		expect(asked).toEqual([expect.objectContaining({ articleCategoryIds: [3] })]);
	});

	it('are filtered by the service under the names that the credential gives', async () => {
		const deployment = { unitFilterName: 'units', articleCategoryFilterName: 'categories' };
		const filters = { unitIds: '1', articleCategoryIds: '3' };
		const form = { ...changed, include: ['includeTableArticles'], filters };
		const { asked } = await getMany(form, undefined, { deployment });

		expect(asked).toMatchObject([{ units: [1], categories: [3] }]);
		expect(Object.keys(filters).filter((name) => name in (asked[0] ?? {}))).toEqual([]);
	});

	it('are not asked for where a filter comes out empty', async () => {
		for (const filters of [
			{ search: '' },
			{ search: ' ' },
			{ customerId: null },
			{ states: [] },
			{ unitIds: ', ,' },
			{ minGuests: '' },
		]) {
			await expect(getMany({ ...changed, filters })).rejects.toThrow(/' is empty$/);
		}
	});
});

describe('a number or a guest', () => {
	beforeEach(() => jest.useFakeTimers({ now: new Date('2026-11-26T12:00:00Z') }));
	afterEach(() => jest.useRealTimers());

	const DAY_MS = 24 * HOUR;
	const booking = (guid: string, daysFromNow: number, more: object = {}) => ({
		guid,
		globalBookingNumber: `B${guid}`,
		start: new Date(Date.now() + daysFromNow * DAY_MS).toISOString(),
		contact: { fname: 'Anna', lname: 'Lind', mobile: '070-123 45 67' },
		...more,
	});
	/** A service that lists what takes place in the asked period. */
	const serving = (bookings: Array<{ start: string }>) => (query: Asked) =>
		bookings.filter(
			({ start }) => start >= String(query.startTime) && start < String(query.endTime),
		);
	const find = async (numberOrGuest: unknown, bookings: Array<{ start: string }>, more = {}) =>
		await getMany({ getBy: 'numberOrGuest', numberOrGuest, ...more }, serving(bookings));
	const everywhere = () => [-30, -1, 0.5, 20, 100, 364].map((days) => booking(`d${days}`, days));

	it.each([
		['Bd0.5', 'd0.5', 1],
		[' bd20 ', 'd20', 1],
		['Bd-1', 'd-1', 2],
		['Bd-30', 'd-30', 2],
		['Bd100', 'd100', 5],
		['Bd364', 'd364', 13],
	])('%s is looked for from now outwards, until a slice has it', async (number, guid, calls) => {
		const { found, asked } = await find(number, everywhere());

		expect(guids(found)).toEqual([guid]);
		expect(asked).toHaveLength(calls);
		expect(asked[0]).toMatchObject({ includeContact: true });
	});

	it('a GUID is found as a number is', async () => {
		const guid = '3f2504e0-4f89-41d3-9a0c-030512345678';
		const { found, asked } = await find(guid.toUpperCase(), [booking(guid, 3)]);

		expect(guids(found)).toEqual([guid]);
		expect(asked).toHaveLength(1);
	});

	it.each(['lind anna', '+46 70 123 45 67'])(
		'all bookings of a guest are returned, of the whole time, whatever Limit is: %s',
		async (guest) => {
			const form = { getBy: 'numberOrGuest', numberOrGuest: guest };
			const { found, asked } = await getMany(form, serving(everywhere()), { limit: 1 });

			expect(guids(found)).toEqual(everywhere().map(({ guid }) => guid));
			expect(asked).toHaveLength(13);
			const begins = asked.map(({ startTime }) => Date.parse(String(startTime)));
			const ends = asked.map(({ endTime }) => Date.parse(String(endTime)));
			expect(Math.min(...begins)).toBe(Date.now() - 31 * DAY_MS - 1_000);
			expect(Math.max(...ends)).toBe(Date.now() + 365 * DAY_MS);
		},
	);

	it('one that nobody has is looked for in the whole time', async () => {
		const { found, asked } = await find('B9123456', everywhere());

		expect(found).toEqual([]);
		expect(asked).toHaveLength(13);
	});

	it('of two bookings gives both, and one across two slices once', async () => {
		const twins = [booking('a', 3), booking('b', 4, { globalBookingNumber: 'Ba' })];
		const long = booking('long', 0);
		const { found } = await getMany({ getBy: 'numberOrGuest', numberOrGuest: 'Lind' }, () => [
			long,
		]);

		expect(guids((await find('Ba', twins)).found)).toEqual(['a', 'b']);
		expect(found).toEqual([long]);
	});

	it('is one booking where its number is in both halves of a period that is read in parts', async () => {
		const tooLarge = {
			kind: 'body',
			reason: 'size',
			status: 200,
			problem: 'is too large',
		} as const;
		const error = toNodeError(itemOf(row, {}), new CallError(tooLarge));
		const form = { getBy: 'numberOrGuest', numberOrGuest: 'Blong' };
		const { found } = await getMany(form, ({ startTime, endTime }) => {
			const length = Date.parse(String(endTime)) - Date.parse(String(startTime));
			if (length > 20 * DAY_MS) throw error;
			return [booking('long', 0)];
		});

		expect(guids(found)).toEqual(['long']);
	});

	it('passes the filters as well', async () => {
		const filters = { minGuests: 3 };
		const bookings = [booking('a', 1, { guests: 2 }), booking('b', 2, { guests: 4 })];

		expect(guids((await find('Anna', bookings, { filters })).found)).toEqual(['b']);
	});

	it('is entered above the time that is looked through, which a person reads without opening a tooltip', () => {
		const { properties } = makeNode(String(manifest.n8n.nodes[0])).description;
		const field = properties.find(({ name }) => name === 'numberOrGuest');

		expect(field?.hint).toBe('Looks from 31 days ago to a year ahead');
	});

	it.each(['', ' '])('is refused where it is empty: %j', async (numberOrGuest) => {
		const form = { getBy: 'numberOrGuest', numberOrGuest: '={{ $json.guest }}' };
		const item = itemOf(row, form, 'UTC', { ...form, numberOrGuest });

		expect(() => prepareRequest(item, row.operation, SETTINGS)).toThrow(
			"'Number or Guest' is empty",
		);
	});
});
