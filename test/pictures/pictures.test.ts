import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import pick from 'lodash/pick';
import { DateTime } from 'luxon';
import type { Page } from 'playwright-core';
import { tableRows } from '../../dev/demo/table.ts';
import type { JsonObject, StoredWorkflow } from '../../dev/n8nClient.ts';
import { outputOf, runByHand } from '../../dev/runner.ts';
import type { Mail } from '../../dev/demo/inbox.ts';
import { bookingCredential } from '../../dev/sandbox.ts';
import { Editor } from '../browser/support/browser';
import { callTool } from '../e2e/support/agent';
import { foundStack } from '../e2e/support/stack.ts';
import { type GoogleSheet, startGoogleSheet } from '../e2e/workflows/googleSheet';
import { type MessageService, startMessageService } from '../e2e/workflows/messageService';
import { formUrl, openPriceForm } from '../e2e/workflows/form';
import { openStaffChat, order, type Review } from '../e2e/workflows/staffChat';
import {
	AGENT_TOKEN,
	basicAuth,
	type Booking,
	guest,
	house,
	LARGE,
	LOGIN,
	storedNode,
	useGallery,
	visitIn,
	TIME_ZONE,
} from '../e2e/workflows/support';
import { root } from '../support/packageSources';
import { eventually } from '../../dev/eventually.ts';

/** Other languages are for who wants to read them, and not for docs/. */
const LANGUAGE = process.env.PICTURES_LANGUAGE ?? 'en';
const PAYMENT_COLUMNS = ['date', 'guestName', 'paid', 'refunded', 'currency'];
const NO_SHOW = 8;
const COLUMNS = ['date', 'time', 'guestName', 'guests', 'status'];
const HOUSES = ['Harbour House', 'Hill House'].map((name) => ({
	system: `several-restaurants ${name}`,
	name,
}));
const TABLES = ['Hospitality New Bookings', 'Hospitality Bookings', 'Hospitality Survey Answers'];
const FIRST = 'new-booking-to-email-and-row';
const TELLS = 'tell-me-when-something-fails';
const CHAT = 'chat-that-waits-for-a-person';
/** Files that read the sandbox; all but one begin by themselves. */
const READS_SANDBOX =
	/tools|booking-to-|in-a-table|sheets|canceled|note-what|survey|reminder|one-tap|price|account|moved|no-show|payment/;
/** Of the canvas, its nodes alone. */
const NODES_ALONE = `body * { visibility: hidden } .vue-flow, .vue-flow__transformationpane * { visibility: visible }
.vue-flow__background, [data-test-id="canvas-handle-plus-wrapper"] * { visibility: hidden !important }`;

const gallery = useGallery(TABLES, LANGUAGE);
let editor: Editor;
let sheet: GoogleSheet;
let messages: MessageService;
const stored = new Map<string, StoredWorkflow>();
const storedOf = (name: string) => stored.get(name) as StoredWorkflow;

const WISH = 'One of us is allergic to nuts.';
const ANNA = {
	...guest('Anna', 'Lind', 'anna@example.com'),
	guests: 4,
	guestsChildren: 1,
	message: WISH,
};
const [OSKAR, MAJA] = [guest('Oskar', 'Berg'), guest('Maja', 'Öberg')].map((who, index) => ({
	...who,
	guests: 2 - index,
	guestsChildren: 0,
	message: null,
}));
const visits = (days: number, fields: JsonObject = {}) => [
	{ ...visitIn(days, 18, 30), ...OSKAR, ...fields },
	{ ...visitIn(days, 19), ...ANNA, ...fields },
	{ ...visitIn(days, 20, 15), ...MAJA, ...fields },
];
const NEXT_EVENING = [visitIn(0, 19), visitIn(1, 19)].find(
	({ start }) => Date.parse(String(start)) > Date.now(),
);
const CONFIRMED = {
	status: 2,
	history: [{ status: 2, statusName: 'Confirmed', changeDate: '2026-11-01T10:00:00Z' }],
};
const list = (name: string, bookings: JsonObject[]) => {
	gallery.listed(name).bookings = bookings.map((one, index) =>
		gallery.sample({ ...CONFIRMED, globalBookingNumber: `B11006${index}`, ...one }),
	);
};
const bookSoon = async (fields: JsonObject = {}) =>
	await gallery.book({ ...NEXT_EVENING, ...ANNA, language: LANGUAGE, ...fields });

