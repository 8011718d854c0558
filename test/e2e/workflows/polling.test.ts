import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import camelCase from 'lodash/camelCase';
import isMatch from 'lodash/isMatch';
import mapKeys from 'lodash/mapKeys';
import times from 'lodash/times';
import { DateTime } from 'luxon';
import type { Mail } from '../../../dev/demo/inbox.ts';
import { tableRows } from '../../../dev/demo/table.ts';
import type { JsonObject, StoredWorkflow } from '../../../dev/n8nClient.ts';
import { type TestServer, startServer } from '../../engine/support/server';
import { type GoogleSheet, startGoogleSheet } from './googleSheet';
import { eventually } from '../../support/progress';
import { type Booking, CANCELED, inLanguage, readable, TIME_ZONE, useGallery, visit } from './support';
import { type Tried, tryAllAtOnce } from './tried';

const BOOKINGS = 'Hospitality Bookings';
const NEW_BOOKINGS = 'Hospitality New Bookings';
const ANSWERS = 'Hospitality Survey Answers';
const FILES = [
	'bookings-in-a-table',
	'bookings-in-google-sheets',
	'canceled-booking-offer-table',
	'new-booking-to-email-and-row',
	'reminder-and-review-request',
	'survey-answers-and-alert',
];
/** Two polls. */
const POLLED_MS = 11_000;
const MANY = 10;
const ILL = '=HYPERLINK("http://x.example","free")';
const RESPONDED = 4;

interface Recipient {
	id: string;
	name: string;
	status: number;
	replaceParams: JsonObject;
}

const gallery = useGallery(BOOKINGS, NEW_BOOKINGS, ANSWERS);
const inHours = (hours: number) => visit(DateTime.utc().plus({ hours }));
/** A booking that no reminder is due for. */
const FAR = inHours(400);
const avbokad = (booking: Booking) => ({
	status: CANCELED,
	history: [
		{ changeDate: DateTime.utc().toISO(), status: CANCELED, statusName: 'Avbokad' },
		...(booking.history as JsonObject[]),
	],
});

let workflows: Map<string, StoredWorkflow>;
let channel: TestServer;
let sheet: GoogleSheet;
let contact: Booking['contact'];
/** Who has not answered a survey yet. */
let silent: Recipient[];
/** What had come when nothing had happened yet. */
let first: { mails: Mail[]; posts: number; lines: number; rows: number };

const guest = (fname: string, fields: JsonObject = {}) => ({
	contact: { ...contact, fname, lname: '', ...fields },
});
const posts = () =>
	channel.received
		.filter(({ method }) => method === 'POST')
		.map(({ body }) => (JSON.parse(body) as { text: string }).text);
const rowsOf = (table: string) => tableRows(gallery.client, table);
const mailsTo = async (address: string) =>
	(await gallery.allMails()).filter(({ to }) => to.some((one) => one.address === address));
const firstTo = (address: string) =>
	eventually(`a mail to ${address}`, async () => (await mailsTo(address))[0]);

beforeAll(async () => {
	channel = await startServer((_, response) => response.writeHead(200).end('ok'));
	sheet = await startGoogleSheet();
	({ contact } = await gallery.book(FAR));
	const parameters: Record<string, Record<string, JsonObject>> = {
		'bookings-in-google-sheets': {
			'Save or update its line': { documentId: { __rl: true, mode: 'id', value: 'the-document' } },
		},
		'canceled-booking-offer-table': { 'Post it in the channel': { url: `${channel.url}/channel` } },
		'reminder-and-review-request': {
			'Open the page for reviews': { url: `${channel.url}/reviews` },
			...inLanguage('sv'),
		},
	};
	workflows = new Map();
	for (const name of FILES) workflows.set(name, await gallery.publish(name, parameters[name]));
	const recipients = await gallery.control<Recipient[]>('GET', '/state/recipients');
	silent = recipients.filter(({ status }) => status !== RESPONDED);
	await sleep(POLLED_MS);
	first = {
		mails: await gallery.allMails(),
		posts: posts().length,
		lines: sheet.lines().length,
		rows: (await Promise.all([BOOKINGS, NEW_BOOKINGS, ANSWERS].map(rowsOf))).flat().length,
	};
});

afterAll(async () => {
	await gallery.respondAsUsual();
	await channel?.close();
	await sheet?.close();
});

