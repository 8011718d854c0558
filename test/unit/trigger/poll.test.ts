import { Readable } from 'node:stream';
import get from 'lodash/get';
import range from 'lodash/range';
import type {
	IAdditionalCredentialOptions,
	IDataObject,
	IHttpRequestOptions,
	IPollFunctions,
} from 'n8n-workflow';

import { EVENTS, type TriggerEvent } from '../../../nodes/HospitalityBookingTrigger/events/events';
import type { Query } from '../../../nodes/HospitalityBookingTrigger/events/rule';
import { webBookings } from '../../../nodes/shared/booking/outputColumns';
import type { Form } from '../../../nodes/shared/form/readParameter';
import { recordShaper } from '../../../nodes/shared/operation/output';
import type { WhatChanged } from '../../../nodes/HospitalityBookingTrigger/follow/buildEmission';
import { toItems } from '../../../nodes/HospitalityBookingTrigger/poll/toItems';
import { pollInN8n } from '../../../nodes/HospitalityBookingTrigger/poll/host';
import { CallError } from '../../../nodes/shared/errors/failure';
import { toNodeError } from '../../../nodes/shared/errors/nodeErrors';
import {
	DAY,
	HOUR,
	MINUTE,
	NOW,
	Polled,
	SECOND,
	at,
	booking,
	customer,
	feedOf,
	made,
	published,
} from './support';

/** What the service or the network does, as the trigger learns of it. */
class Refused extends Error {
	readonly failure?: { cause: string };

	constructor(cause?: string) {
		super(cause ?? 'rejected');
		if (cause) this.failure = { cause };
	}
}

const node = {
	id: '1',
	name: 'Trigger',
	type: 'x',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};
const tooLarge = () =>
	toNodeError(
		{ node, action: 'Poll' },
		new CallError({ kind: 'body', reason: 'size', status: 200, problem: 'is larger than 32 MB' }),
	);

const rejecting = (error: Error) => async () => await Promise.reject(error);

const begun = async (
	settings: Parameters<typeof published>[1] = {},
	event: TriggerEvent = 'bookingCreated',
) => await published(feedOf(event), { records: [booking('known', -30)], ...settings });