/** In time for a message hours before. */
const visitSoon = () => ({
	start: DateTime.utc().plus({ hours: 2 }).startOf('hour').toISO(),
	end: DateTime.utc().plus({ hours: 4 }).startOf('hour').toISO(),
});
/** A booking that polls have seen as it was made. */
async function bookSeen(fields: JsonObject = {}): Promise<Booking> {
	const booking = await bookSoon(fields);
	await eventually('its row', async () =>
		(await tableRows(gallery.client, 'Hospitality Bookings')).find(
			({ guid }) => guid === booking.guid,
		),
	);
	return booking;
}

const escaped = (text: unknown) =>
	String(text ?? '')
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;');
const plain = (text: string) =>
	`<pre style="white-space:pre-wrap;font:13px/1.5 ui-monospace,monospace">${escaped(text)}</pre>`;
function rowsAsHtml(rows: object[]): string {
	const cells = (values: unknown[], tag: string) =>
		values.map((value) => `<${tag}>${escaped(value)}</${tag}>`).join('');
	const lines = rows.map((row) => `<tr>${cells(Object.values(row), 'td')}</tr>`);
	return `<style>table { border-collapse: collapse; font: 13px Arial; white-space: nowrap } td, th { border: 1px solid #c8d0ce; padding: 4px 8px; text-align: left }</style>
<table><tr>${cells(Object.keys(rows[0] ?? {}), 'th')}</tr>${lines.join('')}</table>`;
}

const bookingRows = (rows: object[]) =>
	rowsAsHtml(rows.slice(0, 3).map((row) => pick(row, COLUMNS)));

/** A day as a calendar shows it. */
function calendarAsHtml(text: string): string {
	const firstHour = 17;
	const hours = Array.from({ length: 6 }, (_, index) => firstHour + index);
	const events = new ICAL.Component(ICAL.parse(text) as unknown[]).getAllSubcomponents('vevent');
	const blocks = events.map((event, index) => {
		const { startDate, endDate, summary } = new ICAL.Event(event);
		const start = DateTime.fromJSDate(startDate.toJSDate()).setZone(TIME_ZONE);
		const minutes = (endDate.toJSDate().getTime() - start.toMillis()) / 60_000;
		const top = 40 + (start.hour - firstHour) * 48 + start.minute * 0.8;
		return `<div style="position:absolute;left:${64 + index * 190}px;top:${top}px;width:180px;height:${minutes * 0.8 - 6}px;background:#0f766e;color:#fff;border-radius:6px;padding:4px 8px;box-sizing:border-box;overflow:hidden"><b>${start.toFormat('HH:mm')}</b> ${escaped(summary)}</div>`;
	});
	const lines = hours.map(
		(hour, index) =>
			`<div style="position:absolute;left:0;right:0;top:${40 + index * 48}px;border-top:1px solid #dfe5e5;color:#5b6b68;padding-left:8px">${hour}:00</div>`,
	);
	const day = DateTime.now().setZone(TIME_ZONE).setLocale('en-GB').toFormat('cccc d LLLL');
	return `<div style="position:relative;width:650px;height:330px;font:13px Arial"><b style="position:absolute;left:64px;top:10px">Bookings · ${day}</b>${lines.join('')}${blocks.join('')}</div>`;
}

/** What comes of a file: HTML, or a page of its own. */
type Shown = string | ((page: Page) => Promise<unknown>);
/** An email as a person sees it. */
const shownMail = (mail?: Mail): string => mail?.html ?? plain(`${mail?.subject}\n\n${mail?.text}`);
/** The email of a file that is run once these are listed. */
const mailAbout = (bookings: () => JsonObject[]) => async (name: string) => {
	list(name, bookings());
	const [mail] = await gallery.mailsOf(/./, () => runByHand(gallery.client, storedOf(name)));
	return shownMail(mail);
};
const mailTo = async (address: string, subject: RegExp) =>
	(await gallery.mails(subject, address)).at(-1);
/** The rows of a data table, once there are so many. */
const table = async (title: string, least: number) => {
	const rows = await eventually('its rows', async () => {
		const found = await tableRows(gallery.client, title);
		return found.length >= least && found;
	});
	return bookingRows(rows);
};

