import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import memoize from 'lodash/memoize';
import times from 'lodash/times';
import { DateTime } from 'luxon';
import { sheetRows } from '../../../demo/sheet.ts';
import { addRows, tableRows } from '../../../demo/table.ts';
import type { Execution, JsonObject } from '../../../harness/n8nClient.ts';
import { connectAgent } from '../support/agent';
import { PriceForm } from './priceForm';
import { AGENT_TOKEN, describeFile, eventually, readable, TIME_ZONE, useGallery } from './support';
import { type Tried, tryAll } from './tried';

const BOOKINGS = 'Hospitality Bookings';
const NEW_BOOKINGS = 'Hospitality New Bookings';
const ANSWERS = 'Hospitality Survey Answers';
const LIST = 'WebBookings';

/** Newest first, in another language, as some services write it. */
const AVBOKAD = {
	status: 5,
	createdDate: '2026-11-01T10:00:00Z',
	history: [
		{ changeDate: '2026-11-02T10:00:00Z', status: 5, statusName: 'Avbokad' },
		{ changeDate: '2026-11-01T10:00:00Z', status: 2, statusName: 'Bekräftad' },
	],
};
const CONFIRMED = {
	status: 2,
	createdDate: '2026-11-01T10:00:00Z',
	history: [
		{ changeDate: '2026-11-02T10:00:00Z', status: 2, statusName: 'Bekräftad' },
		{ changeDate: '2026-11-01T10:00:00Z', status: 5, statusName: 'Avbokad' },
	],
};
const guest = (fname: string, lname = '') => ({
	contact: { id: 1, fname, lname, email: 'guest@example.com', mobile: '+46 70 123 45 67' },
});
/** Runs a schedule every second, for as long as something is waited for. */
const EVERY_SECOND = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };

const gallery = useGallery(BOOKINGS, NEW_BOOKINGS, ANSWERS);
const today = (hour: number) => {
	const start = DateTime.now().setZone(TIME_ZONE).set({ hour, minute: 15, second: 0, millisecond: 0 });
	return { start: start.toUTC().toISO(), end: start.plus({ hours: 2 }).toUTC().toISO(), ...CONFIRMED };
};
const changedAgo = (minutes: number) => ({ changeDate: DateTime.utc().minus({ minutes }).toISO() });
const itemsOf = ({ runs }: Execution, node: string): JsonObject[] =>
	(runs[node]?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);

afterEach(async () => {
	await gallery.respondAsUsual();
	await gallery.putAccount();
});

async function run(
	name: string,
	bookings?: JsonObject[],
	parameters?: Record<string, JsonObject>,
): Promise<Execution> {
	await gallery.respondAsUsual();
	if (bookings) await gallery.respond(LIST, 200, bookings);
	const { run: runHere } = await gallery.load(name, parameters);
	return await runHere();
}

/** The mails that an act brings. */
async function mailsOf(act: () => Promise<unknown>) {
	const before = new Set((await gallery.inbox.mails()).map(({ id }) => id));
	await act();
	return (await gallery.inbox.mails()).filter(({ id }) => !before.has(id));
}

/** Runs a file by its own schedule while the service fails, until the manager has been told. */
async function outage(name: string, schedule: string) {
	await gallery.respond('/', 500);
	return await mailsOf(async () => {
		const { workflow } = await gallery.publish(name, { [schedule]: EVERY_SECOND });
		await gallery.mails(new RegExp(`^Please look: ${workflow.name}`));
		await gallery.client.deactivate(workflow);
	});
}

/** With a credential that does not say yet what its statuses mean. */
async function withoutRoles(name: string, parameters?: Record<string, JsonObject>): Promise<void> {
	await gallery.putAccount({ canceledStatuses: '', noShowStatuses: '', finishedStatuses: '' });
	const { status, error } = await run(name, [gallery.sample(today(12))], parameters);
	expect(status).toBe('error');
	expect(`${error?.message} ${error?.description}`).toContain('Canceled Statuses');
}

/** Left empty, a required field is named; n8n 1 runs nothing where one is. */
async function asksFor(field: string, name: string): Promise<void> {
	const said = await run(name).then(({ error }) => JSON.stringify(error), String);
	expect(said).toMatch(new RegExp(`${field}|has issues`));
}

async function arrivals(bookings: JsonObject[], language = 'en') {
	const assignments = [{ id: 'language', name: 'language', value: language, type: 'string' }];
	const [mail, ...others] = await mailsOf(() =>
		run('arrivals-every-morning', bookings, {
			'Say it in this language': { assignments: { assignments } },
		}),
	);
	expect(others).toEqual([]);
	return mail?.html ?? '';
}