describe('the state of a publication', () => {
	it('is taken for known: nothing that was there comes out', async () => {
		const trigger = await begun();
		expect(await trigger.polls(2)).toEqual([[], []]);
	});

	it('is gone on from when the workflow is published again, with what came in between', async () => {
		const trigger = await begun();
		trigger.records = [made('between', 1)];
		trigger.now += HOUR;
		expect(await trigger.poll(true)).toEqual(['between']);
	});

	it.each([
		{ change: { node: 'Renamed' }, why: 'the node was renamed, or copied with its workflow' },
		{
			change: { watching: 'other' },
			why: "its event, filters or system have changed, or 'Add What Changed'",
		},
		{ change: { account: 'other' }, why: "the credential's address or time zone has changed" },
	])(
		'belongs to the trigger as its form says: $change starts over, and says so',
		async ({ change, why }) => {
			const trigger = await begun();
			Object.assign(trigger.settings, change);
			trigger.records = [made('between', 1)];
			trigger.now += HOUR;
			expect(await trigger.poll(true)).toEqual([]);
			expect(trigger.reports).toEqual([
				[expect.stringContaining(`${why}: earlier changes were skipped`)],
			]);
			Object.assign(trigger.settings, { watching: 'third', startAt: NOW });
			expect(await trigger.poll()).toEqual(['between']);
			expect(trigger.reports.at(-1)).toEqual([expect.stringContaining("from 'Start From'")]);
		},
	);

	it("is left behind without 'Catch Up' though the service is down: what comes after is emitted, once it is up", async () => {
		const trigger = await published(feedOf('bookingCreated'), { records: [made('old', -600)] });
		trigger.settings.skipsMissed = true;
		const { answer } = trigger;
		trigger.now += 20 * MINUTE;
		trigger.answer = rejecting(new Refused('temporarily-unavailable'));
		expect(await trigger.poll(true)).toEqual([]);
		trigger.settings.skipsMissed = false;
		trigger.answer = answer;
		trigger.records = [made('missed', 10), made('new', 21)];
		expect(await trigger.polls(2)).toEqual([['new'], []]);
	});

	it("is left behind without 'Catch Up', in silence", async () => {
		const trigger = await begun({ startAt: NOW - HOUR, skipsMissed: true });
		trigger.records = [made('missed', 1)];
		trigger.now += HOUR;
		expect(await trigger.poll(true)).toEqual([]);
		expect(trigger.reports).toEqual([]);
	});

	it('is gone on from though n8n has not stored it, and its copy goes once the node has its own', async () => {
		const trigger = await begun();
		delete trigger.own;
		trigger.records = [made('new', 1)];
		trigger.now += MINUTE;
		expect(await trigger.poll()).toEqual(['new']);
		expect(trigger.published?.state).toBeDefined();
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.published).toEqual({ node: 'Trigger' });
	});

	it("is kept with the workflow, too, where a poll of n8n's scheduler has begun it", async () => {
		const trigger = new Polled(feedOf('bookingCreated'));
		trigger.mode = 'scheduler';
		await trigger.poll();
		delete trigger.own;
		trigger.records = [made('new', 1)];
		expect(await trigger.polls(1)).toEqual([['new']]);
	});

	it.each([
		{ startAt: null, how: 'earlier changes were skipped' },
		{ startAt: NOW - HOUR, how: "from 'Start From'" },
	])('says so where n8n starts and has kept nothing: $how', async ({ startAt, how }) => {
		const trigger = new Polled(feedOf('bookingCreated'), { startAt });
		trigger.wasPublished = true;
		await trigger.poll(true);
		expect(trigger.reports).toEqual([
			[`the trigger started over, as n8n has no stored state for it: ${how}`],
		]);
	});

	it.each<TriggerEvent>([
		'bookingCreated' as const,
		'bookingPaymentChanged' as const,
		'bookingStartsSoon' as const,
		'bookingEnded' as const,
		'customerCreated' as const,
		'surveyAnswered' as const,
	])(
		'begins at a Start From in the future, and publishing proves the account: %s',
		async (event) => {
			const trigger = new Polled(feedOf(event), { startAt: NOW + 72 * HOUR });
			const record = (hour: number) => ({
				guid: `${hour}`,
				id: event.startsWith('customer') ? hour : `${hour}`,
				status: 4,
				createdDate: at(hour * 60),
				changeDate: at(hour * 60),
				lastChangedUtc: at(hour * 60),
				respondedTime: at(hour * 60),
				chargePayedAmount: 5,
				start: at((hour + 1) * 60),
				end: at((hour - 1) * 60),
			});
			trigger.answer = async ({ changedFrom, changedFromUtc, startTime }) => {
				const from = Date.parse(String(changedFrom ?? changedFromUtc ?? at(-1)));
				const all = trigger.records as Array<ReturnType<typeof record>>;
				const found = all.filter(({ changeDate }) => Date.parse(changeDate) > from);
				return await Promise.resolve(startTime === undefined ? found : []);
			};
			const out: string[] = [];
			for (const hour of [0, 1, 24, 48, ...range(70, 80)]) {
				trigger.now = NOW + hour * HOUR;
				trigger.records = Array.from({ length: hour + 1 }, (_, index) => record(index));
				out.push(...(await trigger.poll(hour === 0)));
				expect(trigger.queries.length > 0).toBe(true);
			}
			expect(out).toEqual(['72', '73', '74', '75', '76', '77', '78', '79']);
			expect(trigger.reports).toEqual([]);
		},
	);
});

