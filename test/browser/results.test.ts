import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { DateTime } from 'luxon';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Mail } from '../../dev/demo/inbox.ts';
import { addRows, dropTable, TABLES_PAGE } from '../../dev/demo/table.ts';
import type { JsonObject } from '../../dev/n8nClient.ts';
import { outputOf } from '../../dev/runner.ts';
import { connectAgent } from '../e2e/support/agent';
import { formUrl } from '../e2e/workflows/form';
import { type GoogleSheet, startGoogleSheet } from '../e2e/workflows/googleSheet';
import { enteredBy } from '../e2e/workflows/oneTap';
import { PriceForm } from '../e2e/workflows/priceForm';
import { order, type Review, StaffChat } from '../e2e/workflows/staffChat';
import {
	AGENT_TOKEN,
	CANCELED,
	entered,
	FORM_LOGIN,
	guest as guestOf,
	justBegan,
	LIST,
	TIME_ZONE,
	useGallery,
	visit,
	visitIn,
} from '../e2e/workflows/support';
import { sendJson, type TestServer, startServer } from '../engine/support/server';
import { keepPicture, TAKES_PICTURES } from '../support/pictures';
import { eventually } from '../support/progress';
import { launchBrowser, takePicture } from './support/browser';
import { describeInEditor, useEditor } from './support/editor';

/** Pixels of a phone, and of a page beside the canvas. */
const PHONE = 390;
const WIDE = 620;
/** Pixels of the editor in which a table is shown. */
const TABLE = { width: 1240, height: 560 };
const SCHEMES = ['light', 'dark'] as const;
const BOOKINGS = 'Hospitality Bookings';
const CONTACTS = 'Hospitality Contact List';
const NEWSLETTER = 'Hospitality Newsletter';
const SANS = 'Segoe UI,Roboto,sans-serif';
const MONOSPACE = 'ui-monospace,monospace';
const FONT = `font:15px/1.5 -apple-system,${SANS};padding:16px`;
const CELL = 'text-align:left;padding:4px 10px;border-bottom:1px solid #ccc;font-size:13px';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
/** Text as it comes, in a frame. */
const plain = (title: string, text: string, font = SANS) =>
	`<div style="${FONT}"><b>${escaped(title)}</b><pre style="white-space:pre-wrap;font:14px/1.5 ${font}">${escaped(text)}</pre></div>`;
const table = (title: string, rows: JsonObject[], columns: string[]) => {
	const line = (cells: unknown[], tag: string) =>
		`<tr>${cells.map((cell) => `<${tag} style="${CELL}">${escaped(String(cell ?? ''))}</${tag}>`).join('')}</tr>`;
	const lines = rows.map((row) =>
		line(
			columns.map((column) => row[column]),
			'td',
		),
	);
	return `<div style="${FONT}"><b>${escaped(title)}</b><table style="border-collapse:collapse;margin-top:8px">${line(columns, 'th')}${lines.join('')}</table></div>`;
};

