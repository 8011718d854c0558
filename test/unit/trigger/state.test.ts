import * as fc from 'fast-check';
import {
	GOLDEN_BEGIN,
	GOLDEN_EVENTS,
	GOLDEN_TRIGGERS,
	type GoldenState,
	goldenMinutes,
	goldenRecord,
	isDueEvent,
	makeGoldenStates,
} from '../../../compat/goldenStates.ts';
import { EVENTS, type TriggerEvent } from '../../../nodes/HospitalityBookingTrigger/events';
import { type BookingChange, dueFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { customerFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/customers';
import type { Feed } from '../../../nodes/HospitalityBookingTrigger/feeds/feed';
import { recipientFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/recipients';
import { type PollSettings, poll } from '../../../nodes/HospitalityBookingTrigger/poll/poll';
import { type StoredState, readState } from '../../../nodes/HospitalityBookingTrigger/state/stored';
import { HOST, HOUR, MINUTE, NO_FILTERS, POLLED, asStored, bookingsOf, nameOf } from './support';

const BEGIN = GOLDEN_BEGIN;

function feedOf(event: TriggerEvent): Feed {
	if (event === 'surveyAnswered') return recipientFeed('');
	if (event === 'customerCreated' || event === 'customerChanged') return customerFeed(event);
	if (event === 'bookingStartsSoon' || event === 'bookingEnded') return dueFeed(event, HOUR, NO_FILTERS, []);
	return bookingsOf(event satisfies BookingChange);
}

let nodes = 0;

/** A trigger that goes on from a stored state; each call is one poll of the same process. */
function triggerOf(
	event: TriggerEvent,
	stored: unknown,
	settings: Partial<PollSettings> = {},
	onSave: (state: object) => void = () => undefined,
) {
	let state = stored;
	const id = `stored ${++nodes}`;
	const watching = JSON.stringify([event, 'demo', []]);
	return async (page: unknown[], now: number, changed: Partial<PollSettings> = {}) => {
		const host = {
			...{ ...HOST, id },
			load: () => [state],
			save: (next: object) => onSave((state = asStored(next)) as object),
			fetch: () => Promise.resolve(page),
			now: () => now,
		};
		const chosen = { ...POLLED, feed: feedOf(event), watching, ...settings, ...changed };
		return (await poll(host, chosen)) ?? [];
	};
}

let golden: GoldenState[];

beforeAll(async () => {
	golden = await makeGoldenStates(({ event, ...settings }) => {
		let saved: object = {};
		const runPoll = triggerOf(event, undefined, settings, (state) => (saved = state));
		return async (page, now) => {
			await runPoll(page, now);
			return saved;
		};
	});
});

const nameOfGolden = ({ event, zone, maxItems, reEmit }: (typeof GOLDEN_TRIGGERS)[number]) =>
	`${event}, ${zone}, ${maxItems} a poll${reEmit ? ', re-emitting' : ''}`;

it('of every event is kept for a release', () => {
	expect([...GOLDEN_EVENTS].sort()).toEqual(EVENTS.map(({ value }) => value).sort());
});

describe('what the trigger has stored', () => {
	it.each(GOLDEN_TRIGGERS.map((one, index) => [nameOfGolden(one), index] as const))(
		'is gone on from without loss or duplicate: %s',
		async (_, index) => {
			const one = golden[index] as GoldenState;
			const { event, zone, maxItems, reEmit, state } = one;
			const at = [...goldenMinutes(event), 9.9, 12];
			const page = at.map((minutes, index) => goldenRecord(one, index + 1, minutes));
			const runPoll = triggerOf(event, state, { zone, maxItems, reEmit });
			const emitted: string[] = [];
			for (let polls = 0; polls < 8; polls++) {
				const now = BEGIN + (14 + polls) * MINUTE;
				emitted.push(...(await runPoll(page, now)));
			}
			const [, , , fourth, fifth, sixth, ...fresh] = page.map(nameOf);
			const again = reEmit ? [fourth, fifth, sixth].map((name) => `${name}*`) : [];
			const waiting = maxItems === 1 ? [fifth, sixth] : [];
			expect(emitted).toEqual([...again, ...waiting, ...fresh]);
		},
	);

	it('begins anew and says so where its position lies in the future by a fault', async () => {
		for (const one of golden.filter(({ maxItems, reEmit }) => maxItems === 500 && !reEmit)) {
			const { event, state, zone } = one;
			const text = JSON.stringify(state).replaceAll('2026-07', '2100-07');
			const times = /"(since|floor|begunAt|lookedAt|forgotten)":\d+/g;
			const ahead = JSON.parse(text.replace(times, '"$1":4118212800000')) as object;
			const runPoll = triggerOf(event, ahead, { zone });
			const old = [1, 2, 3].map((name) => goldenRecord(one, name, name));
			await expect(runPoll(old, BEGIN + 5 * MINUTE)).rejects.toThrow('Please check');
			const fresh = goldenRecord(one, event === 'bookingRescheduled' ? 3 : 9, 8);
			expect(await runPoll([...old, fresh], BEGIN + 9 * MINUTE)).toEqual([nameOf(fresh)]);
		}
	});

	it('says so, once all is emitted, where its position lies far in the past by a fault', async () => {
		const DAYS = 24 * 60;
		for (const one of golden.filter(({ maxItems, reEmit }) => maxItems === 500 && !reEmit)) {
			const { event, zone } = one;
			if (isDueEvent(event)) continue;
			const text = JSON.stringify(one.state).replaceAll('2026-07', '1990-07');
			const back = JSON.parse(text.replace(/"since":\d+/g, '"since":0')) as object;
			const runPoll = triggerOf(event, back, { zone, maxItems: 2 });
			const page = [1, 2, 3].map((name) => goldenRecord(one, name, name - 200 * DAYS));
			const [first, second, third] = page.map(nameOf);
			expect(await runPoll(page, BEGIN + 20 * MINUTE)).toEqual([first, second]);
			expect(await runPoll(page, BEGIN + 21 * MINUTE)).toEqual([third]);
			await expect(runPoll(page, BEGIN + 22 * MINUTE)).rejects.toThrow('Please check');
			expect(await runPoll(page, BEGIN + 23 * MINUTE)).toEqual([]);
		}
	});
});

it("says so where a trigger's beginning is still to come, by a fault or by n8n's clock", async () => {
	for (const one of golden.filter(({ event, state }) => isDueEvent(event) && 'position' in state)) {
		const text = JSON.stringify(one.state);
		const ahead = JSON.parse(text.replace(/"begunAt":\d+/, '"begunAt":4118212800000')) as object;
		const runPoll = triggerOf(one.event, ahead, { zone: one.zone });
		await expect(runPoll([], BEGIN + 20 * MINUTE)).rejects.toMatchObject({
			notices: [expect.stringContaining('began at 2100-07-02T')],
		});
		expect(await runPoll([], BEGIN + 21 * MINUTE)).toEqual([]);
	}
});

describe('a stored state', () => {
	const today = (more: object) => ({ ...golden[0]?.state, ...more });

	const moment = { from: '2026-07-01T12:00:00Z' };
	const UNREADABLE: Array<[string, unknown, object?]> = [
		['null', null],
		['a text', 'state'],
		['a list', []],
		['nothing in it', {}],
		['no position', undefined, { position: undefined }],
		['a position without what was seen', undefined, { position: { ...moment, since: 1 } }],
		['a time of saving that is a text', undefined, { savedAt: 'now' }],
	];

	it.each<readonly [string, unknown, object | undefined, string]>([
		...UNREADABLE.map(([what, whole, changed]) => [what, whole, changed, 'cannot be read'] as const),
		['a later version', { version: 3 }, undefined, 'was written by a later version'],
		['a later version and all else as today', undefined, { version: 3 }, 'was written by a later version'],
	])('with %s fails the poll in words and is left alone', async (_, whole, changed, message) => {
		const stored = changed ? today(changed) : whole;
		await expect(triggerOf('bookingCreated', stored)([], BEGIN)).rejects.toThrow(message);
	});

	it('of any shape is read or refused, and what is read works', async () => {
		const values = fc.oneof(
			fc.jsonValue(),
			fc.constantFrom(...golden).chain(({ state }) => mutation(state)),
		);
		await fc.assert(
			fc.asyncProperty(values, async (value) => {
				let read: StoredState | undefined;
				try {
					read = readState(value);
				} catch (error) {
					expect(error).toHaveProperty('description');
					return;
				}
				const event = 'forgotten' in (read?.position ?? {}) ? 'bookingEnded' : 'customerChanged';
				const runPoll = triggerOf(event, read, { watching: read?.watching ?? '' });
				await runPoll([], BEGIN).catch((error: Error) => expect(error.name).toBe('NoticesError'));
			}),
			{ numRuns: 500 },
		);
	});

	it('of another event begins anew, whichever the two are', async () => {
		for (const { event, state } of golden) {
			for (const other of ['bookingEnded', 'customerCreated', 'bookingCreated'] as const) {
				const runPoll = triggerOf(other, state);
				if (other !== event) expect(await runPoll([], BEGIN)).toEqual([]);
			}
		}
	});

	it('is gone on from where an empty filter is added, and not on another server or under another name', async () => {
		const one = golden[0] as GoldenState;
		const runPoll = triggerOf('bookingCreated', one.state);
		const emitted: string[][] = [];
		const other = { account: 'https://other.example' };
		for (const [index, changed] of [{}, other, other, { ...other, node: 'Renamed' }].entries()) {
			const page = [goldenRecord(one, index + 1, 11 + index)];
			emitted.push(await runPoll(page, BEGIN + 20 * MINUTE, changed));
		}
		expect(emitted).toEqual([['b1'], [], ['b3'], []]);
	});
});

/** A state of which one value is another one. */
function mutation(state: object): fc.Arbitrary<unknown> {
	const { cursor = {}, position = {} } = state as { cursor?: object; position?: object };
	const keys = [...Object.keys(state), ...Object.keys(cursor), ...Object.keys(position), 'undo', 'skips'];
	const other = fc.oneof(fc.jsonValue(), fc.constantFrom('2100-01-01T00:00:00Z', 4e12, -1, 1e300, null));
	return fc.tuple(fc.constantFrom(...keys), other).map(([key, value]) => {
		const reviver = (name: string, old: unknown) => (name === key ? value : old);
		return JSON.parse(JSON.stringify({ undo: {}, ...state }), reviver) as unknown;
	});
}
