import { setTimeout as sleep } from 'node:timers/promises';
import ICAL from 'ical.js';
import memoize from 'lodash/memoize';
import times from 'lodash/times';
import { DateTime } from 'luxon';
import { tableRows } from '../../../dev/demo/table.ts';
import type { Execution, JsonObject } from '../../../dev/n8nClient.ts';
import { outputOf } from '../../../dev/runner.ts';
import { connectAgent } from '../support/agent';
import { PriceForm } from './priceForm';
import {
	AGENT_TOKEN,
	AS_TEXT,
	AVBOKAD,
	describeFile,
	entered,
	guest,
	inLanguage,
	justBegan,
	LIST,
	midnight,
	NO_ROLES,
	PATTERNS,
	readable,
	TIME_ZONE,
	useGallery,
	visit,
	visitIn,
} from './support';
import { rows, tryAll } from './tried';

const BOOKINGS = 'Hospitality Bookings';
const NEW_BOOKINGS = 'Hospitality New Bookings';
const ANSWERS = 'Hospitality Survey Answers';
const CONFIRMED = {
	status: 2,
	createdDate: '2026-11-01T10:00:00Z',
	history: [
		{ changeDate: '2026-11-02T10:00:00Z', status: 2, statusName: 'Bekräftad' },
		{ changeDate: '2026-11-01T10:00:00Z', status: 5, statusName: 'Avbokad' },
	],
};
/** Runs a schedule every second, for as long as something is waited for. */
const EVERY_SECOND = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };

/** A file that fails asks the service again each second in tests. */
const ASKED_AGAIN_MS = 3_000;

type Parameters = Record<string, JsonObject>;

const gallery = useGallery(BOOKINGS, NEW_BOOKINGS, ANSWERS);
const today = (hour: number) => ({ ...visitIn(0, hour, 15), ...CONFIRMED });
const changedAgo = (minutes: number) => ({
	...today(18),
	changeDate: DateTime.utc().minus({ minutes }).toISO(),
});
const jsonOf = (execution: Execution, node: string): JsonObject[] =>
	outputOf(execution, node).map(({ json }) => json);
/** A booking that has not changed since it was made, with a time as some services write it: the house's, without an offset. */
const madeAt = (time: DateTime) => ({
	changeDate: null,
	createdDate: time.setZone(TIME_ZONE).toFormat("yyyy-MM-dd'T'HH:mm:ss"),
});
/** What came out, as a text: how many, and each in a line. */
const listed = (all: readonly unknown[]) =>
	[`${all.length} in all`, ...all.map((one) => JSON.stringify(one))].join('\n');

beforeEach(async () => {
	await gallery.respondAsUsual();
});
afterAll(async () => {
	await gallery.respondAsUsual();
	await gallery.putAccount();
});

const load = memoize(
	async (name: string, parameters?: Parameters) => await gallery.load(name, parameters),
	(...given) => JSON.stringify(given),
);

/** Runs a file by hand while the service lists these bookings, of which the fields that matter are given. */
async function run(name: string, bookings?: JsonObject[], parameters?: Parameters): Promise<Execution> {
	const loaded = await load(name, parameters);
	if (bookings) {
		await gallery.respondAsUsual();
		await gallery.respond(LIST, 200, bookings.map(gallery.sample));
	}
	return await loaded.run();
}

/** The mails that a file sends: how many, and each with its subject. */
const mailed =
	(name: string, subject: RegExp, parameters?: Parameters) => async (bookings?: JsonObject[]) => {
		const mails = await gallery.mailsOf(subject, async () => {
			expect((await run(name, bookings, parameters)).status).toBe('success');
		});
		const texts = mails.map((mail) => `${mail.subject}\n${mail.html || mail.text}`);
		return [`${mails.length} in all`, ...texts].join('\n');
	};

/** Runs a file by its own schedule while the service fails, until the manager has been told: nothing else is sent. */
const tellsOutage = (name: string, schedule: string, own: RegExp) => async () => {
	await gallery.respond('/', 500);
	const mails = await gallery.mailsOf(own, async () => {
		const workflow = await gallery.publish(name, { [schedule]: EVERY_SECOND });
		await gallery.mails(new RegExp(`^Please look: ${workflow.name}`));
		await gallery.client.deactivate(workflow);
	});
	expect(mails).toEqual([]);
};

