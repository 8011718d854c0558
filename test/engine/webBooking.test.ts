import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ExecuteOptions, Run } from './support/engine';
import { useService } from './support/service';

const LIST = '/api/booking/v1/WebBooking/WebBookings';
const UNKNOWN_GUID = '00000000-0000-4000-8000-000000000000';

const here = useService();

/** An ISO date and time so many days from now, without milliseconds. */
function inDays(days: number): string {
	return new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+/, '');
}

async function getMany(parameters: INodeParameters, rest: Partial<ExecuteOptions> = {}): Promise<Run> {
	return await here.engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'webBooking', operation: 'getAll', ...parameters },
		...rest,
	});
}

async function cancel(parameters: INodeParameters, rest: Partial<ExecuteOptions>): Promise<Run> {
	return await here.engine.execute({
		node: 'hospitalityBooking',
		parameters: {
			resource: 'webBooking',
			operation: 'cancel',
			webBookingId: { __rl: true, mode: 'id', value: '={{ $json.guid }}' },
			...parameters,
		},
		...rest,
	});
}

/** Makes bookings in the service and returns what their items are told apart by. */
async function makeBookings(count: number): Promise<Array<{ guid: string }>> {
	const made = await here.service.control<Array<{ guid: string }>>('POST', '/bookings', { count });
	await here.service.forgetRequests();
	return made.map(({ guid }) => ({ guid }));
}

describe('get many', () => {
	test('asks once for the bookings of a period and stops at Limit', async () => {
		await makeBookings(5);
		await here.service.forgetRequests();
		const run = await getMany({ startTime: inDays(-10), endTime: inDays(10), include: [], limit: 3 });

		expect(run.error).toBeUndefined();
		expect(run.json()).toHaveLength(3);
		expect(run.itemsOf()).toEqual([[0], [0], [0]]);
		expect(await here.service.requests()).toMatchObject([
			{
				method: 'GET',
				path: LIST,
				headers: { system: here.service.info.system, accept: 'application/json' },
			},
		]);
	});

	test('sends the times with their offset and what to include, nothing else', async () => {
		await getMany({
			startTime: '2026-03-01T10:00:00+01:00',
			endTime: '2026-03-02T10:00:00+01:00',
			include: ['includeContact', 'includeMarkings'],
		});

		const [request] = await here.service.requests();
		expect(Object.keys(request?.query ?? {}).sort()).toEqual([
			'endTime',
			'includeContact',
			'includeMarkings',
			'startTime',
		]);
		expect(new Date(String(request?.query.startTime))).toEqual(new Date('2026-03-01T09:00:00Z'));
		expect(new Date(String(request?.query.endTime))).toEqual(new Date('2026-03-02T09:00:00Z'));
	});

	test('by last change sends that time alone', async () => {
		await getMany({ getBy: 'lastChange', changedFrom: inDays(-1), include: [] });

		const [request] = await here.service.requests();
		expect(Object.keys(request?.query ?? {})).toEqual(['changedFrom']);
	});

	test('fetches a long period in slices that meet, and returns each booking once', async () => {
		await makeBookings(20);
		const run = await getMany({
			startTime: inDays(-35),
			endTime: inDays(35),
			include: [],
			returnAll: true,
			output: 'raw',
			options: { daysPerCall: 20 },
		});

		const requests = await here.service.requests();
		const slices = requests.map(({ query }) =>
			[query.startTime, query.endTime].map((at) => Date.parse(String(at))),
		);
		expect(slices).toHaveLength(4);
		expect(slices.slice(1).map(([from]) => from)).toEqual(slices.slice(0, -1).map(([, to]) => to));
		const guids = run.json().map(({ guid }) => guid);
		expect(guids.length).toBeGreaterThanOrEqual(20);
		expect(new Set(guids).size).toBe(guids.length);
	});

	test('links every booking to the item it was asked for by', async () => {
		const run = await getMany(
			{ startTime: '={{ $json.from }}', endTime: '={{ $json.to }}', include: [], limit: 2 },
			{
				items: [
					{ name: 'past', from: inDays(-400), to: inDays(-399) },
					{ name: 'now', from: inDays(-5), to: inDays(5) },
				],
				after: { name: "={{ $('Before').item.json.name }}" },
			},
		);

		expect(run.after()).toEqual([{ name: 'now' }, { name: 'now' }]);
	});

	test('refuses an end before the start and sends nothing', async () => {
		const run = await getMany({ startTime: inDays(1), endTime: inDays(-1) });

		expect(run.error?.message).toContain("'End Time'");
		expect(await here.service.requests()).toEqual([]);
	});
});

