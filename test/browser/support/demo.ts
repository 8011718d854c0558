import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type Demo, startDemo } from '../../../demo/stack.ts';
import { launchBrowser } from '../../support/browser';

/** No figure: only how long is waited before something is taken for never coming. */
const PATIENCE_MS = 120_000;

/** For some tests: the running demo, and people who have not signed in to anything. */
export function useDemo() {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-walk-'));
	const here = {} as { demo: Demo; browser: Browser };

	beforeAll(async () => {
		here.demo = await startDemo({ folder });
		here.browser = await launchBrowser();
	});

	afterAll(async () => {
		await here.browser?.close();
		await here.demo?.stop();
		rmSync(folder, { recursive: true, force: true });
	});

	return {
		/** The windows of somebody new. */
		newContext: async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
			const viewport = { width: 1440, height: 900 };
			const context = await here.browser.newContext({ viewport, ...options });
			context.setDefaultTimeout(PATIENCE_MS);
			return context;
		},
		/** Opens the first page of the demo. */
		openFirst: async (context: BrowserContext): Promise<Page> => {
			const first = await context.newPage();
			await first.goto(here.demo.sandbox.info.url);
			return first;
		},
		n8nUrl: () => here.demo.n8n.url,
	};
}

/** Follows a link that opens a tab. */
export async function follow(page: Page, name: string | RegExp): Promise<Page> {
	const [opened] = await Promise.all([
		page.context().waitForEvent('page'),
		page.getByRole('link', { name, exact: true }).first().click(),
	]);
	return opened;
}

/** Signs in to the demo's n8n as its first page says. */
export async function signIn(n8n: Page, first: Page): Promise<void> {
	const [email = '', password = ''] = await first.locator('#steps b').allInnerTexts();
	await n8n.locator('input[type="email"]').fill(email);
	await n8n.locator('input[type="password"]').fill(password);
	await n8n.getByRole('button', { name: 'Sign in' }).click();
}