/** Runs a file with an account that has other values. */
async function withAccount<T>(fields: JsonObject, act: () => Promise<T>): Promise<T> {
	await gallery.putAccount(fields);
	return await act().finally(() => gallery.putAccount());
}

/** A credential that does not say yet what its statuses mean. */
const asksForRoles = (name: string) => async () => {
	const { status, error } = await withAccount(NO_ROLES, () => run(name, [today(12)]));
	expect(status).toBe('error');
	expect(`${error?.message} ${error?.description}`).toContain('Canceled Statuses');
};

/** Left empty, a required field is named; n8n 1 runs nothing where one is. */
const asksFor = (field: string, name: string) => async () => {
	const said = await run(name).then(({ error }) => JSON.stringify(error), String);
	expect(said).toMatch(new RegExp(`${field}|has issues`));
};

const arrivals = mailed('arrivals-every-morning', /^Arrivals/, inLanguage('en'));
const arrivalsEveryMorning = rows(arrivals, {
	'nothing found': { given: [], shows: ['1 in all', 'Nobody has booked for today.'] },
	'one found': {
		given: [{ ...today(19), guests: 1, ...guest('Anna', 'Lind') }],
		shows: ['1 booking, 1 guests', '19:15 · 1 guest', 'href="tel:+46701234567"'],
	},
	'many found': async () => {
		const hours = [21, 11, 17];
		const html = await arrivals(times(60, (index) => ({ ...today(hours[index % 3] ?? 0), guests: 2 })));
		expect(html).toContain('60 bookings, 120 guests');
		const shown = [...html.matchAll(/(\d\d:\d\d) · /g)].map(([, time]) => time);
		expect(shown).toHaveLength(60);
		expect(shown).toEqual([...shown].sort());
	},
	'another language': async () => {
		const inSwedish = mailed('arrivals-every-morning', /./, inLanguage('sv'));
		const html = await inSwedish([
			{ ...today(12), ...guest('Off'), ...AVBOKAD },
			{ ...today(12), ...guest('Åsa') },
		]);
		expect(html).toContain(midnight().setLocale('sv').toFormat('cccc d LLLL'));
		expect(html).toContain('Åsa');
		expect(html).not.toContain('Off');
	},
	'a guest who wishes ill': {
		given: [{ ...today(12), ...guest('<img src=x>', PATTERNS), message: '"><b>hi</b>' }],
		shows: ['&lt;img src=x>', '&quot;>&lt;b>hi&lt;/b>', AS_TEXT],
	},
	'an outage': tellsOutage('arrivals-every-morning', 'Every morning at half past six', /^Arrivals/),
	'the first day': asksForRoles('arrivals-every-morning'),
});

/** Publishes a file, once. @returns the path of its address, which nobody can guess */
const pathOf = memoize(async (name: string, node: string) => {
	const path = await gallery.pathOf(await gallery.publish(name), node);
	expect(path).toMatch(/^[0-9a-f-]{36}$/);
	return path;
});

const toolsPath = () => pathOf('booking-tools-for-ai-agents', 'An AI agent connects');
/** What a tool of the published server says. */
async function ask({ tool = 'Find_booking', ...given }: JsonObject): Promise<string> {
	const agent = await connectAgent(await toolsPath(), AGENT_TOKEN);
	const said = await agent.call(String(tool), given);
	await agent.close();
	return said;
}

const bookingTools = rows(ask, {
	'nothing found': { given: { words: 'Nobody of this name' }, shows: [/^\[\]$/] },
	'one found': async () => {
		const { guid } = await gallery.book(guest('Anna'));
		expect(await ask({ words: '070-123 45 67' })).toContain(guid);
	},
	'many found': async () => {
		const { guid, start: from, end: until } = await gallery.book();
		expect(await ask({ tool: 'List_bookings', from, until })).toContain(guid);
	},
	'another language': async () => {
		const { guid } = await gallery.book(guest('Zoë', 'Öberg-Żółć'));
		expect(await ask({ words: 'öberg-żółć' })).toContain(guid);
	},
	'a guest who wishes ill': async () => {
		const booking = await gallery.book();
		const unasked = await ask({ tool: 'Cancel_booking', confirmed: false, guid: booking.guid });
		expect(unasked).toContain('not confirmed by the person');
		expect(await ask({ words: '  ' })).not.toContain('guid');
		expect((await gallery.stored(booking)).web.status).not.toBe(5);
	},
	'an outage': async () => {
		await gallery.respond('/api/', 500);
		expect(await ask({ words: 'Lind' })).toContain('500');
	},
	'the first day': async () => {
		await expect(connectAgent(await toolsPath())).rejects.toThrow();
		await expect(connectAgent(await toolsPath(), 'of-somebody-else')).rejects.toThrow();
	},
});

