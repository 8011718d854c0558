import { GUID, fullForm } from '../../../../support/sampleForm';
import { execute, rowOf, serviceThatAnswers } from '../../../support/execution';

jest.mock('../../../../../nodes/shared/auth/account');
jest.mock('../../../../../nodes/shared/auth/sameForAll');

const AUTO_MAPPED = {
	...fullForm(rowOf('article.batchUpdate')),
	article: { mappingMode: 'autoMapInputData', value: null, schema: [] },
};

test('columns that are mapped automatically are those of each item, and told where no field has their name', async () => {
	const soup = { articleId: GUID.replace('3f', '4f'), name: 'Soup' };
	const fish = { articleId: GUID.replace('3f', '5f'), name: 'Fish' };
	const asked = serviceThatAnswers({ items: [soup, fish] });

	const { hints } = await execute({
		id: 'article.batchUpdate',
		items: [AUTO_MAPPED, AUTO_MAPPED],
		inputs: [
			{ ...soup, stock: 3 },
			{ ...fish, stock: 4 },
		],
	});

	expect(asked.requests).toMatchObject([{ body: { items: [soup, fish] } }]);
	expect(hints).toEqual([expect.stringMatching(/no field has their name: stock\.$/)]);
});

test('all bad rows of a price list come in one message, counted as n8n counts items, and nothing is sent', async () => {
	const asked = serviceThatAnswers({});
	const inputs = [
		{ articleId: GUID, name: 'Soup' },
		{ articleId: GUID.replace('3f', '4f'), name: 'Fish' },
		{ articleId: GUID.replace('3f', '5f'), 'Regular Price Incl. VAT': 'free' },
		{ articleId: GUID.toUpperCase(), name: 'Soup again' },
		{ 'Article ID': '', name: 'Cake' },
		{ name: 'Coffee' },
	];
	const items = inputs.map(() => AUTO_MAPPED);

	const outcome = execute({ id: 'article.batchUpdate', items, inputs });

	await expect(outcome).rejects.toThrow(
		[
			"'Article ID' is also in item 3 ('Soup again') – Update articles in batches [item 0]",
			"Also: item 2: 'Regular Price Incl. VAT' is not a number ('free'); item 3: 'Article ID' is also in item 0 ('Soup'); items 4–5: 'Article ID' is empty",
			'Of the other items, 0 succeeded, 4 failed and 1 had not started',
		].join('. '),
	);
	expect(asked.requests).toEqual([]);
});
