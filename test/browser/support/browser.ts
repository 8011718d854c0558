import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, selectors, type Locator, type Page } from 'playwright-core';
import { BROWSER_ID } from '../../../dev/n8nClient.ts';
import { connect, foundStack, type Connection } from '../../e2e/support/stack.ts';

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
/** The Chromium of this machine, if it has one; `CHROMIUM_PATH` names another one. */
const chromiumPath = PLACES.find((path) => path !== undefined && existsSync(path));

selectors.setTestIdAttribute('data-test-id');

/** What the editor is shown on. */
export interface Screen {
	width: number;
	height: number;
	/** How many dots of a picture a pixel of the page is, each way. */
	deviceScaleFactor?: number;
	/** Whether it is touched, as a phone is. */
	isPhone?: boolean;
}

const DESKTOP: Screen = { width: 1440, height: 900 };
export const PHONE: Screen = { width: 390, height: 844, isPhone: true };

/** n8n's editor in a real browser, with one person signed in. */
export class Editor {
	private constructor(
		private readonly profile: string,
		readonly page: Page,
		private readonly url: string,
	) {}

	/** @param session of the person who uses it, see `N8nClient` */
	static async open(
		{ url, session }: { url: string; session: string },
		screen: Partial<Screen> = {},
	): Promise<Editor> {
		const { width, height, deviceScaleFactor, isPhone } = { ...DESKTOP, ...screen };
		// Unlike a window without one, a profile keeps what the browser has compiled of the editor.
		const profile = mkdtempSync(join(tmpdir(), 'hospitality-booking-profile-'));
		const context = await chromium.launchPersistentContext(profile, {
			executablePath: chromiumPath,
			args: ARGUMENTS,
			viewport: { width, height },
			deviceScaleFactor,
			hasTouch: isPhone,
			isMobile: isPhone,
		});
		const [name = '', value = ''] = session.split('=');
		await context.addCookies([{ name, value, url }]);
		await context.addInitScript(
			`localStorage.setItem('n8n-browserId', ${JSON.stringify(BROWSER_ID)})`,
		);
		const page = await context.newPage();
		page.setDefaultTimeout(30_000);
		return new Editor(profile, page, url);
	}

	async close(): Promise<void> {
		await this.page.context().close();
		rmSync(this.profile, { recursive: true, force: true, maxRetries: 3 });
	}

	/** Imports a workflow file into a new workflow, as README.md says, and waits until n8n has saved it. */
	async importWorkflow(path: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByTestId('workflow-menu').click();
		await this.page.getByRole('menuitem', { name: 'Import', exact: true }).hover();
		const [chooser] = await Promise.all([
			this.page.waitForEvent('filechooser'),
			this.page.getByRole('menuitem', { name: 'From file', exact: true }).click(),
		]);
		const saved = this.page.waitForResponse(
			(response) =>
				response.request().method() === 'POST' && response.url().endsWith('/rest/workflows'),
		);
		await chooser.setFiles(path);
		await this.page.getByTestId('canvas-node').first().waitFor();
		await saved;
	}

	/** The names of the nodes that n8n marks as lacking something. */
	async markedNodes(): Promise<string[]> {
		const nodes = this.page
			.getByTestId('canvas-node')
			.filter({ has: this.page.getByTestId('node-issues') });
		return await namesOf(nodes);
	}

	get publishButton(): Locator {
		return this.page.getByTestId('workflow-open-publish-modal-button');
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Opens the form of a node on the canvas. */
	async openNode(name: string): Promise<void> {
		await this.page.getByTestId('zoom-to-fit').click();
		const node = this.page
			.getByTestId('canvas-node')
			.and(this.page.locator(`[data-node-name="${name}"]`));
		await node.dblclick();
		await this.page.getByTestId('ndv').waitFor();
		await this.form.getByTestId('parameter-item').filter({ visible: true }).first().waitFor();
	}

	async closeNode(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').filter({ visible: true }).click();
		await this.page.getByTestId('ndv').waitFor({ state: 'hidden' });
	}

	get form(): Locator {
		return this.page.getByTestId('node-parameters');
	}

	/** The names of the parameters on the open form, in their order, those inside of collections left out. */
	labels(): Promise<string[]> {
		return visibleLabels(this.form);
	}

	/** Opens the form for a credential that does not exist yet. */
	async openNewCredential(displayName: string): Promise<void> {
		await this.page.goto(`${this.url}/home/credentials/create`);
		const select = this.page.getByTestId('new-credential-type-select').locator('input');
		await select.fill(displayName);
		await this.page
			.getByTestId('new-credential-type-select-option')
			.filter({ hasText: displayName })
			.click();
		await this.page.getByTestId('new-credential-type-button').click();
		await this.credentialForm.locator('label.n8n-input-label').first().waitFor();
	}

	get credentialForm(): Locator {
		return this.page.getByTestId('credential-edit-dialog');
	}

	credentialLabels(): Promise<string[]> {
		return visibleLabels(this.credentialForm);
	}

	/** Enters values into the open form of a credential; of a list it chooses the one of that name. */
	async fillCredential(values: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(values)) {
			const field = this.credentialForm.getByTestId(`parameter-input-${name}`);
			const input = field.locator('input').first();
			if ((await field.locator('.el-select').count()) === 0) {
				await input.fill(value);
				continue;
			}
			await input.click();
			await this.page.keyboard.type(value);
			const choices = this.page.locator('.el-select-dropdown__item:visible');
			await choices.filter({ hasText: value }).first().click();
		}
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

	/** The names of all nodes on the canvas, notes included. */
	canvasNodes(): Promise<string[]> {
		return namesOf(this.page.getByTestId('canvas-node'));
	}
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

if (chromiumPath === undefined) {
	process.stdout.write(
		'SKIPPED: test/browser: no Chromium here (apt-get install chromium, or CHROMIUM_PATH).\n',
	);
}
/** Tests in the editor; skipped, visibly, where there is no browser. */
export const describeInEditor = chromiumPath === undefined ? describe.skip : describe;

/** For a test file: the running n8n and its editor, signed in. */
export function useEditor(screen?: Screen) {
	const here = {} as { readonly connection: Connection; readonly editor: Editor };
	beforeAll(async () => {
		const editor = await Editor.open(foundStack(), screen);
		Object.assign(here, { connection: connect(), editor });
	});
	afterAll(async () => {
		await here.editor?.close();
	});
	return here;
}