/** What a calendar is answered. */
async function calendar(bookings?: JsonObject[]) {
	if (bookings) await gallery.respond(LIST, 200, bookings.map(gallery.sample));
	const path = await pathOf('bookings-as-a-calendar', 'A calendar asks');
	const response = await fetch(`${gallery.client.url}/webhook/${path}`);
	return { status: response.status, text: await response.text() };
}
async function events(bookings: JsonObject[]): Promise<string> {
	const { text } = await calendar(bookings);
	const lines = text.split('\r\n').map((line) => Buffer.byteLength(line));
	expect(Math.max(...lines)).toBeLessThanOrEqual(75);
	const root = new ICAL.Component(ICAL.parse(text) as unknown[]);
	const all = root.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
	return listed(all.map(({ startDate, summary, uid }) => [startDate.toJSDate(), summary, uid]));
}

const bookingsAsACalendar = rows(events, {
	'nothing found': { given: [], shows: ['0 in all'] },
	'one found': {
		given: [{ ...today(18), guests: 1, ...guest("Åsa; 'the, long'", 'Öberg 🦀 of a very long name indeed') }],
		shows: [
			"Åsa; 'the, long' Öberg 🦀 of a very long name indeed, 1 guest",
			midnight().set({ hour: 18, minute: 15 }).toJSDate().toISOString(),
		],
	},
	'many found': { given: times(200, () => today(18)), shows: ['200 in all'] },
	'another language': {
		given: [
			{ ...today(18), ...AVBOKAD },
			{ ...CONFIRMED, start: '2026-10-25T18:30:00', end: '2026-10-25T20:30:00' },
		],
		shows: ['1 in all', '2026-10-25T17:30:00.000Z'],
	},
	'a guest who wishes ill': {
		given: [{ ...today(18), message: 'x\r\nEND:VEVENT\rBEGIN:VEVENT\nUID:forged\u2028END:VCALENDAR' }],
		shows: ['1 in all'],
		hides: ['forged'],
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
		const again = await gallery.mailsOf(/^It works again: Bookings as a calendar/, () =>
			withAccount(NO_ROLES, async () => {
				expect(await calendar([today(18)])).toMatchObject({ status: 503 });
				await sleep(ASKED_AGAIN_MS);
			}),
		);
		expect(again).toEqual([]);
	},
});

type Line = Record<'check' | 'result' | 'message', string> & { records: number };
async function check() {
	const execution = await run('check-my-account');
	expect(execution.status).toBe('success');
	const lines = jsonOf(execution, 'One line per check') as unknown as Line[];
	const statuses = jsonOf(execution, 'One line per status');
	return { lines, statuses, results: lines.map(({ result }) => result).join(', ') };
}
async function statusLines(bookings: JsonObject[]): Promise<string> {
	await gallery.respond(LIST, 200, bookings.map(gallery.sample));
	return listed((await check()).statuses);
}

