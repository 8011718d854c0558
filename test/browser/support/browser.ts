import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sortBy from 'lodash/sortBy';
import {
	chromium,
	selectors,
	type Browser,
	type Locator,
	type Page,
	type PageScreenshotOptions,
} from 'playwright-core';
import { BROWSER_ID, type Workflow } from '../../../dev/n8nClient.ts';
import { root } from '../../support/packageSources';
import { CANVAS_ALONE, TAKES_PICTURES } from '../../support/pictures';
import { eventually } from '../../support/progress';

const PLACES = [
	process.env.CHROMIUM_PATH,
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/** Nothing asks the internet for anything. */
const ARGUMENTS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];
const SCREENSHOTS = join(root, '.cache', 'screenshots');

/** @returns the Chromium of this machine, if it has one; `CHROMIUM_PATH` names another one */
export function chromiumPath(): string | undefined {
	return PLACES.find((path) => path !== undefined && existsSync(path));
}

const CHROMIUM = { executablePath: chromiumPath(), args: ARGUMENTS };

/** Nothing waits for this but pictures. */
const PANELS_SLIDE_MS = 400;
/** Keys pressed to open the nodes panel. */
const MOST_TRIES = 5;
/** The editor adds to a long list every few frames. */
const STEADY_MS = 1_000;
/** The editor takes what is typed once nothing more comes for a while. */
const TYPED_MS = 1_000;
/** No figure: only how long something is looked for before the page is loaded again. */
const LOOK_MS = 8_000;

/** Pixels around the nodes in a picture of the canvas. */
const MARGIN = 24;

selectors.setTestIdAttribute('data-test-id');

/** The Chromium of this machine, without a window. */
export async function launchBrowser(): Promise<Browser> {
	return await chromium.launch(CHROMIUM);
}

/**
 * Takes a picture for people, `.cache/screenshots/<name>.png`, where `npm run pictures` runs the test.
 *
 * @returns its path
 */
export async function takePicture(
	name: string,
	of: { screenshot(options: PageScreenshotOptions): Promise<unknown> },
	clip?: PageScreenshotOptions['clip'],
): Promise<string> {
	const path = join(SCREENSHOTS, `${name}.png`);
	mkdirSync(SCREENSHOTS, { recursive: true });
	if (TAKES_PICTURES) await of.screenshot({ path, clip });
	return path;
}

/** n8n's editor in a real browser, with one person signed in. */
export class Editor {
	private constructor(
		private readonly profile: string,
		readonly page: Page,
		private readonly url: string,
	) {}

	/** @param session of the person who uses it, see `N8nClient` */
	static async open({ url, session }: { url: string; session: string }): Promise<Editor> {
		// Unlike a window without one, a profile keeps what the browser has compiled of the editor.
		const profile = mkdtempSync(join(tmpdir(), 'hospitality-booking-profile-'));
		const viewport = { width: 1440, height: 900 };
		const context = await chromium.launchPersistentContext(profile, { ...CHROMIUM, viewport });
		const [name = '', value = ''] = session.split('=');
		await context.addCookies([{ name, value, url }]);
		await context.addInitScript(`localStorage.setItem('n8n-browserId', ${JSON.stringify(BROWSER_ID)})`);
		const page = await context.newPage();
		page.setDefaultTimeout(30_000);
		return new Editor(profile, page, url);
	}

	private shown(id: string): Locator {
		return this.page.getByTestId(id).filter({ visible: true });
	}

	async close(): Promise<void> {
		await this.page.context().close();
		rmSync(this.profile, { recursive: true, force: true, maxRetries: 3 });
	}

