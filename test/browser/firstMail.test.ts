import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import type { Locator, Page } from 'playwright-core';
import { type Inbox, type Mail, startInbox } from '../../dev/demo/inbox.ts';
import { eventually } from '../../dev/eventually.ts';
import type { JsonObject } from '../../dev/n8nClient.ts';
import { bookingCredential } from '../../dev/sandbox.ts';
import { guest } from '../e2e/workflows/support';
import { root } from '../support/packageSources';
import { describeInEditor, PHONE, useEditor } from './support/browser';

const FILE = join(root, 'workflows', 'new-booking-to-email-and-row.json');
const MOST_CLICKS = 23;
/** README's link to the file, and _Download raw file_. */
const CLICKS_ON_GITHUB = 2;
/** What n8n's forms put between two fields, at most. */
const MOST_TABS = 8;
/** Longer than n8n's forms wait before they take over what was typed. */
const REST_MS = 1_000;
/** How long a person waits for the mail before pressing again. */
const PATIENCE_MS = 40_000;
/** The name of the field that has the focus, or nothing. */
const FOCUSED = `(document.activeElement?.matches('input') && document.activeElement
	.closest('[data-test-id^="parameter-input-"]:not([data-test-id="parameter-input-field"])')?.dataset.testId) || ''`;

/** A house: where it is, what its bookings call their statuses, and how its mails write a time. */
interface House {
	language: string;
	/** Its name in n8n's list. */
	languageName: string;
	timeZone: string;
	statuses: Record<'confirmed' | 'canceled' | 'noShow' | 'finished', string>;
	who: ReturnType<typeof guest>;
}

const HOUSES: House[] = [
	{
		language: 'en-GB',
		languageName: 'English',
		timeZone: 'Europe/London',
		statuses: {
			confirmed: 'Confirmed',
			canceled: 'Canceled',
			noShow: 'No-show',
			finished: 'Checked out',
		},
		who: guest('Anna', 'Lind'),
	},
	{
		language: 'da',
		languageName: 'Danish',
		timeZone: 'Europe/Copenhagen',
		statuses: {
			confirmed: 'Bekræftet',
			canceled: 'Annulleret',
			noShow: 'Udeblevet',
			finished: 'Afsluttet',
		},
		who: guest('Søren', 'Østergård'),
	},
];

function visible(what: Locator): Locator {
	return what.filter({ visible: true }).first();
}

/** A person with a phone, whose clicks are counted: a field is typed into, and left with the key that leads to the next one. */
class Walker {
	clicks = CLICKS_ON_GITHUB;
	/** Fields to fill in that have shown an expression. */
	readonly expressions: string[] = [];
	/** The fields of the open form, and what was typed into each. */
	private readonly typed = new Map<string, string>();

	constructor(readonly page: Page) {}

	async press(what: Locator): Promise<void> {
		await visible(what).tap();
		this.clicks++;
	}

	/** A node opens at two clicks. */
	async open(name: string): Promise<void> {
		const node = this.page.getByTestId('canvas-node');
		await node.and(this.page.locator(`[data-node-name="${name}"]`)).dblclick();
		this.clicks += 2;
		await this.page.getByTestId('ndv').waitFor();
	}

	async begin(form: Locator, field: string): Promise<void> {
		await this.press(form.getByTestId(`parameter-input-${field}`).locator('input'));
	}

	/** Types into the field that has the focus, and goes on to the next one. */
	async type(text: string): Promise<void> {
		const field = await this.focused();
		if ((await this.shown(field).innerText()).includes('{{')) this.expressions.push(field);
		this.typed.set(field, text);
		await this.page.keyboard.press('ControlOrMeta+a');
		await this.page.keyboard.type(text);
		await this.next();
	}

	/** Finds an entry of the list that has the focus, which opens by itself. */
	async choose(name: string): Promise<void> {
		await this.page.keyboard.type(name);
		await this.press(this.page.locator('.el-select-dropdown__item', { hasText: name }));
		await this.next();
	}

	/** Looks over what was typed, and types again what n8n lost as it drew the form anew. No click of the way is counted for it. */
	async lookOver(): Promise<void> {
		await this.rest();
		for (const [field, text] of this.typed) {
			const input = this.shown(field).locator('input').first();
			if ((await input.inputValue()) === text) continue;
			process.stdout.write(`n8n lost what was typed into ${field}\n`);
			await input.tap();
			await this.type(text);
			await this.rest();
		}
		this.typed.clear();
	}

	/** Saves a credential, which closes its dialog. */
	async save(): Promise<void> {
		await this.lookOver();
		const dialog = this.page.getByTestId('credential-edit-dialog');
		await this.press(this.page.getByRole('button', { name: 'Save', exact: true }));
		await dialog.waitFor({ state: 'hidden' });
	}

	/** Turns a switch, which may show other fields. */
	async turn(): Promise<void> {
		await this.page.keyboard.press('Space');
		await this.rest();
		await this.next();
	}

	async next(): Promise<void> {
		const before = await this.focused();
		for (let tabs = 0; tabs < MOST_TABS; tabs++) {
			await this.page.keyboard.press('Tab');
			const now = await this.focused();
			if (now !== '' && now !== before) return;
		}
	}

	/** n8n takes over what was typed a moment later: its timer runs out before this one does. */
	private async rest(): Promise<void> {
		await this.page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), REST_MS);
	}

	private shown(field: string): Locator {
		return visible(this.page.getByTestId(field));
	}

	private async focused(): Promise<string> {
		return await this.page.evaluate<string>(FOCUSED);
	}
}

