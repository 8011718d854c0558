import { testOperation } from '../support/operation';

const here = testOperation('customer.getAll', {
	smallest: () => ({ parameters: {} }),
	fullest: () => ({
		parameters: { filters: { changedFromUtc: '2026-03-01T10:00:00+01:00' } },
		query: { changedFromUtc: '2026-03-01T10:00:00+01:00' },
	}),
	refuses: [
		["'Return All' of words", { returnAll: '={{ "all" }}' }, "'Return All' is neither true nor false"],
		['a list as Limit', { limit: '={{ [5] }}' }, "'Limit' is"],
		[
			"words as Limit where 'Return All' is the text false",
			{ returnAll: '={{ "false" }}', limit: '={{ "x" }}' },
			"'Limit' is not a number ('x')",
		],
		['no field to select', { output: 'selected', outputFields: '={{ [] }}' }, "'Fields' is empty"],
	],
});

test('returns every customer with Return All, as a text too', async () => {
	const run = await here.run({ returnAll: '={{ "TRUE" }}', limit: '={{ "x" }}' });
	const stored = await here.service.stored('customers');

	expect(run.json()).toHaveLength(stored.length);
});