/** All files fail at once, for several polls, and work again: told once when it begins, and once when it is over. */
let outage: Promise<Map<string, string[]>> | undefined;
async function makeOutage(): Promise<Map<string, string[]>> {
	const before = (await gallery.allMails()).length;
	const told = async () => (await gallery.allMails()).slice(before).map(({ subject }) => subject);
	const count = async (beginning: string) => (await told()).filter((one) => one.startsWith(beginning)).length;
	await gallery.respond('/api/', 500);
	await eventually('the beginning', async () => (await count('Please look')) >= FILES.length);
	await sleep(POLLED_MS);
	await gallery.respondAsUsual();
	await eventually('the end', async () => (await count('It works again')) >= FILES.length);
	const subjects = await told();
	return new Map(
		FILES.map((name) => [
			name,
			subjects.filter((subject) => subject.endsWith(`: ${workflows.get(name)?.name}`)),
		]),
	);
}
const tellsOnce = (name: string) => async () => {
	outage ??= makeOutage();
	const title = workflows.get(name)?.name;
	expect((await outage).get(name)).toEqual([`Please look: ${title}`, `It works again: ${title}`]);
};

/** A file that keeps a row of each booking up to date; `rowsNow` gives its rows as those of the data table. */
const keepsRows = (name: string, rowsNow: () => Promise<JsonObject[]>, already: () => number): Tried => {
	const rowOf = async ({ guid }: Booking, values: JsonObject = {}) =>
		await eventually(`the row of ${guid}`, async () =>
			(await rowsNow()).find((row) => isMatch(row, { bookingId: guid, ...values })),
		);
	return {
		'nothing found': async () => {
			expect(already()).toBe(0);
		},
		'one found': async () => {
			const booking = await gallery.book({ ...FAR, guests: 2 });
			await rowOf(booking, { guests: 2, state: 'expected', start: readable(booking.start) });
			await gallery.change(booking, { guests: 7 });
			await rowOf(booking, { guests: 7 });
			const own = (await rowsNow()).filter(({ bookingId }) => bookingId === booking.guid);
			expect(own).toMatchObject([{ guests: 7, start: readable(booking.start) }]);
		},
		'many found': async () => {
			await gallery.control('POST', '/bookings', { count: MANY, booking: { ...FAR, ...guest(name) } });
			const rows = await eventually('the rows', async () => {
				const found = (await rowsNow()).filter(({ guestName }) => guestName === name);
				return found.length >= MANY && found;
			});
			expect(new Set(rows.map(({ bookingId }) => bookingId)).size).toBe(MANY);
		},
		'another language': async () => {
			const booking = await gallery.book({ ...FAR, ...guest('Åsa Öberg') });
			await rowOf(booking);
			await gallery.change(booking, avbokad(booking));
			expect(await rowOf(booking, { state: 'canceled' })).toMatchObject({
				status: 'Avbokad',
				guestName: 'Åsa Öberg',
			});
		},
		'a guest who wishes ill': async () => {
			const [message, phone] = [ILL, '+46701234567'];
			const booking = await gallery.book({ ...FAR, ...guest(ILL, { mobile: phone }), message });
			expect(await rowOf(booking)).toMatchObject({ guestName: ILL, message, phone });
		},
		'an outage': tellsOnce(name),
		'the first day': async () => {
			expect(first.mails).toEqual([]);
		},
	};
};

const bookingsInATable = keepsRows(
	'bookings-in-a-table',
	() => gallery.rowsNow(BOOKINGS)(),
	() => first.rows,
);

const inGoogleSheets = keepsRows(
	'bookings-in-google-sheets',
	async () =>
		await Promise.resolve(
			sheet.lines().map((line) => {
				const row = mapKeys(line, (_, heading) => camelCase(heading));
				return { ...row, guests: Number(row.guests) };
			}),
		),
	() => first.lines,
);
const bookingsInGoogleSheets: Tried = {
	...inGoogleSheets,
	'a guest who wishes ill': async () => {
		await inGoogleSheets['a guest who wishes ill']();
		expect([...sheet.inputOptions]).toEqual(['RAW']);
	},
};

const offered = (table: string) =>
	eventually('the message', async () => posts().find((text) => text.includes(table)));
/** Cancels a booking of a table of this name. */
async function cancel(tableName: string, fields: JsonObject = {}): Promise<void> {
	const booking = await gallery.book({ ...FAR, ...fields });
	const [table] = booking.articles as JsonObject[];
	await gallery.change(booking, { articles: [{ ...table, tableName }] });
	await gallery.change(booking, avbokad(booking));
}