describeInEditor.each(HOUSES)('the way of README.md to the first mail, in $language', (house) => {
	const here = useEditor(PHONE);
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-inbox-'));
	const start = DateTime.now()
		.setZone(house.timeZone)
		.plus({ days: 3 })
		.set({ hour: 19, minute: 30 })
		.startOf('minute');
	let inbox: Inbox;

	beforeAll(async () => {
		const { client, control } = here.connection;
		for (const { id } of await client.credentials()) {
			await client.request('DELETE', `/rest/credentials/${id}`);
		}
		inbox = await startInbox({ folder });
		const { confirmed, canceled, noShow, finished } = house.statuses;
		// So many bookings with so many statuses that saving refuses those of another language.
		const ends: Array<[status: number, name: string]> = [
			[5, canceled],
			[8, noShow],
			[4, finished],
		];
		for (const [status, name] of ends) {
			const history = historyOf([2, confirmed], [status, name]);
			await control('POST', '/bookings', { count: 20, booking: { status, history } });
		}
		const booking = { status: 2, history: historyOf([2, confirmed]), start: start.toISO() };
		await control('POST', '/bookings', { booking: Object.assign(booking, house.who) });
	});

	afterAll(async () => {
		await inbox?.stop();
		rmSync(folder, { recursive: true, force: true });
		await here.connection.control('POST', '/reset');
	});

	test(`takes ${MOST_CLICKS} clicks at most on a phone, and shows no expression to fill in`, async () => {
		const walker = new Walker(here.editor.page);
		await here.editor.page.goto(here.connection.client.url);
		await importFile(walker);
		await connectBookings(walker, house, bookingCredential(here.connection.sandbox));
		await connectMail(walker, inbox);
		const mail = await sendMail(walker, inbox);
		const { fname, lname } = house.who.contact;
		const when = start
			.setLocale(house.language)
			.toLocaleString({ dateStyle: 'full', timeStyle: 'short' });

		expect(walker.clicks).toBeLessThanOrEqual(MOST_CLICKS);
		expect(walker.expressions).toEqual([]);
		expect(mail.to.map(({ address }) => address)).toEqual(['kitchen@example.com']);
		expect(mail.subject).toContain(`${start.toFormat('yyyy-MM-dd HH:mm')}, `);
		expect(mail.text.split('\n')).toEqual(expect.arrayContaining([when, `${fname} ${lname}`]));
	});
});

/** A new workflow, and into it the file. */
async function importFile(walker: Walker): Promise<void> {
	const { page } = walker;
	const entry = (name: string) => page.getByRole('menuitem', { name, exact: true });
	await walker.press(page.getByTestId('universal-add'));
	await walker.press(entry('New workflow'));
	await walker.press(page.getByTestId('workflow-menu'));
	await walker.press(entry('Import'));
	const chooser = page.waitForEvent('filechooser');
	await walker.press(entry('From file'));
	await (await chooser).setFiles(FILE);
	await page.getByTestId('canvas-node').first().waitFor();
}

/** The credential, from the node that begins. */
async function connectBookings(
	walker: Walker,
	{ timeZone, languageName, statuses }: House,
	account: Record<string, string>,
): Promise<void> {
	const { page } = walker;
	const dialog = page.getByTestId('credential-edit-dialog');
	await walker.open('A booking is made');
	await walker.press(page.getByRole('button', { name: /^Connect to Hospitality/ }));
	await walker.begin(dialog, 'baseUrl');
	for (const field of ['baseUrl', 'authUrl', 'clientId', 'clientSecret', 'system']) {
		await walker.type(account[field] ?? '');
	}
	await walker.choose(timeZone);
	await walker.choose(languageName);
	for (const name of [statuses.canceled, statuses.noShow, statuses.finished]) {
		await walker.type(name);
	}
	await walker.save();
	await walker.press(page.getByTestId('ndv-close-button'));
}

/** The mail server, both addresses, and the mail. */
async function connectMail(walker: Walker, { smtpPort }: Inbox): Promise<void> {
	const { page } = walker;
	const dialog = page.getByTestId('credential-edit-dialog');
	const form = page.getByTestId('node-parameters');
	await walker.open('Email the kitchen');
	await walker.press(page.getByRole('button', { name: 'Connect to SMTP' }));
	await walker.begin(dialog, 'user');
	await walker.type('');
	await walker.type('');
	await walker.type('127.0.0.1');
	await walker.type(String(smtpPort));
	// The inbox knows neither of the two that keep a secret on the way: SSL/TLS and STARTTLS.
	await walker.turn();
	await walker.turn();
	await walker.save();
	await walker.begin(form, 'fromEmail');
	await walker.type('bookings@example.com');
	await walker.type('kitchen@example.com');
	await walker.lookOver();
}

/** Runs the node, and once more, uncounted, if nothing came of it; what n8n shows then is told. */
async function sendMail(walker: Walker, inbox: Inbox): Promise<Mail> {
	const { page } = walker;
	const button = page.getByTestId('node-execute-button');
	const firstMail = async () => (await inbox.mails()).at(0);
	await walker.press(button);
	try {
		return await eventually('the mail', firstMail, PATIENCE_MS);
	} catch {
		const shown = await page.getByTestId('ndv').innerText();
		process.stdout.write(`No mail in ${PATIENCE_MS / 1000} s. n8n shows:\n${shown}\n`);
	}
	await visible(button).tap();
	return await eventually('the mail, asked for twice', firstMail);
}

function historyOf(...steps: Array<[status: number, statusName: string]>): JsonObject[] {
	return steps.map(([status, statusName], day) => ({
		status,
		statusName,
		changeDate: DateTime.utc()
			.minus({ days: 5 - day })
			.toISO(),
	}));
}