/** What comes of each file. Those that a clock or a person starts come first: no email of a poll comes meanwhile. */
const RESULTS: Record<string, (name: string) => Promise<Shown>> = {
	'arrivals-every-morning': mailAbout(() => visits(0)),
	'weekly-figures': mailAbout(() => [...visits(-1), ...visits(-2)]),
	deposits: mailAbout(() =>
		visits(2, {
			chargeShouldPayAmount: 500,
			chargePayedAmount: 0,
			chargePaymentLinkExpirationDate: '2026-12-01T18:00:00',
		}),
	),
	'closing-time-check-out': mailAbout(() => [
		{ ...visitIn(-1, 18), ...ANNA, paymentEvents: [] },
		{ ...visitIn(-1, 19), ...MAJA, paymentEvents: [{ bookingRootId: 1 }] },
	]),
	'several-restaurants': mailAbout(() => visits(0)),
	'check-my-account': async (name) => {
		const execution = await runByHand(gallery.client, storedOf(name));
		const [came, statuses] = ['Say what came', 'List the statuses'].map((node) =>
			rowsAsHtml(outputOf(execution, node).map(({ json }) => json)),
		);
		return `${came}<br>${statuses}`;
	},
	'bookings-as-a-calendar': async (name) => {
		list(name, visits(0));
		const { parameters } = await storedNode(gallery.client, storedOf(name), '.webhook');
		const text = await (
			await fetch(`${gallery.client.url}/webhook/${String(parameters.path)}`)
		).text();
		return calendarAsHtml(text);
	},
	'price-list-to-articles': async (name) => {
		const form = await openPriceForm(gallery, storedOf(name));
		const [one, two] = await form.articles();
		const rows = [`${one?.articleId},Fish soup,89:-,79 kr`, `${two?.articleId},Bread,#N/A,`];
		const { url } = await form.upload(
			['Article ID,Name,Price,Take-Away Price', ...rows].join('\n'),
		);
		return async (page) => {
			await page.setExtraHTTPHeaders(basicAuth(LOGIN));
			await page.goto(url);
		};
	},
	'booking-tools-for-ai-agents': async (name) => {
		const { globalBookingNumber: words } = await bookSoon();
		const { parameters } = await storedNode(gallery.client, storedOf(name), '.mcpTrigger');
		const found = await callTool(
			`${gallery.client.url}/mcp/${String(parameters.path)}`,
			AGENT_TOKEN,
			'Find_booking',
			{ words },
		);
		const said = JSON.parse(found) as object;
		return plain(`Find_booking ${JSON.stringify({ words })}\n\n${JSON.stringify(said, null, 1)}`);
	},
	[FIRST]: async () => {
		await bookSoon();
		return shownMail(await mailTo('kitchen@', /Anna/));
	},
	'bookings-in-a-table': () => table('Hospitality Bookings', 1),
	'bookings-in-google-sheets': async () =>
		await eventually('its lines', () => sheet.lines().length > 1 && bookingRows(sheet.lines())),
	'canceled-booking-offer-table': async () => {
		await gallery.cancel(await bookSoon());
		return plain(String(await eventually('the message', () => gallery.posts().at(-1))));
	},
	'note-what-changed': async () => {
		const booking = await bookSeen({ guests: LARGE });
		await gallery.change(booking, { guests: LARGE + 2 });
		const log = await eventually('the note', async () => {
			const all = await gallery.control<Array<{ web: { guid: string }; log: string[] }>>(
				'GET',
				'/state/bookings',
			);
			const found = all.find(({ web }) => web.guid === booking.guid);
			return found && found.log.length > 0 && found.log;
		});
		return plain(log.join('\n'));
	},
	'survey-answers-and-alert': async () => {
		const all = await gallery.control<Array<{ id: string; status: number }>>(
			'GET',
			'/state/recipients',
		);
		const answer = { status: 4, name: 'Anna Lind', replaceParams: { score: '2' } };
		await gallery.control(
			'PATCH',
			`/recipients/${all.find(({ status }) => status !== 4)?.id}`,
			answer,
		);
		return shownMail(await mailTo('manager@', /^★/));
	},
	'reminder-and-review-request': async () => shownMail(await mailTo('anna@', /soon/)),
	'moved-booking-to-staff': async () => {
		const booking = await bookSeen();
		await gallery.change(booking, visitIn(3, 20));
		return shownMail(await mailTo('manager@', /^Moved/));
	},
	'no-show-follow-up': async () => {
		const booking = await bookSeen(guest('Nora', 'Holm', 'nora@example.com'));
		const step = { changeDate: DateTime.utc().toISO(), status: NO_SHOW, statusName: 'No-show' };
		await gallery.change(booking, { status: NO_SHOW, history: [step, ...booking.history] });
		return shownMail(await mailTo('nora@', /missed/));
	},
	'sms-or-whatsapp-reminder': async () => {
		await bookSoon(visitSoon());
		const { to, text } = await eventually('the message', () => messages.messages.at(-1));
		return plain(`To ${to}\n\n${text}`);
	},
	'payment-to-the-books': async () => {
		const booking = await bookSeen();
		await gallery.change(booking, { chargePayedAmount: Number(booking.chargePayedAmount) + 75 });
		const lines = await eventually('its line', () => {
			const found = sheet.lines('Payments').filter(({ paid }) => paid === 75);
			return found.length > 0 && found;
		});
		return rowsAsHtml(lines.map((line) => pick(line, PAYMENT_COLUMNS)));
	},
	'one-tap-answers': async (name) => {
		const { guid, start } = await bookSoon();
		const url = await formUrl(gallery.client, storedOf(name));
		return (page) => page.goto(`${url}?booking=${guid}&start=${start}`);
	},
	[CHAT]: async () => {
		const chat = await openStaffChat(gallery);
		const { guid } = await bookSoon();
		const { text, buttons } = (await chat.ask(order('Cancel_booking', { guid }))) as Review;
		await chat.close();
		return plain(
			`${text.replaceAll(/\n```|```\n/g, '')}\n\n${buttons.map((one) => `[ ${one.text} ]`).join('  ')}`,
		);
	},
	[TELLS]: async () => {
		await gallery.respond('/api/', 500);
		const mail = await mailTo('manager@', /^Please look: /).finally(gallery.respondAsUsual);
		return plain(`${mail?.subject}\n\n${mail?.text}`);
	},
};