const checkMyAccount = rows(statusLines, {
	'nothing found': async () => {
		for (const path of ['/Survey/Recipients', '/booking/customers', LIST])
			await gallery.respond(path, 200, []);
		const { results, statuses } = await check();
		expect(results).toBe('No records, No records, No records, Left out, Left out, Left out');
		expect(statuses).toEqual([]);
	},
	'one found': {
		given: [CONFIRMED],
		shows: [
			'2 in all',
			'{"status":2,"name":"Bekräftad","now":1,"inHistoryOf":1}',
			'{"status":5,"name":"Avbokad","now":0,"inHistoryOf":1}',
		],
	},
	'many found': async () => {
		await gallery.control('DELETE', '/requests');
		const { lines, results } = await check();
		expect(results).toBe('OK, OK, OK, OK, Left out, Left out');
		expect(lines[0]?.records).toBeGreaterThan(5);
		expect(JSON.stringify(lines)).not.toMatch(/@example|\+46|\d{4}-\d\d-\d\dT/);
		expect(await changes()).toEqual([]);
	},
	'another language': {
		given: times(3, () => AVBOKAD),
		shows: ['{"status":5,"name":"Avbokad","now":3,"inHistoryOf":3}'],
	},
	'a guest who wishes ill': {
		given: [{ ...CONFIRMED, error: 'of the guest', message: '<b>' }],
		shows: ['2 in all'],
		hides: ['<b>', 'of the guest'],
	},
	'an outage': async () => {
		await gallery.respond('/booking/customers', 403);
		const { lines, results } = await check();
		expect(results).toMatch(/^OK, Failed, OK, OK/);
		expect(lines[1]?.message).toMatch(/not allowed.*403/);
	},
	'the first day': async () => {
		const { lines, results } = await withAccount({ system: '', ...NO_ROLES }, check);
		expect(results).toMatch(/^Failed, Failed, Failed, Left out/);
		for (const { message } of lines.slice(0, 3)) expect(message).toMatch(/System/);
		expect(lines[3]?.message).toBe("'Survey recipients' failed");
	},
});

/** What the service has been asked to change. */
const changes = async () => {
	const all = await gallery.control<Array<{ method: string; path: string; tokenRequest: boolean }>>(
		'GET',
		'/requests',
	);
	return all.filter(({ method, tokenRequest }) => method !== 'GET' && !tokenRequest);
};
const justNow = (fields: JsonObject = {}) => ({
	...CONFIRMED,
	...justBegan(),
	paymentEvents: [],
	...fields,
});
/** The time zone in which it is half past one in the night, or a little earlier or later. */
const inTheNight = () => {
	const ahead = ((13 - DateTime.utc().hour + 24) % 24) - 12;
	return { timeZone: `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}` };
};
const close = mailed('closing-time-check-out', /^Closing time/, {
	'Get the bookings of today': { results: { states: ['expected'], statuses: [2], sortBy: 'start' } },
});

const closingTime = rows(close, {
	'nothing found': { given: [], shows: ['0 in all'] },
	'one found': async () => {
		const booking = await gallery.book();
		const { rootId } = await gallery.stored(booking);
		const mails = await close([justNow({ paymentEvents: [{ bookingRootId: rootId }] })]);
		expect(mails).toContain('Closing time: 1 of 1 checked out');
		expect((await gallery.stored(booking)).mustBeInvoiced).toBe(true);
	},
	'many found': async () => {
		const bookings = times(3, () => justNow());
		const mails = await close(bookings);
		for (const part of ['1 in all', 'Closing time: 0 of 3 checked out', 'check it out by hand'])
			expect(mails).toContain(part);
		// A house that closes after midnight: those of the evening, but not of the day before.
		const earlier = [2, 5, 22].map((hours) => justNow(visit(DateTime.now().minus({ hours }))));
		const late = await withAccount(inTheNight(), () => close([...bookings, ...earlier]));
		expect(late).toContain('Closing time: 0 of 5 checked out');
	},
	'another language': async () => {
		await gallery.control('DELETE', '/requests');
		await close([{ ...justNow({ paymentEvents: [{ bookingRootId: 1 }] }), ...AVBOKAD }]);
		expect(await changes()).toEqual([]);
	},
	'a guest who wishes ill': {
		given: [justNow(guest('A', '\nChecked out  B1, Somebody'))],
		shows: ['Closing time: 0 of 1'],
		hides: [/^Checked out/m],
	},
	'an outage': tellsOutage('closing-time-check-out', 'Every night at half past eleven', /^Closing time/),
	'the first day': async () => {
		await gallery.control('DELETE', '/requests');
		const { status, error } = await run('closing-time-check-out', [justNow()]);
		expect(status).toBe('error');
		expect(error?.message).toContain('Status Names or IDs');
		expect(await changes()).toEqual([]);
	},
});

const hoursAhead = (hours: number) => DateTime.utc().plus({ hours }).toISO();
const owing = (fields: JsonObject = {}) => ({
	...{ ...CONFIRMED, start: hoursAhead(100), end: hoursAhead(102) },
	...{ chargeShouldPayAmount: 500, chargePayedAmount: 0, chargePaymentLinkExpirationDate: hoursAhead(24) },
	...guest('Anna', 'Lind', 'owing@example.com'),
	...fields,
});
const remind = mailed('deposits', /./);

