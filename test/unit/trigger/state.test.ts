import * as fc from 'fast-check';
import isEqual from 'lodash/isEqual';
import isPlainObject from 'lodash/isPlainObject';
import {
	GOLDEN_BEGIN,
	GOLDEN_EVENTS,
	GOLDEN_TRIGGERS,
	type GoldenState,
	goldenMinutes,
	goldenRecord,
	isDueEvent,
	makeGoldenStates,
} from './goldenStates';
import { EVENTS } from '../../../nodes/HospitalityBookingTrigger/events';
import type { PollSettings } from '../../../nodes/HospitalityBookingTrigger/poll/poll';
import {
	type State,
	type StoredState,
	readState,
	sealed,
} from '../../../nodes/HospitalityBookingTrigger/state/stored';
import { MINUTE, Polled, feedOf, nameOf } from './support';

const BEGIN = GOLDEN_BEGIN;

/** A trigger that goes on from a stored state. */
function triggerFrom(
	{ event, state, ...settings }: Pick<GoldenState, 'event'> & Partial<GoldenState>,
	changed: Partial<PollSettings> = {},
) {
	const watching = JSON.stringify([event, 'demo', []]);
	const trigger = new Polled(feedOf(event), { watching, ...settings, ...changed });
	trigger.own = state as StoredState;
	return trigger;
}

/** As a fault of the trigger, or a wrong clock, would have stored it. */
function resealed({ state }: GoldenState, change: (text: string) => string): StoredState {
	return sealed(JSON.parse(change(JSON.stringify(readState(state, 'Trigger')))) as State);
}

/** One poll of it. */
async function pollAt(trigger: Polled, minutes: number, page: object[]): Promise<string[]> {
	Object.assign(trigger, { now: BEGIN + minutes * MINUTE, records: page });
	return await trigger.poll();
}

let golden: GoldenState[];
let plain: GoldenState[];

beforeAll(async () => {
	golden = await makeGoldenStates((one) => {
		const trigger = triggerFrom(one);
		return async (page, now) => {
			Object.assign(trigger, { now, records: page });
			await trigger.poll('publication');
			return trigger.own ?? {};
		};
	});
	plain = golden.filter(({ maxItems, reEmit }) => maxItems === 500 && !reEmit);
});

const nameOfGolden = ({ event, zone, maxItems, reEmit }: (typeof GOLDEN_TRIGGERS)[number]) =>
	`${event}, ${zone}, ${maxItems} a poll${reEmit ? ', re-emitting' : ''}`;

it('of every event is kept for a release', () => {
	expect([...GOLDEN_EVENTS].sort()).toEqual(EVENTS.map(({ value }) => value).sort());
});