describe('a poll that fails', () => {
	it('changes nothing', async () => {
		const trigger = await begun();
		const { own } = trigger;
		trigger.answer = rejecting(new Refused('temporarily-unavailable'));
		await expect(trigger.poll()).rejects.toThrow('temporarily-unavailable');
		expect(trigger.own).toBe(own);
	});

	it('takes a response without a body for none', async () => {
		const trigger = await begun();
		const { own } = trigger;
		trigger.records = undefined;
		expect(await trigger.polls(1)).toEqual([[]]);
		expect(trigger.own).toEqual(own);
	});

	it('does not keep a workflow with a state from being published where it passes by itself', async () => {
		const trigger = await begun();
		for (const cause of ['rate-limited', 'temporarily-unavailable']) {
			trigger.answer = rejecting(new Refused(cause));
			expect(await trigger.poll(true)).toEqual([]);
			await expect(trigger.poll()).rejects.toThrow(cause);
		}
		trigger.answer = rejecting(new Refused('credential-invalid'));
		await expect(trigger.poll(true)).rejects.toThrow('credential-invalid');
	});

	it('says what to do in a trigger where a list that no period narrows is too large', async () => {
		const trigger = await begun();
		trigger.answer = rejecting(tooLarge());
		const failed = trigger.poll();
		await expect(failed).rejects.toThrow(/larger than 32 MB$/);
		await expect(failed).rejects.toMatchObject({
			description: expect.stringContaining('rename the node'),
		});
	});

	it.each<{ event: TriggerEvent; words: string }>([
		{
			event: 'bookingChanged',
			words: "Choose less under 'Include', or set 'Start From' to a moment of today",
		},
		{ event: 'customerChanged', words: "Set 'Start From' to a moment of today" },
		{ event: 'customerCreated', words: "Choose the event 'Customer Created or Updated'" },
		{ event: 'surveyAnswered', words: "Choose a survey under 'Filters'" },
	])('says what helps where the first list of $event is too large', async ({ event, words }) => {
		const trigger = new Polled(feedOf(event));
		trigger.answer = rejecting(tooLarge());
		await expect(trigger.poll(true)).rejects.toMatchObject({
			message: expect.stringMatching(/larger than 32 MB$/),
			description: expect.stringContaining(words),
		});
	});
});

/** A trigger within n8n, whose service lists `records`. @returns what polls it, what was asked of which system, and what n8n keeps */
function inN8n(options: object) {
	const asked: unknown[] = [];
	const records: object[] = [];
	const kept: Record<string, IDataObject> = { node: {}, global: {} };
	const credential = {
		baseUrl: 'http://service',
		authUrl: 'http://service',
		clientId: 'id',
		clientSecret: 'it',
	};
	const given = {
		event: 'bookingCreated',
		filters: { unitIds: '', statuses: [] },
		output: 'selected',
		outputFields: ['guests', 'markings'],
		options,
	};
	const respond = (data: unknown) => ({
		statusCode: 200,
		headers: {},
		body: Readable.from([Buffer.from(JSON.stringify(data))]),
	});
	const call = async (
		_: unknown,
		__: string,
		{ qs }: IHttpRequestOptions,
		using: IAdditionalCredentialOptions,
	) => {
		asked.push([using.credentialsDecrypted?.data?.system, qs?.includeMarkings, qs?.includeContact]);
		return await Promise.resolve(respond(records));
	};
	const httpRequest = async () => await Promise.resolve(respond({ access_token: 'token' }));
	const poll = async (activationMode: string) => {
		const context = {
			getNode: () => ({ ...node, parameters: given }),
			getWorkflow: () => ({ id: 'workflow' }),
			getMode: () => 'trigger',
			getActivationMode: () => activationMode,
			getNodeParameter: (name: string, fallback?: unknown) => get(given, name, fallback) as unknown,
			getWorkflowStaticData: (type: string) => kept[type],
			getCredentials: async () =>
				await Promise.resolve({ ...credential, system: 'own', timeZone: 'UTC' }),
			helpers: { httpRequest, httpRequestWithAuthentication: { call } },
		} as unknown as IPollFunctions;
		const [items = []] = (await pollInN8n(context)) ?? [];
		return items.map(({ json }) => json);
	};
	return { asked, records, kept, poll };
}

