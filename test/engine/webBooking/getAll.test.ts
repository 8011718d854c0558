import type { INodeParameters } from 'n8n-workflow';
import { type ExecuteOptions, type Run } from '../support/engine';
import { testOperation } from '../support/operation';

const INCLUDE = [
	'includeContact',
	'includeInternalContact',
	'includeTableArticles',
	'includeNonTableArticles',
	'includePayMethod',
	'includeCustomer',
	'includeMarkings',
];

const here = testOperation('webBooking.getAll', {
	smallest: () => ({
		parameters: { getBy: 'lastChange', changedFrom: '2026-03-01T10:00:00Z', include: [] },
		query: { changedFrom: '2026-03-01T10:00:00Z' },
	}),
	fullest: () => ({
		parameters: {
			startTime: '2026-03-01T10:00:00+01:00',
			endTime: '2026-03-02T10:00:00+01:00',
			include: INCLUDE,
			filters: { unitIds: '1, 2', articleCategoryIds: '3, 4' },
		},
		query: {
			startTime: '2026-03-01T10:00:00+01:00',
			endTime: '2026-03-02T10:00:00+01:00',
			unitIds: ['1', '2'],
			articleCategoryIds: ['3', '4'],
			...Object.fromEntries(INCLUDE.map((name) => [name, 'true'])),
		},
	}),
});

const DAY = 86_400_000;
/** An ISO date and time so many days from now, without milliseconds. */
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString().replace(/\.\d+/, '');

/** A period of ten calls. */
const tenSlices = () => ({
	startTime: inDays(-155),
	endTime: inDays(155),
	include: [],
	output: 'raw',
});

/** What the credential says of the deployment. */
async function setDeployment(changes: object): Promise<void> {
	await here.engine.credentials.edit('hospitalityBookingApi', changes);
}

async function getMany(parameters: INodeParameters, options: Partial<ExecuteOptions> = {}): Promise<Run> {
	return await here.run({ ...tenSlices(), ...parameters }, options);
}

test('makes no further call when Limit is reached', async () => {
	await here.service.answer([{ guid: 'a' }, { guid: 'b' }, { guid: 'c' }]);
	const run = await getMany({ limit: 2 });

	expect(run.json()).toEqual([{ guid: 'a' }, { guid: 'b' }]);
	expect(await here.service.requests()).toHaveLength(1);
});

test('goes on to the next slice until Limit is reached with different bookings', async () => {
	await here.service.answer([{ guid: 'a' }, { guid: 'b' }]);
	const run = await getMany({ limit: 3 });

	expect(run.json()).toEqual([{ guid: 'a' }, { guid: 'b' }]);
	expect(await here.service.requests()).toHaveLength(10);
});

test('keeps bookings without a GUID apart', async () => {
	await here.service.answer([{ message: 'one' }, { message: 'two' }, { guid: '', message: 'three' }]);
	const period = { startTime: inDays(-5), endTime: inDays(5) };
	const run = await here.run({ ...tenSlices(), ...period, returnAll: true });

	expect(run.json()).toEqual([{ message: 'one' }, { message: 'two' }, { guid: '', message: 'three' }]);
});

test('sends the filters under the names that the credential gives', async () => {
	await setDeployment({ unitFilterName: 'units', articleCategoryFilterName: 'categories' });
	await getMany({
		include: ['includeTableArticles'],
		filters: { unitIds: '1', articleCategoryIds: '3' },
	});

	const [request] = await here.service.requests();
	expect(request?.query).toMatchObject({ units: '1', categories: '3' });
	expect(Object.keys(request?.query ?? {})).not.toContain('unitIds');
});

test('reads times without an offset in the time zone of the credential', async () => {
	await here.engine.credentials.edit('hospitalityBookingApi', { timeZone: 'Europe/Oslo' });
	await here.run({ startTime: '2031-07-01T00:00:00', endTime: '2031-07-02T00:00:00', include: [] });

	expect((await here.service.requests())[0]?.query).toEqual({
		startTime: '2031-07-01T00:00:00+02:00',
		endTime: '2031-07-02T00:00:00+02:00',
	});
});

describe('the bookings of the response', () => {
	const guest = (guid: string, fname: string, start: string, more: object = {}) => ({
		guid,
		start,
		contact: { fname, lname: 'Lind', email: `${fname}@example.com`, mobile: '+46701234567' },
		globalBookingNumber: `B${guid}`,
		...more,
	});
	const three = [
		guest('1', 'Anna', '2026-03-03T18:00:00', { changeDate: '2026-02-01T10:00:00' }),
		guest('2', 'Bo', '2026-03-01T18:00:00', { changeDate: '2026-02-03T10:00:00' }),
		guest('3', 'Anna', '2026-03-02T18:00:00', { changeDate: '2026-02-02T10:00:00' }),
	];
	const guids = (run: Run) => run.json().map(({ guid }) => guid);
	const lastChange = { getBy: 'lastChange', changedFrom: '2026-03-01T10:00:00Z', options: {} };

	test.each([
		['by booking time', { options: {} }],
		['by last change', lastChange],
	])(
		'are filtered after the call when looked up %s, and Limit counts what is left',
		async (_, parameters) => {
			await here.service.answer(three);
			const anna = { ...parameters, results: { guestName: 'anna' } };

			expect(guids(await getMany({ ...anna, limit: 1 }))).toEqual(['1']);
			expect(guids(await getMany({ ...anna, returnAll: true }))).toEqual(['1', '3']);
		},
	);

	test.each([
		['start', ['2', '3', '1']],
		['startDescending', ['1', '3', '2']],
		['changedDescending', ['2', '3', '1']],
	])('come out sorted by %s before Limit counts', async (sortBy, expected) => {
		await here.service.answer(three);
		expect(guids(await getMany({ ...lastChange, returnAll: true, results: { sortBy } }))).toEqual(expected);
		expect(guids(await getMany({ ...lastChange, limit: 1, results: { sortBy } }))).toEqual(
			expected.slice(0, 1),
		);
	});

	test('come with the data that a filter looks at, and the filter itself is not sent', async () => {
		await getMany({ ...lastChange, include: [], results: { guestName: 'Anna', customerId: '7' } });
		const [request] = await here.service.requests();

		expect(Object.keys(request?.query ?? {}).sort()).toEqual([
			'changedFrom',
			'includeContact',
			'includeCustomer',
		]);
	});
});
