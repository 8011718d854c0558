import { setTimeout as sleep } from 'node:timers/promises';
import times from 'lodash/times';
import uniq from 'lodash/uniq';
import { DateTime } from 'luxon';
import { eventually } from '../../../dev/eventually.ts';
import { dropTable, tableRows } from '../../../dev/demo/table.ts';
import type { JsonObject, StoredWorkflow } from '../../../dev/n8nClient.ts';
import { runByHand } from '../../../dev/runner.ts';
import { type GoogleSheet, startGoogleSheet } from './googleSheet';
import { type MessageService, startMessageService } from './messageService';
import { mailsSoFar, mailsWith, POLLED_MS, wordsOf } from './situations';
import {
	type Booking,
	guest,
	house,
	ILL,
	inHours,
	LARGE,
	REFUSED,
	TIME_ZONE,
	useGallery,
	visitIn,
} from './support';

/** Files that an event starts. All are published first, then everything happens at once, and each test looks what came of it. */
const NEW = 'Hospitality New Bookings';
const BOOKINGS = 'Hospitality Bookings';
const ANSWERS = 'Hospitality Survey Answers';
const gallery = useGallery([NEW, BOOKINGS, ANSWERS], 'sv');
const NAMES = [
	'new-booking-to-email-and-row',
	'bookings-in-a-table',
	'bookings-in-google-sheets',
	'canceled-booking-offer-table',
	'moved-booking-to-staff',
	'note-what-changed',
	'no-show-follow-up',
	'payment-to-the-books',
	'reminder-and-review-request',
	'sms-or-whatsapp-reminder',
	'survey-answers-and-alert',
];
const RESPONDED = 4;
const NO_SHOW = 8;
const HOUSE = 'Harbour House';
/** No reminder is due for them. */
const FAR = inHours(400);
const published = new Map<string, StoredWorkflow>();
let sheet: GoogleSheet;
let messages: MessageService;
/** What had come when nothing had happened yet. */
let first: JsonObject;

const newBooking = (fields: JsonObject) => gallery.book(Object.assign({}, FAR, fields));
/** A booking whose guest is written to tomorrow. */
const dueBooking = (email: string, fields: JsonObject = {}) =>
	gallery.book(
		Object.assign({}, inHours(20), guest('Anna', 'Lind', email), { language: 'sv-SE' }, fields),
	);

/** A row of a table that has these values, as soon as it is there. */
async function rowWith(table: string, values: JsonObject): Promise<JsonObject> {
	return await eventually(`a row of ${table} with ${JSON.stringify(values)}`, async () =>
		(await gallery.rowsNow(table)()).find((row) => hasValues(row, values)),
	);
}
async function lineWith(values: JsonObject): Promise<JsonObject> {
	return await eventually(`a line with ${JSON.stringify(values)}`, () =>
		sheet.lines().find((line) => hasValues(line, values)),
	);
}
function hasValues(row: JsonObject, values: JsonObject): boolean {
	return Object.entries(values).every(([name, value]) => String(row[name]) === String(value));
}
async function mailTo(address: string): Promise<string> {
	const [mail] = await gallery.mails(/./, address);
	if (!mail) throw new Error(`There is no mail to ${address}.`);
	return wordsOf(mail);
}
async function postWith(words: string): Promise<string> {
	return await eventually(`a message "${words}"`, () =>
		gallery.posts().find((text) => text.includes(words)),
	);
}
/** What the error workflow mailed about a workflow, as soon as it has these words. */
async function told(words: string): Promise<string> {
	const [mail] = await mailsWith(gallery, words, 'manager@');
	if (!mail) throw new Error(`Nothing was told of ${words}.`);
	return wordsOf(mail);
}
async function logOf({ guid }: Booking): Promise<string[]> {
	const all = await gallery.control<Array<{ web: Booking; log: string[] }>>(
		'GET',
		'/state/bookings',
	);
	return all.find(({ web }) => web.guid === guid)?.log ?? [];
}
async function setStatus(booking: Booking, status: number, statusName: string): Promise<void> {
	const step = { changeDate: DateTime.utc().toISO(), status, statusName };
	await gallery.change(booking, { status, history: [step, ...booking.history] });
}