it("the system under 'Options' is polled for what the form asks; without 'Catch Up' publishing skips what was missed, a start of n8n that has not stored the node's state does not", async () => {
	const { asked, records, kept, poll } = inN8n({ system: 'other', catchUp: false });
	const out = [await poll('activate')];
	for (const mode of ['activate', 'init']) {
		const time = new Date().toISOString();
		records.push({ guid: mode, guests: 4, createdDate: time, changeDate: time });
		if (mode === 'init') kept.node = {};
		out.push(await poll(mode));
	}
	expect(out).toEqual([[], [], [{ guid: 'init', guests: 4 }]]);
	expect(asked).toEqual(Array(3).fill(['other', true, undefined]));
});

it("a poll that fails is told once an hour where n8n's timers make it, and always where its scheduler does", async () => {
	jest.useFakeTimers({ now: NOW });
	const toldIn = async (workflow: string, contextOf: (of: object) => unknown) => {
		const of = {
			getNode: () => node,
			getWorkflow: () => ({ id: workflow }),
			getMode: () => 'trigger',
			getActivationMode: () => 'update',
			getNodeParameter: () => 'no event',
		};
		const told: number[] = [];
		for (let minute = 0; minute <= 62; minute++) {
			await pollInN8n(contextOf(of) as IPollFunctions).catch(() => told.push(minute));
			jest.advanceTimersByTime(MINUTE);
		}
		return told;
	};
	expect(await toldIn('timers', (of) => of)).toEqual([0, 1, 61]);
	expect(await toldIn('scheduler', (of) => ({ ...of }))).toHaveLength(63);
	jest.useRealTimers();
});

it('a poll gives nothing while another is under way; that of a publication waits for it', async () => {
	const trigger = await begun();
	trigger.records = [made('new', 1)];
	trigger.now += 2 * MINUTE;
	const polls = [trigger.poll(), trigger.poll(), trigger.poll(true)];
	expect(await Promise.all(polls)).toEqual([['new'], [], []]);
	expect(trigger.waits.slice(1)).toEqual([MINUTE, MINUTE]);
});

it("a poll of n8n's scheduler gives nothing from a state of before the last batch, which n8n may still be storing", async () => {
	const trigger = await begun();
	trigger.mode = 'scheduler';
	const { own } = trigger;
	trigger.records = [made('new', 1)];
	expect(await trigger.polls(1)).toEqual([['new']]);
	const emitted = trigger.own;
	trigger.queries = [];
	const pollAfter = async (seconds: number, state: typeof own) => {
		trigger.now += seconds * SECOND;
		trigger.own = state;
		return await trigger.poll();
	};
	expect(await pollAfter(10, own)).toEqual([]);
	expect(await pollAfter(10, emitted)).toEqual([]);
	// n8n has not stored it.
	expect(await pollAfter(11, own)).toEqual(['new']);
	expect(trigger.queries).toHaveLength(2);
	// n8n's timers keep the state in memory.
	Object.assign(trigger, { own, mode: 'timer' });
	expect(await trigger.poll()).toEqual(['new']);
});

it('two systems never share the ID of an event, nor do two events or two changes', () => {
	const feed = feedOf('bookingCreated');
	const idOf = (system: string, value: string, key: string) => {
		const form = { eventDetails: true, feed, shape: () => ({}), system };
		const emission = { record: {}, key, time: null };
		const [item] = toItems([emission], { value: value as TriggerEvent }, form);
		return (item?.json.event as { id: string }).id;
	};
	const ids = [
		idOf('demo', 'bookingCreated', 'a'),
		idOf('other', 'bookingCreated', 'a'),
		idOf('demo', 'bookingChanged', 'a'),
		idOf('demo', 'bookingCreated', 'b'),
		idOf('demob', 'ookingCreated', 'a'),
	];
	expect(new Set(ids).size).toBe(5);
	expect(idOf('demo', 'bookingCreated', 'a')).toBe(ids[0]);
});

