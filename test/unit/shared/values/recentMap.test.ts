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

	it('is forgotten with all else, as in a new process', () => {
		const map = new RecentMap<string>(2);
		map.open('a', made('a1'));
		forgetAll();

		expect(map.size).toBe(0);
		expect(map.open('a', made('a2'))).toBe('a2');
	});
});
