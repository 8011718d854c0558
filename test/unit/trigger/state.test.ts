import { EVENTS, type TriggerEvent } from '../../../nodes/HospitalityBookingTrigger/feeds/events';
import { chooseState } from '../../../nodes/HospitalityBookingTrigger/state/choose';
import { IdRanges } from '../../../nodes/HospitalityBookingTrigger/state/idRanges';
import { type State, packed, readState } from '../../../nodes/HospitalityBookingTrigger/state/stored';
import { MINUTE, Polled, feedOf, nameOf, at } from './support';

const SAME = { node: 'n', watching: 'w', account: 'a' };
const state = (publication: number, other: object = {}) =>
	packed({ ...SAME, publication, position: {} as State['position'], told: [], ...other });

describe('where a poll goes on from', () => {
	it.each<[what: string, kept: object, expected: object]>([
		['nothing kept', {}, { kind: 'begin', publication: 0 }],
		[
			'nothing kept of a published workflow',
			{ wasPublished: true },
			{ why: expect.stringContaining('no stored') },
		],
		['its own state', { own: state(1) }, { kind: 'continue', publication: 1 }],
		[
			'the copy of a later publication',
			{ own: state(1), published: { publication: 2, state: state(2) } },
			{ kind: 'continue', state: { publication: 2 } },
		],
		[
			'its own state, stored after a publication',
			{ own: state(2), published: { publication: 2 } },
			{ kind: 'continue', state: { publication: 2 } },
		],
		[
			'the state of another name',
			{ own: state(1, { node: 'other' }) },
			{ why: expect.stringContaining('renamed') },
		],
		[
			'the number of a publication alone',
			{ published: { publication: 3 } },
			{ why: expect.stringContaining('renamed'), publication: 3 },
		],
		['another form', { own: state(1, { watching: 'x' }) }, { why: expect.stringContaining('filters') }],
		['another account', { own: state(1, { account: 'x' }) }, { why: expect.stringContaining('address') }],
		[
			'its own state without Catch Up',
			{ own: state(1), skipsMissed: true },
			{ kind: 'begin', how: 'fromNowOn' },
		],
	])('%s', (_, kept, expected) => {
		const nothing = { own: undefined, published: undefined, wasPublished: false, skipsMissed: false };
		expect(chooseState(SAME, { ...nothing, ...kept })).toMatchObject(expected);
	});

	it.each<[string, unknown, string]>([
		['null', null, 'cannot be read'],
		['a text', 'state', 'cannot be read'],
		['nothing in it', {}, 'cannot be read'],
		['content that breaks off', { ...state(1), content: '{"posi' }, 'cannot be read'],
		['a later version', { version: 2 }, 'was written by a later version'],
	])('a state with %s fails in words, until the node is renamed', (_, own, words) => {
		expect(() => readState(own)).toThrow(words);
	});
});

describe('known IDs', () => {
	const stored = (ids: number[], text = '') => {
		const ranges = new IdRanges(text);
		for (const id of ids) ranges.remember({ id: String(id) });
		return ranges.store();
	};
	const has = (text: string, id: number) => new IdRanges(text).find(String(id)) !== undefined;

	it('are kept as ranges, in any order', () => {
		const { text } = stored([5, 1, 2, 3, 100, 99, 2]);
		expect(text.split(',')).toHaveLength(3);
		const all = stored([4], text).text;
		expect([0, 1, 3, 4, 5, 6, 98, 99, 100, 101].map((id) => has(all, id))).toEqual([
			false,
			true,
			true,
			true,
			true,
			false,
			false,
			true,
			true,
			false,
		]);
	});

	it('take no more than their room: the gaps between the lowest close first', () => {
		const { text, isFull } = stored(Array.from({ length: 700_000 }, (_, index) => index * 2));
		expect(text.length).toBeLessThan(1_000_000);
		expect([isFull, has(text, 1), has(text, 1_399_997), has(text, 1_399_998)]).toEqual([
			true,
			true,
			false,
			true,
		]);
	});
});

/** A record that makes an event happen at some minutes, of a trigger that begins at 0. */
function recordOf(event: TriggerEvent, number: number, minutes: number): object {
	const time = at(minutes);
	const isDue = event === 'bookingStartsSoon' || event === 'bookingEnded';
	const status = event === 'surveyAnswered' ? 4 : event === 'bookingNoShow' ? 8 : isDue ? 1 : 2;
	return {
		...{ guid: `g${number}`, id: event.startsWith('customer') ? number : `r${number}` },
		...{ createdDate: event === 'bookingCreated' ? time : at(isDue ? -600 : minutes - 1), changeDate: time },
		...{ lastChangedUtc: time, respondedTime: time, chargePayedAmount: 5, status },
		history: [
			{ changeDate: at(minutes - 1), status: 1 },
			{ changeDate: time, status },
		],
		...{ start: at(isDue ? minutes + 60 : 5000), end: at(isDue ? minutes - 60 : 6000) },
	};
}

it.each((Object.keys(EVENTS) as TriggerEvent[]).filter((event) => event !== 'bookingRescheduled'))(
	'what the trigger has stored is gone on from by another process, without loss or duplicate: %s',
	async (event) => {
		const page = [-70, -50, -3, 2, 8, 9.5].map((minutes, index) => recordOf(event, index + 1, minutes));
		const first = new Polled(feedOf(event));
		Object.assign(first, { records: page.slice(0, 3), booked: page.slice(0, 3) });
		await first.poll(true);
		Object.assign(first, {
			now: first.now + 9 * MINUTE,
			records: page.slice(0, 5),
			booked: page.slice(0, 5),
		});
		const emitted = await first.poll();
		const second = new Polled(feedOf(event));
		Object.assign(second, { own: first.own, published: first.published, now: first.now });
		for (let polls = 0; polls < 3; polls++) {
			Object.assign(second, { now: second.now + MINUTE, records: page.toReversed(), booked: page });
			emitted.push(...(await second.poll()));
		}
		expect(emitted).toEqual(page.slice(3).map(nameOf));
	},
);
