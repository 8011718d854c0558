import type { INodeParameters } from 'n8n-workflow';

import type { Poll, PollingWorkflow } from '../support/engine';
import { bookingCredential, useService } from '../support/service';

const MINUTE = 60_000;

interface Booking {
	guid: string;
	start: string;
	end: string;
}

const here = useService();

const waitFor = (event: string, parameters: INodeParameters = {}): PollingWorkflow =>
	here.engine.trigger({
		node: 'hospitalityBookingTrigger',
		parameters: { event, output: 'raw', distance: 60, distanceUnit: 'minutes', ...parameters },
	});

const at = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();
const book = async (startsIn: number, minutes: number, more: object = {}): Promise<Booking> => {
	const booking = { start: at(startsIn), end: at(startsIn + minutes), ...more };
	const [made] = await here.service.control<Booking[]>('POST', '/bookings', { count: 1, booking });
	if (!made) throw new Error('The sandbox made no booking.');
	return made;
};
const change = async (guid: string, fields: object) =>
	await here.service.control('PATCH', `/bookings/${guid}`, fields);
const guids = ({ items, error }: Poll) => {
	if (error) throw error;
	return items?.map(({ json }) => json.guid) ?? [];
};

describe('Booking Starting Soon', () => {
	it('leaves out what was due before, and comes at once for what is made in time', async () => {
		await book(30, 60);
		const trigger = waitFor('bookingStartsSoon');
		expect(guids(await trigger.activate())).toEqual([]);
		const late = await book(20, 60);
		await book(90, 60);
		await book(-5, 60);
		expect(guids(await trigger.poll())).toEqual([late.guid]);
		expect(guids(await trigger.poll())).toEqual([]);
		expect(guids(await trigger.restart())).toEqual([]);
	});

	it('comes anew for a booking that is moved, and never for one that is canceled', async () => {
		const trigger = waitFor('bookingStartsSoon', { filters: { leaveOutStatuses: [9] } });
		await trigger.activate();
		const [moved, canceled] = [await book(20, 60), await book(25, 60, { status: 9, history: [] })];
		expect(guids(await trigger.poll())).toEqual([moved.guid]);
		await change(moved.guid, { start: at(40), end: at(100) });
		expect(guids(await trigger.poll())).toEqual([moved.guid]);
		expect(guids(await trigger.poll())).toEqual([]);
		expect(canceled.guid).not.toBe(moved.guid);
	});

	it('asks for the bookings of its window only', async () => {
		const trigger = waitFor('bookingStartsSoon');
		await trigger.activate();
		await here.service.forgetRequests();
		await trigger.poll();
		const { query = {} } = (await here.service.requests()).at(-1) ?? {};
		const [from, to] = [Date.parse(String(query.startTime)), Date.parse(String(query.endTime))];
		expect(Object.keys(query).sort()).toEqual(['endTime', 'includeContact', 'startTime']);
		expect(Math.abs(from - Date.now())).toBeLessThan(90 * MINUTE);
		expect(to - from).toBeLessThan(180 * MINUTE);
	});
});

describe('Booking Ended', () => {
	it('comes its time after the end, once, also for what ended while nobody polled', async () => {
		const trigger = waitFor('bookingEnded', { distance: 1, distanceUnit: 'hours' });
		await book(-300, 60);
		await trigger.activate();
		const ended = await book(-180, 60);
		await book(-90, 60);
		expect(guids(await trigger.poll())).toEqual([ended.guid]);
		expect(guids(await trigger.poll())).toEqual([]);
	});

	it("leaves out what is older than 'Max Age'", async () => {
		const trigger = waitFor('bookingEnded', { distance: 0, options: { maxAge: 2 } });
		await trigger.activate();
		await book(-300, 120);
		const young = await book(-200, 90);
		expect(guids(await trigger.poll())).toEqual([young.guid]);
	});
});