const arrivalsEveryMorning: Tried = {
	'nothing found': async () => {
		expect(await arrivals([])).toContain('Nobody has booked for today.');
	},
	'one found': async () => {
		const html = await arrivals([gallery.sample({ ...today(19), guests: 1, ...guest('Anna', 'Lind') })]);
		expect(html).toContain('1 booking, 1 guests');
		expect(html).toContain('19:15 · 1 guest');
		expect(html).toContain('href="tel:+46701234567"');
	},
	'many found': async () => {
		const hours = [21, 11, 17];
		const html = await arrivals(
			times(60, (index) => gallery.sample({ ...today(hours[index % 3] ?? 0), guests: 2 })),
		);
		expect(html).toContain('60 bookings, 120 guests');
		const shown = [...html.matchAll(/(\d\d:\d\d) · /g)].map(([, time]) => time);
		expect(shown).toEqual([...shown].sort());
	},
	'another language': async () => {
		const html = await arrivals(
			[
				gallery.sample({ ...today(12), ...guest('Off'), ...AVBOKAD }),
				gallery.sample({ ...today(12), ...guest('Åsa') }),
			],
			'sv',
		);
		expect(html).toContain(DateTime.now().setZone(TIME_ZONE).setLocale('sv').toFormat('cccc d LLLL'));
		expect(html).toContain('Åsa');
		expect(html).not.toContain('Off');
	},
	'a guest who wishes ill': async () => {
		const html = await arrivals([
			gallery.sample({ ...today(12), ...guest('<img src=x>'), message: '"><b>hi</b>' }),
		]);
		expect(html).toContain('&lt;img src=x>');
		expect(html).toContain('&quot;>&lt;b>hi&lt;/b>');
	},
	'an outage': async () => {
		const mails = await outage('arrivals-every-morning', 'Every morning at half past six');
		expect(mails.filter(({ subject }) => subject.startsWith('Arrivals'))).toEqual([]);
	},
	'the first day': () => withoutRoles('arrivals-every-morning'),
};

/** Publishes a file, once. @returns the path of its address, which nobody can guess */
const pathOf = memoize(async (name: string, node: string) => {
	const { workflow } = await gallery.publish(name);
	const { path } = await gallery.parametersOf(workflow, node);
	expect(String(path)).toMatch(/^[0-9a-f-]{36}$/);
	return String(path);
});

const toolsPath = () => pathOf('booking-tools-for-ai-agents', 'An AI agent connects');
/** What a tool of the published server says. */
async function ask(tool: string, given: JsonObject): Promise<string> {
	const agent = await connectAgent(await toolsPath(), AGENT_TOKEN);
	const said = await agent.call(tool, given);
	await agent.close();
	return said;
}

const bookingTools: Tried = {
	'nothing found': async () => {
		expect(await ask('Find_booking', { words: 'Nobody of this name' })).toBe('[]');
	},
	'one found': async () => {
		const { contact } = await gallery.book();
		const booking = await gallery.book({ contact: { ...contact, mobile: '+46701239876' } });
		expect(await ask('Find_booking', { words: '070-123 98 76' })).toContain(booking.guid);
	},
	'many found': async () => {
		const booking = await gallery.book();
		const { start: from, end: until } = booking;
		expect(await ask('List_bookings', { from, until })).toContain(booking.guid);
	},
	'another language': async () => {
		const { contact } = await gallery.book();
		const booking = await gallery.book({ contact: { ...contact, lname: 'Öberg-Żółć' } });
		expect(await ask('Find_booking', { words: 'öberg-żółć' })).toContain(booking.guid);
	},
	'a guest who wishes ill': async () => {
		const booking = await gallery.book();
		const unasked = await ask('Cancel_booking', { confirmed: false, guid: booking.guid });
		expect(unasked).toContain('not confirmed by the person');
		expect(await ask('Find_booking', { words: '  ' })).not.toContain('guid');
		expect((await gallery.stored(booking)).web.status).not.toBe(5);
	},
	'an outage': async () => {
		await gallery.respond('/api/', 500);
		expect(await ask('Find_booking', { words: 'Lind' })).toContain('500');
	},
	'the first day': async () => {
		await expect(connectAgent(await toolsPath())).rejects.toThrow();
		await expect(connectAgent(await toolsPath(), 'of-somebody-else')).rejects.toThrow();
	},
};

/** What a calendar is answered. */
async function calendar(bookings?: JsonObject[]) {
	if (bookings) await gallery.respond(LIST, 200, bookings);
	const path = await pathOf('bookings-as-a-calendar', 'A calendar asks');
	const response = await fetch(`${gallery.client.url}/webhook/${path}`);
	const text = await response.text();
	if (response.status !== 200) return { status: response.status, text, events: [] };
	const root = new ICAL.Component(ICAL.parse(text) as unknown[]);
	const events = root.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
	return { status: response.status, text, events };
}