interface Picture {
	png: Buffer;
	width: number;
}

/** The canvas of a file without its note. */
async function takeCanvas(name: string): Promise<Picture> {
	const { page } = editor;
	await page.setViewportSize({ width: 1500, height: 1100 });
	await editor.openWorkflow(storedOf(name).id);
	const note = '.vue-flow__node:has([data-node-name^="What this"])';
	await page.getByTestId('zoom-to-fit').click();
	await page.addStyleTag({
		content: `${NODES_ALONE} ${note}, ${note} * { visibility: hidden !important }`,
	});
	await page.mouse.move(0, 0);
	await page.waitForTimeout(1_500);
	const boxes = [];
	for (const node of await page.locator(`.vue-flow__node:not(${note})`).all()) {
		const box = await node.boundingBox();
		if (box) boxes.push(box);
	}
	const x = Math.min(...boxes.map((box) => box.x)) - 60;
	const y = Math.min(...boxes.map((box) => box.y)) - 20;
	const width = Math.max(...boxes.map((box) => box.x + box.width)) + 60 - x;
	const height = Math.max(...boxes.map((box) => box.y + box.height)) + 80 - y;
	return { png: await page.screenshot({ clip: { x, y, width, height } }), width };
}

async function takeResult(shown: Shown, width: number): Promise<Picture> {
	const page = await editor.page.context().newPage();
	await page.setViewportSize({ width, height: 10 });
	if (typeof shown === 'string') await page.setContent(shown);
	else await shown(page);
	const png = await page.screenshot({ fullPage: true });
	await page.close();
	return { png, width };
}

