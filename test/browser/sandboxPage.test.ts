import type { Locator } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../dev/sandbox.ts';
import { keepPicture } from '../support/pictures';
import { describeInEditor, useEditor } from './support/editor';

/** Of a row with up to four lines. */
const MOST_ROW_PX = 90;

describeInEditor("the demo's first page", () => {
	const here = useEditor();
	let demo: Sandbox;

	beforeAll(async () => {
		const { url } = here.connection.client;
		const links = { n8n: url, signIn: 'demo@example.com and Booking-Demo-1', inbox: 'http://127.0.0.1:1080' };
		demo = await startSandbox({ links, live: true });
	});

	afterAll(() => demo?.stop());

	beforeEach(async () => {
		await here.editor.page.goto(demo.info.url);
	});

	/** Presses buttons, and waits for a line of each. @returns the newest line */
	async function press(...names: string[]): Promise<Locator> {
		const { page } = here.editor;
		for (const name of names) await page.getByRole('button', { name }).click();
		const lines = page.locator('#happened li');
		await lines.nth(names.length - 1).waitFor();
		return lines.first();
	}

	test.each([
		['Make a booking', /^Booking B\d+ is made: .+, \d+ guests?$/],
		['Change one', /^Booking B\d+ is changed, from \d+ guests?: .+, \d+ guests?$/],
		['Cancel one', /^Booking B\d+ is canceled: /],
		['Move one', /^Booking B\d+ begins half an hour later: /],
		['Pay or refund one', /^Booking B\d+ (is paid, \d+|gets \d+ refunded): /],
		['Answer a survey', /has answered a survey with [1-5] of 5$/],
	])('has a button that does what it says: %s', async (button, happened) => {
		const line = await press(button);

		expect(await line.locator('span').first().innerText()).toMatch(happened);
	});

	test('says in three steps what to look at, with links to the inbox, the tables and the workflows', async () => {
		const { page } = here.editor;
		await press('Make a booking', 'Cancel one');
		const steps = await page.locator('#steps h2').allInnerTexts();
		const links = await page
			.locator('#steps a.button')
			.evaluateAll((all) => (all as unknown as Array<{ href: string }>).map(({ href }) => href));
		keepPicture(await here.editor.picture('demo'), 'docs/images/demo.png', { page: 'sandbox/page/assets' });

		expect(steps).toHaveLength(3);
		expect(links).toEqual([
			'http://127.0.0.1:1080/',
			`${here.connection.client.url}/home/datatables`,
			`${here.connection.client.url}/home/workflows`,
		]);
	});

	test.each([1440, 390])('fits a width of %i and stays where it is when something happens', async (width) => {
		const { page } = here.editor;
		const whole = page.viewportSize();
		await page.setViewportSize({ width, height: 844 });
		await page.reload();
		await page.locator('#steps li').nth(2).waitFor();
		const guide = page.locator('#guide');
		const before = await guide.boundingBox();
		await press('Make a booking', 'Answer a survey');
		const after = await guide.boundingBox();
		const scrolled = await page.evaluate('document.documentElement.scrollWidth');
		const tallestRow = await page.evaluate(
			"Math.max(...Array.from(document.querySelectorAll('tbody tr'), (row) => row.clientHeight))",
		);
		if (whole) await page.setViewportSize(whole);

		expect(after).toEqual(before);
		expect(scrolled).toBe(width);
		expect(tallestRow).toBeLessThan(MOST_ROW_PX);
	});

	test("links each line to n8n's tables and, where there is an email, to the inbox", async () => {
		const links = (await press('Make a booking')).locator('a');
		await links.nth(1).waitFor();

		expect(await links.allInnerTexts()).toEqual([
			'the table Hospitality New Bookings',
			'the email in the inbox',
		]);
	});

	test('says what is wrong when the sandbox has gone', async () => {
		const { page } = here.editor;
		await demo.stop();

		await page.getByText('The sandbox does not respond. Is it still running?').waitFor();
		expect(await page.locator('#state').innerText()).toContain('does not respond');
	});
});