const canceledBooking: Tried = {
	'nothing found': async () => {
		expect(first.posts).toBe(0);
	},
	'one found': async () => {
		await cancel('Window table', { guests: 6 });
		expect(await offered('Window table')).toBe(
			`Free again: Window table for 6 guests, ${readable(String(FAR.start))}`,
		);
	},
	'many found': async () => {
		for (const index of times(5)) await cancel(`Table of many ${index}`);
		for (const index of times(5)) await offered(`Table of many ${index}`);
	},
	'another language': async () => {
		await cancel('Bord på terrassen');
		expect(await offered('Bord på terrassen')).toContain('Free again');
	},
	'a guest who wishes ill': async () => {
		await cancel('Quiet table', { ...guest('@channel'), message: '@channel' });
		expect(await offered('Quiet table')).not.toContain('@channel');
	},
	'an outage': tellsOnce('canceled-booking-offer-table'),
	'the first day': async () => {
		await cancel('Table of yesterday', inHours(-30));
		await cancel('Table of tomorrow');
		await offered('Table of tomorrow');
		expect(posts().filter((text) => text.includes('yesterday'))).toEqual([]);
	},
};

const newBooking: Tried = {
	'nothing found': async () => {
		expect(first.mails).toEqual([]);
	},
	'one found': async () => {
		const booking = await gallery.book({ ...FAR, guests: 4, message: 'By the window' });
		const [mail] = await gallery.mails(/^New booking for 4 on /, { text: booking.globalBookingNumber });
		expect(mail?.text).toContain(readable(booking.start));
		expect(mail?.to).toEqual([expect.objectContaining({ address: 'kitchen@example.com' })]);
		expect(await gallery.rowOf(NEW_BOOKINGS, booking)).toMatchObject({ message: 'By the window', guests: 4 });
	},
	'many found': async () => {
		await gallery.control('POST', '/bookings', { count: MANY, booking: { ...FAR, ...guest('Crowd') } });
		expect(await gallery.mails(/^New booking/, { count: MANY, text: 'Crowd' })).toHaveLength(MANY);
	},
	'another language': async () => {
		const booking = await gallery.book({ ...FAR, ...guest('Łukasz Åkesson') });
		const [mail] = await gallery.mails(/^New booking/, { text: booking.globalBookingNumber });
		expect(mail?.text).toContain('Łukasz Åkesson');
	},
	'a guest who wishes ill': async () => {
		const booking = await gallery.book({ ...FAR, ...guest('A\r\nBcc: all@example.com') });
		const [mail] = await gallery.mails(/^New booking/, { text: booking.globalBookingNumber });
		expect(mail?.text).toContain('Guest:    A Bcc: all@example.com\n');
		expect(mail?.to).toHaveLength(1);
	},
	'an outage': tellsOnce('new-booking-to-email-and-row'),
	'the first day': async () => {
		expect(first.rows).toBe(0);
	},
};

const reminded = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);
const afterAnother = async () => {
	const email = `last-${randomUUID()}@example.com`;
	await gallery.book({ ...inHours(20), ...guest('Last', { email }) });
	await eventually('the last reminder', async () => (await reminded(email))[0]);
};