describe('what the trigger has stored', () => {
	it.each(GOLDEN_TRIGGERS.map((one, index) => [nameOfGolden(one), index] as const))(
		'is gone on from, oldest first, without loss or duplicate: %s',
		async (_, index) => {
			const one = golden[index] as GoldenState;
			const { event, maxItems, reEmit } = one;
			const at = [...goldenMinutes(event), 9.9, 12];
			const page = at.map((minutes, name) => goldenRecord(one, name + 1, minutes));
			const trigger = triggerFrom(one);
			const emitted: string[] = [];
			for (let polls = 0; polls < 8; polls++)
				emitted.push(...(await pollAt(trigger, 14 + polls, page.toReversed())));
			const [, , , fourth, fifth, sixth, ...fresh] = page.map(nameOf);
			const last = maxItems === 1 ? [fourth] : [fourth, fifth, sixth];
			const again = reEmit ? last.map((name) => `${name}*`) : [];
			const waiting = maxItems === 1 ? [fifth, sixth] : [];
			expect(emitted).toEqual([...again, ...waiting, ...fresh]);
		},
	);

	it('starts over and says so where its position lies in the future by a fault', async () => {
		for (const one of plain) {
			const times = /"(since|begunAt|lookedAt|forgotten)":\d+/g;
			const state = resealed(one, (text) =>
				text.replaceAll('2026-07', '2100-07').replace(times, '"$1":4118212800000'),
			);
			const trigger = triggerFrom({ ...one, state });
			const old = [1, 2, 3].map((name) => goldenRecord(one, name, name));
			expect(await pollAt(trigger, 5, old)).toEqual([]);
			expect(trigger.reports.flat().join()).toContain('in the future');
			expect(JSON.stringify(trigger.queries)).not.toContain('2100');
			const fresh = goldenRecord(one, one.event === 'bookingRescheduled' ? 3 : 9, 8);
			expect(await pollAt(trigger, 9, [...old, fresh])).toEqual([nameOf(fresh)]);
		}
	});

	it('says so, with what is emitted, where its position lies far in the past by a fault', async () => {
		const DAYS = 24 * 60;
		for (const one of plain) {
			if (isDueEvent(one.event)) continue;
			const state = resealed(one, (text) =>
				text.replaceAll('2026-07', '1990-07').replace(/"since":\d+/g, '"since":0'),
			);
			const trigger = triggerFrom({ ...one, state }, { maxItems: 2 });
			const page = [1, 2, 3].map((name) => goldenRecord(one, name, name - 200 * DAYS));
			const [first, second, third] = page.map(nameOf);
			expect(await pollAt(trigger, 20, page)).toEqual([first, second]);
			expect(await pollAt(trigger, 21, page)).toEqual([third]);
			expect(await pollAt(trigger, 22, page)).toEqual([]);
			expect(trigger.reports).toEqual([[expect.stringContaining('60 days ago')]]);
		}
	});

	it("says so where the beginning is still to come, by a fault or by n8n's clock", async () => {
		for (const one of plain.filter(({ event }) => isDueEvent(event))) {
			const state = resealed(one, (text) => text.replace(/"begunAt":\d+/, '"begunAt":4118212800000'));
			const trigger = triggerFrom({ ...one, state });
			await pollAt(trigger, 20, []);
			await pollAt(trigger, 21, []);
			expect(trigger.reports).toEqual([[expect.stringContaining('started at 2100-07-02T')]]);
		}
	});
});

describe('a stored state', () => {
	it.each<[string, unknown]>([
		['null', null],
		['a text', 'state'],
		['a list', []],
		['nothing in it', {}],
		['a version that cannot be compared', { version: { toString: false } }],
		['a later version', { version: 2 }],
	])('with %s fails the poll in words and is left alone', async (what, state) => {
		const trigger = triggerFrom({ event: 'bookingCreated', state: state as object });
		const words = what.startsWith('a later') ? 'was written by a later version' : 'cannot be read';
		await expect(pollAt(trigger, 0, [])).rejects.toThrow(words);
		expect(trigger.own).toBe(state);
	});

	it('that cannot be read is left behind by renaming the node, also where n8n keeps it by node ID', async () => {
		const state = { ...golden[0]?.state, content: null };
		const trigger = triggerFrom({ event: 'bookingCreated', state });
		trigger.settings.node = 'Renamed';
		expect(await pollAt(trigger, 0, [])).toEqual([]);
	});

	it('is read in any order of its names, and refused where anything in it is other than it was written', () => {
		const states = fc
			.constantFrom(...golden)
			.chain(({ state }) => fc.tuple(fc.constant(state), mutation(state)));
		fc.assert(
			fc.property(states, ([state, mutated]) => {
				const reordered = JSON.parse(JSON.stringify(state), reversed) as object;
				expect(readState(reordered, 'Trigger')).toEqual(readState(state, 'Trigger'));
				if (isEqual(mutated, state)) return;
				expect(() => readState(mutated, 'Trigger')).toThrow(/cannot be read|by a later version/);
			}),
			{ numRuns: 500 },
		);
	});
});

/** A reviver that turns the order of names around. */
function reversed(_name: string, value: unknown): unknown {
	return isPlainObject(value) ? Object.fromEntries(Object.entries(value as object).reverse()) : value;
}

/** A state of which one value but the node's name is another one, or one character of its content. */
function mutation(state: object): fc.Arbitrary<unknown> {
	const { content } = state as StoredState;
	const keys = Object.keys(state).filter((key) => key !== 'node');
	const value = fc.oneof(fc.jsonValue(), fc.constantFrom('2100-01-01T00:00:00Z', 4e12, -1, 1e300, null));
	const character = fc.tuple(fc.nat(content.length - 1), fc.string({ maxLength: 2 }));
	return fc.oneof(
		fc.tuple(fc.constantFrom(...keys), value).map(([key, other]) => ({ ...state, [key]: other })),
		character.map(([at, other]) => ({
			...state,
			content: `${content.slice(0, at)}${other}${content.slice(at + 1)}`,
		})),
	);
}
