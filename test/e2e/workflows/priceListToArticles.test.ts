import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../../../harness/paths.ts';
import { eventually, useGallery } from './support';

interface Spreadsheets {
	read(data: Buffer): { SheetNames: string[]; Sheets: Record<string, unknown> };
	write(book: unknown, options: { type: 'buffer'; bookType: 'xlsx' }): Buffer;
	utils: {
		json_to_sheet(rows: unknown[]): unknown;
		sheet_to_json(sheet: unknown): Array<Record<string, unknown>>;
		book_new(): unknown;
		book_append_sheet(book: unknown, sheet: unknown, name: string): void;
	};
}

/** The library that the running n8n reads and writes spreadsheets with, under the name it has in each version. */
function spreadsheets(): Spreadsheets {
	const folder = join(projectRoot(), 'harness', 'node_modules');
	const name = ['@e965/xlsx', 'xlsx'].find((one) => existsSync(join(folder, one)));
	if (name === undefined) throw new Error('n8n has no library for spreadsheets.');
	return createRequire(join(folder, 'index.js'))(name) as Spreadsheets;
}

interface Article {
	articleId: string;
	name: string;
	prices: { regular: { inclVat: number }; takeAway: { inclVat: number } };
}

describe('workflows/price-list-to-articles.json', () => {
	const gallery = useGallery();
	const { read, write, utils } = spreadsheets();

	it('updates the articles of an uploaded sheet and mails the refused rows with the reason in words', async () => {
		const { companyId, brandId } = gallery.sandbox;
		await gallery.publish('price-list-to-articles', {
			'Update 50 articles per call': { companyId, brandId },
		});
		const articles = await gallery.control<Article[]>('GET', '/state/articles');
		const [first, second] = articles;
		if (!first || !second) throw new Error('The sandbox has no articles.');
		const unknown = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
		const book = utils.book_new();
		utils.book_append_sheet(
			book,
			utils.json_to_sheet([
				{ 'Article ID': first.articleId, Name: 'Toast of the day', Price: 191, 'Take-Away Price': '171,50' },
				{ 'Article ID': second.articleId, Price: 88 },
				{ 'Article ID': unknown, Name: 'Not ours', Price: 10 },
				{ 'Article ID': 'soup', Name: 'Soup', Price: 95 },
				{ 'Article ID': second.articleId, Name: 'Wrong price', Price: 'a lot' },
			]),
			'Prices',
		);
		const form = new FormData();
		const file = write(book, { type: 'buffer', bookType: 'xlsx' });
		form.append('field-0', new Blob([new Uint8Array(file)]), 'prices.xlsx');
		const response = await fetch(`${gallery.client.url}/form/price-list`, { method: 'POST', body: form });
		expect(response.ok).toBe(true);

		const [updated] = await gallery.mails(/articles updated$/);
		const [refused] = await gallery.mails(/rows refused$/);
		const stored = await gallery.control<Article[]>('GET', '/state/articles');
		const find = (id: string) => stored.find(({ articleId }) => articleId === id);

		expect(updated?.subject).toBe('Price list: 2 articles updated');
		expect(find(first.articleId)).toMatchObject({
			name: 'Toast of the day',
			prices: { regular: { inclVat: 191 }, takeAway: { inclVat: 171.5 } },
		});
		expect(find(second.articleId)).toMatchObject({ name: second.name, prices: { regular: { inclVat: 88 } } });

		const attachment = await eventually('The sheet of the refused', async () => refused?.attachments?.[0]);
		const sheet = await fetch(
			`${gallery.inbox.url}/email/${refused?.id}/attachment/${attachment.generatedFileName}`,
		);
		const { Sheets, SheetNames } = read(Buffer.from(await sheet.arrayBuffer()));
		const rows = utils.sheet_to_json(Sheets[SheetNames[0] ?? '']);
		expect(rows).toEqual([
			expect.objectContaining({ 'Article ID': unknown, Reason: expect.stringContaining('Article ID') }),
			expect.objectContaining({
				Name: 'Soup',
				Reason: expect.stringContaining("'Article ID' must be a GUID, not 'soup'"),
			}),
			expect.objectContaining({ Name: 'Wrong price', Reason: expect.stringContaining('Regular Price') }),
		]);
	});
});
