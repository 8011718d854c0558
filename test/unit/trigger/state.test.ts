import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';

import {
	type BookingChange,
	bookingFeed,
	dueFeed,
} from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { customerFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/customers';
import type { Feed, TriggerEvent } from '../../../nodes/HospitalityBookingTrigger/feeds/feed';
import { recipientFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/recipients';
import { type PollSettings, poll } from '../../../nodes/HospitalityBookingTrigger/poll/poll';
import { type StoredState, readState } from '../../../nodes/HospitalityBookingTrigger/state/stored';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BEGIN = Date.parse('2026-07-01T12:00:00Z');
const NO_FILTERS = { unitIds: [], unitParameter: 'unitIds', statuses: [], leaveOutStatuses: [] };
const isDue = (event: TriggerEvent) => event === 'bookingStartsSoon' || event === 'bookingEnded';

function feedOf(event: TriggerEvent): Feed {
	if (event === 'surveyAnswered') return recipientFeed('');
	if (event === 'customerCreated' || event === 'customerChanged') return customerFeed(event);
	if (event === 'bookingStartsSoon' || event === 'bookingEnded') return dueFeed(event, HOUR, NO_FILTERS, []);
	return bookingFeed(event satisfies BookingChange, NO_FILTERS, []);
}

let nodes = 0;

/** A trigger that goes on from a stored state; each call is one poll of the same process. */
function triggerOf(event: TriggerEvent, stored: unknown, settings: Partial<PollSettings> = {}) {
	let state = stored;
	const id = `stored ${++nodes}`;
	return async (page: unknown[], now: number, changed: Partial<PollSettings> = {}) => {
		const output = await poll(
			{
				id,
				readEarly: false,
				publishing: false,
				wasPublished: false,
				budgetMs: 60_000,
				load: () => [state],
				save: (next) => (state = JSON.parse(JSON.stringify(next))),
				fetch: () => Promise.resolve(page),
				present: (records) => records,
				warn: () => undefined,
				now: () => now,
			},
			{
				feed: feedOf(event),
				node: 'Trigger',
				watching: JSON.stringify([event, 'demo', []]),
				account: 'https://booking.example',
				zone: 'UTC',
				overlapMs: 2 * MINUTE,
				maxAgeMs: 24 * HOUR,
				maxItems: 500,
				startAt: null,
				anew: false,
				reEmit: false,
				...settings,
				...changed,
			},
		);
		return (output ?? []).map(({ record, again }) => `${nameOf(record)}${again ? ' again' : ''}`);
	};
}

function nameOf(record: unknown): string {
	const { guid, id } = record as { guid?: string; id?: string | number };
	return String(guid ?? id);
}

interface Golden {
	event: TriggerEvent;
	zone: string;
	maxItems: number;
	reEmit: boolean;
	state: object;
}

const GOLDEN = JSON.parse(readFileSync(`${__dirname}/states/0.1.0.json`, 'utf8')) as Golden[];

const nameOfGolden = ({ event, zone, maxItems, reEmit }: Golden) =>
	`${event}, ${zone}, ${maxItems} a poll${reEmit ? ', re-emitting' : ''}`;

/** A record at some minutes after the trigger of the golden state began. */
function record({ event, zone }: Golden, name: number, minutes: number): object {
	const utc = (at: number) => new Date(BEGIN + at * MINUTE).toISOString();
	const text = (at: number) => (zone === 'UTC' ? utc(at) : utc(at + 120).slice(0, 19));
	if (event === 'surveyAnswered') return { id: `r${name}`, status: 4, respondedTime: text(minutes) };
	if (event.startsWith('customer')) {
		const changed = utc(minutes);
		return { id: name, lastChangedUtc: zone === 'UTC' ? changed : changed.slice(0, 19) };
	}
	const guid = `b${name}`;
	if (isDue(event)) {
		const anchor = event === 'bookingEnded' ? minutes - 60 : minutes + 60;
		const [start, end] = event === 'bookingEnded' ? [anchor - 30, anchor] : [anchor, anchor + 60];
		return { guid, createdDate: text(-3000), start: text(start), end: text(end), status: 1 };
	}
	const isStatus = event === 'bookingStatusChanged';
	const history = [{ changeDate: text(-3000), status: 1, statusName: 'One' }];
	if (isStatus) history.push({ changeDate: text(minutes), status: 2, statusName: 'Two' });
	const createdDate = event === 'bookingCreated' ? text(minutes) : text(-3000);
	return { guid, createdDate, changeDate: text(minutes), status: isStatus ? 2 : 1, history };
}

describe('a state that 0.1.0 has stored', () => {
	it.each(GOLDEN.map((golden) => [nameOfGolden(golden), golden] as const))(
		'is gone on from without loss or duplicate: %s',
		async (_, golden) => {
			const { event, zone, maxItems, reEmit, state } = golden;
			const at = [-70, -50, -3, 2, 8, isDue(event) ? 9 : 9.5, 9.9, 12];
			const page = at.map((minutes, index) => record(golden, index + 1, minutes));
			const runPoll = triggerOf(event, state, { zone, maxItems, reEmit });
			const emitted: string[] = [];
			for (let polls = 0; polls < 8; polls++) {
				const now = BEGIN + (14 + polls) * MINUTE;
				emitted.push(...(await runPoll(page, now)));
			}
			const [, , , fourth, fifth, sixth, ...fresh] = page.map(nameOf);
			const again = reEmit ? [fourth, fifth, sixth].map((name) => `${name} again`) : [];
			const waiting = maxItems === 1 ? [fifth, sixth] : [];
			expect(emitted).toEqual([...again, ...waiting, ...fresh]);
		},
	);

	it('begins anew and says so where its position lies in the future by a fault', async () => {
		for (const { event, state, zone } of GOLDEN.filter(
			({ maxItems, reEmit }) => maxItems === 500 && !reEmit,
		)) {
			const text = JSON.stringify(state).replaceAll('2026-07', '2100-07');
			const ahead = JSON.parse(text.replace(/"(since|floor)":\d{13}/g, '"$1":4118212800000')) as object;
			const runPoll = triggerOf(event, ahead, { zone });
			const golden: Golden = { event, zone, state, maxItems: 500, reEmit: false };
			const old = [1, 2, 3].map((name) => record(golden, name, name));
			await expect(runPoll(old, BEGIN + 5 * MINUTE)).rejects.toThrow('notices');
			const fresh = record(golden, 9, 8);
			expect(await runPoll([...old, fresh], BEGIN + 9 * MINUTE)).toEqual([nameOf(fresh)]);
		}
	});
});

describe('a stored state', () => {
	const state = (more: object = {}) => ({ ...(GOLDEN[0]?.state as StoredState), ...more });

	it.each<[string, unknown, string]>([
		['null', null, 'cannot be read'],
		['a text', 'state', 'cannot be read'],
		['a list', [], 'cannot be read'],
		['nothing in it', {}, 'cannot be read'],
		['no cursor', state({ cursor: undefined }), 'cannot be read'],
		[
			'a cursor without what was seen',
			state({ cursor: { from: '2026-07-01T12:00:00Z', since: 1, zone: 'UTC' } }),
			'cannot be read',
		],
		[
			'a cursor without since',
			state({ cursor: { from: '2026-07-01T12:00:00Z', seen: '', zone: 'UTC' } }),
			'cannot be read',
		],
		['a cursor of another event', state({ cursor: { dueFrom: 1 } }), 'cannot be read'],
		['a later version', { version: 3 }, 'was written by a later version'],
	])('with %s fails the poll in words and is left alone', async (_, stored, message) => {
		await expect(triggerOf('bookingCreated', stored)([], BEGIN)).rejects.toThrow(message);
	});

	it('of any shape is read or refused, and what is read works', async () => {
		const values = fc.oneof(
			fc.jsonValue(),
			fc.constantFrom(...GOLDEN).chain(({ state: golden }) => mutation(golden)),
		);
		await fc.assert(
			fc.asyncProperty(values, async (value) => {
				let read: StoredState | undefined;
				try {
					read = readState(value);
				} catch (error) {
					expect(error).toHaveProperty('hint');
					return;
				}
				const event = 'forgotten' in (read?.position ?? {}) ? 'bookingEnded' : 'customerChanged';
				const runPoll = triggerOf(event, read, { watching: read?.watching ?? '' });
				await runPoll([], BEGIN).catch((error: Error) => expect(error.message).toBe('notices'));
			}),
			{ numRuns: 500 },
		);
	});

	it('of another event begins anew, whichever the two are', async () => {
		for (const { event, state: golden } of GOLDEN) {
			for (const other of ['bookingEnded', 'customerCreated', 'bookingCreated'] as const) {
				const runPoll = triggerOf(other, golden);
				if (other !== event) expect(await runPoll([], BEGIN)).toEqual([]);
			}
		}
	});

	it('is gone on from where an empty filter is added, and not on another server or under another name', async () => {
		const golden = GOLDEN[0] as Golden;
		const fresh = (name: number) => [record(golden, name, 10 + name)];
		const runPoll = triggerOf('bookingCreated', golden.state);
		expect(await runPoll(fresh(1), BEGIN + 20 * MINUTE)).toEqual(['b1']);
		expect(await runPoll(fresh(2), BEGIN + 20 * MINUTE, { account: 'https://other.example' })).toEqual([]);
		expect(await runPoll(fresh(3), BEGIN + 20 * MINUTE, { account: 'https://other.example' })).toEqual([
			'b3',
		]);
		expect(
			await runPoll(fresh(4), BEGIN + 20 * MINUTE, { account: 'https://other.example', node: 'Renamed' }),
		).toEqual([]);
	});
});

/** A state of which one value is another one. */
function mutation(state: object): fc.Arbitrary<unknown> {
	const keys = ['watching', 'cursor', ...Object.keys((state as { cursor: object }).cursor), 'undo', 'skips'];
	const other = fc.oneof(fc.jsonValue(), fc.constantFrom('2100-01-01T00:00:00Z', 4e12, -1, 1e300, null));
	return fc.tuple(fc.constantFrom(...keys), other).map(([key, value]) => {
		const reviver = (name: string, old: unknown) => (name === key ? value : old);
		return JSON.parse(JSON.stringify({ undo: {}, ...state }), reviver) as unknown;
	});
}