describe('cancel', () => {
	test('cancels the booking of each item and sends an empty object when no field is set', async () => {
		const items = await makeBookings(2);
		const run = await cancel({ output: 'raw' }, { items });

		expect(run.error).toBeUndefined();
		expect((await here.service.requests()).map(({ method, path, body }) => ({ method, path, body }))).toEqual(
			items.map(({ guid }) => ({ method: 'POST', path: `${LIST}/${guid}/Cancel`, body: {} })),
		);
		const records = await here.service.control<Array<{ web: IDataObject }>>('GET', '/state/bookings');
		const stored = items.map(({ guid }) => records.find(({ web }) => web.guid === guid)?.web.status);
		expect(run.json().map(({ status }) => status)).toEqual(stored);
		expect(run.json().map(({ guid }) => guid)).toEqual(items.map(({ guid }) => guid));
	});

	const messages = { disableSmsConfirmationMessage: true, logMessage: 'On the phone' };

	test.each<[string, INodeParameters]>([
		['fields', { messages }],
		['JSON', { bodyMode: 'json', jsonBody: JSON.stringify(messages) }],
	])('sends what is set by %s', async (_, parameters) => {
		await cancel(parameters, { items: await makeBookings(1) });

		expect((await here.service.requests()).map(({ body }) => body)).toEqual([messages]);
	});

	test('keeps item links on both outputs when the second of three items fails', async () => {
		const [first, third] = await makeBookings(2);
		const items = [
			{ ...first, name: 'first' },
			{ guid: UNKNOWN_GUID, name: 'second' },
			{ ...third, name: 'third' },
		];
		const run = await cancel(
			{},
			{ items, onError: 'continueErrorOutput', after: { name: "={{ $('Before').item.json.name }}" } },
		);

		expect(run.error).toBeUndefined();
		expect(run.after(0)).toEqual([{ name: 'first' }, { name: 'third' }]);
		expect(run.after(1)).toEqual([{ name: 'second' }]);
	});

	test('stops with the status and the item when one is not found', async () => {
		const [first] = await makeBookings(1);
		const run = await cancel({}, { items: [{ ...first }, { guid: UNKNOWN_GUID }] });

		expect(run.status).toBe('error');
		expect(run.error?.name).toBe('NodeApiError');
		expect(run.error?.message).toMatch(/\(404\).*\[item 1\]/);
	});

	test.each(['../customers', 'a/b', '', ' ', '%2e%2e', `${UNKNOWN_GUID}/../..`])(
		'never turns the ID %j into another address',
		async (guid) => {
			const run = await cancel({}, { items: [{ guid }], onError: 'continueRegularOutput' });

			expect(run.json()).toMatchObject([{ error: expect.stringContaining("'Web Booking'") }]);
			expect(await here.service.requests()).toEqual([]);
		},
	);
});

test('finds bookings for the list by guest name', async () => {
	const all = await here.engine.listSearch({ node: 'hospitalityBooking', method: 'searchWebBookings' });
	const name = all.results[0]?.name.split(' · ')[1] ?? 'nobody';
	const found = await here.engine.listSearch({
		node: 'hospitalityBooking',
		method: 'searchWebBookings',
		filter: name,
	});

	expect(all.results.length).toBeGreaterThan(found.results.length);
	expect(found.results.length).toBeGreaterThan(0);
	for (const result of found.results) expect(result.name).toContain(name);
});