const depositsFile = rows(remind, {
	'nothing found': {
		given: [
			owing({ chargePayedAmount: 500 }),
			owing({ chargePaymentLinkExpirationDate: hoursAhead(90) }),
			owing({ chargePaymentLinkExpirationDate: null }),
		],
		shows: ['0 in all'],
	},
	'one found': async () => {
		const booking = gallery.sample(owing());
		const first = await remind([booking]);
		for (const part of ['2 in all', 'Deposits open: 1', 'Your deposit of 500.00 is still open.'])
			expect(first).toContain(part);
		expect(await remind([booking])).toMatch(/^1 in all\nDeposits open: 1/);
		expect(await remind([{ ...booking, chargePayedAmount: 500 }])).toContain('0 in all');
	},
	'many found': {
		given: times(6, (index) => owing(guest('Anna', 'Lind', `owing-${index}@example.com`))),
		shows: ['7 in all', 'Deposits open: 6'],
	},
	'another language': { given: [owing(AVBOKAD)], hides: ['Your deposit'] },
	'a guest who wishes ill': {
		given: [
			owing({
				contact: { ...guest('A', 'B', 'a@example.com, b@example.com').contact, mobile: '1\nB1, paid' },
			}),
		],
		shows: ['1 in all', 'Deposits open: 1', 'phone 1 B1, paid'],
	},
	'an outage': tellsOutage('deposits', 'Every morning at nine', /^Deposits/),
	'the first day': asksForRoles('deposits'),
});

const SINCE = { 'Get the bookings since': { changedFrom: '2026-01-01' } };
/** How many rows are new, changed and equal, and the rows of these bookings. */
async function fill(bookings: JsonObject[]): Promise<string> {
	const all = bookings.map(gallery.sample);
	const execution = await run('fill-or-repair-a-table', all, SINCE);
	expect(execution.status).toBe('success');
	const counts = Object.values(jsonOf(execution, 'Say how many')[0] ?? {}).join(', ');
	const stored = await tableRows(gallery.client, BOOKINGS);
	return `${counts}; ${listed(stored.filter(({ bookingId }) => all.some(({ guid }) => guid === bookingId)))}`;
}

const fillATable = rows(fill, {
	'nothing found': { given: [], shows: [/^0, 0, 0; 0 in all$/] },
	'one found': async () => {
		const booking = gallery.sample({ ...changedAgo(30), guests: 2 });
		expect(await fill([booking])).toContain('1, 0, 0; 1 in all');
		expect(await fill([booking])).toContain('0, 0, 1; 1 in all');
		const changed = await fill([{ ...booking, guests: 7 }]);
		expect(changed).toMatch(/^0, 1, 0; 1 in all\n.*"guests":7/);
		expect(changed).toContain(`"start":"${readable(String(booking.start))}"`);
	},
	'many found': { given: times(60, () => changedAgo(30)), shows: ['60, 0, 0; 60 in all'] },
	'another language': {
		given: [{ ...today(18), ...guest('Åsa'), ...AVBOKAD, ...madeAt(DateTime.utc(2026, 11, 1, 9)) }],
		shows: [
			...['1 in all', '"guestName":"Åsa"', '"status":"Avbokad"', '"state":"canceled"'],
			'"changed":"2026-11-01 09:00:00"',
		],
	},
	'a guest who wishes ill': {
		given: [{ ...changedAgo(30), ...guest('=1+1'), message: '{{ $json }}' }],
		shows: ['"guestName":"=1+1"', '"message":"{{ $json }}"'],
	},
	'an outage': async () => {
		await gallery.respond('/api/', 500);
		expect((await run('fill-or-repair-a-table', undefined, SINCE)).error?.message).toContain('500');
	},
	'the first day': asksFor('Changed After', 'fill-or-repair-a-table'),
});

const onDay = (days: number, hour: number, minute: number, fields: JsonObject = {}) => ({
	...{ ...visitIn(days, hour, minute), ...CONFIRMED },
	...{ guestsChildren: 0, message: null, markings: null, menus: null, nonTableArticles: [], ...fields },
});
const kitchenMail = mailed('kitchen-and-covers', /^Tomorrow/);
const kitchen = async (bookings: JsonObject[]) =>
	(await kitchenMail(bookings)).replace(/<[^>]+>/g, '|').replace(/[|\s]*\|[|\s]*/g, '|');

