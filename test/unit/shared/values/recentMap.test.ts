import { RecentMap, forgetAll } from '../../../../nodes/shared/values/recentMap';

const made = (value: string) => () => value;

describe('what is remembered by a key', () => {
	it('is made once, and anew when the one used longest ago has made room', () => {
		const map = new RecentMap<string>(2);
		map.open('a', made('a1'));
		map.open('b', made('b1'));
		expect(map.open('b', made('b2'))).toBe('b1');
		expect(map.open('a', made('a2'))).toBe('a1');
		map.open('c', made('c1'));

		expect(map.size).toBe(2);
		expect(map.open('a', made('a2'))).toBe('a1');
		expect(map.open('b', made('b2'))).toBe('b2');
	});

	it('makes room only where it may', () => {
		const map = new RecentMap<string>(2, (value) => value !== 'held');
		map.open('a', made('held'));
		map.open('b', made('free'));
		map.open('c', made('free'));

		expect(map.open('a', made('anew'))).toBe('held');
	});

	it('makes room at a constant cost, however many it keeps', () => {
		let asked = 0;
		const map = new RecentMap<number>(1_000, () => ++asked < 0);
		for (let key = 0; key < 2_000; key++) map.open(String(key), () => key);

		expect(map.size).toBe(1_000);
		expect(asked).toBeLessThanOrEqual(10 * 1_000);
	});

	it('keeps its bound where none may make room: the one used longest ago goes', () => {
		const map = new RecentMap<string>(2, () => false);
		for (const key of ['a', 'b', 'c', 'd']) map.open(key, made(key));

		expect([...map.keys()]).toEqual(['c', 'd']);
	});

	it('is forgotten with all else, as in a new process', () => {
		const map = new RecentMap<string>(2);
		map.open('a', made('a1'));
		forgetAll();

		expect(map.size).toBe(0);
		expect(map.open('a', made('a2'))).toBe('a2');
	});
});
