import type { INode } from 'n8n-workflow';

import { type Form, fullForm, rows } from '../../../support/sampleForm';
import { AS_TOOL, execute, executeOne, serviceThatAnswers } from '../../support/execution';

jest.mock('../../../../nodes/shared/auth/account');
jest.mock('../../../../nodes/shared/auth/sameForAll');

/** Lists all customers as received. */
const LISTING: Form = { output: 'raw', filters: {}, options: {} };
const THIRTY = Array.from({ length: 30 }, (_, id) => ({ id, information: 'x'.repeat(5_000) }));

describe('the list of a tool', () => {
	test('says in its data what Limit left out', async () => {
		serviceThatAnswers(THIRTY);

		const { output } = await executeOne('customer.getAll', { ...LISTING, limit: 7 }, AS_TOOL);

		expect(output).toHaveLength(8);
		expect(output.at(-1)).toEqual({
			missing: 23,
			note: expect.stringContaining("left out by 'Limit': 23."),
		});
	});

	test('ends before 60,000 characters and says what is missing', async () => {
		serviceThatAnswers(THIRTY);

		const { output } = await executeOne(
			'customer.getAll',
			{ ...LISTING, returnAll: true },
			AS_TOOL,
		);

		const shown = output.slice(0, -1);
		expect(shown).toEqual(THIRTY.slice(0, shown.length));
		expect(JSON.stringify(output).length).toBeLessThanOrEqual(60_000);
		expect(JSON.stringify(output.concat(THIRTY.slice(0, 1))).length).toBeGreaterThan(60_000);
		expect(output.at(-1)).toMatchObject({ missing: 30 - shown.length });
	});

	test('is whole for a person', async () => {
		serviceThatAnswers(THIRTY);

		const { output } = await executeOne('customer.getAll', { ...LISTING, returnAll: true });

		expect(output).toEqual(THIRTY);
	});

	test('is one row that says what was asked for where nothing is found', async () => {
		serviceThatAnswers([]);
		const form = { ...LISTING, filters: { changedFromUtc: '2031-05-01T18:00:00Z' } };

		const { output } = await executeOne('customer.getAll', form, AS_TOOL);

		expect(output).toEqual([
			{ note: "Nothing was found. Asked for: 'Changed After' 2031-05-01T18:00:00Z" },
		]);
	});
});

describe('a filter', () => {
	const lists = rows.filter(({ operation }) => operation.output.kind === 'list');
	const filters = lists.flatMap((row) =>
		row.fields
			.filter(({ collection, mustNotBeEmpty }) => collection === 'filters' && mustNotBeEmpty)
			.map(({ property }) => ({ row, id: row.id, filter: property })),
	);

	describe.each(filters)('of $id: $filter.displayName', ({ row, filter }) => {
		const withFilter = (value: unknown): Form => ({
			...fullForm(row),
			filters: { [filter.name]: value },
		});
		const executeTool = async (blank: unknown, expression: string) =>
			await execute({
				id: row.id,
				items: [withFilter(blank)],
				stored: withFilter(expression),
				node: { type: 'x.nodeTool' } as Partial<INode>,
			});

		test.each(['', null, ' '])(
			'is none where a model left it blank, and the result says so: %j',
			async (blank) => {
				serviceThatAnswers([{ id: 1 }]);

				const { output } = await executeTool(blank, "={{ $fromAI('Filter', '', 'string') }}");

				expect(output).toHaveLength(2);
				expect(output[1]?.note).toContain(`left blank, and were not used: ${filter.displayName}.`);
				expect(output[1]?.note).not.toContain(`'${filter.displayName}' `);
			},
		);

		test('is refused where another expression gives a blank', async () => {
			serviceThatAnswers([{ id: 1 }]);

			const outcome = executeTool('', '={{ $json.filter }}');

			await expect(outcome).rejects.toThrow(`'${filter.displayName}' is empty`);
		});
	});
});