beforeAll(async () => {
	sheet = await startGoogleSheet();
	messages = await startMessageService();
	const errorWorkflow = (await gallery.publish('tell-me-when-something-fails')).id;
	for (const name of NAMES) {
		published.set(name, await gallery.publish(name, {}, { settings: { errorWorkflow } }));
	}
	await sleep(POLLED_MS);
	const tables = [NEW, BOOKINGS, ANSWERS];
	const rows = await Promise.all(tables.map((table) => tableRows(gallery.client, table)));
	first = {
		mails: (await gallery.allMails()).length,
		posts: gallery.posts().length,
		messages: messages.messages.length,
		lines: sheet.lines().length,
		rows: rows.flat().length,
	};
	await Promise.all([happens(), answers()]);
});

afterAll(async () => {
	await gallery.respondAsUsual();
	await sheet?.close();
	await messages?.close();
});

let moved: Booking;
let canceled: Booking;
let large: Booking;
let noShow: Booking;
let paid: Booking;
let tables: Booking[];

/** All that happens to bookings. What changes later is seen as it was made first. */
async function happens(): Promise<void> {
	gallery.gate.refuse('Five-4');
	moved = await newBooking(guest('Moved', 'Guest'));
	canceled = await newBooking(Object.assign(guest('Secret <!channel>'), { guests: 1 }));
	large = await newBooking({ guests: LARGE });
	noShow = await newBooking(
		Object.assign(guest('Nora', 'Show', 'nora@example.com'), { language: 'de ' }),
	);
	paid = await newBooking(guest('Paid', 'Guest'));
	tables = await Promise.all(times(5, () => newBooking({})));
	await Promise.all(times(5, (index) => newBooking(guest(`Five-${index + 1}`))));
	await newBooking(Object.assign(guest('Single', 'Guest'), { guests: 3, guestsChildren: 1 }));
	await newBooking(Object.assign(guest('A\r\nBcc: all@example.com', '<b>x'), { message: ILL }));
	await newBooking(
		Object.assign(guest('=HYPERLINK("http://x.example")', 'Öberg'), { message: '=1+1' }),
	);
	await gallery.book(Object.assign(visitIn(31, 0, 30), guest('Night', 'Owl')));
	await dueBooking('one@example.com', { guests: 1, guestsChildren: 1 });
	await dueBooking('finnish@example.com', { language: 'fi-FI' });
	await dueBooking('german@example.com', { language: ' DE-at' });
	await dueBooking('x', guest('Win at https://evil.example', '', 'ill@example.com'));
	await dueBooking('a@example.com, victim@example.com');
	await dueBooking('', {
		contact: { id: 1, fname: 'Without', lname: 'Mail', email: '', mobile: '+46 70 999 88 77' },
	});
	await dueBooking('over@example.com', Object.assign({ language: 'de' }, inHours(-5)));
	await dueBooking('soon@example.com', inHours(3));
	await dueBooking(
		'nonumber@example.com',
		Object.assign(inHours(3), {
			contact: { id: 1, fname: 'No', lname: 'Number', email: 'nonumber@example.com', mobile: '' },
		}),
	);
	await sleep(POLLED_MS);
	await cancelTable(canceled, 'Window 1');
	for (const [index, booking] of tables.entries()) {
		await cancelTable(booking, index === 3 ? REFUSED : `Bar ${index + 1}`);
	}
	await gallery.change(paid, { chargePayedAmount: Number(paid.chargePayedAmount) + 75 });
	await gallery.change(moved, visitIn(33, 19, 30));
	await gallery.change(large, { guests: 95 });
	await setStatus(noShow, NO_SHOW, 'No-show');
}

async function cancelTable(booking: Booking, tableName: string): Promise<void> {
	const [table] = booking.articles;
	await gallery.change(booking, { articles: [Object.assign({}, table, { tableName })] });
	await gallery.cancel(booking);
}

