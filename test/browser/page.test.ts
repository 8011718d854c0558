import { startServer } from '../engine/support/server';
import { type Sandbox, startSandbox } from '../../dev/sandbox.ts';
import { describeInEditor, PHONE, useEditor } from './support/browser';

/** The first screen of a phone, without the bars of its browser. */
const FIRST_SCREEN = { width: 390, height: 664 };
const MAIL = { subject: 'Six come at half past six, and two of them are children', url: '/mail' };
const ROW = { number: 7, url: '/row' };

function bottomOf(box: { y: number; height: number } | null): number {
	return box ? box.y + box.height : Infinity;
}

describeInEditor.each([
	{ language: 'en', button: 'Make a booking', made: / is made: /, sent: "Today's arrivals" },
	{ language: 'sv', button: 'Gör en bokning', made: / är gjord: /, sent: 'Dagens ankomster' },
	{ language: 'de', button: 'Buchung machen', made: / ist eingegangen: /, sent: 'Die Ankünfte' },
] as const)('the page of the demo in $language', ({ language, button, made, sent }) => {
	const here = useEditor(PHONE);
	let sandbox: Sandbox;
	let close: () => Promise<void>;

	beforeAll(async () => {
		const outcomes = await startServer(({ method }, response) =>
			response.end(JSON.stringify(method === 'POST' ? { mail: MAIL } : { row: ROW, mail: MAIL })),
		);
		close = () => outcomes.close();
		const { url } = outcomes;
		sandbox = await startSandbox({ language, links: { n8n: url, inbox: url, outcomes: url } });
		const { page } = here.editor;
		await page.setViewportSize(FIRST_SCREEN);
		await page.goto(sandbox.info.url);
	});

	afterAll(async () => {
		await sandbox?.stop();
		await close?.();
	});

	test('shows on the first screen what came of a press, and each line of it whole', async () => {
		const { page } = here.editor;
		const list = page.locator('#happened');
		for (let press = 0; press < 3; press++) {
			const outcome = page.waitForResponse((response) => response.url().includes('/outcome?'));
			await page.getByRole('button', { name: button, exact: true }).tap();
			// Until then the first line is that of the press before.
			await outcome;
			await list.locator('li').first().getByText('✓').waitFor();
		}
		const lines = list.locator('li');
		const newest = await lines.first().boundingBox();
		const oldest = await lines.last().boundingBox();
		const room = await list.boundingBox();

		expect(await lines.first().innerText()).toMatch(made);
		expect(bottomOf(newest)).toBeLessThan(FIRST_SCREEN.height);
		expect(bottomOf(oldest)).toBeLessThanOrEqual(bottomOf(room));
	});

	test("has a word on every button, and says which mail the day's arrivals are", async () => {
		const { page } = here.editor;
		await page.locator('#arrivals').tap();
		const line = page.locator('#happened li').first();
		// Until then the first line is that of the press before, which has the same mail.
		await line.filter({ hasText: sent }).getByText(MAIL.subject).waitFor();
		const buttons = await page.getByRole('button').allInnerTexts();

		expect(await line.innerText()).toContain(sent);
		expect(buttons.filter((text) => text.trim() === '')).toEqual([]);
		expect(buttons).toHaveLength(8);
	});
});
