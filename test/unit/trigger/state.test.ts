import set from 'lodash/set';

import { firstPosition } from '../../../nodes/HospitalityBookingTrigger/follow/position';
import { chooseStart } from '../../../nodes/HospitalityBookingTrigger/state/choose';
import { IdRanges } from '../../../nodes/HospitalityBookingTrigger/state/idRanges';
import { VERSION, readState } from '../../../nodes/HospitalityBookingTrigger/state/stored';
import { asStored, feedOf } from './support';

const SAME = { node: 'n', watching: 'w', account: 'a' };
const START = 5;
const POSITION = firstPosition(feedOf('bookingRescheduled'), null, 0, 0);
const state = (polls: number, other: object = {}) => ({
	...SAME,
	version: VERSION,
	polls,
	position: POSITION,
	reported: [],
	...other,
});

describe('where a poll goes on from', () => {
	it.each<[what: string, kept: object, expected: object]>([
		['nothing kept', {}, { polls: 0, startAt: START, state: undefined }],
		[
			'nothing kept of a published workflow',
			{ wasPublished: true },
			{ why: expect.stringContaining('no stored') },
		],
		['its own state', { stored: state(1) }, { state: { polls: 1 }, polls: 1 }],
		[
			'the copy of a later publication',
			{ stored: state(1), published: { node: 'n', state: state(2) } },
			{ state: { polls: 2 }, copy: { polls: 2 } },
		],
		[
			'its own state, stored after a publication',
			{ stored: state(3), published: { node: 'n', state: state(2) } },
			{ state: { polls: 3 }, copy: undefined },
		],
		[
			'the state of another name',
			{ stored: state(1, { node: 'other' }) },
			{ why: expect.stringContaining('renamed') },
		],
		[
			'a publication without a copy',
			{ published: { node: 'n' } },
			{ why: expect.stringContaining('renamed'), polls: 0 },
		],
		[
			'its own state of before it had another name',
			{ stored: state(3), published: { node: 'other', state: state(1, { node: 'other' }) } },
			{ why: expect.stringContaining('renamed'), polls: 3 },
		],
		[
			'another form',
			{ stored: state(1, { watching: 'x' }) },
			{ why: expect.stringContaining('filters') },
		],
		[
			'another account',
			{ stored: state(1, { account: 'x' }) },
			{ why: expect.stringContaining('address') },
		],
		[
			'its own state without Catch Up',
			{ stored: state(1), skipsMissed: true },
			{ startAt: null, state: undefined },
		],
	])('%s', (_, kept, expected) => {
		const nothing = { stored: undefined, published: undefined, wasPublished: false };
		const choice = chooseStart(
			{ ...SAME, startAt: START, skipsMissed: false, ...kept },
			{ ...nothing, ...kept },
		);
		expect({ state: undefined, ...choice }).toMatchObject(expected);
	});

	it.each<[string, unknown, string]>([
		['null', null, 'cannot be read'],
		['a text', 'state', 'cannot be read'],
		['nothing in it', {}, 'cannot be read'],
		['no position', { ...state(1), position: undefined }, 'cannot be read'],
		[
			'a version that is no text or number',
			{ version: { valueOf: 1, toString: 1 } },
			'cannot be read',
		],
		['a later version', { version: 2 }, 'was written by a later version'],
	])('a state with %s fails in words, which say what to do', (_, own, words) => {
		expect(() => readState(own)).toThrow(words);
		expect(() => readState(own)).toThrow(
			expect.objectContaining({ description: expect.stringContaining('by a copy of it') }),
		);
	});

	it.each([
		...Object.keys(state(1)),
		...Object.keys(POSITION).map((name) => `position.${name}`),
		...['newestSeen.at', 'longestPeriodList.length', 'unread.to'].map((name) => `position.${name}`),
	])('a state whose %s is damaged fails in the same words', (path) => {
		const mayBeUndefined = [
			'position.timestampFormat',
			'position.bookingTimeFormat',
			'position.latestDate',
		];
		const damaged = set(asStored(state(1)), path, mayBeUndefined.includes(path) ? 7 : undefined);
		expect(() => readState(damaged)).toThrow('cannot be read');
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

	it('may be longer than a number counts exactly', () => {
		const ranges = new IdRanges('');
		ranges.remember({ id: '9007199254740993' });
		const { text } = ranges.store();
		const known = (id: string) => new IdRanges(text).find(id) !== undefined;
		const ids = ['9007199254740992', '9007199254740993', '9007199254740994'];
		expect(ids.map(known)).toEqual([false, true, false]);
	});

	it('take no more than their room: the gaps between the lowest close first', () => {
		const { text, forgotten } = stored(Array.from({ length: 400_000 }, (_, index) => index * 2));
		expect(text.length).toBeLessThan(1_000_000);
		expect([forgotten, has(text, 1), has(text, 799_997), has(text, 799_998)]).toEqual([
			0,
			true,
			false,
			true,
		]);
	});
});