async function answers(): Promise<void> {
	const all = await gallery.control<Array<{ id: string; status: number }>>(
		'GET',
		'/state/recipients',
	);
	const silent = all.filter(({ status }) => status !== RESPONDED);
	const scores = [
		{ name: 'Angry', score: '2' },
		{ name: 'Åsa', score: '2,5' },
		{ name: 'Pleased', score: '5' },
		{ name: 'Mute' },
		{ name: 'B\r\nBcc: all@example.com <img>', score: '1' },
	];
	for (const [index, { name, score }] of scores.entries()) {
		await gallery.control('PATCH', `/recipients/${silent[index]?.id}`, {
			name,
			replaceParams: { score },
			status: RESPONDED,
		});
	}
}

it('brings nothing where nothing has happened', () => {
	expect(first).toEqual({ mails: 0, posts: 0, messages: 0, lines: 0, rows: 0 });
});

describe('new-booking-to-email-and-row', () => {
	it('mails the kitchen once, in plain text with the weekday, and saves a row', async () => {
		const row = await rowWith(NEW, { guestName: 'Single Guest' });
		const [mail] = await mailsWith(gallery, 'Single Guest', 'kitchen@');
		expect(mail?.subject).toBe(`🆕 ${String(row.date)} ${String(row.time)}, 3 👤, Single Guest`);
		for (const part of [String(row.when), '3 👤', '1 🧒', 'tel:+46701234567']) {
			expect(mail?.text).toContain(part);
		}
		expect(mail?.text).not.toMatch(/null|undefined/);
		expect(mail?.html).toBeFalsy();
		expect(await mailsSoFar(gallery, 'Single Guest', 'kitchen@')).toHaveLength(1);
	});

	it('mails four of five once where the mail server refuses the fourth, saves five rows, and tells of it', async () => {
		const row = await rowWith(NEW, { guestName: 'Five-4' });
		expect(await told(String(row.bookingNumber))).toMatch(/Not emailed to the kitchen.*554/);
		for (const name of ['Five-1', 'Five-2', 'Five-3', 'Five-5']) {
			await rowWith(NEW, { guestName: name });
			expect(await mailsWith(gallery, name, 'kitchen@')).toHaveLength(1);
		}
		expect(await mailsSoFar(gallery, 'Five-4', 'kitchen@')).toEqual([]);
	});

	it('lets no guest add an address, and shows a time after midnight', async () => {
		const [mail] = await mailsWith(gallery, 'A Bcc: all@example.com', 'kitchen@');
		expect(mail?.to).toHaveLength(1);
		expect(mail?.text).not.toMatch(/\u202E|W{2001}/);
		await mailsWith(gallery, ' 00:30, ', 'kitchen@');
	});
});

describe.each([
	{ name: 'bookings-in-a-table', look: (values: JsonObject) => rowWith(BOOKINGS, values) },
	{ name: 'bookings-in-google-sheets', look: lineWith },
])('$name', ({ look }) => {
	it('has each booking once, as it is now', async () => {
		await look({ guid: large.guid, guests: 95 });
		await look({ guid: canceled.guid, state: 'canceled', status: 'Avbokad' });
		for (const index of times(5)) await look({ guestName: `Five-${index + 1}` });
	});

	it('keeps what a guest wrote a text', async () => {
		const row = await look({ message: '=1+1' });
		expect(row.guestName).toBe('=HYPERLINK("http://x.example") Öberg');
	});
});

describe('bookings-in-a-table, filled twice by hand while a poll saves', () => {
	it('has one row of each booking', async () => {
		const workflow = published.get('bookings-in-a-table') as StoredWorkflow;
		const made = await Promise.all(times(10, () => newBooking({})));
		const runs = await Promise.all(times(2, () => runByHand(gallery.client, workflow)));
		for (const { guid } of made) await rowWith(BOOKINGS, { guid });
		await sleep(POLLED_MS);
		const guids = (await tableRows(gallery.client, BOOKINGS)).map(({ guid }) => guid);
		expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(uniq(guids)).toEqual(guids);
	});
});