/** One picture: the canvas, and below it what comes of it, so wide that both can be read on a phone. */
async function putTogether(path: string, canvas: Picture, result: Picture): Promise<void> {
	const page = await editor.page.context().newPage();
	const width = Math.max(canvas.width, result.width);
	const image = (png: Buffer, shownAt: number) =>
		`<img src="data:image/png;base64,${png.toString('base64')}" style="display:block;margin:auto;width:${shownAt}px">`;
	await page.setViewportSize({ width: Math.ceil(width), height: 10 });
	await page.setContent(
		`<body style="margin:0;background:#fafafa">${image(canvas.png, canvas.width)}${image(result.png, Math.min(width, 1.5 * result.width))}`,
	);
	await page.screenshot({ path, fullPage: true });
	await page.close();
}

beforeAll(async () => {
	editor = await Editor.open(foundStack(), { deviceScaleFactor: 2 });
	editor.page.setDefaultTimeout(120_000);
	sheet = await startGoogleSheet();
	messages = await startMessageService();
	const errorWorkflow = (await gallery.publish(TELLS)).id;
	for (const name of Object.keys(RESULTS)) {
		const settings = name === 'bookings-in-a-table' ? { errorWorkflow } : {};
		const isListed = !READS_SANDBOX.test(name);
		const isPublished =
			(READS_SANDBOX.test(name) && !name.includes('account')) || name.includes('calendar');
		const parameters =
			name === 'several-restaurants' ? house(name, { houses: JSON.stringify(HOUSES) }) : {};
		const workflow = isPublished
			? await gallery.publish(name, {}, { isListed, settings })
			: await gallery.create(await gallery.filled(name, parameters, isListed));
		stored.set(name, workflow);
	}
});

afterAll(async () => {
	await editor?.close();
	await sheet?.close();
	await messages?.close();
});

test.each(Object.keys(RESULTS))('%s', async (name) => {
	const canvas = await takeCanvas(name);
	const width = /tools|account/.test(name) ? 600 : 390;
	const result = await takeResult((await RESULTS[name]?.(name)) as Shown, width);
	await putTogether(join(root, `docs/workflows/images/${name}.png`), canvas, result);
});

/** Puts what a press of _Make a booking_ came to into the animation, whose elements have the names of the texts. */
test('demo.svg', async () => {
	const pressed = await fetch(`${gallery.sandbox.url}/__page/happen`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ what: 'bookingMade' }),
	});
	const { text, name } = (await pressed.json()) as { text: string; name: string };
	const { subject } = await eventually(`the mail about ${name}`, async () =>
		(await gallery.allMails()).find((mail) => (mail.html ?? mail.text).includes(name)),
	);
	const row = await eventually('its row', async () =>
		(await gallery.rowsNow(TABLES[0] ?? '')()).find(({ bookingNumber }) => bookingNumber === name),
	);
	const texts = Object.entries({ text, subject, ...row });
	const path = join(root, 'docs/images/demo.svg');
	const svg = texts.reduce(
		(all, [id, value]) =>
			all.replace(
				new RegExp(`(<text id="${id}"[^>]*>)[^<]*`),
				(_, tag: string) => tag + escaped(value),
			),
		readFileSync(path, 'utf8'),
	);
	writeFileSync(path, svg);
});

test('credential.png', async () => {
	const { page, credentialForm } = editor;
	// An address as a user has it: the form is shown and not saved.
	const data = {
		...bookingCredential(gallery.sandbox),
		baseUrl: 'https://booking.example.com',
		authUrl: 'https://login.example.com',
		timeZone: 'Europe/Stockholm',
		canceledStatuses: 'Canceled',
		finishedStatuses: 'Checked out',
	};
	const credential = await gallery.client.putCredential(
		'Harbour House',
		'hospitalityBookingApi',
		data,
	);
	await page.setViewportSize({ width: 1000, height: 1700 });
	await page.goto(`${gallery.client.url}/home/credentials/${credential.id}`);
	await page.addStyleTag({
		content:
			'.el-dialog, .el-dialog * { max-height: none !important; overflow: visible !important }',
	});
	const boxOf = (field: string) =>
		credentialForm.getByTestId(`parameter-input-${field}`).boundingBox();
	const head = await boxOf('baseUrl');
	const foot = await boxOf('finishedStatuses');
	if (!head || !foot) throw new Error('The form of the credential is not shown');
	const x = foot.x - 20;
	const y = head.y - 50;
	const width = foot.width + 40;
	const clip = { x, y, width, height: foot.y + foot.height + 20 - y };
	await page.screenshot({ path: join(root, 'docs/images/credential.png'), clip });
});