const kitchenAndCovers = rows(kitchen, {
	'nothing found': {
		given: [],
		shows: ['1 in all', 'Tomorrow: 0 covers', 'Nothing is booked for tomorrow.'],
	},
	'one found': {
		given: [
			onDay(1, 19, 45, {
				...{ guests: 3, guestsChildren: 1, message: 'Nuts!' },
				menus: [{ groups: [{ items: [{ name: 'Toast Skagen', quantity: 2 }] }] }],
				nonTableArticles: [{ name: 'Welcome drink', quantity: 3 }],
			}),
		],
		shows: [
			...['|1 booking, 3 covers|', '|19:30|3|', '|Toast Skagen|2|', '|Welcome drink|3|'],
			...['19:45 · 3 guests, 1 child', 'Nuts!'],
		],
	},
	'many found': async () => {
		const text = await kitchen([
			...times(40, (index) => onDay(1, 17 + (index % 4), index % 60, { guests: 2 })),
			onDay(1, 18, 0, { guests: 12, message: 'Group' }),
			onDay(0, 23, 59, { guests: 100 }),
			...times(14, (index) => onDay(2 + index, 12, 0, { guests: index })),
		]);
		expect(text).toContain('Tomorrow: 92 covers');
		const [, bars = ''] = /Covers per half hour\|(.*?)\|[A-Z]/.exec(text) ?? [];
		const perHalfHour = [...bars.matchAll(/\d\d:\d\d\|(\d+)/g)].map(([, covers]) => Number(covers));
		expect(perHalfHour.reduce((sum, covers) => sum + covers, 0)).toBe(92);
		const [, days = ''] = /Two weeks\|bookings\|covers\|(.*)/.exec(text) ?? [];
		const perDay = [...days.matchAll(/\|(\d+)\|(\d+)(?=\||$)/g)].map(([, , covers]) => Number(covers));
		expect(perDay).toEqual([92, ...times(13)]);
	},
	'another language': {
		given: [onDay(1, 18, 0, { guests: 4, ...AVBOKAD }), onDay(1, 18, 0, { guests: 2 })],
		shows: ['Tomorrow: 2 covers'],
	},
	'a guest who wishes ill': {
		given: [onDay(1, 18, 0, { ...guest('<b>x', PATTERNS), message: '<script>1</script>' })],
		shows: ['&lt;script>1&lt;/script>', AS_TEXT],
	},
	'an outage': tellsOutage('kitchen-and-covers', 'Every afternoon at three', /^Tomorrow/),
	'the first day': asksForRoles('kitchen-and-covers'),
});

