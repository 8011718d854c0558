import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { type Demo, startDemo } from '../../dev/demo/stack.ts';
import { TAKES_PICTURES } from '../support/pictures';
import { launchBrowser, takePicture, untilShown } from './support/browser';
import { describeInEditor } from './support/editor';

/** No figure: only how long is waited before something is taken for never coming. */
const PATIENCE_MS = 120_000;

describeInEditor('the way of somebody without an account, from the first page of the demo', () => {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-walk-'));
	let demo: Demo;
	let browser: Browser;

	beforeAll(async () => {
		demo = await startDemo({ folder });
		browser = await launchBrowser();
	});

	afterAll(async () => {
		await browser?.close();
		await demo?.stop();
		rmSync(folder, { recursive: true, force: true });
	});

	/** The first page of the demo, in the windows of somebody who has not signed in to anything. */
	async function openFirst(options: BrowserContextOptions = {}) {
		const viewport = { width: 1440, height: 900 };
		const context = await browser.newContext({ viewport, ...options });
		context.setDefaultTimeout(PATIENCE_MS);
		const first = await context.newPage();
		await first.goto(demo.sandbox.info.url);
		return { context, first };
	}

	test.each(TAKES_PICTURES ? (['light', 'dark'] as const) : (['light'] as const))(
		'leads to the email, the row and the workflow of a booking made with a button: %s',
		async (colorScheme) => {
			const { context, first } = await openFirst({ colorScheme });
			const look = async (page: Page, name: string) => await takePicture(`walk ${name} ${colorScheme}`, page);
			const made = await happens(first, 'Make a booking', 'Hospitality New Bookings');
			await look(first, '1 made');

			const inbox = await follow(first, /^the email “New booking/);
			await inbox.getByText(`New booking ${made.number}`).first().waitFor();
			await look(inbox, '2 inbox');

			const table = await follow(first, /^Row \d+ of the table Hospitality New Bookings$/);
			await signIn(table, first);
			await untilShown(table, table.getByText(made.number, { exact: true }));
			await look(table, '3 row');
			expect(await isOnScreen(table, table.getByText(made.guest, { exact: true }))).toBe(true);

			const workflows = await follow(first, 'Workflows in n8n');
			await workflows.getByText('New booking to email and row').first().click();
			await workflows.locator('[data-test-id="canvas-node"][data-node-name="Email the kitchen"]').waitFor();
			await look(workflows, '4 workflow');
			await context.close();
		},
	);

	test('shows what becomes of the other buttons where the page says', async () => {
		const { context, first } = await openFirst();
		const changed = await happens(first, 'Change one', 'Hospitality Bookings');
		const canceled = await happens(first, 'Cancel one', 'Hospitality Bookings');
		await first.getByRole('button', { name: 'Answer a survey' }).click();
		const line = await first.getByText('has answered a survey').first().innerText();
		await takePicture('walk 5 happened', first);
		const person = line.replace(/ has answered.*/, '');

		const tables = await follow(first, 'Tables');
		await signIn(tables, first);
		await open(tables, 'Hospitality Bookings');
		for (const { number } of [changed, canceled]) {
			await untilShown(tables, tables.getByText(number, { exact: true }));
		}
		await takePicture('walk 6 bookings', tables);
		await tables.goto(`${demo.n8n.url}/home/datatables`);
		await open(tables, 'Hospitality Survey Answers');
		await untilShown(tables, tables.getByText(person, { exact: true }));
		await takePicture('walk 7 answers', tables);
		await context.close();
	});
});

/** Presses a button of the first page. @returns what the page says has happened to which booking */
async function happens(page: Page, button: string, table: string) {
	await page.getByRole('button', { name: button }).click();
	const item = page.locator('#happened li').first();
	await item.getByText(`table ${table}`).waitFor();
	const text = await item.locator('span').innerText();
	const [, number = '', guest = ''] = /^Booking (B\d+) is [^:]+: (.+), \d+ guests?$/.exec(text) ?? [];
	expect({ text, number }).toEqual({ text, number: expect.stringMatching(/^B\d+$/) });
	return { number, guest };
}

/** Opens a table once it is there. */
async function open(tables: Page, name: string): Promise<void> {
	const link = tables.getByText(name, { exact: true }).first();
	await untilShown(tables, link);
	await link.click();
}

/** Whether it is seen without scrolling. */
async function isOnScreen(page: Page, what: Locator): Promise<boolean> {
	const box = await what.first().boundingBox();
	const { width = 0, height = 0 } = page.viewportSize() ?? {};
	return box !== null && box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height;
}

/** Follows a link that opens a tab. */
async function follow(page: Page, name: string | RegExp): Promise<Page> {
	const [opened] = await Promise.all([
		page.context().waitForEvent('page'),
		page.getByRole('link', { name, exact: true }).first().click(),
	]);
	return opened;
}

/** Signs in to the demo's n8n as its first page says. */
async function signIn(n8n: Page, first: Page): Promise<void> {
	const [email = '', password = ''] = await first.locator('#steps b').allInnerTexts();
	await n8n.locator('input[type="email"]').fill(email);
	await n8n.locator('input[type="password"]').fill(password);
	await n8n.getByRole('button', { name: 'Sign in' }).click();
}
