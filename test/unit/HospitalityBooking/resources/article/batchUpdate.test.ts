import { planBatches } from '../../../../../nodes/HospitalityBooking/resources/article/batchUpdate.run';
import type { PreparedItem, Run } from '../../../../../nodes/shared/operation/operation';

/** Items with so many articles each, of the same company and brand unless another is named. */
const itemsWith = (counts: readonly number[], path = '/a') =>
	counts.map((count) => ({
		item: {},
		request: { path, body: { items: Array.from({ length: count }, () => ({ articleId: 'id' })) } },
	})) as unknown as PreparedItem[];
const sizesOf = (items: readonly PreparedItem[]) =>
	[...planBatches(items, {} as Run)].map(({ changes }) => changes.length);

test.each([
	[Array(50).fill(1), [50]],
	[Array(51).fill(1), [50, 1]],
	[
		[30, 30, 20],
		[30, 50],
	],
	[
		[50, 1],
		[50, 1],
	],
])('articles of items %j go out in calls of %j: whole items, at most 50', (counts: number[], sizes) => {
	expect(sizesOf(itemsWith(counts))).toEqual(sizes);
});

test('each company and brand has calls of its own', () => {
	expect(sizesOf([...itemsWith([1, 1]), ...itemsWith([1], '/b')])).toEqual([2, 1]);
});
