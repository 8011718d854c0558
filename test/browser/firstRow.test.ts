import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { TABLES_PAGE } from '../../demo/table.ts';
import { useGallery } from '../e2e/workflows/support';
import { untilShown } from '../support/browser';
import { root } from '../support/packageSources';
import { follow, signIn, useDemo } from './support/demo';
import { describeInEditor, fillAccount, importWords, useEditor } from './support/editor';
import { forgetCredentials } from './support/imported';

const README = readFileSync(join(root, 'README.md'), 'utf8');
const NAME = 'new-booking-to-email-and-row';
const TABLE = 'Hospitality New Bookings';
/** Estimates, not measured: how fast a person reads, and how long one takes for a click or a field. */
const WORDS_A_MINUTE = 200;
const SECONDS_A_STEP = 3;
const PROOF = readFileSync(join(root, 'docs', 'proof.md'), 'utf8');

/** What a person does: clicks, and fields that are filled in. */
class Steps {
	clicks = 0;
	fields = 0;
	private readonly began = performance.now();

	/** Counts in every page of the browser what reaches it as a person's. */
	async countIn(context: BrowserContext): Promise<void> {
		await context.exposeBinding('countStep', (_, kind: 'clicks' | 'fields') => void this[kind]++);
		await context.addInitScript(`
			let field;
			addEventListener('click', (event) => event.isTrusted && event.detail === 1 && countStep('clicks'), true);
			addEventListener('input', ({ target }) => {
				if (target !== field && target.type !== 'file') countStep('fields');
				field = target;
			}, true);
		`);
	}

	/** The clicks and fields are those of docs/proof.md; the seconds differ from run to run. */
	expectAsDocumented(way: string): void {
		const [, clicks, fields] =
			new RegExp(`^\\| ${way}[^|]*\\| *(\\d+) *\\| *(\\d+) *\\|`, 'm').exec(PROOF) ?? [];
		expect({ clicks: String(this.clicks), fields: String(this.fields) }).toEqual({ clicks, fields });
	}

	/** Prints the figures that docs/proof.md gives. */
	print(account: string, read: string): void {
		const seconds = Math.round((performance.now() - this.began) / 1000);
		const words = read.split(/\s+/).length;
		const reading = Math.round((words / WORDS_A_MINUTE) * 60);
		const hands = (this.clicks + this.fields) * SECONDS_A_STEP;
		process.stdout.write(
			`README to first row, ${account}: ${this.clicks} clicks, ${this.fields} fields, ${seconds} s in the browser; estimated for a person: ${reading} s to read ${words} words, ${hands} s for clicks and fields, together ${((seconds + reading + hands) / 60).toFixed(1)} min\n`,
		);
	}
}

/** What is read of the README: its beginning and some sections, without pictures, addresses and code. */
function readAloud(...headings: string[]): string {
	const [beginning = '', ...sections] = README.split(/^## /m);
	const chosen = sections.filter((text) => headings.some((heading) => text.startsWith(`${heading}\n`)));
	expect(chosen).toHaveLength(headings.length);
	return [beginning, ...chosen]
		.join('\n')
		.replace(/<[^>]+>|```|!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)|[|_*#[\]-]+/g, ' ')
		.trim();
}

describeInEditor('the way from the README to the first row', () => {
	describe('with an account, here that of the sandbox', () => {
		const here = useEditor();
		const gallery = useGallery(TABLE);
		let steps: Steps;

		beforeAll(async () => {
			await forgetCredentials(gallery.client);
			steps = new Steps();
			await steps.countIn(here.editor.page.context());
		});

		test('is a workflow file, two credentials and Publish', async () => {
			const { editor } = here;
			const { page } = editor;
			const id = await editor.importWorkflow(join(root, 'workflows', `${NAME}.json`), importWords(NAME));
			await editor.openNode('A booking is made');
			await editor.createCredential();
			await fillAccount(here);
			await editor.saveCreatedCredential();
			await editor.closeNode();

			await editor.openNode('Email the kitchen');
			await editor.createCredential();
			await editor.fillCredential('host', '127.0.0.1');
			await editor.fillCredential('port', String(gallery.inbox.smtpPort));
			for (const name of ['secure', 'disableStartTls'])
				await editor.credentialForm
					.locator(
						`[data-test-id="parameter-input-${name}"] [role=switch], [data-test-id="parameter-input-${name}"] .el-switch`,
					)
					.first()
					.click();
			await editor.saveCreatedCredential();
			await editor.fill('toEmail', 'kitchen@harbour.example');
			await editor.closeNode();
			await editor.openNode('Tell me what failed');
			await editor.chooseCredential('SMTP account');
			await editor.fill('toEmail', 'manager@harbour.example');
			await editor.closeNode();
			await editor.publish();
			// n8n publishes after the window has closed: what is made before the first poll is not new.
			await page.getByText('Workflow published').first().waitFor();

			const booking = await gallery.book();
			await page.goto(`${gallery.client.url}${TABLES_PAGE}`);
			const table = page.getByText(TABLE, { exact: true }).first();
			await untilShown(page, table);
			await table.click();
			await untilShown(page, page.getByText(booking.globalBookingNumber, { exact: true }));
			const workflow = (await gallery.client.workflows()).find((one) => one.id === id);
			if (workflow) await gallery.client.deactivate(workflow);
			steps.print('with an account', readAloud('Installation', 'Credentials', 'First workflow'));
			const mails = await gallery.mails(/^New booking/, { text: booking.contact.lname });

			expect(mails[0]?.to).toMatchObject([{ address: 'kitchen@harbour.example' }]);
			steps.expectAsDocumented('with an account');
		});
	});

	describe('without an account', () => {
		const demo = useDemo();

		test('is a button and a link of the demo', async () => {
			const context = await demo.newContext();
			const steps = new Steps();
			await steps.countIn(context);
			const first = await demo.openFirst(context);
			await first.getByRole('button', { name: 'Make a booking' }).click();
			const item = first.locator('#happened li').first();
			const text = await item.locator('span').innerText();
			const [number = ''] = /B\d+/.exec(text) ?? [];
			const n8n = await follow(first, /^Row \d+ of the table/);
			await signIn(n8n, first);
			await n8n.getByText(number, { exact: true }).first().waitFor();
			const page = await first.locator('#steps').innerText();
			steps.print('without an account', `${readAloud('Try it without an account')} ${page}`);

			expect(number).toMatch(/^B\d+$/);
			steps.expectAsDocumented('without an account');
		});
	});
});