describe('canceled-booking-offer-table', () => {
	it('says which table is free, when, for how many, without the name of the guest', async () => {
		const text = await postWith('Window 1');
		expect(text).toMatch(/^Ledigt igen: .*\d\d:\d\d, 1 gäst, Window 1$/);
		expect(text).not.toContain('Secret');
	});
});

describe('canceled-booking-offer-table, where the channel refuses the fourth of five', () => {
	it('posts the others once, and tells of it', async () => {
		for (const name of ['Bar 1', 'Bar 2', 'Bar 3', 'Bar 5']) await postWith(name);
		expect(await told(REFUSED)).toContain('Not posted in the channel');
		for (const name of ['Bar 1', 'Bar 5', REFUSED]) {
			expect(gallery.posts().filter((text) => text.includes(name))).toHaveLength(1);
		}
	});
});

describe('payment-to-the-books', () => {
	it('has a line of what was paid more than before, in the currency of the house', async () => {
		const ofBooking = ({ bookingNumber, paid: more }: JsonObject) =>
			bookingNumber === paid.globalBookingNumber && more === 75;
		const line = await eventually('its line', () => sheet.lines('Payments').find(ofBooking));
		expect(line).toMatchObject({ refunded: 0, currency: 'EUR', guestName: 'Paid Guest' });
	});
});

describe('moved-booking-to-staff', () => {
	it('says when it was and when it is, with the weekday', async () => {
		const [mail] = await mailsWith(gallery, 'Moved Guest', 'manager@');
		expect(mail?.subject).toMatch(/^Flyttad: .*19:30/);
		expect(mail?.text).toMatch(/Tidigare: \p{L}+dag \d{4}-\d\d-\d\d \d\d:\d\d – /u);
	});
});

describe('note-what-changed', () => {
	it('notes a change once, also after the next polls', async () => {
		const noted = () => logOf(large).then((log) => log.filter((line) => line.startsWith('Ändrat')));
		await eventually('the note', async () => (await noted()).length > 0);
		await sleep(2 * POLLED_MS);
		expect(await noted()).toEqual(['Ändrat: gäster 90 → 95']);
	});
});

describe('no-show-follow-up', () => {
	it('writes to the guest in their language, by name', async () => {
		const text = await mailTo('nora@');
		expect(text).toContain(`${HOUSE}: Wir haben Sie vermisst`);
		expect(text).toContain('Guten Tag Nora Show,');
	});
});

describe('reminder-and-review-request', () => {
	it('reminds each guest once, by name, with time and size, in their language or English', async () => {
		const text = await mailTo('one@');
		const [booking] = await gallery
			.control<Array<{ web: Booking }>>('GET', '/state/bookings')
			.then((all) => all.filter(({ web }) => web.contact.email === 'one@example.com'));
		const format = new Intl.DateTimeFormat('sv-SE', {
			dateStyle: 'full',
			timeStyle: 'short',
			timeZone: TIME_ZONE,
		});
		for (const part of [
			`${HOUSE}: Vi ses snart`,
			'Hej Anna Lind,',
			format.format(new Date(String(booking?.web.start))),
			'1 gäst, 1 barn',
			'+46 40 123 45 67',
		]) {
			expect(text).toContain(part);
		}
		expect(await mailTo('finnish@')).toContain('See you soon');
		expect(await mailTo('german@')).toContain('Bis bald');
		expect(await mailsSoFar(gallery, 'Vi ses snart', 'one@')).toHaveLength(1);
	});

	it('asks for a review after the visit', async () => {
		const text = await mailTo('over@');
		expect(text).toContain('Wie war es?');
		expect(text).toContain('example.com/reviews');
	});

	it('mails on no address that a guest wrote as a name, and to nobody else', async () => {
		expect(await mailTo('ill@')).not.toContain('evil');
		expect(await mailsSoFar(gallery, '', 'victim@')).toEqual([]);
	});

	it('lists those who got nothing in one error, with their phone', async () => {
		expect(await told('tel:+46709998877')).toContain('No email was sent to these guests');
	});

	it('sends nothing and names the fields while Your house is empty', async () => {
		const { id } = await gallery.publish(
			'reminder-and-review-request',
			house('reminder-and-review-request', {}),
		);
		await dueBooking('nothing-entered@example.com');
		const failed = await eventually('what is missing', async () =>
			(await gallery.client.executions(id)).find(({ status }) => status === 'error'),
		);
		const { error } = await gallery.client.execution(failed.id);
		expect(error?.message).toContain("Enter in 'Your house': name, phone, reviewPage");
	});
});