it.each<TriggerEvent>(['customerCreated', 'customerChanged'])(
	'a customer whose ID is longer than a number counts exactly comes once, with it as received: %s',
	async (event) => {
		const long = (id: string, changed: number) => ({ id, lastChangedUtc: at(changed) });
		const trigger = await published(feedOf(event), { records: [customer(1, -600)] });
		const pages = [[customer(1, -600), long('9007199254740993', 1)], [long('9007199254740993', 1)]];
		pages.push([long('9007199254740994', 21)]);
		const out = await trigger.pages(pages);
		expect(
			out.map((emitted) => emitted.map(({ record }) => (record as { id: unknown }).id)),
		).toEqual([['9007199254740993'], [], ['9007199254740994']]);
		expect(trigger.reports).toEqual([]);
	},
);

describe('the type of an event', () => {
	async function typesIn(event: TriggerEvent, pages: unknown[][]): Promise<unknown[][]> {
		const feed = feedOf(event);
		const trigger = await published(feed, { records: [booking('old', -600)] });
		const form = { eventDetails: true, feed, shape: () => ({}), system: 'demo' };
		return (await trigger.pages(pages)).map((emissions) =>
			toItems(emissions, { ...EVENTS[event], value: event }, form).map(({ json }) =>
				get(json, 'event.type'),
			),
		);
	}

	it('of Created or Updated says which of the two it was', async () => {
		const types = await typesIn('bookingChanged', [
			[made('new', 1), booking('old', 2)],
			[{ ...made('new', 1), changeDate: at(11) }],
			[made('made and changed', 21, { changeDate: at(25) })],
		]);
		expect(types).toEqual([
			['bookingCreated', 'bookingUpdated'],
			['bookingUpdated'],
			['bookingCreated'],
		]);
	});

	it('is that of the form where nobody can know', async () => {
		const undated = booking('undated', 1, { createdDate: null });
		expect(await typesIn('bookingChanged', [[undated]])).toEqual([['bookingChanged']]);
		const [types] = await typesIn('customerChanged', [[customer(7, 1)]]);
		expect(types).toEqual(['customerChanged']);
	});

	it('of a customer seen within the overlap says that it was updated', async () => {
		const pages = [[customer(7, 9)], [customer(7, 9.5)]];
		expect(await typesIn('customerChanged', pages)).toEqual([
			['customerChanged'],
			['customerUpdated'],
		]);
	});

	it('of every other event is the event', async () => {
		expect(await typesIn('bookingUpdated', [[booking('old', 1)]])).toEqual([['bookingUpdated']]);
	});
});