	/**
	 * Imports a workflow file into a new workflow, by the menu with the three dots, and waits until n8n has saved it.
	 *
	 * @param words what to choose in the menu, one inside the other
	 */
	async importWorkflow(path: string, words: readonly string[]): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByTestId('workflow-menu').click();
		for (const word of words.slice(0, -1))
			await this.page.getByRole('menuitem', { name: word, exact: true }).hover();
		const [chooser] = await Promise.all([
			this.page.waitForEvent('filechooser'),
			this.page.getByRole('menuitem', { name: words.at(-1), exact: true }).click(),
		]);
		const saved = this.page.waitForResponse(
			(response) => response.request().method() === 'POST' && response.url().endsWith('/rest/workflows'),
		);
		await chooser.setFiles(path);
		await this.page.getByTestId('canvas-node').first().waitFor();
		// Before 2.0 n8n saves when a person says so.
		const save = this.page.getByTestId('workflow-save-button');
		if (await save.isVisible()) await save.click();
		await saved;
	}

	/** The open workflow as the editor has it now: what a person would copy. */
	async copyWorkflow(): Promise<Workflow> {
		await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: this.url });
		await this.page.evaluate('navigator.clipboard.writeText("")');
		await this.page.getByTestId('canvas').focus();
		await this.page.keyboard.press('ControlOrMeta+a');
		await this.page.keyboard.press('ControlOrMeta+c');
		await this.page.waitForFunction('navigator.clipboard.readText().then((text) => text !== "")');
		return JSON.parse(await this.page.evaluate('navigator.clipboard.readText()')) as Workflow;
	}

	/** The names of the nodes that n8n marks as lacking something. */
	async markedNodes(): Promise<string[]> {
		const nodes = this.page.getByTestId('canvas-node').filter({ has: this.page.getByTestId('node-issues') });
		return await namesOf(nodes);
	}

	get publishButton(): Locator {
		return this.page.getByTestId('workflow-open-publish-modal-button');
	}

	/** Whether n8n lets the workflow be published as it is. Before 2.0 it says that it does not once it is tried. */
	async canPublish(): Promise<boolean> {
		const active = this.page.getByTestId('workflow-activate-switch');
		if (!(await active.isVisible())) return await this.publishButton.isEnabled();
		if (!(await active.locator('input').isEnabled())) return false;
		await active.click();
		const refused = this.page.getByText('resolve outstanding issues').first();
		const answer = refused.or(
			this.page.getByTestId('workflow-activator-status').getByText('Active', { exact: true }),
		);
		await answer.waitFor();
		return !(await refused.isVisible());
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Opens the form of a node on the canvas. */
	async openNode(name: string): Promise<void> {
		await this.page.getByTestId('zoom-to-fit').click();
		const node = this.page.getByTestId('canvas-node').and(this.page.locator(`[data-node-name="${name}"]`));
		await node.dblclick();
		await this.page.getByTestId('ndv').waitFor();
		await this.form.getByTestId('parameter-item').filter({ visible: true }).first().waitFor();
	}

	async closeNode(): Promise<void> {
		const close = this.page.getByTestId('ndv-close-button');
		await close.or(this.page.getByTestId('back-to-canvas')).filter({ visible: true }).click();
		await this.page.getByTestId('ndv').waitFor({ state: 'hidden' });
	}

	get form(): Locator {
		return this.page.getByTestId('node-parameters');
	}

	/** The names of the parameters on the open form, in their order, those inside of collections left out. */
	labels(): Promise<string[]> {
		return visibleLabels(this.form);
	}

	/** What a collection on the open form offers to add. */
	async offered(collection: string): Promise<string[]> {
		const add = this.form
			.getByTestId('parameter-item')
			.filter({
				has: this.page.locator('label.n8n-input-label', { hasText: new RegExp(`^\\s*${collection}\\s*$`) }),
			})
			.getByTestId('collection-parameter-add');
		await add.click();
		const texts = await textsOf(this.shown('collection-parameter-option'));
		await this.page.keyboard.press('Escape');
		return texts;
	}

	/** Waits until a list that the editor fills bit by bit has stopped growing. */
	private async untilSteady(items: Locator): Promise<void> {
		for (let before = -1, now = await items.count(); now !== before; now = await items.count()) {
			before = now;
			await this.page.waitForTimeout(STEADY_MS);
		}
	}

	/** Closes the nodes panel, to the end. */
	async closePanel(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.page.getByTestId('node-creator-search-bar').waitFor({ state: 'hidden' });
	}

	/** @returns the names of the nodes that the nodes panel finds */
	async search(word: string): Promise<string[]> {
		const bar = this.page.getByTestId('node-creator-search-bar');
		// The panel may still be closing, and the editor hears no key while it does.
		for (let tries = 0; tries < MOST_TRIES && !(await bar.isVisible()); tries++) {
			await this.page.keyboard.press('n');
			await bar.waitFor({ timeout: 3_000 }).catch(() => undefined);
		}
		await bar.fill(word);
		const names = this.page.getByTestId('node-creator-item-name');
		await names.filter({ hasText: 'Hospitality' }).first().waitFor();
		return await textsOf(names);
	}

	/** Opens a node that `search` has found. @returns what it can do, as the panel lists it */
	async actionsOf(name: string): Promise<string[]> {
		await this.page
			.getByTestId('node-creator-item-name')
			.filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) })
			.last()
			.click();
		const items = this.page.getByTestId('item-iterator-item');
		await items
			.filter({ hasText: /^\s*(Get|Cancel|Update)/ })
			.first()
			.waitFor();
		await this.untilSteady(items);
		const texts = await textsOf(items);
		return texts.filter((text) => !text.includes('\n') && text !== text.toUpperCase());
	}

	/** Opens the dialog that installs a community package, and enters the package's name. */
	async openInstallation(packageName: string): Promise<void> {
		await this.page.goto(`${this.url}/settings/community-nodes`);
		await this.page
			.getByRole('button', { name: /^Install( a community node)?$/ })
			.first()
			.click();
		const dialog = this.page.locator('[role="dialog"]:visible').last();
		await dialog.locator('input[type="text"], input:not([type])').first().fill(packageName);
	}

	/** Chooses the first record that the list of a resource locator offers. @returns all that it offers */
	async chooseFirst(parameter: string): Promise<string[]> {
		const locator = this.form.getByTestId(`resource-locator-${parameter}`);
		await locator.getByTestId('rlc-mode-selector').click();
		await this.shown('mode-list').click();
		await locator.getByTestId('rlc-input-container').click();
		const choices = await textsOf(this.shown('rlc-item'));
		await this.shown('rlc-item').first().click();
		return choices;
	}

	/** Opens the form for a credential that does not exist yet. */
	async openNewCredential(displayName: string): Promise<void> {
		await this.page.goto(`${this.url}/home/credentials/create`);
		const select = this.page.getByTestId('new-credential-type-select').locator('input');
		await select.fill(displayName);
		await this.page.getByTestId('new-credential-type-select-option').filter({ hasText: displayName }).click();
		await this.page.getByTestId('new-credential-type-button').click();
		await this.credentialForm.locator('label.n8n-input-label').first().waitFor();
	}

	get credentialForm(): Locator {
		return this.page.getByTestId('credential-edit-dialog');
	}

	credentialLabels(): Promise<string[]> {
		return visibleLabels(this.credentialForm);
	}

	/** Enters values into the open form of a credential. */
	async fillCredential(values: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(values))
			await this.credentialForm.getByTestId(`parameter-input-${name}`).locator('input').first().fill(value);
	}

	/** Saves the credential, which tests it. Fails unless the form then says what is expected. */
	async saveCredential(expected: RegExp): Promise<void> {
		const save = this.page.getByTestId('credential-save-button');
		const button = save.or(this.page.locator('button:text-is("Save")'));
		await button.filter({ visible: true }).click();
		const details = this.credentialForm.getByText('More details').first();
		const said = this.credentialForm.getByText(expected).first();
		await details.or(said).first().waitFor();
		if (await details.isVisible()) await details.click();
		await said.waitFor();
	}

	/** @returns the fields that the input panel of the open node shows for the node before it, from the top */
	async inputFields(): Promise<string[]> {
		const names = this.page.getByTestId('ndv-input-panel').getByTestId('run-data-schema-node-name');
		await names.first().waitFor();
		// All at one moment: the panel may still be moving.
		const places = await names.evaluateAll((elements) =>
			elements.map((element) => ({
				text: (element.textContent ?? '').trim(),
				top: element.getBoundingClientRect().top,
			})),
		);
		return sortBy(places, 'top').map(({ text }) => text);
	}

	/** Executes the open node, as it is once n8n has taken what was typed last. */
	async execute(): Promise<void> {
		await this.page.waitForTimeout(TYPED_MS);
		await this.page.getByTestId('node-execute-button').click();
		await this.output
			.getByTestId(/^node-(run-info|error-message)$/)
			.first()
			.waitFor();
	}

	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	/** Shows the output of the open node as a table. @returns the texts of its rows */
	async outputTable(): Promise<string[]> {
		await this.output.getByTestId('radio-button-table').click();
		const rows = await textsOf(this.output.locator('table tbody tr'));
		return rows.filter((text) => text !== '');
	}

	/** What the open node's output says went wrong. */
	async errorBox(): Promise<{ message: string; description: string }> {
		const message = this.output.getByTestId('node-error-message');
		await message.waitFor();
		return {
			message: await message.innerText(),
			description: await this.output.getByTestId('node-error-description').innerText(),
		};
	}

	/** The names of all nodes on the canvas, notes included. */
	canvasNodes(): Promise<string[]> {
		return namesOf(this.page.getByTestId('canvas-node'));
	}

	/** Takes a picture of the open workflow: all its nodes and notes, without the editor around them. */
	async canvasPicture(name: string): Promise<string> {
		if (!TAKES_PICTURES) return '';
		await this.page.getByTestId('zoom-to-fit').click();
		// A node that is selected has another border.
		await this.page.locator('.vue-flow__pane').click({ position: { x: 4, y: 4 } });
		const alone = await this.page.addStyleTag({ content: CANVAS_ALONE });
		await this.page.mouse.move(0, 0);
		await this.page.waitForTimeout(STEADY_MS);
		const boxes = await Promise.all(
			(await this.page.locator('.vue-flow__node').all()).map((node) => node.boundingBox()),
		);
		const found = boxes.filter((box) => box !== null);
		const x = Math.min(...found.map((box) => box.x)) - MARGIN;
		const y = Math.min(...found.map((box) => box.y)) - MARGIN;
		const right = Math.max(...found.map((box) => box.x + box.width)) + 3 * MARGIN;
		const bottom = Math.max(...found.map((box) => box.y + box.height)) + 2 * MARGIN;
		const taken = await takePicture(name, this.page, { x, y, width: right - x, height: bottom - y });
		await alone.evaluate((tag) => (tag as unknown as { remove(): void }).remove());
		return taken;
	}

	/** Takes a picture of the page once its panels have come to rest. */
	async picture(name: string): Promise<string> {
		if (TAKES_PICTURES) await this.page.waitForTimeout(PANELS_SLIDE_MS);
		return await takePicture(name, this.page);
	}
}