const bookingsAsACalendar: Tried = {
	'nothing found': async () => {
		expect((await calendar([])).events).toEqual([]);
	},
	'one found': async () => {
		const booking = gallery.sample({
			...today(18),
			guests: 1,
			...guest('Åsa; "the, long"', 'Öberg 🦀 of a very long name indeed'),
		});
		const { events, text } = await calendar([booking]);
		expect(events[0]?.summary).toBe('Åsa; "the, long" Öberg 🦀 of a very long name indeed, 1 guest');
		expect(events[0]?.startDate.toJSDate().getTime()).toBe(Date.parse(String(booking.start)));
		const lines = text.split('\r\n').map((line) => Buffer.byteLength(line));
		expect(Math.max(...lines)).toBeLessThanOrEqual(75);
	},
	'many found': async () => {
		expect((await calendar(times(200, () => gallery.sample(today(18))))).events).toHaveLength(200);
	},
	'another language': async () => {
		const local = { start: '2026-10-25T18:30:00', end: '2026-10-25T20:30:00' };
		const { events } = await calendar([
			gallery.sample({ ...today(18), ...AVBOKAD }),
			gallery.sample({ ...CONFIRMED, ...local }),
		]);
		expect(events.map(({ startDate }) => startDate.toJSDate().toISOString())).toEqual([
			'2026-10-25T17:30:00.000Z',
		]);
	},
	'a guest who wishes ill': async () => {
		const { events } = await calendar([
			gallery.sample({
				...today(18),
				message: 'x\r\nEND:VEVENT\rBEGIN:VEVENT\nUID:forged\u2028END:VCALENDAR',
			}),
		]);
		expect(events.map(({ uid }) => uid)).toHaveLength(1);
		expect(events[0]?.uid).not.toBe('forged');
	},
	'an outage': async () => {
		await gallery.respond('/api/', 500);
		const { status, text } = await calendar();
		expect(status).toBe(503);
		expect(text).not.toContain('BEGIN:VCALENDAR');
		await gallery.mails(/^Please look: Bookings as a calendar/, { text: '500' });
		await gallery.respondAsUsual();
		await gallery.mails(/^It works again: Bookings as a calendar/);
	},
	'the first day': async () => {
		await gallery.putAccount({ canceledStatuses: '', noShowStatuses: '', finishedStatuses: '' });
		expect((await calendar([gallery.sample(today(18))])).status).toBe(503);
	},
};

const csvFile = () => join(gallery.filesFolder, 'bookings.csv');
const csv = async (bookings: JsonObject[]) => {
	expect((await run('bookings-to-csv-file', bookings)).status).toBe('success');
	return sheetRows(csvFile());
};