describe('the changes of an item', () => {
	const second = (text: string) => Date.parse(text) / 1000;
	/** One booking as an item, with an output of the form and what is known to have changed. */
	function itemOf(output: string, record: object, changes: WhatChanged) {
		const entered: Record<string, unknown> = { output, outputFields: ['guid'] };
		const form = {
			getParameter: (name: string) => entered[name],
			node: { parameters: entered },
		} as Form;
		const zone = 'Europe/Stockholm';
		const shape = recordShaper(form, webBookings, {
			timeZone: zone,
			language: 'en-GB',
			statusRoles: {},
		});
		const feed = feedOf('bookingChanged', { whatChanged: true, zone });
		const presented = { eventDetails: false, feed, shape, system: 'demo' };
		const emission = { record, key: '', time: null, changes };
		const [item] = toItems([emission], { value: 'bookingChanged' }, presented);
		return item?.json.changes as { before: object; now: object };
	}

	const IN_WORDS = {
		was: '2026-08-01T19:00:00+02:00',
		is: '2026-08-02T19:00:00+02:00',
		wasStatus: 'Booked',
		isStatus: 'Canceled',
	};
	const AS_RECEIVED = {
		was: '2026-08-01T17:00:00Z',
		is: '2026-08-02T17:00:00Z',
		wasStatus: 1,
		isStatus: 3,
	};

	it.each([
		{ output: 'simplified', expected: IN_WORDS },
		{ output: 'selected', expected: IN_WORDS },
		{ output: 'raw', expected: AS_RECEIVED },
	])('say what was and what is, in the form of the output: $output', ({ output, expected }) => {
		const history = [
			{ changeDate: '2026-07-01T10:00:00Z', status: 1, statusName: 'Booked' },
			{ changeDate: '2026-07-02T10:00:00Z', status: 3, statusName: 'Canceled' },
		];
		const record = {
			guid: 'a',
			start: '2026-08-02T17:00:00Z',
			end: '2026-08-02T17:00:00Z',
			status: 3,
			history,
		};
		const earlier = second('2026-08-01T17:00Z');
		const later = second('2026-08-02T17:00Z');
		const { before, now } = itemOf(output, record, {
			fields: ['start', 'status'],
			before: { start: earlier, end: later, status: 1 },
			now: { start: later, end: later, status: 3 },
		});
		const { was, is, wasStatus, isStatus } = expected;
		expect(before).toEqual({ start: was, end: is, status: wasStatus });
		expect(now).toEqual({ start: is, end: is, status: isStatus });
	});

	it.each(['simplified', 'selected', 'raw'])(
		"write an earlier time in the account's form where the new one is a date alone: %s",
		(output) => {
			const record = { guid: 'a', start: '2026-06-08T12:00:00Z', end: '2026-06-09' };
			const { before, now } = itemOf(output, record, {
				fields: ['end'],
				before: { end: second('2026-06-08T14:00Z') },
				now: { end: null },
			});
			expect(before).toEqual({ end: '2026-06-08T16:00:00+02:00' });
			expect(now).toEqual({ end: '2026-06-09' });
		},
	);

	it.each(['simplified', 'selected', 'raw'])('have both amounts of a payment: %s', (output) => {
		const { before, now } = itemOf(
			output,
			{ guid: 'a', chargePayedAmount: 50 },
			{
				fields: ['chargePayedAmount'],
				before: { chargePayedAmount: 0, chargeRefundedAmount: 0 },
				now: { chargePayedAmount: 50, chargeRefundedAmount: 0 },
			},
		);
		expect(before).toEqual({ chargePayedAmount: 0, chargeRefundedAmount: 0 });
		expect(now).toEqual({ chargePayedAmount: 50, chargeRefundedAmount: 0 });
	});
});