async function textsOf(items: Locator): Promise<string[]> {
	await items.first().waitFor();
	return (await items.allInnerTexts()).map((text) => text.trim());
}

async function namesOf(nodes: Locator): Promise<string[]> {
	const names = (await nodes.all()).map((node) => node.getAttribute('data-node-name'));
	return (await Promise.all(names)).map((name) => name ?? '');
}

async function visibleLabels(form: Locator): Promise<string[]> {
	const texts = await form.locator('label.n8n-input-label').evaluateAll((all) =>
		(
			all as unknown as Array<{
				offsetParent: unknown;
				querySelector(css: string): { innerText: string } | null;
			}>
		)
			.filter(({ offsetParent }) => offsetParent !== null)
			.map((label) => label.querySelector('[class*="title"]')?.innerText ?? ''),
	);
	return texts.map((text) => text.replace(/[\s*]+$/, '').trim());
}

/** Reloads a page until it shows something. */
export async function untilShown(page: Page, what: Locator): Promise<void> {
	await eventually(`the page at ${page.url()} shows ${String(what)}`, async () => {
		const look = what.first().waitFor({ timeout: LOOK_MS });
		const isThere = await look.then(
			() => true,
			() => false,
		);
		if (!isThere) await page.reload();
		return isThere;
	});
}
