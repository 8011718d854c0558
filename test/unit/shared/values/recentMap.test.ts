import { RecentMap, forgetAll } from '../../../../nodes/shared/values/recentMap';
import { expectGrowth } from '../../../support/cpu';

const made = (value: string) => () => value;

describe('what is remembered by a key', () => {
	it('is made once', () => {
		const map = new RecentMap<string>(2);
		map.open('a', made('a1'));

		expect(map.open('a', made('a2'))).toBe('a1');
	});

	it('stays while it is among the most recently used', () => {
		const map = new RecentMap<string>(2);
		map.open('a', made('a1'));
		for (const other of ['b', 'c', 'd', 'e', 'f']) {
			map.open(other, made(other));
			expect(map.open('a', made('a2'))).toBe('a1');
		}
	});

	it('is made anew when twice as many others have been used since', () => {
		const map = new RecentMap<string>(2);
		map.open('a', made('a1'));
		for (const other of ['b', 'c', 'd', 'e']) map.open(other, made(other));

		expect(map.open('a', made('a2'))).toBe('a2');
	});

	it('is forgotten with all else, as in a new process', () => {
		const map = new RecentMap<string>(2);
		map.open('a', made('a1'));
		forgetAll();

		expect(map.open('a', made('a2'))).toBe('a2');
	});

	it('takes no longer to make room for, however much is remembered', async () => {
		const few = new RecentMap<number>(500);
		const many = new RecentMap<number>(50_000);
		const fill = (map: RecentMap<number>) => {
			for (let key = 0; key < 300_000; key++) map.open(`${key}`, () => key);
		};

		await expectGrowth(
			() => fill(few),
			() => fill(many),
			8,
		);
	});
});
