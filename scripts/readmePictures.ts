// node scripts/bootstrap.mjs demo -- node scripts/readmePictures.ts: takes the pictures of README.md from a demo of its own,
// and draws the animation from what came of a press of the button. Needs Chromium (CHROMIUM_PATH or /usr/bin/chromium).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page, selectors } from 'playwright-core';
import { type Demo, startDemo } from '../dev/demo/stack.ts';
import { tableRows } from '../dev/demo/table.ts';
import { eventually } from '../dev/eventually.ts';
import { BROWSER_ID, type Workflow } from '../dev/n8nClient.ts';
import { bookingCredential } from '../dev/sandbox.ts';
import { projectRoot } from '../dev/paths.ts';
import { drawAnimation } from './animation.ts';

const IMAGES = join(projectRoot(), 'docs', 'images');
const FIRST = 'A booking is made';
/** The nodes of the first workflow that README.md shows, with where they stand. */
const SHOWN: Record<string, [number, number]> = {
	[FIRST]: [0, 0],
	'Email the kitchen': [256, -96],
	'Save it as a row': [256, 96],
};
const TABLE = 'Hospitality New Bookings';
/** Shows the canvas without the editor's own buttons around it. */
const CANVAS_ALONE =
	'body * { visibility: hidden } .vue-flow, .vue-flow__transformationpane * { visibility: visible } [data-test-id="canvas-handle-plus-wrapper"] * { visibility: hidden !important }';
const MARGIN = 44;

/** An element of the page. */
interface Styled {
	style: object;
	parentElement: Styled | null;
}

/** The three nodes of the first workflow, without what else stands on its canvas. */
async function openThreeNodes(page: Page, { n8n: { client }, workflows }: Demo): Promise<void> {
	const { id: first } = workflows[0] ?? {};
	const whole = (await client.request('GET', `/rest/workflows/${first}`)) as Workflow;
	const nodes = whole.nodes
		.filter(({ name }) => name in SHOWN)
		.map((node) => ({ ...node, position: SHOWN[node.name] ?? [0, 0] }));
	const followers = Object.keys(SHOWN).filter((name) => name !== FIRST);
	const links = followers.map((node) => ({ node, type: 'main', index: 0 }));
	const connections = { [FIRST]: { main: [links] } };
	const { id } = await client.createWorkflow({ name: 'Three nodes', nodes, connections, settings: {} });
	await page.goto(`${client.url}/workflow/${id}`);
	await page
		.getByTestId('canvas-node')
		.nth(Object.keys(SHOWN).length - 1)
		.waitFor();
}

async function takeCanvas(page: Page): Promise<void> {
	await page.addStyleTag({ content: CANVAS_ALONE });
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		await page.keyboard.press('1');
		await page.waitForTimeout(1_500);
		const boxes = await Promise.all(
			(await page.locator('.vue-flow__node').all()).map((node) => node.boundingBox()),
		);
		const found = boxes.filter((box) => box !== null);
		const [x, y] = [Math.min(...found.map((box) => box.x)), Math.min(...found.map((box) => box.y))];
		const right = Math.max(...found.map((box) => box.x + box.width));
		const bottom = Math.max(...found.map((box) => box.y + box.height));
		const clip = {
			x: x - MARGIN,
			y: y - MARGIN,
			width: right - x + 2 * MARGIN,
			height: bottom - y + 3 * MARGIN,
		};
		await page.screenshot({ path: join(IMAGES, `first-workflow-${colorScheme}.png`), clip });
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

async function takeCredential(page: Page, { n8n: { client }, sandbox }: Demo): Promise<void> {
	const statuses = { canceledStatuses: 'Canceled', finishedStatuses: 'Checked out' };
	const data = { ...bookingCredential(sandbox.info), timeZone: 'Europe/Stockholm', ...statuses };
	const credential = await client.putCredential('Harbour House', 'hospitalityBookingApi', data);
	await page.setViewportSize({ width: 1000, height: 1700 });
	await page.goto(`${client.url}/home/credentials/${credential.id}`);
	const form = page.getByTestId('credential-edit-dialog');
	const lastField = form.getByTestId('parameter-input-finishedStatuses');
	await lastField.waitFor();
	await page.waitForTimeout(1_500);
	// The whole form, which otherwise scrolls.
	await lastField.evaluate((field) => {
		for (let one: Styled | null = field as unknown as Styled; one; one = one.parentElement)
			Object.assign(one.style, { height: 'auto', maxHeight: 'none', overflow: 'visible' });
	});
	await page.waitForTimeout(500);
	const [whole, last] = [await form.boundingBox(), await lastField.boundingBox()];
	if (!whole || !last) throw new Error('The form of the credential is not shown');
	const [x, y] = [last.x - 20, whole.y];
	const clip = { x, y, width: last.width + 40, height: last.y + last.height + 20 - y };
	await page.screenshot({ path: join(IMAGES, 'credential.png'), clip });
}

/** Presses the button, and waits for the mail and the row. */
async function press({ sandbox, inbox, n8n }: Demo) {
	const began = performance.now();
	const response = await fetch(`${sandbox.info.url}/__page/happen`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ what: 'bookingMade' }),
	});
	const { text, name } = (await response.json()) as { text: string; name: string };
	const mail = await eventually(`the mail about ${name}`, async () =>
		(await inbox.mails()).find(({ html = '' }) => html.includes(name)),
	);
	const seconds = Math.ceil((performance.now() - began) / 1000);
	const row = await eventually(`the row of ${name}`, async () =>
		(await tableRows(n8n.client, TABLE)).find(({ bookingNumber }) => bookingNumber === name),
	);
	return { text, mail, row, seconds };
}

selectors.setTestIdAttribute('data-test-id');
const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-pictures-'));
const demo = await startDemo({ folder, liveInterval: 3_600_000, progress: console.log });
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
	const context = await browser.newContext({ viewport: { width: 1100, height: 620 }, deviceScaleFactor: 2 });
	const { client } = demo.n8n;
	const [name = '', value = ''] = client.session.split('=');
	await context.addCookies([{ name, value, url: client.url }]);
	await context.addInitScript(`localStorage.setItem('n8n-browserId', ${JSON.stringify(BROWSER_ID)})`);
	const page = await context.newPage();
	const pressed = await press(demo);
	const shown = await context.newPage();
	await shown.setViewportSize({ width: 520, height: 200 });
	await shown.setContent(pressed.mail.html ?? `<pre style="font: 15px system-ui">${pressed.mail.text}</pre>`);
	await shown.screenshot({ path: join(IMAGES, 'mail.png'), fullPage: true });
	writeFileSync(join(IMAGES, 'demo.svg'), drawAnimation(pressed));
	await openThreeNodes(page, demo);
	await takeCanvas(page);
	await takeCredential(page, demo);
} finally {
	await browser.close();
	await demo.stop();
	rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