/** Only for the documents: what comes of the files is tested in test/e2e/workflows. */
(TAKES_PICTURES ? describeInEditor : describe.skip)('what comes of a workflow file', () => {
	const here = useEditor();
	const gallery = useGallery(BOOKINGS, CONTACTS, NEWSLETTER);
	let browser: Browser;
	let channel: TestServer;
	let sheet: GoogleSheet;

	const evening = (days: number, hour: number, minute?: number) => ({
		...visitIn(days, hour, minute),
		status: 2,
	});
	const inHours = (hours: number) => DateTime.utc().plus({ hours }).startOf('hour');
	const guest = (fname: string, lname: string) => guestOf(fname, lname, `${fname.toLowerCase()}@example.com`);

	beforeAll(async () => {
		browser = await launchBrowser();
		channel = await startServer((_, response) => sendJson(response, {}));
		sheet = await startGoogleSheet();
		await gallery.control('POST', '/reset');
		for (const [days, hour, minute, guests, message] of [
			[1, 18, 0, 4, 'One of us is allergic to nuts.'],
			[1, 18, 30, 10, 'We celebrate a birthday.'],
			[1, 19, 0, 2, null],
			[1, 19, 30, 6, 'Two high chairs, please.'],
			[2, 18, 0, 8, null],
		] as const)
			await gallery.book({ ...evening(days, hour, minute), guests, message });
	});

	afterAll(async () => {
		await Promise.all([browser?.close(), channel?.close(), sheet?.close()]);
	});

	const keep = async (name: string, of: Parameters<typeof takePicture>[1], ending = '') => {
		const taken = await takePicture(`result ${name}${ending}`, of);
		keepPicture(taken, `docs/workflows/images/${name}-result${ending}.png`, { workflow: name });
	};
	/** Takes a picture of a page, or of HTML: of all that it holds, or of what a screen shows of it. */
	async function keepPage(
		name: string,
		show: string | ((page: Page) => Promise<unknown>),
		{ isScreen = false, ...options }: BrowserContextOptions & { isScreen?: boolean } = {},
	): Promise<void> {
		const page = await browser.newPage({ viewport: { width: WIDE, height: 10 }, ...options });
		const content = '<meta name="viewport" content="width=device-width">';
		await (typeof show === 'string' ? page.setContent(content + show) : show(page));
		const ending = options.colorScheme === 'dark' ? '-dark' : '';
		await keep(name, isScreen ? page : page.locator('body'), ending);
		await page.close();
	}
	const onPhone = { viewport: { width: PHONE, height: 10 } };
	/** A mail as a phone shows it. */
	const keepMail = async (name: string, { subject, text, html }: Mail) =>
		await keepPage(name, html === undefined || html === '' ? plain(subject, text) : html, onPhone);
	/** A data table as n8n shows it. */
	async function keepTable(name: string, title: string): Promise<void> {
		const { page: editor } = here.editor;
		await editor.setViewportSize(TABLE);
		for (const colorScheme of SCHEMES) {
			await editor.emulateMedia({ colorScheme });
			await editor.goto(`${gallery.client.url}${TABLES_PAGE}`);
			await editor.getByText(title, { exact: true }).first().click();
			const rows = editor.locator('[data-test-id="data-table-details-view"]');
			await rows.getByText('1', { exact: true }).first().waitFor();
			await keep(name, rows, colorScheme === 'dark' ? '-dark' : '');
		}
	}

	const rowsOf = async (name: string, node: string, parameters?: Record<string, JsonObject>) =>
		outputOf(await gallery.run(name, parameters), node).map(({ json }) => json);
	const newestMail = async (subject: RegExp) => (await gallery.mails(subject)).at(-1) as Mail;
	const mailOf = async (name: string, subject: RegExp, parameters?: Record<string, JsonObject>) => {
		await gallery.run(name, parameters);
		return await newestMail(subject);
	};

	const pictures: Record<string, (name: string) => Promise<void>> = {
		'forget-old-guests': async (name) => {
			await gallery.run(name);
			const end = (days: number) => DateTime.now().minus({ days }).toFormat('yyyy-MM-dd 22:00');
			const ended = (bookingNumber: string, guestName: string, days: number, guests: number) => ({
				...{ bookingNumber, guestName, guests, status: 'Finished', state: 'finished', end: end(days) },
				...{ email: 'guest@example.com', phone: '+46 70 123 45 67', message: 'By the window' },
			});
			await addRows(gallery.client, BOOKINGS, [
				ended('B100021', 'Astrid Lind', 120, 4),
				ended('B100034', 'Omar Haddad', 95, 2),
				ended('B100087', 'Maria Rossi', 60, 6),
				ended('B100102', 'Erik Holm', 10, 3),
			]);
			await gallery.run(name);
			await keepTable(name, BOOKINGS);
			await dropTable(gallery.client, BOOKINGS);
		},
		'bookings-in-a-table': async (name) => {
			await gallery.publish(name);
			for (const [hour, fname, lname] of [
				[18, 'Astrid', 'Lind'],
				[19, 'Omar', 'Haddad'],
				[20, 'Maria', 'Rossi'],
			] as const)
				await gallery.book({ ...evening(3, hour), ...guest(fname, lname), guests: hour - 15 });
			const canceled = await gallery.book({ ...evening(3, 21), ...guest('Erik', 'Holm'), guests: 2 });
			await gallery.rowOf(BOOKINGS, canceled);
			await gallery.change(canceled, { status: CANCELED });
			await gallery.rowOf(BOOKINGS, canceled, { state: 'canceled' });
			await keepTable(name, BOOKINGS);
		},
		'forget-one-guest': async (name) => {
			const url = await formUrl(gallery, await gallery.publish(name));
			const booking = await gallery.book(evening(1, 19, 30));
			await gallery.rowOf(BOOKINGS, booking);
			const show = async (page: Page) => {
				await page.goto(url);
				await page.locator('input[type=email]').fill(booking.contact.email);
				await page.getByRole('button').first().click();
				await page.getByText(BOOKINGS).first().waitFor();
			};
			const httpCredentials = { username: FORM_LOGIN.user, password: FORM_LOGIN.password };
			await keepPage(name, show, { httpCredentials, viewport: { width: WIDE, height: 500 } });
		},
		'several-restaurants': async (name) => {
			const { system } = gallery.sandbox;
			await gallery.book({ ...evening(0, 18), guests: 4 });
			await gallery.book({ ...evening(0, 19), guests: 2 });
			const houses = entered({ houses: `${system} = Harbour House\nhill = Hill Top` });
			const { html = '' } = await mailOf(name, /^Today in 2 houses/, { 'Enter your houses': houses });
			await keepPage(name, html);
		},
		deposits: async (name) => {
			await gallery.book({
				...{ ...visit(inHours(100)), chargeShouldPayAmount: 500, chargePayedAmount: 0 },
				chargePaymentLinkExpirationDate: inHours(24).toISO(),
			});
			const { subject, text } = await mailOf(name, /^Your deposit$/);
			await keepPage(name, plain(subject, text));
		},
		'one-tap-answers': async (name) => {
			await gallery.publish(name, enteredBy('Harbour House', '+46 8 12 34 56'));
			const start = inHours(20);
			const fields = { language: 'en', cancelAllowedBeforeUtc: start.toISO() };
			await gallery.book({ ...visit(start), ...fields });
			const { html = '' } = await newestMail(/^Your table at Harbour House$/);
			const [, link = ''] = /href="([^"]*do=cancel[^"]*)"/.exec(html) ?? [];
			const phone = { viewport: { width: PHONE, height: 560 }, isMobile: true, isScreen: true };
			for (const colorScheme of SCHEMES)
				await keepPage(name, (page) => page.goto(link.replaceAll('&amp;', '&')), { ...phone, colorScheme });
		},
		'chat-that-waits-for-a-person': async (name) => {
			const chat = await StaffChat.publish(gallery);
			const { guid, globalBookingNumber, contact } = await gallery.book();
			const booking = `${globalBookingNumber}, ${contact.fname} ${contact.lname}`;
			const asked = order('Cancel_booking', { toolParameters: { guid, booking } });
			const { text, buttons } = (await chat.ask(asked)) as Review;
			await chat.close();
			const labels = buttons.map((button) => `[ ${button.text} ]`).join('   ');
			await keepPage(name, plain('In the chat', `${text}\n\n${labels}`));
		},
		'newsletter-consent': async (name) => {
			const url = `${channel.url}/contacts`;
			const got = () => channel.received.filter((one) => one.url === '/contacts');
			await gallery.publish(name, { 'Add to the list': { url }, 'Take off the list': { url } });
			const booking = await gallery.book();
			const contact = { ...booking.contact, newsletter: true, email: 'anna.lind@example.com' };
			await gallery.change(booking, { contact });
			await gallery.rows(NEWSLETTER, ({ email }) => email === contact.email);
			await gallery.change(booking, { contact: { ...contact, newsletter: false } });
			await eventually('off the list', () => got().length > 1);
			const texts = got().map(
				({ method, body }) => `${method} /contacts\n${JSON.stringify(JSON.parse(body), null, 2)}`,
			);
			await keepPage(name, plain('Your mail service gets', texts.join('\n\n')));
		},
		'bookings-in-google-sheets': async (name) => {
			await gallery.publish(name, {
				'Save or update its line': { documentId: { __rl: true, mode: 'id', value: 'the-document' } },
			});
			for (const [hour, fname, lname] of [
				[18, 'Astrid', 'Lind'],
				[19, 'Omar', 'Haddad'],
			] as const) {
				const { guid } = await gallery.book({ ...evening(4, hour), ...guest(fname, lname) });
				await eventually('the line', async () => sheet.lines().find((line) => line['Booking ID'] === guid));
			}
			const columns = ['Booking Number', 'State', 'Start', 'Guests', 'Guest Name', 'Phone'];
			await keepPage(name, table('Bookings', sheet.lines(), columns));
		},
		'canceled-booking-offer-table': async (name) => {
			await gallery.publish(name, { 'Post it in the channel': { url: `${channel.url}/channel` } });
			const booking = await gallery.book({ ...evening(5, 19), guests: 6 });
			await gallery.change(booking, { status: CANCELED });
			const { body } = await eventually('the message', () =>
				channel.received.find(({ url }) => url === '/channel'),
			);
			const { text } = JSON.parse(body) as { text: string };
			await keepPage(name, plain('# bookings', text), onPhone);
		},
		'new-booking-to-email-and-row': async (name) => {
			await gallery.publish(name);
			const message = 'A quiet table, please.';
			await gallery.book({ ...evening(6, 19), ...guest('Astrid', 'Lind'), guests: 4, message });
			await keepMail(name, await newestMail(/^New booking for 4/));
		},
		'new-customer-to-contact-list': async (name) => {
			await gallery.publish(name);
			for (const customer of ['Nordic Travel', 'Åkeri & Söner', 'Harbour Events'])
				await gallery.control('POST', '/customers', { name: customer });
			await gallery.rows(CONTACTS, (row) => row.name === 'Harbour Events');
			await keepTable(name, CONTACTS);
		},
		'reminder-and-review-request': async (name) => {
			await gallery.publish(name, { 'Open the page for reviews': { url: `${channel.url}/reviews` } });
			await gallery.book({ ...visit(inHours(20)), ...guest('Astrid', 'Lind'), guests: 4 });
			await keepMail(name, await newestMail(/^See you/));
		},
		'survey-answers-and-alert': async (name) => {
			await gallery.publish(name);
			const all = await gallery.control<Array<{ id: string; status: number }>>('GET', '/state/recipients');
			const silent = all.find(({ status }) => status < 4);
			const replaceParams = { score: '2', comment: 'We waited an hour for the main course.' };
			await gallery.control('PATCH', `/recipients/${silent?.id}`, { replaceParams, status: 4 });
			await keepMail(name, await newestMail(/^Score 2/));
		},
		'closing-time-check-out': async (name) => {
			for (const guests of [2, 5, 4]) {
				const booking = await gallery.book({ ...justBegan(), guests });
				const { rootId } = await gallery.stored(booking);
				if (guests !== 5) await gallery.change(booking, { paymentEvents: [{ bookingRootId: rootId }] });
			}
			const results = { states: ['expected'], statuses: [1], sortBy: 'start' };
			await keepMail(name, await mailOf(name, /^Closing time/, { 'Get the bookings of today': { results } }));
		},
		watchdog: async (name) => {
			const { run: runHere } = await gallery.load(name);
			await gallery.respond(LIST, 200, []);
			await runHere();
			await gallery.respondAsUsual();
			const changeDate = DateTime.utc().minus({ minutes: 30 }).toISO();
			const missing = [guest('Astrid', 'Lind'), guest('Omar', 'Haddad')].map((fields, index) =>
				gallery.sample({ ...evening(2, 18 + index), ...fields, changeDate }),
			);
			await gallery.respond(LIST, 200, missing);
			await runHere();
			await gallery.respondAsUsual();
			await keepMail(name, await newestMail(/^Bookings missing/));
		},
		'kitchen-and-covers': async (name) => await keepMail(name, await mailOf(name, /^Tomorrow/)),
		'fill-or-repair-a-table': async (name) => {
			const since = { 'Get the bookings since': { changedFrom: '2026-01-01' } };
			const rows = await rowsOf(name, 'Say how many', since);
			await keepPage(name, table('Say how many', rows, ['new', 'changed', 'equal']), onPhone);
		},
		'check-my-account': async (name) => {
			const rows = await rowsOf(name, 'One line per status');
			await keepPage(name, table('One line per status', rows, ['status', 'name', 'now', 'inHistoryOf']));
		},
		'bookings-to-csv-file': async (name) => {
			await gallery.run(name);
			const text = readFileSync(join(gallery.filesFolder, 'bookings.csv'), 'utf8');
			await keepPage(name, plain('bookings.csv', text.split('\r\n').slice(0, 4).join('\n'), MONOSPACE));
		},
		'bookings-as-a-calendar': async (name) => {
			const path = await gallery.pathOf(await gallery.publish(name), 'A calendar asks');
			const text = await (await fetch(`${gallery.client.url}/webhook/${path}`)).text();
			const events = new ICAL.Component(ICAL.parse(text) as unknown[])
				.getAllSubcomponents('vevent')
				.map((event) => new ICAL.Event(event))
				.map(({ startDate, summary, description }) => {
					const start = DateTime.fromJSDate(startDate.toJSDate(), { zone: TIME_ZONE });
					return { Day: start.toFormat('ccc d LLL'), Time: start.toFormat('HH:mm'), summary, description };
				});
			const days = [1, 2].map((inDays) => DateTime.now().plus({ days: inDays }).toFormat('ccc d LLL'));
			const shown = events.filter(({ Day }) => days.includes(Day));
			await keepPage(name, table('Bookings', shown, ['Day', 'Time', 'summary', 'description']));
		},
		'booking-tools-for-ai-agents': async (name) => {
			const path = await gallery.pathOf(await gallery.publish(name), 'An AI agent connects');
			const { contact } = await gallery.book();
			const agent = await connectAgent(path, AGENT_TOKEN);
			const said = await agent.call('Find_booking', { words: contact.mobile });
			await agent.close();
			const found = JSON.stringify((JSON.parse(said) as unknown[])[0], null, 2);
			await keepPage(name, plain(`Find booking: ${contact.mobile}`, found, MONOSPACE));
		},
		'price-list-to-articles': async (name) => {
			const form = await PriceForm.publish(gallery);
			const ids = (await form.articles()).map(({ articleId }) => articleId);
			const rows = ['Toast Skagen;189,50;', 'Räksmörgås;1.234,50;', 'Soup;1,234;'];
			const lines = [
				'Article ID;Name;Price;Take-Away Price',
				...rows.map((row, index) => `${ids[index]};${row}`),
			];
			const { text } = await form.upload(lines.join('\n'));
			await keepPage(name, text);
		},
		'subscription-check': async (name) => {
			const plan = { 'Enter your plans': entered({ plans: 'plan-canceled', fineStatuses: 'Active' }) };
			await keepMail(name, await mailOf(name, /^Please look at/, plan));
		},
	};

	test.each(Object.entries(pictures))('%s', async (name, take) => await take(name));
});
