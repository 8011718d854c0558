import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { useGallery } from '../e2e/workflows/support';
import { takePicture } from './support/browser';
import { root } from '../support/packageSources';
import { describeInEditor, useEditor } from './support/editor';

const TABLE = 'Built by hand';
const FILE = join(root, 'docs', 'workflows', 'bookings-table.csv');
const PAGE = readFileSync(join(root, 'docs', 'workflows', 'build-it-yourself.md'), 'utf8').replaceAll(
	/\s+/g,
	' ',
);
/** The numbered steps, as far as the sentence that counts the clicks. */
const STEPS = PAGE.slice(PAGE.indexOf('1. **'), PAGE.indexOf('That is'));

const byId = (id: string) => `[data-test-id="${id}"]:visible`;

describeInEditor('docs/workflows/build-it-yourself.md, word for word', () => {
	const here = useEditor();
	const gallery = useGallery(TABLE);
	const followed = new Set<string>();
	let clicks = 0;

	/** Clicks what the page names. */
	async function press(word: string, where: Locator): Promise<void> {
		expect(STEPS).toContain(`_${word}_`);
		followed.add(word);
		await click(where);
	}

	async function click(where: Locator): Promise<void> {
		await where.click();
		clicks++;
	}

	test('leads to a table that each new booking is written into, in as many clicks as it says', async () => {
		const { page } = here.editor;
		const button = (name: string) => page.getByRole('button', { name, exact: true }).first();
		const look = async (name: string) => await takePicture(`built ${name}`, page);
		const search = async (word: string) => {
			expect(STEPS).toContain(`"${word}"`);
			await page.locator(byId('node-creator-search-bar')).fill(word);
		};
		const nodeNamed = (name: string) =>
			page
				.locator(byId('node-creator-item-name'))
				.filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) })
				.first();
		const action = (name: string) =>
			page.locator(byId('item-iterator-item')).filter({ hasText: name }).first();
		const choice = (name: string) =>
			page.locator('.el-select-dropdown__item:visible').filter({ hasText: name }).first();
		await gallery.control('DELETE', '/requests');

		await page.goto(`${gallery.client.url}/home/workflows`);
		await look('0 home');
		await press('Data tables', page.getByText('Data tables', { exact: true }).first());
		await press('Create data table', button('Create data table'));
		await page
			.locator(
				'[data-test-id="data-table-name-input-select"] input, input[data-test-id="data-table-name-input-select"]',
			)
			.or(page.locator('[role=dialog] input[type=text]'))
			.first()
			.fill(TABLE);
		await press('Import CSV', page.locator(byId('import-csv-option')));
		await page.locator('input[type=file]').first().setInputFiles(FILE);
		clicks++;
		await press('Create', page.locator(byId('proceed-from-select-button')));
		const columnTypes = page.locator('[data-test-id^="column-type-"] input');
		await columnTypes.first().waitFor();
		const types = await columnTypes.evaluateAll((all) =>
			(all as unknown as Array<{ value: string }>).map(({ value }) => value),
		);
		await look('1 columns');
		await press('Create', page.locator(byId('confirm-add-data-table-button')));
		await page.locator(byId('data-table-details-view')).waitFor();
		await look('2 table');

		await page.goto(`${gallery.client.url}/home/workflows`);
		await press('Create workflow', button('Create workflow'));
		await press('+', page.locator(`${byId('canvas-add-button')}, ${byId('canvas-plus-button')}`).first());
		await search('booking');
		await press('Hospitality Booking', nodeNamed('Hospitality Booking'));
		await press('On booking created', action('On booking created'));
		await press('Fetch Test Event', page.locator(byId('node-execute-button')));
		await here.editor.output.locator('[data-test-id="node-run-info"]').first().waitFor();
		await look('3 trigger');
		await click(page.locator(byId('ndv-close-button')));

		await press('+', page.locator(byId('canvas-handle-plus')).first());
		await search('data table');
		await press('Data table', nodeNamed('Data table'));
		await press('Insert row', action('Insert row'));
		await click(
			page.locator('[data-test-id="resource-locator-dataTableId"] [data-test-id="rlc-input-container"]'),
		);
		await click(page.locator(byId('rlc-item')).filter({ hasText: TABLE }).first());
		await press('Mapping Column Mode', page.locator('[data-test-id="mapping-mode-select"] input').first());
		await press('Map Automatically', choice('Map Automatically'));
		await press('Execute step', page.locator(byId('node-execute-button')));
		await here.editor.output.locator('[data-test-id="node-run-info"]').first().waitFor();
		await look('4 row');
		await click(page.locator(byId('ndv-close-button')));

		await press('Publish', here.editor.publishButton);
		await press(
			'Publish',
			page
				.locator('[data-test-id="workflowPublish-modal"]')
				.getByRole('button', { name: 'Publish', exact: true }),
		);
		await page.getByText('Workflow published').first().waitFor();
		await look('5 published');
		const booking = await gallery.book({ guests: 7 });
		const [row] = await gallery.rows(TABLE, ({ guid }) => guid === booking.guid);
		await page.goto(`${gallery.client.url}/home/datatables`);
		await page.getByText(TABLE, { exact: true }).first().click();
		await page.getByText(booking.globalBookingNumber, { exact: true }).first().waitFor();
		await look('6 rows');

		expect(row).toMatchObject({ bookingNumber: booking.globalBookingNumber, guests: 7 });
		expect(types.slice(0, 5)).toEqual(['String', 'Datetime', 'Datetime', 'Number', 'String']);
		expect(
			[...STEPS.matchAll(/_([^_]+)_/g)].map(([, word]) => word).filter((word = '') => !followed.has(word)),
		).toEqual([]);
		expect(PAGE).toContain(`That is ${clicks} clicks.`);
	});
});