describe('what is known from the beginning', () => {
	/** A site with three bookings a day for the next two years, which answers with so many at most. */
	function site(most: number, msEach = 0, event: TriggerEvent = 'bookingRescheduled') {
		const all = Array.from({ length: 728 * 3 }, (_, index) => {
			const start = index * 480 + ((index * index) % 47) * (index % 50);
			return booking(`b${index}`, -6000, { start: at(start), end: at(start + 30) });
		});
		const trigger = new Polled(feedOf(event));
		trigger.records = [booking('x', -5)];
		trigger.answer = async ({ startTime, endTime }: Query) => {
			if (startTime === undefined) return await Promise.resolve(trigger.records);
			const found = all.filter(
				({ start, end }) => end > String(startTime) && start < String(endTime),
			);
			trigger.now += msEach;
			if (found.length > most) throw tooLarge();
			return await Promise.resolve(found);
		};
		return { trigger, all };
	}

	const sizeOf = ({ state }: Polled) => state?.position.memory.split(';').length;
	const moved = (one: object | undefined, minutes: number) => ({
		...one,
		changeDate: at(minutes),
		start: at(2_000_000),
	});

	it.each([125, 25])(
		'is read in slices, shorter ones where the response is too large: %i',
		async (most) => {
			const { trigger, all } = site(most);
			await trigger.poll(true);
			expect(sizeOf(trigger)).toBe(all.length + 1);
			expect(trigger.state?.position.unread).toBeNull();
			trigger.records = [moved(all[2_000], 1)];
			expect(await trigger.polls(2)).toEqual([['b2000'], []]);
			// From 30 days ago to 730 days ahead.
			const periods = trigger.queries.filter(({ startTime }) => startTime !== undefined);
			expect(Date.parse(String(periods[0]?.startTime))).toBeLessThan(NOW - 30 * DAY);
			expect(Date.parse(String(periods.at(-1)?.endTime))).toBe(NOW + 730 * DAY);
		},
	);

	it.each(['oldest', 'newest'])(
		'is known whole though the service cuts its lists, %s first',
		async (first) => {
			const { trigger, all } = site(Infinity);
			const { answer } = trigger;
			trigger.answer = async (query, deadline) => {
				const list = (await answer(query, deadline)) as unknown[];
				return first === 'oldest' ? list.slice(0, 50) : list.slice(-50);
			};
			await trigger.poll(true);
			expect(sizeOf(trigger)).toBe(all.length + 1);
			expect(trigger.reports).toEqual([]);
		},
	);

	it.each([
		{
			what: 'more lies within an hour than the service lists, is told',
			count: 30,
			minutesApart: 4,
			told: ['lists at most 12 records'],
			calls: 60,
		},
		{
			what: 'just as much as it lists lies at one time, is not told',
			count: 12,
			minutesApart: 0,
			told: [],
			calls: 60,
		},
		{
			what: 'all of a cut list lies after a quiet time, is known whole',
			count: 60,
			minutesApart: 61,
			told: [],
			calls: 150,
		},
	])('where $what', async ({ count, minutesApart, told, calls }) => {
		const booked = Array.from({ length: count }, (_one, index) => {
			const start = (minutesApart > 60 ? -14_000 : 61) + index * minutesApart;
			return booking(`t${index}`, -6000, { start: at(start), end: at(start + 1) });
		});
		const trigger = new Polled(feedOf('bookingRescheduled'));
		trigger.answer = async ({ startTime, endTime }: Query) => {
			if (startTime === undefined) return await Promise.resolve([booking('x', -5)]);
			const isIn = ({ start, end }: (typeof booked)[number]) =>
				end > String(startTime) && start < String(endTime);
			return await Promise.resolve(booked.filter(isIn).slice(0, 12));
		};
		await trigger.poll(true);
		expect(trigger.reports.flat()).toEqual(told.map((text) => expect.stringContaining(text)));
		expect(trigger.queries.length).toBeLessThan(calls);
		if (told.length === 0) expect(sizeOf(trigger)).toBe(count + 1);
	});

	it('is read on by the next polls where the time is over, while what is known already comes', async () => {
		const { trigger, all } = site(125, 40_000);
		await trigger.poll(true);
		expect(trigger.state?.position.unread).not.toBeNull();
		trigger.now = NOW + HOUR;
		trigger.records = [moved(all[1], 55)];
		expect((await trigger.polls(60)).flat()).toEqual(['b1']);
		expect(sizeOf(trigger)).toBeGreaterThanOrEqual(all.length - 1);
	});

	it('leaves to the next list of changes what has changed since the beginning, where it is read later', async () => {
		const trigger = new Polled(feedOf('bookingCanceled'));
		const history = [
			{ status: 1, changeDate: at(-6000) },
			{ status: 2, changeDate: at(4) },
		];
		const canceled = booking('a', 4, { status: 2, history });
		const { answer } = trigger;
		trigger.answer = async (query, deadline) => {
			// The first poll has no time for all that is there.
			if (query.changedFrom !== undefined) trigger.now += 3 * MINUTE;
			return await answer(query, deadline);
		};
		trigger.records = [booking('other', -5)];
		await trigger.poll(true);
		trigger.answer = answer;
		trigger.now += 2 * MINUTE;
		// One replica shows the booking canceled, another does not list that yet.
		trigger.booked = [canceled];
		expect(await trigger.poll()).toEqual([]);

		trigger.records = [canceled];

		expect(await trigger.polls(2)).toEqual([['a'], []]);
	});

	it.each<TriggerEvent>(['bookingStartsSoon', 'bookingEnded'])(
		'and all that came due since the last poll comes, however far apart polls are and little time there is: %s',
		async (event) => {
			const { trigger, all } = site(6, 5_000, event);
			await trigger.poll(true);
			trigger.now = NOW + 21 * DAY;
			const out = await trigger.polls(20);
			expect(out.filter((names) => names.length > 0).length).toBeGreaterThan(1);
			const dueAt = ({ start, end }: (typeof all)[number]) =>
				event === 'bookingEnded' ? Date.parse(end) + HOUR : Date.parse(start) - HOUR;
			const due = all.filter((one) => dueAt(one) > NOW && dueAt(one) <= trigger.now);
			expect(out.flat().sort()).toEqual(due.map(({ guid }) => guid).sort());
		},
	);

	it('is read on by the next poll where a slice fails, which stops neither publishing nor what is emitted', async () => {
		const { trigger, all } = site(250);
		const { answer } = trigger;
		const failFrom = (call: number, cause?: string) => {
			let calls = 0;
			trigger.answer = async (query, deadline) =>
				++calls < call ? await answer(query, deadline) : await Promise.reject(new Refused(cause));
		};
		failFrom(4, 'rate-limited');
		await trigger.poll(true);
		expect(trigger.state?.position.unread).not.toBeNull();
		trigger.records = [moved(all[0], 1)];
		failFrom(2, 'temporarily-unavailable');
		expect(await trigger.polls(1)).toEqual([['b0']]);
		trigger.answer = answer;
		expect(await trigger.polls(2)).toEqual([[], []]);
		expect(sizeOf(trigger)).toBeGreaterThanOrEqual(all.length - 1);
	});

	it('is skipped for a slice that always fails, and told, while the rest is known', async () => {
		const { trigger, all } = site(250);
		const { answer } = trigger;
		trigger.answer = async (query, deadline) =>
			String(query.startTime) < at(-60) && String(query.endTime) > at(-60)
				? await Promise.reject(new Refused('temporarily-unavailable'))
				: await answer(query, deadline);
		await trigger.poll(true);
		let polls = 0;
		for (; trigger.reports.length === 0; polls++) await trigger.polls(1);
		// The next poll tries a shorter one.
		expect(polls).toBe(6);
		await trigger.polls(15 - polls);
		expect(trigger.reports).toEqual([[expect.stringContaining('could not be read')]]);
		expect(trigger.state?.position.unread).toBeNull();
		trigger.records = [moved(all[2_000], 16)];
		expect(await trigger.polls(1)).toEqual([['b2000']]);
	});

	it.each<{ event: TriggerEvent; more: object }>([
		{ event: 'bookingPaymentChanged', more: { chargePayedAmount: 5 } },
		{ event: 'bookingCanceled', more: { status: 2 } },
		{
			event: 'bookingStatusChanged',
			more: { status: 8, history: [{ changeDate: at(1), status: 8 }] },
		},
	])(
		'is nothing of a booking that is made while it is read: $event comes with the next poll',
		async ({ event, more }) => {
			const trigger = new Polled(feedOf(event));
			trigger.records = [booking('known', -30)];
			const during = made('during', 1, { createdDate: at(0.5), ...more });
			trigger.answer = async ({ startTime }) => {
				if (startTime === undefined) return await Promise.resolve(trigger.records);
				trigger.now = NOW + 2 * MINUTE;
				return await Promise.resolve([during]);
			};
			await trigger.poll(true);
			trigger.records = [during];
			expect(await trigger.polls(2)).toEqual([['during'], []]);
		},
	);

	it('is read without related data', async () => {
		const trigger = new Polled(feedOf('bookingRescheduled', { include: ['includeContact'] }));
		trigger.records = [booking('x', -5)];
		await trigger.poll(true);
		expect(trigger.queries[0]).toMatchObject({ includeContact: true });
		expect(trigger.queries.at(-1)).not.toHaveProperty('includeContact');
	});
});