describe('sms-or-whatsapp-reminder', () => {
	it('sends a short message to a number with its country, and lists who has none', async () => {
		const message = await eventually('the message', () =>
			messages.messages.find(({ to }) => to === '+46701234567'),
		);
		expect(message.text).toMatch(/^Harbour House\. Vi ses snart: /);
		expect(await told('No message was sent to these guests')).not.toContain('tel:+46701234567');
	});
});

describe('survey-answers-and-alert', () => {
	it('saves every answer as a row, and mails the low ones alone', async () => {
		await rowWith(ANSWERS, { name: 'Angry', score: 2 });
		await rowWith(ANSWERS, { name: 'Åsa', score: 2.5 });
		await rowWith(ANSWERS, { name: 'Pleased', score: 5 });
		expect(await rowWith(ANSWERS, { name: 'Mute' })).toMatchObject({ score: null });
		await gallery.mails(/^★ 2 · Angry$/);
		await gallery.mails(/^★ 2.5 · Åsa$/);
		const [mail] = await gallery.mails(/^★ 1 · B Bcc/);
		expect(mail?.to).toHaveLength(1);
		expect(await mailsSoFar(gallery, '· Pleased')).toEqual([]);
	});
});

// ---- Outages, one kind after the other

describe('an outage', () => {
	it('of the mail server: the row is there, and what was not mailed is told when it is back', async () => {
		await gallery.gate.shut();
		await newBooking(guest('Unmailed'));
		const row = await rowWith(NEW, { guestName: 'Unmailed' });
		await sleep(POLLED_MS);
		await gallery.gate.open();
		expect(await told(String(row.bookingNumber))).toContain('Not emailed to the kitchen');
		expect(await mailsSoFar(gallery, 'Unmailed', 'kitchen@')).toEqual([]);
	});

	it('of the service: one mail tells of it, and what happened meanwhile comes once afterwards', async () => {
		await gallery.respond('/api/', 500);
		const booking = await newBooking(Object.assign(guest('Meanwhile'), { guests: 9 }));
		expect(await told('(500)')).toContain('Please look: ');
		await gallery.respondAsUsual();
		await rowWith(BOOKINGS, { guid: booking.guid });
		await rowWith(NEW, { guid: booking.guid });
		expect(await mailsWith(gallery, 'Meanwhile', 'kitchen@')).toHaveLength(1);
	});

	it('of the table: the kitchen gets its mail, and the row that is missing is told', async () => {
		await dropTable(gallery.client, NEW);
		await makeTable(NEW, ['date']);
		await newBooking(guest('Tableless'));
		await mailsWith(gallery, 'Tableless', 'kitchen@');
		const { bookingNumber } = await rowWith(BOOKINGS, { guestName: 'Tableless' });
		expect(await told(String(bookingNumber))).toContain('not saved as a row');
	});
});

/** Makes a data table that lacks columns. */
async function makeTable(name: string, columns: string[]): Promise<void> {
	const { id } = (await gallery.client.request('GET', '/rest/projects/personal')) as { id: string };
	await gallery.client.request('POST', `/rest/projects/${id}/data-tables`, {
		name,
		columns: columns.map((column) => ({ name: column, type: 'string' })),
	});
}