const reminder: Tried = {
	'nothing found': async () => {
		await gallery.book({ ...inHours(20), ...guest('Silent', { email: '' }) });
		await gallery.book({ ...FAR, ...guest('Later', { email: 'later@example.com' }) });
		await afterAnother();
		expect(await reminded('later@example.com')).toEqual([]);
	},
	'one found': async () => {
		const booking = await gallery.book({ ...inHours(20), ...guest('Anna', { email: 'anna@example.com' }) });
		await gallery.book({ ...inHours(-5), ...guest('Over', { email: 'over@example.com' }) });
		await eventually('the reminder', async () => (await reminded('anna@example.com'))[0]);
		await gallery.change(booking, { guests: 3 });
		await afterAnother();
		const [mail] = await mailsTo('anna@example.com');
		expect(mail?.text).toContain(DateTime.fromISO(booking.start, { zone: TIME_ZONE }).toFormat('HH:mm'));
		expect(await reminded('anna@example.com')).toHaveLength(1);
		const review = await firstTo('over@example.com');
		expect(review?.text).toContain(`${channel.url}/reviews`);
	},
	'many found': async () => {
		const emails = times(10, (index) => `many-${index}@example.com`);
		for (const email of emails) await gallery.book({ ...inHours(20), ...guest('Several', { email }) });
		for (const email of emails) await eventually('its reminder', async () => (await reminded(email))[0]);
	},
	'another language': async () => {
		const [email, off] = ['asa@example.com', 'off@example.com'];
		const canceled = await gallery.book({ ...FAR, ...guest('Off', { email: off }) });
		await gallery.change(canceled, { ...avbokad(canceled), ...inHours(20) });
		const booking = await gallery.book({ ...inHours(20), ...guest('Åsa', { email }) });
		const subject = await eventually('the reminder', async () => (await reminded(email))[0]);
		const start = DateTime.fromISO(booking.start, { zone: TIME_ZONE, locale: 'sv' });
		expect(subject).toBe(`See you ${start.toFormat('cccc, HH:mm')}`);
		expect(await reminded(off)).toEqual([]);
	},
	'a guest who wishes ill': async () => {
		const many = times(21, (index) => `victim-${index}@example.com`).join(', ');
		await gallery.book({ ...inHours(20), ...guest('Relay', { email: many }) });
		await gallery.book({ ...inHours(-5), ...guest('Relay', { email: many }) });
		await gallery.book({ ...inHours(-5), ...guest('Win\n\nit', { email: 'ended@example.com' }) });
		const email = 'ill@example.com';
		await gallery.book({ ...inHours(20), ...guest('Win\n\nat https://evil.example now', { email }) });
		await eventually('the reminder', async () => (await reminded(email))[0]);
		const [mail] = await mailsTo(email);
		expect(mail?.text).not.toContain('evil.example');
		expect(mail?.text.split('\n')[0]).toMatch(/^Dear Win at /);
		const review = await firstTo('ended@example.com');
		expect(review?.text.split('\n')[0]).toMatch(/^Dear Win it/);
		expect(await reminded('victim-0@example.com')).toEqual([]);
	},
	'an outage': tellsOnce('reminder-and-review-request'),
	'the first day': async () => {
		expect(first.mails).toEqual([]);
	},
};

/** Lets somebody answer a survey. */
async function answer(replaceParams: JsonObject, name?: string): Promise<Recipient> {
	const recipient = silent.shift();
	if (!recipient) throw new Error('Nobody is left to answer.');
	const changed = { replaceParams, status: RESPONDED, ...(name === undefined ? {} : { name }) };
	await gallery.control('PATCH', `/recipients/${recipient.id}`, changed);
	return { ...recipient, ...changed };
}
const answerRow = async ({ id }: Recipient) =>
	(await gallery.rows(ANSWERS, ({ recipientId }) => recipientId === id))[0];

const surveyAnswers: Tried = {
	'nothing found': async () => {
		expect(await answerRow(await answer({}))).toMatchObject({ score: null });
	},
	'one found': async () => {
		const angry = await answer({ score: '2' });
		expect(await answerRow(angry)).toMatchObject({ score: 2 });
		const [mail] = await gallery.mails(/^Score 2 /, { text: angry.id });
		expect(mail?.subject).toBe(`Score 2 from ${angry.name}`);
	},
	'many found': async () => {
		for (const score of ['5', '4', '5']) await answerRow(await answer({ score }));
		const last = await answer({ score: '2.5' });
		await gallery.mails(/^Score 2.5 /, { text: last.id });
		const subjects = (await gallery.allMails()).map(({ subject }) => subject);
		expect(subjects.filter((subject) => /^Score [45]/.test(subject))).toEqual([]);
	},
	'another language': async () => {
		expect(await answerRow(await answer({ score: '2,5' }, 'Åsa'))).toMatchObject({ score: 2.5, name: 'Åsa' });
	},
	'a guest who wishes ill': async () => {
		const ill = await answer({ score: '1' }, 'A\r\nBcc: all@example.com');
		const [mail] = await gallery.mails(/^Score 1 /, { text: ill.id });
		expect(mail?.subject).toBe('Score 1 from A Bcc: all@example.com');
		expect(mail?.to).toHaveLength(1);
	},
	'an outage': tellsOnce('survey-answers-and-alert'),
	'the first day': async () => {
		expect(first.rows).toBe(0);
	},
};

tryAllAtOnce({
	'bookings-in-a-table': bookingsInATable,
	'bookings-in-google-sheets': bookingsInGoogleSheets,
	'canceled-booking-offer-table': canceledBooking,
	'new-booking-to-email-and-row': newBooking,
	'reminder-and-review-request': reminder,
	'survey-answers-and-alert': surveyAnswers,
});