describe('the night in which the clock is changed', () => {
	const NIGHTS: Array<[string, string, string]> = [
		['autumn, times without an offset', '2026-10-24T23:00:00Z', 'none'],
		['autumn, local times with an offset', '2026-10-24T23:00:00Z', 'local'],
		['spring, times without an offset', '2026-03-28T23:00:00Z', 'none'],
	];

	afterEach(async () => {
		jest.useRealTimers();
		await here.service.control('PUT', '/clock', { skewMs: 0, offset: 'Z', freezeAt: null });
	});

	it.each(NIGHTS)('every booking comes out once, and none is missing: %s', async (_, evening, offset) => {
		const timers = ['setTimeout', 'setInterval', 'setImmediate', 'nextTick', 'queueMicrotask'] as const;
		const others = ['clearTimeout', 'clearInterval', 'clearImmediate', 'performance', 'hrtime'] as const;
		jest.useFakeTimers({ now: Date.parse(evening), doNotFake: [...timers, ...others] });
		await here.service.control('PUT', '/clock', { freezeAt: evening, offset, timeZone: 'Europe/Stockholm' });
		await here.engine.credentials.add('hospitalityBookingApi', 'hospitalityBookingApi', {
			...bookingCredential(here.service.info),
			timeZone: 'Europe/Stockholm',
		});
		const soon = waitFor('bookingStartsSoon');
		const ended = waitFor('bookingEnded');
		await soon.activate();
		await ended.activate();
		const made: string[] = [];
		for (let minutes = 65; minutes <= 245; minutes += 30) {
			const start = Date.now() + minutes * MINUTE;
			const times = {
				start: new Date(start).toISOString(),
				end: new Date(start + 30 * MINUTE).toISOString(),
			};
			const all = await here.service.control<Booking[]>('POST', '/bookings', { count: 1, booking: times });
			made.push(...all.map(({ guid }) => guid));
		}
		const [started, over]: string[][] = [[], []];
		for (let step = 0; step < 24; step++) {
			jest.setSystemTime(Date.now() + 20 * MINUTE);
			started?.push(...(guids(await soon.poll()) as string[]));
			over?.push(...(guids(await ended.poll()) as string[]));
		}
		expect(started?.sort()).toEqual([...made].sort());
		expect(over?.sort()).toEqual([...made].sort());
	});
});

describe('the form', () => {
	it.each([
		[{ distance: -1 }, "'Time Before Start'"],
		[{ distance: 'soon' }, "'Time Before Start'"],
		[{ distanceUnit: 'weeks' }, "'Unit'"],
		[{ options: { maxAge: -1 } }, "'Max Age (Hours)'"],
		[{ filters: { leaveOutStatuses: ['gone'] } }, "'Exclude Status Names or IDs'"],
		[{ filters: { statuses: '={{ "four" }}' } }, "'Status Names or IDs'"],
	])('names the parameter that is wrong: %j', async (parameters, name) => {
		const trigger = waitFor('bookingStartsSoon', parameters as INodeParameters);
		await expect(trigger.activate()).rejects.toThrow(name);
	});

	it.each(['={{ 4 }}', '={{ "4" }}', '4', '={{ "4,5" }}', '={{ "[4, 5]" }}', '={{ [4] }}'])(
		'takes a status by expression: %s',
		async (statuses) => {
			const trigger = waitFor('bookingCreated', { filters: { statuses } });
			await trigger.activate();
			const fits = await book(60, 60, { status: 4, history: [] });
			await book(60, 60, { status: 6, history: [] });
			expect(guids(await trigger.poll())).toEqual([fits.guid]);
		},
	);

	it("takes 'Include' and 'Fields' by expression", async () => {
		const trigger = waitFor('bookingCreated', {
			include: '={{ "includeMarkings,includeCustomer" }}',
			output: 'selected',
			outputFields: '={{ "guid, guests" }}',
		});
		await trigger.activate();
		await book(60, 60);
		expect(Object.keys((await trigger.poll()).items?.[0]?.json ?? {}).sort()).toEqual(['guests', 'guid']);
		const { query } = (await here.service.requests()).at(-1) ?? {};
		expect(query).toMatchObject({ includeMarkings: 'true', includeCustomer: 'true' });
	});
});

describe('event details', () => {
	it('give an id that stays the same, the type and the time', async () => {
		const one = waitFor('bookingStartsSoon', { options: { eventDetails: true } });
		await one.activate();
		const made = await book(20, 60);
		const first = (await one.poll({ crashAfterEmitting: true })).items?.[0]?.json.event;
		const again = (await one.restart()).items?.[0]?.json.event;
		expect(first).toEqual({
			id: expect.stringMatching(/^[0-9a-f]{32}$/),
			type: 'bookingStartsSoon',
			time: new Date(Date.parse(made.start) - 60 * MINUTE).toISOString(),
		});
		expect(again).toEqual(first);
	});
});

describe('"Fetch test event"', () => {
	it.each(['bookingStartsSoon', 'bookingEnded'])(
		'shows the booking nearest to its time for %s',
		async (event) => {
			// The sandbox's own begin and end at full hours, which now may be nearer.
			for (const { web } of await here.service.control<Array<{ web: Booking }>>('GET', '/state/bookings'))
				await here.service.control('DELETE', `/bookings/${web.guid}`);
			const trigger = waitFor(event, { distance: 0 });
			await trigger.activate();
			const near = event === 'bookingEnded' ? await book(-60, 59) : await book(1, 60);
			const shown = await trigger.fetchTestEvent();
			expect(guids(shown)).toEqual([near.guid]);
			expect(shown.state).toEqual(trigger.storedState);
		},
	);

	it.each([[{ kind: 'malformed' }], [{ kind: 'status', status: 200, body: {} }]])(
		'says that the service sent something else where that is no list: %j',
		async (fault) => {
			await here.service.control('POST', '/faults', { path: '/api/', fault });
			expect((await waitFor('bookingCreated').fetchTestEvent()).error?.message).toMatch(
				/^The response (is something other than data|breaks off or is not valid JSON)/,
			);
		},
	);
});
