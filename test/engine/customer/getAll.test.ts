import type { INodeParameters } from 'n8n-workflow';
import { testOperation } from '../support/operation';

const here = testOperation('customer.getAll', {
	smallest: () => ({ parameters: {} }),
	fullest: () => ({
		parameters: { filters: { changedFromUtc: '2026-03-01T10:00:00+01:00' } },
		query: { changedFromUtc: '2026-03-01T10:00:00+01:00' },
	}),
});

test.each<[INodeParameters, string]>([
	[{ returnAll: '={{ "all" }}' }, "'Return All' is neither true nor false"],
	[{ returnAll: '={{ $json.missing }}' }, "'Return All' is neither true nor false"],
	[{ limit: '={{ [5] }}' }, "'Limit' is"],
	[{ limit: '={{ 2.5 }}' }, "'Limit' is 2.5"],
	[{ limit: '={{ 0 }}' }, "'Limit' is 0"],
	[{ returnAll: '={{ "false" }}', limit: '={{ "x" }}' }, "'Limit' is not a number ('x')"],
])('is refused by name with %j, and nothing is sent', async (parameters, message) => {
	const { error } = await here.run(parameters);

	expect(error?.message).toContain(message);
	expect(await here.service.requests()).toEqual([]);
});

test('returns every customer with Return All, as a text too', async () => {
	const run = await here.run({ returnAll: '={{ "TRUE" }}', limit: '={{ "x" }}' });
	const stored = await here.service.stored('customers');

	expect(run.json()).toHaveLength(stored.length);
});
