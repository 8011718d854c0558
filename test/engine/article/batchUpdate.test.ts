import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ExecuteOptions, Run } from '../support/engine';
import { linkedName, useOperation } from '../support/operation';

const UNKNOWN = '00000000-0000-4000-8000-00000000000';

const setting = useOperation('article.batchUpdate');
let ids: string[];

beforeEach(() => {
	ids = setting.records.articleIds;
});

/** Items with an article each and a name to tell them apart. */
const itemsOf = (articleIds: readonly string[]): IDataObject[] =>
	articleIds.map((articleId, index) => ({ articleId, name: `Article ${index}` }));

const automatically = {
	mappingMode: 'autoMapInputData',
	value: null,
	schema: [],
} as unknown as INodeParameters;

async function update(
	items: IDataObject[],
	parameters: INodeParameters = {},
	rest: Partial<ExecuteOptions> = {},
): Promise<Run> {
	const { companyId, brandId } = setting.service.info;
	return await setting.run(
		{ companyId, brandId, article: automatically, ...parameters },
		{ items, after: linkedName, ...rest },
	);
}

/** How many articles each call took. */
async function sizes(): Promise<number[]> {
	const requests = await setting.service.requests();
	return requests.map(({ body }) => (body as { items: unknown[] }).items.length);
}

async function bodies(): Promise<unknown[]> {
	return (await setting.service.requests()).map(({ body }) => body);
}

async function storedNames(): Promise<Map<string, string>> {
	const stored = await setting.service.stored('articles');
	return new Map(stored.map(({ articleId, name }) => [articleId, name]));
}

describe('the fields of an article', () => {
	test('may come as JSON, several articles an item', async () => {
		const one = { articleId: ids[0], description: '' };
		const two = itemsOf(ids.slice(1, 3));
		const json = { bodyMode: 'json', jsonBody: '={{ JSON.stringify($json) }}' };
		const run = await update([{ items: [one] }, { items: two }], json);

		expect(await bodies()).toEqual([{ items: [one, ...two] }]);
		expect(run.itemsOf()).toEqual([[0], [1], [1]]);
		// What would have been mapped is of no account.
		expect(run.hints).toEqual([]);
	});

	test('are listed for the resource mapper, Article ID alone shown at first', async () => {
		const { fields } = (await setting.engine.resourceMapping({
			node: 'hospitalityBooking',
			method: 'getArticleFields',
		})) as { fields: Array<{ id: string; removed: boolean; required: boolean }> };

		expect(fields).toHaveLength(27);
		expect(fields.filter(({ removed }) => !removed).map(({ id }) => id)).toEqual(['articleId']);
	});
});

describe('a rejected batch', () => {
	const withUnknown = () =>
		itemsOf([...ids.slice(0, 3), `${UNKNOWN}1`, ...ids.slice(3, 6), `${UNKNOWN}2`]);

	test('fails as a whole, naming item, field and reason', async () => {
		const before = await storedNames();
		const run = await update(withUnknown());

		expect(run.status).toBe('error');
		expect(run.error?.message).toBe(
			"The service rejected the article 'Article 3': 'Article ID': NotFound (400) – Update articles in batches [item 3]. Also: item 7: The service rejected the article 'Article 7': 'Article ID': NotFound (400)",
		);
		expect(run.error?.description).toContain(`Article ${UNKNOWN}1`);
		expect(run.error?.context).toMatchObject({ itemIndex: 3 });
		expect(await storedNames()).toEqual(before);
		expect(await sizes()).toEqual([8]);
	});

	const setAside = { onRejectedBatch: 'setAside' };

	test('stops the run once the others are updated, naming what was set aside, when there is no error output', async () => {
		const run = await update(withUnknown(), setAside);

		expect(run.status).toBe('error');
		expect(run.error?.message).toContain(
			"The service rejected the article 'Article 3': 'Article ID': NotFound (400)",
		);
		expect(run.error?.description).toContain('6 of the 8 articles of its call were updated');
		expect(run.error?.message).toContain('[item 3]');
		expect(run.error?.description).toContain('with items 3, 7 only');
		expect(run.error?.description).toContain("'Continue (using error output)'");
		expect(await sizes()).toEqual([8, 6]);
		expect((await storedNames()).get(ids[3] ?? '')).toBe('Article 4');
	});

	test('with Stop sends nothing when an article is refused before sending', async () => {
		const items = [...itemsOf(ids.slice(0, 2)), { articleId: 'no GUID', name: 'bad' }];
		const run = await update(items, setAside);

		expect(run.error?.message).toContain('[item 2]');
		expect(await sizes()).toEqual([]);
	});
});