const bookingsToCsvFile: Tried = {
	'nothing found': async () => {
		expect(await csv([gallery.sample(today(18))])).toHaveLength(1);
		expect(await csv([])).toEqual([]);
		expect(readFileSync(csvFile(), 'utf8')).toContain('"Booking ID","Booking Number"');
	},
	'one found': async () => {
		const booking = gallery.sample({
			...today(18),
			...guest('Anna', 'Lind'),
			message: 'Two lines,\nand a "quote"',
		});
		expect(await csv([booking])).toEqual([
			expect.objectContaining({
				'Booking ID': booking.guid,
				State: 'expected',
				Start: readable(String(booking.start)),
				'Guest Name': 'Anna Lind',
				Message: 'Two lines,\nand a "quote"',
			}),
		]);
	},
	'many found': async () => {
		const rows = await csv(times(500, (index) => gallery.sample(today(23 - (index % 12)))));
		expect(rows).toHaveLength(500);
		expect(rows.map(({ Start }) => Start)).toEqual(rows.map(({ Start }) => Start).sort());
	},
	'another language': async () => {
		const [row] = await csv([gallery.sample({ ...today(18), ...guest('Räksmörgås'), ...AVBOKAD })]);
		expect(row).toMatchObject({ 'Guest Name': 'Räksmörgås', Status: 'Avbokad', State: 'canceled' });
		expect(readFileSync(csvFile()).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
	},
	'a guest who wishes ill': async () => {
		const [row] = await csv([
			gallery.sample({ ...today(18), ...guest('=HYPERLINK("http://x")'), message: '@SUM(A1)' }),
		]);
		expect(row).toMatchObject({
			'Guest Name': '\'=HYPERLINK("http://x")',
			Message: "'@SUM(A1)",
			Phone: "'+46 70 123 45 67",
		});
	},
	'an outage': async () => {
		const before = await csv([gallery.sample(today(18))]);
		await gallery.respondAsUsual();
		await gallery.respond('/api/', 500);
		const { run: runHere } = await gallery.load('bookings-to-csv-file');
		expect((await runHere()).status).toBe('error');
		expect(sheetRows(csvFile())).toEqual(before);
	},
	'the first day': async () => {
		await csv([]);
		expect(existsSync(csvFile())).toBe(true);
	},
};

type Line = Record<'check' | 'result' | 'message', string> & { records: number };
async function check(parameters?: Record<string, JsonObject>) {
	const { run: runHere } = await gallery.load('check-my-account', parameters);
	const execution = await runHere();
	expect(execution.status).toBe('success');
	return {
		lines: itemsOf(execution, 'One line per check') as unknown as Line[],
		statuses: itemsOf(execution, 'One line per status'),
	};
}
const resultsOf = (lines: Line[]) => lines.map(({ result }) => result);

const checkMyAccount: Tried = {
	'nothing found': async () => {
		for (const path of ['/Survey/Recipients', '/booking/customers', LIST])
			await gallery.respond(path, 200, []);
		const { lines, statuses } = await check();
		expect(resultsOf(lines)).toEqual([
			'No records',
			'No records',
			'No records',
			'Left out',
			'Left out',
			'Left out',
		]);
		expect(statuses).toEqual([]);
	},
	'one found': async () => {
		await gallery.respond(LIST, 200, [gallery.sample(CONFIRMED)]);
		expect((await check()).statuses).toEqual([
			{ status: 2, name: 'Bekräftad', now: 1, inHistoryOf: 1 },
			{ status: 5, name: 'Avbokad', now: 0, inHistoryOf: 1 },
		]);
	},
	'many found': async () => {
		await gallery.control('DELETE', '/requests');
		const { lines } = await check();
		const requests = await gallery.control<Array<{ method: string; tokenRequest: boolean }>>(
			'GET',
			'/requests',
		);
		expect(resultsOf(lines)).toEqual(['OK', 'OK', 'OK', 'OK', 'Left out', 'Left out']);
		expect(lines[0]?.records).toBeGreaterThan(5);
		expect(JSON.stringify(lines)).not.toMatch(/@example|\+46|\d{4}-\d\d-\d\dT/);
		expect(requests.filter(({ method, tokenRequest }) => method !== 'GET' && !tokenRequest)).toEqual([]);
	},
	'another language': async () => {
		await gallery.respond(
			LIST,
			200,
			times(3, () => gallery.sample(AVBOKAD)),
		);
		expect((await check()).statuses).toContainEqual({ status: 5, name: 'Avbokad', now: 3, inHistoryOf: 3 });
	},
	'a guest who wishes ill': async () => {
		await gallery.respond(LIST, 200, [
			gallery.sample({ ...CONFIRMED, error: 'of the guest', message: '<b>' }),
		]);
		expect(JSON.stringify(await check())).not.toContain('<b>');
	},
	'an outage': async () => {
		await gallery.respond('/booking/customers', 403);
		const { lines } = await check();
		expect(resultsOf(lines).slice(0, 4)).toEqual(['OK', 'Failed', 'OK', 'OK']);
		expect(lines[1]?.message).toMatch(/not allowed.*403/);
	},
	'the first day': async () => {
		await gallery.putAccount({ system: '', canceledStatuses: '', noShowStatuses: '', finishedStatuses: '' });
		const { lines } = await check();
		expect(resultsOf(lines).slice(0, 4)).toEqual(['Failed', 'Failed', 'Failed', 'Left out']);
		for (const { message } of lines.slice(0, 3)) expect(message).toMatch(/System/);
		expect(lines[3]?.message).toBe("'Survey recipients' failed");
	},
};

const closing = {
	'Get the bookings of today': { results: { states: ['expected'], statuses: [2], sortBy: 'start' } },
};
const justNow = () => {
	const start = DateTime.max(
		DateTime.now().minus({ hours: 1 }),
		DateTime.now().setZone(TIME_ZONE).startOf('day'),
	);
	return { start: start.toUTC().toISO(), end: start.plus({ hours: 2 }).toUTC().toISO(), ...CONFIRMED };
};
async function close(bookings: JsonObject[]) {
	const mails = await mailsOf(() => run('closing-time-check-out', bookings, closing));
	return mails.filter(({ subject }) => subject.startsWith('Closing time'));
}
const checkedOut = async () =>
	(await gallery.control<Array<{ method: string; path: string }>>('GET', '/requests')).filter(
		({ method, path }) => method === 'PUT' && path.includes('CheckOut'),
	);

const closingTime: Tried = {
	'nothing found': async () => {
		expect(await close([])).toEqual([]);
	},
	'one found': async () => {
		const booking = await gallery.book();
		const { rootId } = await gallery.stored(booking);
		const [mail] = await close([
			gallery.sample({ ...justNow(), paymentEvents: [{ bookingRootId: rootId }] }),
		]);
		expect(mail?.subject).toBe('Closing time: 1 of 1 checked out');
		expect((await gallery.stored(booking)).mustBeInvoiced).toBe(true);
	},
	'many found': async () => {
		const [mail] = await close(times(3, () => gallery.sample({ ...justNow(), paymentEvents: [] })));
		expect(mail?.subject).toBe('Closing time: 0 of 3 checked out');
		expect(mail?.text).toContain('check it out by hand');
	},
	'another language': async () => {
		await gallery.control('DELETE', '/requests');
		await close([gallery.sample({ ...justNow(), ...AVBOKAD, paymentEvents: [{ bookingRootId: 1 }] })]);
		expect(await checkedOut()).toEqual([]);
	},
	'a guest who wishes ill': async () => {
		const [mail] = await close([
			gallery.sample({ ...justNow(), ...guest('A', '\nChecked out  B1, Somebody'), paymentEvents: [] }),
		]);
		expect(mail?.text).not.toMatch(/^Checked out/m);
	},
	'an outage': async () => {
		const mails = await outage('closing-time-check-out', 'Every night at half past eleven');
		expect(mails.filter(({ subject }) => subject.startsWith('Closing time'))).toEqual([]);
	},
	'the first day': async () => {
		await gallery.control('DELETE', '/requests');
		const { status, error } = await run('closing-time-check-out', [gallery.sample(justNow())]);
		expect(status).toBe('error');
		expect(error?.message).toContain('Status Names or IDs');
		expect(await checkedOut()).toEqual([]);
	},
};

const REMOVED = { guestName: '(removed)', email: '', phone: '', message: '' };
const daysAgo = (days: number) => DateTime.now().minus({ days }).toFormat('yyyy-MM-dd HH:mm');

/** Puts rows into a table and lets the file forget. */
async function forget(rows: JsonObject[]): Promise<JsonObject[]> {
	await run('forget-old-guests');
	await addRows(gallery.client, BOOKINGS, rows);
	const { status } = await run('forget-old-guests');
	expect(status).toBe('success');
	const kept = await tableRows(gallery.client, BOOKINGS);
	return kept.filter(({ bookingId }) => rows.some((row) => row.bookingId === bookingId));
}
const row = (bookingId: string, days: number, fields: JsonObject = {}) => ({
	bookingId,
	end: daysAgo(days),
	guestName: 'Anna Lind',
	email: 'anna@example.com',
	phone: '1',
	message: 'Nuts',
	...fields,
});

const forgetOldGuests: Tried = {
	'nothing found': async () => {
		expect(await forget([row('recent', 89)])).toEqual([expect.objectContaining({ guestName: 'Anna Lind' })]);
	},
	'one found': async () => {
		expect(await forget([row('old', 91, { guests: 4 })])).toEqual([
			expect.objectContaining({ ...REMOVED, guests: 4 }),
		]);
	},
	'many found': async () => {
		const rows = await forget(times(100, (index) => row(`many-${index}`, 91 + index)));
		expect(rows.map(({ guestName }) => guestName)).toEqual(times(100, () => '(removed)'));
	},
	'another language': async () => {
		expect(await forget([row('åäö', 91, { guestName: 'Åsa Öberg', message: 'Räkor' })])).toEqual([
			expect.objectContaining(REMOVED),
		]);
	},
	'a guest who wishes ill': async () => {
		expect(await forget([row('ill', 91, { guestName: '(removed)', message: '=1' })])).toEqual([
			expect.objectContaining(REMOVED),
		]);
	},
	'an outage': async () => {
		await gallery.respond('/', 500);
		expect((await run('forget-old-guests')).status).toBe('success');
	},
	'the first day': async () => {
		expect((await run('forget-old-guests')).status).toBe('success');
	},
};

const watch = (plan: string) =>
	run('subscription-check', undefined, { 'Get the subscription': { id: plan } });
const alerts = async (plan: string) =>
	(await mailsOf(() => watch(plan))).filter(({ subject }) => subject.startsWith('Please look at'));

const subscriptionCheck: Tried = {
	'nothing found': async () => {
		expect((await alerts('plan-of-nobody'))[0]?.text).toMatch(/^plan-of-nobody: .*not registered/);
	},
	'one found': async () => {
		expect(await alerts('plan-basic')).toEqual([]);
	},
	'many found': async () => {
		expect((await alerts('plan-canceled'))[0]?.text.trim()).toBe('plan-canceled: Its status is Canceled');
	},
	'another language': async () => {
		expect((await alerts('plån-åäö'))[0]?.text).toContain('plån-åäö');
	},
	'a guest who wishes ill': async () => {
		expect((await alerts('../<b>'))[0]?.subject).toBe('Please look at 1 subscription');
	},
	'an outage': async () => {
		await gallery.respond('/subscriptions', 500);
		const mails = await mailsOf(async () => {
			const { run: runHere } = await gallery.load('subscription-check', {
				'Get the subscription': { id: 'plan-basic' },
			});
			await runHere();
		});
		expect(mails[0]?.text).toContain('500');
	},
	'the first day': async () => {
		await asksFor('ID', 'subscription-check');
	},
};

const SINCE = { 'Get the bookings since': { changedFrom: '2026-01-01' } };
async function fill(bookings: JsonObject[]) {
	const execution = await run('fill-or-repair-a-table', bookings, SINCE);
	expect(execution.status).toBe('success');
	const rows = (await tableRows(gallery.client, BOOKINGS)).filter(({ bookingId }) =>
		bookings.some(({ guid }) => guid === bookingId),
	);
	return { counts: itemsOf(execution, 'Say how many')[0], rows };
}

const fillATable: Tried = {
	'nothing found': async () => {
		expect((await fill([])).counts).toEqual({ new: 0, changed: 0, equal: 0 });
	},
	'one found': async () => {
		const booking = gallery.sample({ ...today(18), ...changedAgo(30), guests: 2 });
		expect((await fill([booking])).counts).toEqual({ new: 1, changed: 0, equal: 0 });
		expect((await fill([booking])).counts).toEqual({ new: 0, changed: 0, equal: 1 });
		const { counts, rows } = await fill([{ ...booking, guests: 7 }]);
		expect(counts).toEqual({ new: 0, changed: 1, equal: 0 });
		expect(rows).toEqual([expect.objectContaining({ guests: 7, start: readable(String(booking.start)) })]);
	},
	'many found': async () => {
		const { counts, rows } = await fill(times(60, () => gallery.sample({ ...today(18), ...changedAgo(30) })));
		expect([counts?.new, rows.length]).toEqual([60, 60]);
	},
	'another language': async () => {
		const { rows } = await fill([
			gallery.sample({ ...today(18), ...changedAgo(30), ...guest('Åsa'), ...AVBOKAD }),
		]);
		expect(rows).toEqual([
			expect.objectContaining({ guestName: 'Åsa', status: 'Avbokad', state: 'canceled' }),
		]);
	},
	'a guest who wishes ill': async () => {
		const { rows } = await fill([
			gallery.sample({ ...today(18), ...changedAgo(30), ...guest('=1+1'), message: '{{ $json }}' }),
		]);
		expect(rows).toEqual([expect.objectContaining({ guestName: '=1+1', message: '{{ $json }}' })]);
	},
	'an outage': async () => {
		await gallery.respond('/api/', 500);
		const { run: runHere } = await gallery.load('fill-or-repair-a-table', SINCE);
		expect((await runHere()).error?.message).toContain('500');
	},
	'the first day': async () => {
		await asksFor('Changed After', 'fill-or-repair-a-table');
	},
};

async function kitchen(bookings: JsonObject[]) {
	const [mail, ...others] = await mailsOf(() => run('kitchen-and-covers', bookings));
	expect(others).toEqual([]);
	expect(mail?.to).toEqual([expect.objectContaining({ address: 'kitchen@example.com' })]);
	return {
		subject: mail?.subject,
		text: (mail?.html ?? '').replace(/<[^>]+>/g, '|').replace(/[|\s]*\|[|\s]*/g, '|'),
	};
}
const onDay = (days: number, hour: number, minute: number, fields: JsonObject = {}) => {
	const start = DateTime.now().setZone(TIME_ZONE).startOf('day').plus({ days }).set({ hour, minute });
	return gallery.sample({
		...{ ...CONFIRMED, guestsChildren: 0, message: null, markings: null, menus: null, nonTableArticles: [] },
		...{ start: start.toUTC().toISO(), end: start.plus({ hours: 2 }).toUTC().toISO() },
		...fields,
	});
};

const kitchenAndCovers: Tried = {
	'nothing found': async () => {
		const { subject, text } = await kitchen([]);
		expect(subject).toBe('Tomorrow: 0 covers');
		expect(text).toContain('Nothing is booked for tomorrow.');
	},
	'one found': async () => {
		const items = [{ name: 'Toast Skagen', quantity: 2 }];
		const { text } = await kitchen([
			onDay(1, 19, 45, {
				...{ guests: 3, guestsChildren: 1, message: 'Nuts!', menus: [{ groups: [{ items }] }] },
				nonTableArticles: [{ name: 'Welcome drink', quantity: 3 }],
			}),
		]);
		for (const part of [
			'|1 booking, 3 covers|',
			'|19:30|3|',
			'|Toast Skagen|2|',
			'|Welcome drink|3|',
			'19:45 · 3 guests, 1 child',
			'Nuts!',
		])
			expect(text).toContain(part);
	},
	'many found': async () => {
		const many = times(40, (index) => onDay(1, 17 + (index % 4), index % 60, { guests: 2 }));
		const { subject, text } = await kitchen([
			...many,
			onDay(1, 18, 0, { guests: 12, message: 'Group' }),
			onDay(0, 23, 59, { guests: 100 }),
			...times(14, (index) => onDay(2 + index, 12, 0, { guests: index })),
		]);
		expect(subject).toBe('Tomorrow: 92 covers');
		const [, bars = ''] = /Covers per half hour\|(.*?)\|[A-Z]/.exec(text) ?? [];
		const perHalfHour = [...bars.matchAll(/\d\d:\d\d\|(\d+)/g)].map(([, covers]) => Number(covers));
		expect(perHalfHour.reduce((sum, covers) => sum + covers, 0)).toBe(92);
		const [, days = ''] = /Two weeks\|bookings\|covers\|(.*)/.exec(text) ?? [];
		const perDay = [...days.matchAll(/\|(\d+)\|(\d+)(?=\||$)/g)].map(([, , covers]) => Number(covers));
		expect(perDay).toEqual([92, ...times(13)]);
	},
	'another language': async () => {
		const { subject } = await kitchen([
			onDay(1, 18, 0, { guests: 4, ...AVBOKAD }),
			onDay(1, 18, 0, { guests: 2 }),
		]);
		expect(subject).toBe('Tomorrow: 2 covers');
	},
	'a guest who wishes ill': async () => {
		const { text } = await kitchen([onDay(1, 18, 0, { ...guest('<b>x'), message: '<script>1</script>' })]);
		expect(text).toContain('&lt;script>1&lt;/script>');
	},
	'an outage': async () => {
		const mails = await outage('kitchen-and-covers', 'Every afternoon at three');
		expect(mails.filter(({ subject }) => subject.startsWith('Tomorrow'))).toEqual([]);
	},
	'the first day': () => withoutRoles('kitchen-and-covers'),
};

const hoursAhead = (hours: number) => DateTime.utc().plus({ hours }).toISO();
const owing = (fields: JsonObject = {}, email = 'owing@example.com') =>
	gallery.sample({
		...{ ...CONFIRMED, start: hoursAhead(100), end: hoursAhead(102) },
		...{ chargeShouldPayAmount: 500, chargePayedAmount: 0, chargePaymentLinkExpirationDate: hoursAhead(24) },
		contact: { id: 1, fname: 'Anna', lname: 'Lind', email, mobile: '1' },
		...fields,
	});
/** The mails of some mornings in a row. */
async function deposits(...mornings: JsonObject[][]) {
	const { run: runHere } = await gallery.load('deposits');
	const mails = await mailsOf(async () => {
		for (const bookings of mornings) {
			await gallery.respondAsUsual();
			await gallery.respond(LIST, 200, bookings);
			expect((await runHere()).status).toBe('success');
		}
	});
	return {
		guests: mails.filter(({ subject }) => subject === 'Your deposit'),
		manager: mails.filter(({ subject }) => subject.startsWith('Deposits open')),
	};
}

const depositsFile: Tried = {
	'nothing found': async () => {
		const paid = owing({ chargePayedAmount: 500 });
		const later = owing({ chargePaymentLinkExpirationDate: hoursAhead(90) });
		expect(await deposits([], [paid, later, owing({ chargePaymentLinkExpirationDate: null })])).toEqual({
			guests: [],
			manager: [],
		});
	},
	'one found': async () => {
		const booking = owing();
		const { guests, manager } = await deposits(
			[booking],
			[booking],
			[{ ...booking, chargePayedAmount: 500 }],
		);
		expect(guests).toHaveLength(1);
		expect(guests[0]?.text).toContain('Your deposit of 500.00 is still open.');
		expect(manager.map(({ subject }) => subject)).toEqual(['Deposits open: 1', 'Deposits open: 1']);
	},
	'many found': async () => {
		const { guests, manager } = await deposits(times(6, (index) => owing({}, `owing-${index}@example.com`)));
		expect(guests).toHaveLength(6);
		expect(manager.map(({ subject }) => subject)).toEqual(['Deposits open: 6']);
	},
	'another language': async () => {
		expect((await deposits([owing(AVBOKAD)])).guests).toEqual([]);
	},
	'a guest who wishes ill': async () => {
		const { guests, manager } = await deposits([owing({}, 'a@example.com, b@example.com')]);
		expect([guests.length, manager.length]).toEqual([0, 1]);
	},
	'an outage': async () => {
		const mails = await outage('deposits', 'Every morning at nine');
		expect(mails.filter(({ subject }) => subject.startsWith('Deposits'))).toEqual([]);
	},
	'the first day': () => withoutRoles('deposits'),
};

let form: PriceForm;
const priceList: Tried = {
	'nothing found': async () => {
		expect((await form.upload('Article ID,Name,Price,Take-Away Price\n')).text).toContain('Nothing was sent');
	},
	'one found': async () => {
		const [article] = await form.articles();
		const shown = await form.upload(
			`Article ID,Name,Price,Take-Away Price\n${article?.articleId},Soup,91,"","`,
		);
		expect(shown.text).toContain('1 article will be updated.');
		expect((await shown.answer('No, send nothing')).text).toContain('The prices are as they were.');
		expect((await form.articles())[0]).toEqual(article);
	},
	'many found': async () => {
		const articles = (await form.articles()).slice(0, 60);
		const lines = articles.map(({ articleId }, index) => `${articleId},A${index},${10 + index},`);
		const shown = await form.upload(['Article ID,Name,Price,Take-Away Price', ...lines].join('\n'));
		expect(shown.text).toContain(`${articles.length} articles will be updated.`);
		expect(shown.text).toContain(`Lowest price 10.00, highest ${9 + articles.length}.00.`);
		expect(shown.text).toContain(`… and ${articles.length - 5} more`);
		const done = await shown.answer('Yes, send them');
		expect(done.text).toContain(`${articles.length} articles updated`);
		expect((await form.articles())[1]).toMatchObject({ name: 'A1', prices: { regular: { inclVat: 11 } } });
	},
	'another language': async () => {
		const [first, second] = await form.articles();
		const text = `Article ID;Name;Price;Take-Away Price\r\n${first?.articleId};Räksmörgås;89,50;1.234,50\r\n${second?.articleId};Öl;1,234;\r\n`;
		for (const encoding of ['utf8', 'latin1'] as const) {
			const shown = await form.upload(Buffer.from(text, encoding));
			expect(shown.text).toContain('Räksmörgås');
			expect(shown.text).toContain('Lowest price 89.50, highest 1234.50.');
			expect(shown.text).toContain('can be 1234 or 1.234');
			await shown.answer('Yes, send them');
			const [changed, same] = await form.articles();
			expect(changed).toMatchObject({
				name: 'Räksmörgås',
				prices: { regular: { inclVat: 89.5 }, takeAway: { inclVat: 1234.5 } },
			});
			expect(same).toEqual(second);
		}
	},
	'a guest who wishes ill': async () => {
		expect((await fetch(form.url)).status).toBe(401);
		const [article] = await form.articles();
		const shown = await form.upload(
			`Article ID,Name,Price,Take-Away Price\n${article?.articleId},<img src=x>,5,`,
		);
		expect(shown.text).not.toContain('<img src=x>');
	},
	'an outage': async () => {
		const [article] = await form.articles();
		const shown = await form.upload(`Article ID,Name,Price,Take-Away Price\n${article?.articleId},Soup,91,`);
		await gallery.respond('batch-update', 500);
		const mails = await mailsOf(async () => {
			expect((await shown.answer('Yes, send them')).text).toContain('0 articles updated');
		});
		expect(mails.map(({ subject }) => subject)).toEqual(['Price list: 0 articles updated, 1 row refused']);
	},
	'the first day': async () => {
		expect(form.url).toMatch(/\/form\/[0-9a-f-]{36}$/);
	},
};

beforeAll(async () => {
	form = await PriceForm.publish(gallery);
});

/** A spreadsheet as Excel saves it for other programs; a cell that begins with "=" is a formula whose result is an empty text. */
function spreadsheet(rows: Array<Array<string | number>>): string {
	const cell = (value: string | number) =>
		typeof value === 'number'
			? `<Cell><Data ss:Type="Number">${value}</Data></Cell>`
			: value.startsWith('=')
				? `<Cell ss:Formula="${value}"><Data ss:Type="String"></Data></Cell>`
				: `<Cell><Data ss:Type="String">${value}</Data></Cell>`;
	const lines = rows.map((row) => `<Row>${row.map(cell).join('')}</Row>`).join('');
	return `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Prices"><Table>${lines}</Table></Worksheet></Workbook>`;
}

describeFile('price-list-to-articles', () => {
	it('names duplicates and prices below 0, and takes a blank or a formula without text for empty', async () => {
		const before = await form.articles();
		const [first, second, third, fourth] = before.map(({ articleId }) => articleId);
		const shown = await form.upload(
			spreadsheet([
				['Article ID', 'Name', 'Price', 'Take-Away Price'],
				[`${first}`, 'Soup', 77, '=&quot;&quot;'],
				[`${second}`, 'Bread', -5, 12],
				[`${third}`, 'Salad', 10, ' '],
				[`${third?.toUpperCase()}`, 'Salad', 11, ' '],
				[`${fourth}`, ' ', '', '=&quot;&quot;'],
			]),
			'prices.xls',
		);
		for (const part of [
			'1 article will be updated.',
			'Lowest price 77.00, highest 77.00.',
			'Row 3, Bread: Price: -5 is below 0',
			'Row 4, Salad: Rows 4 and 5 are for the same article',
			'Row 5, Salad: Rows 4 and 5 are for the same article',
			'Row 6: There is nothing to update',
		])
			expect(shown.text).toContain(part);
		await shown.answer('Yes, send them');
		const [changed, ...others] = await form.articles();

		expect(changed?.prices).toMatchObject({ regular: { inclVat: 77 }, takeAway: before[0]?.prices.takeAway });
		expect(others).toEqual(before.slice(1));
	});
});

const watchdogNow = async () => {
	const { workflow, run: runHere } = await gallery.load('watchdog');
	return { workflow, runHere };
};
const ALARM = /^(Bookings missing|No booking was made)/;
/** The alarms of the second hour, after a first with the bookings of before. */
async function secondHour(before: JsonObject[], now: JsonObject[], hours = 1) {
	const { runHere } = await watchdogNow();
	await gallery.respond(LIST, 200, before);
	await runHere();
	await gallery.respondAsUsual();
	await gallery.respond(LIST, 200, now);
	const mails = await mailsOf(async () => {
		for (let hour = 0; hour < hours; hour++) await runHere();
	});
	return mails.filter(({ subject }) => ALARM.test(subject));
}

const watchdog: Tried = {
	'nothing found': async () => {
		const [alarm, ...others] = await secondHour([], [], 2);
		expect(alarm?.subject).toBe('No booking was made or changed for a day');
		expect(others).toEqual([]);
	},
	'one found': async () => {
		const missing = gallery.sample(changedAgo(30));
		const [alarm, ...others] = await secondHour([], [missing], 2);
		expect(alarm?.text).toContain(missing.guid);
		expect(others).toEqual([]);
	},
	'many found': async () => {
		const [alarm] = await secondHour(
			[],
			times(50, () => gallery.sample(changedAgo(30))),
		);
		expect(alarm?.subject).toBe('Bookings missing or old in the table: 50');
	},
	'another language': async () => {
		const [alarm] = await secondHour([], [gallery.sample({ ...changedAgo(30), ...guest('Åsa', 'Öberg') })]);
		expect(alarm?.text).toContain('Åsa Öberg');
	},
	'a guest who wishes ill': async () => {
		const [alarm] = await secondHour(
			[],
			[gallery.sample({ ...changedAgo(30), ...guest('A\nB1, all is well') })],
		);
		expect(alarm?.text.trim().split('\n')).toHaveLength(1);
	},
	'an outage': async () => {
		await gallery.respond('/api/', 500);
		const mails = await mailsOf(async () => {
			const { workflow } = await gallery.publish('watchdog', { 'Every hour': EVERY_SECOND });
			await eventually('Three failures', async () => {
				const runs = await gallery.client.executions(workflow.id);
				return runs.filter(({ status }) => status === 'error').length >= 3 || undefined;
			});
			await gallery.respondAsUsual();
			await gallery.mails(/^It works again: Watchdog/);
			await gallery.client.deactivate(workflow);
		});
		const about = mails.filter(({ subject }) => subject.includes('Watchdog'));
		expect(about.map(({ subject }) => subject.split(':')[0])).toEqual(['Please look', 'It works again']);
	},
	'the first day': async () => {
		const { runHere } = await watchdogNow();
		const mails = await mailsOf(async () => {
			await gallery.respond(
				LIST,
				200,
				times(5, () => gallery.sample(changedAgo(600))),
			);
			await runHere();
		});
		expect(mails.filter(({ subject }) => ALARM.test(subject))).toEqual([]);
	},
};

tryAll({
	'arrivals-every-morning': arrivalsEveryMorning,
	'booking-tools-for-ai-agents': bookingTools,
	'bookings-as-a-calendar': bookingsAsACalendar,
	'bookings-to-csv-file': bookingsToCsvFile,
	'check-my-account': checkMyAccount,
	'closing-time-check-out': closingTime,
	deposits: depositsFile,
	'fill-or-repair-a-table': fillATable,
	'forget-old-guests': forgetOldGuests,
	'kitchen-and-covers': kitchenAndCovers,
	'price-list-to-articles': priceList,
	'subscription-check': subscriptionCheck,
	watchdog,
});