const HEADINGS = 'Article ID,Name,Price,Take-Away Price';
let form: PriceForm;
/** Uploads a line with the ID of the first article. */
const upload = async (line: string) => {
	const [article] = await form.articles();
	return { article, shown: await form.upload(`${HEADINGS}\n${article?.articleId},${line}`) };
};
const priceList = rows(async (line: string) => (await upload(line)).shown.text, {
	'nothing found': async () => {
		expect((await form.upload(`${HEADINGS}\n`)).text).toContain('Nothing was sent');
	},
	'one found': async () => {
		const { article, shown } = await upload('Soup,91,"","');
		expect(shown.text).toContain('1 article will be updated.');
		expect((await shown.answer('No, send nothing')).text).toContain('The prices are as they were.');
		expect((await form.articles())[0]).toEqual(article);
	},
	'many found': async () => {
		const articles = (await form.articles()).slice(0, 60);
		const lines = articles.map(({ articleId }, index) => `${articleId},A${index},${10 + index},`);
		const shown = await form.upload([HEADINGS, ...lines].join('\n'));
		expect(shown.text).toContain(`${articles.length} articles will be updated.`);
		expect(shown.text).toContain(`Lowest price 10.00, highest ${9 + articles.length}.00.`);
		expect(shown.text).toContain(`… and ${articles.length - 5} more`);
		const done = await shown.answer('Yes, send them');
		expect(done.text).toContain(`${articles.length} articles updated`);
		expect((await form.articles())[1]).toMatchObject({ name: 'A1', prices: { regular: { inclVat: 11 } } });
	},
	'another language': async () => {
		const [first, second] = await form.articles();
		const heading = HEADINGS.replaceAll(',', ';');
		const text = `${heading}\r\n${first?.articleId};Räksmörgås;89,50;1.234,50\r\n${second?.articleId};Öl;1,234;\r\n`;
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
	'a guest who wishes ill': { given: '<img src=x>,5,', shows: ['will be updated'], hides: ['<img src=x>'] },
	'an outage': async () => {
		const { shown } = await upload('Soup,91,');
		await gallery.respond('batch-update', 500);
		const mails = await gallery.mailsOf(/^Price list/, async () => {
			expect((await shown.answer('Yes, send them')).text).toContain('0 articles updated');
		});
		expect(mails.map(({ subject }) => subject)).toEqual(['Price list: 0 articles updated, 1 row refused']);
	},
	'the first day': async () => {
		expect(form.url).toMatch(/\/form\/[0-9a-f-]{36}$/);
		expect((await fetch(form.url)).status).toBe(401);
	},
});

beforeAll(async () => {
	form = await PriceForm.publish(gallery);
});

/** A spreadsheet as Excel saves it for other programs; a cell that begins with "=" is a formula whose result is an empty text. */
function spreadsheet(lines: Array<Array<string | number>>): string {
	const cell = (value: string | number) =>
		typeof value === 'number'
			? `<Cell><Data ss:Type="Number">${value}</Data></Cell>`
			: value.startsWith('=')
				? `<Cell ss:Formula="${value}"><Data ss:Type="String"></Data></Cell>`
				: `<Cell><Data ss:Type="String">${value}</Data></Cell>`;
	const table = lines.map((line) => `<Row>${line.map(cell).join('')}</Row>`).join('');
	return `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Prices"><Table>${table}</Table></Worksheet></Workbook>`;
}

describeFile('price-list-to-articles', () => {
	it('names duplicates and prices below 0, and takes a blank or a formula without text for empty', async () => {
		const before = await form.articles();
		const [first, second, third, fourth] = before.map(({ articleId }) => articleId);
		const shown = await form.upload(
			spreadsheet([
				HEADINGS.split(','),
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

const alerts = (plans: string, fineStatuses = 'active, aktiv') =>
	mailed('subscription-check', /^Please look at/, {
		'Enter your plans': entered({ plans, fineStatuses }),
	})();

const subscriptionCheck = rows(alerts, {
	'nothing found': { given: 'plan-of-nobody', shows: [/^plan-of-nobody: .*not registered/m] },
	'one found': { given: 'plan-basic', shows: ['0 in all'] },
	'many found': {
		given: 'plan-basic, plan-canceled\nplan-of-nobody',
		shows: [
			'Please look at 2 subscriptions',
			/^plan-canceled: Its status is Canceled\b/m,
			/^plan-of-nobody: /m,
		],
	},
	'another language': async () => {
		expect(await alerts('plån-åäö')).toContain('plån-åäö');
		await gallery.respond('/subscriptions', 200, { SubscriptionId: 'plan', Status: 'AKTIV', Charges: [] });
		expect(await alerts('plan-basic')).toContain('0 in all');
	},
	'a guest who wishes ill': { given: '../<b>', shows: ['Please look at 1 subscription'] },
	'an outage': async () => {
		await gallery.respond('/subscriptions', 500);
		expect(await alerts('plan-basic')).toContain('500');
	},
	'the first day': async () => {
		expect(await alerts('', '')).toContain("'Subscription Plan ID' is empty");
		const told = await alerts('plan-basic', '');
		expect(told).toContain(
			"plan-basic: Its status is Active. If that is fine, enter it in 'Enter your plans'",
		);
		await gallery.respond('/subscriptions', 200, { SubscriptionId: 'plan', Status: '', Charges: [] });
		expect(await alerts('plan-basic', 'active,')).toContain('plan-basic: Its status is ');
	},
});

tryAll({
	'arrivals-every-morning': arrivalsEveryMorning,
	'booking-tools-for-ai-agents': bookingTools,
	'bookings-as-a-calendar': bookingsAsACalendar,
	'check-my-account': checkMyAccount,
	'closing-time-check-out': closingTime,
	deposits: depositsFile,
	'fill-or-repair-a-table': fillATable,
	'kitchen-and-covers': kitchenAndCovers,
	'price-list-to-articles': priceList,
	'subscription-check': subscriptionCheck,
});
