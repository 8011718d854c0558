import type { INodeParameters } from 'n8n-workflow';
import type { Run } from '../support/engine';
import { useSandbox } from './setUp';

const setting = useSandbox();

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();

async function getMany(parameters: INodeParameters): Promise<Run> {
	return await setting.engine.execute({
		node: 'hospitalityBooking',
		parameters: {
			resource: 'webBooking',
			operation: 'getAll',
			startTime: inDays(-5),
			endTime: inDays(5),
			include: [],
			output: 'raw',
			options: { daysPerCall: 1 },
			...parameters,
		},
	});
}

/** What the service answers, whatever the period. */
async function answer(bookings: unknown[]): Promise<void> {
	await setting.service.control('POST', '/faults', {
		path: '/WebBooking/WebBookings',
		fault: { kind: 'status', status: 200, body: bookings, contentType: 'application/json' },
	});
}

test('makes no further call when Limit is reached', async () => {
	await answer([{ guid: 'a' }, { guid: 'b' }, { guid: 'c' }]);
	const run = await getMany({ limit: 2 });

	expect(run.json()).toEqual([{ guid: 'a' }, { guid: 'b' }]);
	expect(await setting.service.requests()).toHaveLength(1);
});

test('goes on to the next slice until Limit is reached with different bookings', async () => {
	await answer([{ guid: 'a' }, { guid: 'b' }]);
	const run = await getMany({ limit: 3 });

	expect(run.json()).toEqual([{ guid: 'a' }, { guid: 'b' }]);
	expect(await setting.service.requests()).toHaveLength(10);
});

test('keeps bookings without a GUID apart', async () => {
	await answer([{ message: 'one' }, { message: 'two' }, { guid: '', message: 'three' }]);
	const run = await getMany({ returnAll: true, options: {} });

	expect(run.json()).toEqual([{ message: 'one' }, { message: 'two' }, { guid: '', message: 'three' }]);
});

test.each([
	[{ daysPerCall: 0 }, "'Days per Call' is 0"],
	[{ daysPerCall: 'x' }, "'Days per Call' is NaN"],
	[{ unitIdsName: 'a b' }, "'Unit Filter Name' is not a usable name"],
])('refuses the option %j', async (options, message) => {
	const run = await getMany({ options, filters: { unitIds: '1' } });

	expect(run.error?.message).toContain(message);
	expect(await setting.service.requests()).toEqual([]);
});

test('asks for articles in the answer before it filters by their categories', async () => {
	const run = await getMany({ filters: { articleCategoryIds: '3' } });

	expect(run.error?.message).toContain("'Article Category IDs' needs articles in the answer");
	expect(await setting.service.requests()).toEqual([]);
});

test('sends the filters under the names that are set under Options', async () => {
	await getMany({
		include: ['includeTableArticles'],
		filters: { unitIds: '1', articleCategoryIds: '3' },
		options: { unitIdsName: 'units', articleCategoryIdsName: 'categories' },
	});

	const [request] = await setting.service.requests();
	expect(request?.query).toMatchObject({ units: '1', categories: '3' });
	expect(Object.keys(request?.query ?? {})).not.toContain('unitIds');
});
