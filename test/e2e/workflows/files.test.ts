import { setTimeout as sleep } from 'node:timers/promises';
import ICAL from 'ical.js';
import memoize from 'lodash/memoize';
import times from 'lodash/times';
import { DateTime } from 'luxon';
import { neededN8n } from '../../../dev/demo/workflows.ts';
import type { JsonObject, StoredWorkflow } from '../../../dev/n8nClient.ts';
import { outputOf } from '../../../dev/runner.ts';
import { type TestServer, startServer } from '../../engine/support/server';
import { eventually } from '../../support/progress';
import { connectAgent } from '../support/agent';
import { isNewestN8n } from '../support/stack.ts';
import { sendAnswer } from './form';
import { type GoogleSheet, startGoogleSheet } from './googleSheet';
import { PriceForm } from './priceForm';
import { openStaffChat, order, type Review, type StaffChat } from './staffChat';
import {
	AGENT_TOKEN,
	AVBOKAD,
	type Booking,
	CANCELED,
	CONFIRMED,
	guest,
	house,
	ILL,
	inHours,
	inTheNight,
	storedNode,
	testOf,
	useGallery,
	visitIn,
} from './support';

/** What every workflow file is tried with. The outages, which all files share, come last. */
const CASES = [
	'none',
	'one',
	'many',
	'Swedish',
	'a guest who wishes ill',
	'the first day',
	'after midnight',
	'the mail server down, then up',
	'the service down, then up',
] as const;
type Case = (typeof CASES)[number];
/** What a file does in a case, or why there is nothing to try. */
type Cell = (() => Promise<void>) | string;
type File = Record<Case, Cell>;
type Texts = Array<string | RegExp>;
/** What the service lists, and what then comes out and does not. */
type Row = [given: JsonObject[], shows: Texts, hides?: Texts];

const NEW = 'Hospitality New Bookings';
const BOOKINGS = 'Hospitality Bookings';
const ANSWERS = 'Hospitality Survey Answers';
const NO_CLOCK = 'It knows no day and no hour.';
const NO_MAIL = 'It sends no email.';
const NAME = 'Hamn & Krog';
const PHONE = '+46 40 12 34 56';
const NO_ROLES = { canceledStatuses: '', noShowStatuses: '', finishedStatuses: '' };

const gallery = useGallery(NEW, BOOKINGS, ANSWERS);
const evening = (hour: number, fields: JsonObject = {}, minute = 15, days = 0) => ({
	...{ ...visitIn(days, hour, minute), ...CONFIRMED, guests: 2, guestsChildren: 0, message: null },
	...fields,
});
const expectTexts = (text: string, shows: Texts, hides: Texts = []) => {
	const holding = (part: string | RegExp) =>
		(typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part)) as unknown;
	for (const part of shows) expect(text).toEqual(holding(part));
	for (const part of hides) expect(text).not.toEqual(holding(part));
};
const list = (bookings: JsonObject[]) => {
	gallery.listing.bookings = bookings.map(gallery.sample);
};
/** Runs a file with a credential that has other values. */
async function withAccount(fields: JsonObject, act: () => Promise<void>): Promise<void> {
	await gallery.putListed(fields);
	await act().finally(() => gallery.putListed());
}

// ---- Files that are run by hand or by a clock, and send one email

/** What each sends while the mail server is down, and when it is up again: how many emails, and the statuses of the runs. */
const mailOutage = memoize(async () => {
	list([owing({}), evening(5, { paymentEvents: [] }, 0)]);
	const runs = await Promise.all(
		Object.entries(MAILS).map(
			async ([name, { parameters }]) => [name, await gallery.load(name, parameters)] as const,
		),
	);
	const statuses = async () =>
		new Map(await Promise.all(runs.map(async ([name, run]) => [name, (await run()).status] as const)));
	const before = (await gallery.allMails()).length;
	let down = new Map<string, string>();
	await gallery.withoutMailServer(async () => void (down = await statuses()));
	const up = await statuses();
	return { down, up, subjects: (await gallery.allMails()).slice(before).map(({ subject }) => subject) };
});
const serviceOutage = memoize(async () => {
	gallery.listing.status = 500;
	const runs = Object.entries(MAILS).map(
		async ([name, { parameters }]) => [name, await (await gallery.load(name, parameters))()] as const,
	);
	const ended = new Map(await Promise.all(runs));
	gallery.listing.status = 200;
	return ended;
});

interface MailFile {
	subject: RegExp;
	parameters: Record<string, JsonObject>;
}
const swedish = (file: string, values: JsonObject = {}, more: Record<string, JsonObject> = {}) => ({
	...house(file, { name: NAME, language: 'sv', ...values }),
	...more,
});
const HOUSES = '[{ "system": "hamn", "name": "Hamnen <1>" }, { "system": "kulle", "name": "Kullen" }]';
const TO_CHECK_OUT = { "Get today's bookings": { filters: { states: ['expected'], statuses: [2] } } };
const MAILS = {
	'arrivals-every-morning': { subject: /^Ankomster/, parameters: {} },
	'kitchen-and-covers': { subject: /^I morgon/, parameters: {} },
	deposits: { subject: /^Obetalda/, parameters: {} },
	'closing-time-check-out': { subject: /^Stängning/, parameters: TO_CHECK_OUT },
	'several-restaurants': { subject: /^I dag/, parameters: {} },
} as Record<string, MailFile>;
for (const [name, file] of Object.entries(MAILS))
	file.parameters = swedish(name, name === 'several-restaurants' ? { houses: HOUSES } : {}, file.parameters);

/** The emails of a run: how many, and each with its subject and HTML, one blank in the place of several. */
async function mailsOf(name: string, given: JsonObject[]): Promise<string> {
	const { subject, parameters } = MAILS[name] as MailFile;
	list(given);
	const run = await gallery.load(name, parameters);
	const mails = await gallery.mailsOf(subject, async () => {
		expect((await run()).status).toBe('success');
	});
	const texts = mails.map((mail) => `${mail.subject}\n${mail.html}`.replace(/\s+/g, ' '));
	return [`${mails.length} in all`, ...texts].join('\n');
}

function mailFile(
	name: string,
	rows: Record<'none' | 'one' | 'many' | 'Swedish' | 'a guest who wishes ill' | 'after midnight', Row>,
): File {
	const cell =
		([given, shows, hides]: Row) =>
		async () =>
			expectTexts(await mailsOf(name, given), shows, hides);
	return {
		none: cell(rows.none),
		one: cell(rows.one),
		many: cell(rows.many),
		Swedish: cell(rows.Swedish),
		'a guest who wishes ill': cell(rows['a guest who wishes ill']),
		'the first day': async () => {
			list([evening(12)]);
			await withAccount(NO_ROLES, async () => {
				const { error } = await (await gallery.load(name, MAILS[name]?.parameters))();
				if (name === 'several-restaurants') return;
				expect(`${error?.message} ${error?.description}`).toContain('Canceled Statuses');
			});
		},
		'after midnight': cell(rows['after midnight']),
		'the mail server down, then up': async () => {
			const { down, up, subjects } = await mailOutage();
			expect([down.get(name), up.get(name)]).toEqual(['error', 'success']);
			expect(subjects.filter((one) => MAILS[name]?.subject.test(one))).toHaveLength(1);
		},
		'the service down, then up': async () => {
			const { status, error } = (await serviceOutage()).get(name) ?? {};
			if (name === 'several-restaurants') return;
			expect([status, error?.message]).toEqual(['error', expect.stringContaining('500')]);
		},
	};
}

const ill = { ...guest(ILL, ILL, `${ILL}@example.com`), message: ILL };
/** Markup is text, directions end, nothing is wide. */
const TAMED: Row[1] = ['&lt;img src=x', '<bdi>'];
const WILD: Row[2] = ['<img', '\u202E', 'W'.repeat(300)];
/** The hours around the end of a day, of which the second to fourth are in it. */
const aroundFive = (days = 0) => [
	evening(4, guest('Early'), 59, days),
	...[
		evening(5, guest('A'), 0, days),
		evening(0, guest('B'), 30, days + 1),
		evening(4, guest('C'), 59, days + 1),
	],
	evening(5, guest('Late'), 0, days + 1),
];
const OF_THE_DAY: Texts = ['>A<', '>B<', '>C<'];

const owing = (fields: JsonObject) =>
	evening(19, { chargeShouldPayAmount: 5, chargePayedAmount: 0, ...fields }, 0, 1);
const listFiles: Record<string, File> = {
	'arrivals-every-morning': mailFile('arrivals-every-morning', {
		none: [[], ['1 in all', 'Ingen har bokat i dag.', 'Ankomster i dag: 0 bokningar']],
		one: [
			[evening(19, { ...guest('Anna', 'Lind'), guests: 3, guestsChildren: 1 })],
			[
				': 1 bokningar, 3 gäster',
				'<b>19:15</b>',
				'>3</td>',
				'>1</td>',
				'href="tel:+46701234567"',
				'Anna Lind',
			],
		],
		many: [
			times(60, (index) => evening([21, 11, 17][index % 3] ?? 0)),
			[': 60 bokningar, 120 gäster', /11:15.*17:15.*21:15/],
			[/21:15.*11:15/],
		],
		Swedish: [
			[evening(12, guest('Åsa')), evening(12, { ...guest('Off'), ...AVBOKAD })],
			['Åsa', NAME, 'Gäster'],
			['Off'],
		],
		'a guest who wishes ill': [[evening(12, ill)], TAMED, WILD],
		'after midnight': [aroundFive(), [': 3 bokningar', ...OF_THE_DAY], ['Early', 'Late']],
	}),
	'kitchen-and-covers': mailFile('kitchen-and-covers', {
		none: [[], ['1 in all', 'I morgon: 0 kuvert', 'Inget är bokat för i morgon.']],
		one: [
			[evening(19, { guests: 3, guestsChildren: 1, message: 'Nötter!' }, 45, 1), evening(19, { guests: 50 })],
			['I morgon: 3 kuvert', '19:45', '3 gäster<br>1 barn', 'Nötter!'],
		],
		many: [
			times(40, (index) => evening(17 + (index % 4), {}, 0, 1)),
			['I morgon: 80 kuvert', /17:00<\/b> · <b>20 kuvert/],
		],
		Swedish: [
			[evening(18, guest('Åsa'), 0, 1), evening(18, AVBOKAD, 0, 1)],
			['I morgon: 2 kuvert', 'Åsa'],
		],
		'a guest who wishes ill': [[evening(12, ill, 0, 1)], TAMED, WILD],
		'after midnight': [aroundFive(1), ['I morgon: 6 kuvert', ...OF_THE_DAY], ['Early', 'Late']],
	}),
	deposits: mailFile('deposits', {
		none: [[owing({ chargePayedAmount: 5 }), owing({ chargeShouldPayAmount: null })], ['0 in all']],
		one: [
			[
				owing({
					...guest('Anna'),
					chargePayedAmount: 1,
					chargePaymentLinkExpirationDate: '2026-12-01T10:00:00',
				}),
			],
			[
				'handpenningar: 1',
				'att betala: 5, betalt: 1',
				'länken upphör: 2026-12-01',
				'href="tel:+46701234567"',
			],
		],
		many: [times(30, () => owing({ chargePayedAmount: null })), ['1 in all', 'handpenningar: 30']],
		Swedish: [[owing(AVBOKAD)], ['0 in all']],
		'a guest who wishes ill': [[owing(ill)], TAMED, WILD],
		'after midnight': [[owing(visitIn(2, 0, 30))], ['handpenningar: 1', '00:30']],
	}),
	'closing-time-check-out': mailFile('closing-time-check-out', {
		none: [[], ['0 in all']],
		one: [[{ ...evening(5, { paymentEvents: [{ bookingRootId: 7 }] }) }], ['Stängning: 1 av 1', 'Utcheckad']],
		many: [
			times(3, () => evening(5, { paymentEvents: [] })),
			['1 in all', 'Stängning: 0 av 3', 'INTE UTCHECKAD', "'Booking Root ID'"],
		],
		Swedish: [[evening(5, { ...AVBOKAD, paymentEvents: [{ bookingRootId: 7 }] })], ['0 in all']],
		'a guest who wishes ill': [
			[evening(5, { ...ill, paymentEvents: [] })],
			[...TAMED, 'Stängning: 0 av 1'],
			WILD,
		],
		'after midnight': [
			[evening(4, guest('Early'), 59), evening(5, guest('A'), 0), evening(4, guest('Later'), 59, 1)],
			['Stängning: 0 av 1', '>A<'],
			['Early', 'Later'],
		],
	}),
	'several-restaurants': mailFile('several-restaurants', {
		none: [[], ['1 in all', 'I dag: 0 bokningar', 'Hamnen &lt;1> · 0 bokningar', 'Kullen · 0 bokningar']],
		one: [
			[evening(18, guest('Anna'))],
			['I dag: 2 bokningar, 4 gäster', 'Kullen · 1 bokningar · 2 gäster', '18:15'],
		],
		many: [times(50, () => evening(18)), ['I dag: 100 bokningar, 200 gäster']],
		Swedish: [
			[evening(18, guest('Åsa')), evening(18, AVBOKAD)],
			['I dag: 2 bokningar', 'Åsa'],
		],
		'a guest who wishes ill': [[evening(18, ill)], TAMED, WILD],
		'after midnight': [aroundFive(), ['I dag: 6 bokningar', ...OF_THE_DAY], ['Early', 'Late']],
	}),
};

/** The day of a run in the night is the one that began before midnight. */
const inTheNightOf = (name: string) => async () => {
	const at = (hours: number, fname: string) => ({ ...evening(12, guest(fname)), ...inHours(-hours) });
	await withAccount(inTheNight(), async () =>
		expectTexts(await mailsOf(name, [at(3, 'Evening'), at(26, 'Yesterday')]), ['>Evening<'], ['Yesterday']),
	);
};

// ---- The subscription

const alert =
	(fields: JsonObject | number, fineStatus = 'AKTIV') =>
	async (): Promise<string> => {
		const [status, body] =
			typeof fields === 'number' ? [fields, {}] : [200, { SubscriptionId: 'plan', Charges: [], ...fields }];
		await gallery.respondAsUsual();
		await gallery.respond('/subscriptions', status, body);
		const parameters = {
			...swedish('subscription-check', { fineStatus }),
			'Get the subscription': { id: 'plan' },
		};
		const run = await gallery.load('subscription-check', parameters);
		const mails = await gallery.mailsOf(/^Titta på abonnemanget/, async () => {
			expect((await run()).status).toBe('success');
		});
		return [`${mails.length} in all`, ...mails.map(({ html }) => html)].join('\n');
	};
const subscription = (given: Parameters<typeof alert>, shows: Texts) => async () =>
	expectTexts(await alert(...given)(), shows);

// ---- Others that are run by hand

const checked = async () => {
	const execution = await (await gallery.load('check-my-account'))();
	expect(execution.status).toBe('success');
	const [came = {}] = outputOf(execution, 'Say what came').map(({ json }) => json);
	return { came, statuses: outputOf(execution, 'List the statuses').map(({ json }) => json) };
};
const statusesOf = (given: JsonObject[], expected: JsonObject[]) => async () => {
	list(given);
	expect((await checked()).statuses).toEqual(expected);
};
const SINCE = { 'Get the bookings since': { changedFrom: '2026-01-01' } };
const filledRows =
	(given: JsonObject[], expected: JsonObject[], runs = 1) =>
	async () => {
		list(given);
		const all = gallery.listing.bookings;
		const run = await gallery.load('fill-or-repair-a-table', SINCE);
		for (let index = 0; index < runs; index++) expect((await run()).status).toBe('success');
		const rows = await gallery.rowsNow(BOOKINGS)();
		expect(rows.filter(({ guid }) => all.some((one) => one.guid === guid))).toMatchObject(expected);
	};

/** Publishes a file that listens, once. @returns the path of its address, which nobody can guess */
const pathOf = memoize(async (name: string, node: string, isListed: boolean) => {
	const workflow = await gallery.publish(name, {}, isListed);
	const stored = await storedNode(gallery.client, workflow, (one) => one.name === node);
	expect(stored?.parameters.path).toMatch(/^[0-9a-f-]{36}$/);
	return String(stored?.parameters.path);
});
async function calendar() {
	const response = await fetch(
		`${gallery.client.url}/webhook/${await pathOf('bookings-as-a-calendar', 'A calendar asks', true)}`,
	);
	return { status: response.status, text: await response.text() };
}
/** A client keeps the calendar that it has. n8n 1.x answers 200 with the error's text. */
function expectNone({ status, text }: Awaited<ReturnType<typeof calendar>>): void {
	expect(text).not.toContain('BEGIN:VCALENDAR');
	if (isNewestN8n()) expect(status).toBe(500);
}
const events = (given: JsonObject[], shows: Texts, hides?: Texts) => async () => {
	list(given);
	const { text } = await calendar();
	expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
	const root = new ICAL.Component(ICAL.parse(text) as unknown[]);
	const all = root.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
	const lines = all.map(({ startDate, endDate, summary, description, uid }) =>
		JSON.stringify([startDate.toJSDate(), endDate.toJSDate(), summary, description, uid]),
	);
	expectTexts([`${all.length} in all`, ...lines].join('\n'), shows, hides);
};
async function ask({ tool = 'Find_booking', ...given }: JsonObject): Promise<string> {
	const agent = await connectAgent(
		await pathOf('booking-tools-for-ai-agents', 'An AI agent connects', false),
		AGENT_TOKEN,
	);
	const said = await agent.call(String(tool), given);
	await agent.close();
	return said;
}

const byHand: Record<string, File> = {
	...listFiles,
	'subscription-check': {
		none: subscription([{ Status: 'AKTIV' }], ['0 in all']),
		one: subscription([{ Status: 'Canceled' }], ['1 in all', 'Status: Canceled']),
		many: subscription(
			[{ Status: 'AKTIV', Charges: [{ Captured: true }, { Captured: false, Amount: 9, Currency: 'SEK' }] }],
			['1 in all', '9 SEK (false)'],
		),
		Swedish: subscription(
			[{ Status: 'AKTIV', NextCharge: '2020-01-01' }],
			['1 in all', 'Nästa debitering: 2020-01-01'],
		),
		'a guest who wishes ill': 'Guests write nothing here.',
		'the first day': async () => {
			expectTexts(await alert({ Status: 'Active' }, '')(), ['1 in all', 'Status: Active']);
			const said = await (
				await gallery.load('subscription-check')
			)().then(({ error }) => JSON.stringify(error), String);
			expect(said).toMatch(/Subscription Plan ID|has issues/);
		},
		'after midnight': subscription(
			[{ Status: 'AKTIV', NextCharge: DateTime.now().plus({ days: 1 }).toISODate() }],
			['0 in all'],
		),
		'the mail server down, then up': 'As the other files with one email.',
		'the service down, then up': subscription([500], ['1 in all', '(500)']),
	},
	'check-my-account': {
		none: async () => {
			list([]);
			const { came, statuses } = await checked();
			expect([came.bookings, statuses]).toEqual(['0', []]);
		},
		one: statusesOf([evening(18)], [{ status: 'Bekräftad', state: 'expected', count_guid: 1 }]),
		many: statusesOf(
			[...times(60, () => evening(18)), ...times(5, () => evening(18, AVBOKAD))],
			[
				expect.objectContaining({ count_guid: 60 }) as JsonObject,
				expect.objectContaining({ count_guid: 5 }) as JsonObject,
			],
		),
		Swedish: statusesOf([evening(18, AVBOKAD)], [{ status: 'Avbokad', state: 'canceled', count_guid: 1 }]),
		'a guest who wishes ill': async () => {
			list([evening(18, ill)]);
			expect(JSON.stringify(await checked())).not.toContain('img');
		},
		'the first day': async () => {
			list([evening(18)]);
			await withAccount({ system: '' }, async () => {
				expect((await checked()).came.bookings).toContain('System');
			});
		},
		'after midnight': NO_CLOCK,
		'the mail server down, then up': NO_MAIL,
		'the service down, then up': async () => {
			gallery.listing.status = 403;
			const { came } = await checked().finally(() => (gallery.listing.status = 200));
			for (const said of [came.bookings, came.customers, came.surveyRecipients])
				expect(said).toContain('(403)');
		},
	},
	'fill-or-repair-a-table': {
		none: filledRows([], []),
		one: filledRows(
			[evening(18, { ...guest('Anna', 'Lind'), guests: 7 })],
			[{ time: '18:15', guests: 7, guestName: 'Anna Lind' }],
			2,
		),
		many: filledRows(
			times(60, () => evening(18)),
			times(60, () => ({ guests: 2 })),
		),
		Swedish: filledRows(
			[evening(18, { ...guest('Åsa'), ...AVBOKAD })],
			[{ guestName: 'Åsa', status: 'Avbokad', state: 'canceled' }],
		),
		'a guest who wishes ill': filledRows(
			[evening(18, { ...guest('=1+1'), message: '{{ $json }}' })],
			[{ guestName: '=1+1', message: '{{ $json }}' }],
		),
		'the first day': async () => {
			const said = await (
				await gallery.load('fill-or-repair-a-table')
			)().then(({ error }) => JSON.stringify(error), String);
			expect(said).toMatch(/Changed After|has issues/);
		},
		'after midnight': NO_CLOCK,
		'the mail server down, then up': NO_MAIL,
		'the service down, then up': async () => {
			gallery.listing.status = 500;
			const { error } = await (
				await gallery.load('fill-or-repair-a-table', SINCE)
			)().finally(() => (gallery.listing.status = 200));
			expect(error?.message).toContain('500');
		},
	},
	'bookings-as-a-calendar': {
		none: events([], ['0 in all']),
		one: events(
			[evening(18, { ...guest('Anna; the, long', 'Lind'), end: null })],
			['Anna; the, long Lind, 2 guests', /(\d\d):15:00.*T\d\d:15:00/],
		),
		many: events(
			times(200, () => evening(18)),
			['200 in all'],
		),
		Swedish: events(
			[evening(18, guest('Åsa Öberg 🦀 👨‍👩‍👧‍👦')), evening(18, AVBOKAD)],
			['1 in all', 'Åsa Öberg 🦀 👨‍👩‍👧‍👦'],
		),
		'a guest who wishes ill': events(
			[
				evening(18, { message: 'x\r\nEND:VEVENT\rBEGIN:VEVENT\nUID:forged\u2028END:VCALENDAR' }),
				{ ...evening(18), guid: 'a,b\nUID:forged;' },
				{ ...evening(18), start: 'never' },
			],
			['2 in all'],
			[/"forged/],
		),
		'the first day': async () => {
			await withAccount(NO_ROLES, async () => {
				expectNone(await calendar());
			});
		},
		'after midnight': events([evening(0, {}, 30)], ['1 in all']),
		'the mail server down, then up': NO_MAIL,
		'the service down, then up': async () => {
			gallery.listing.status = 500;
			expectNone(await calendar().finally(() => (gallery.listing.status = 200)));
			expect((await calendar()).text).toContain('BEGIN:VCALENDAR');
		},
	},
	'booking-tools-for-ai-agents': {
		none: async () => expect(await ask({ words: 'Nobody of this name' })).toMatch(/^\[\]$/),
		one: async () => {
			const { guid } = await gallery.book(guest('Anna'));
			expect(await ask({ words: '070-123 45 67' })).toContain(guid);
		},
		many: async () => {
			const { guid, start: from, end: until } = await gallery.book(inHours(20));
			expect(await ask({ tool: 'List_bookings', from, until })).toContain(guid);
		},
		Swedish: async () => {
			const { guid } = await gallery.book(guest('Zoë', 'Öberg-Żółć'));
			expect(await ask({ words: 'öberg-żółć' })).toContain(guid);
		},
		'a guest who wishes ill': async () => expect(await ask({ words: '  ' })).not.toContain('"guid"'),
		'the first day': async () => {
			const path = await pathOf('booking-tools-for-ai-agents', 'An AI agent connects', false);
			for (const token of [undefined, 'of-somebody-else'])
				await expect(connectAgent(path, token)).rejects.toThrow();
		},
		'after midnight': NO_CLOCK,
		'the mail server down, then up': NO_MAIL,
		'the service down, then up': async () => {
			await gallery.respond('/api/', 500);
			expect(await ask({ words: 'Lind' }).finally(gallery.respondAsUsual)).toContain('500');
		},
	},
};
for (const name of ['arrivals-every-morning', 'closing-time-check-out']) {
	const file = byHand[name] as File;
	const days = file['after midnight'] as () => Promise<void>;
	file['after midnight'] = async () => {
		await days();
		await inTheNightOf(name)();
	};
}

// ---- The form

const HEADINGS = 'Article ID,Name,Price,Take-Away Price';
let form: PriceForm;
const priceList: File = {
	none: async () =>
		expect((await form.upload(`${HEADINGS}\n`)).text).toContain('Det finns ingen rad under rubrikerna.'),
	one: async () => {
		const [article] = await form.articles();
		const shown = await form.upload(`${HEADINGS},Color\n${article?.articleId},Soppa,91,,röd`);
		expectTexts(shown.text, [
			'Artiklar som uppdateras: 1',
			'Namn som sätts: 1',
			'inte läses: Color',
			'Soppa',
			'som det är',
		]);
		expect((await shown.answer('Nej, skicka inget')).text).toContain('Priserna är som förut.');
		expect((await form.articles())[0]).toEqual(article);
	},
	many: async () => {
		const ids = (await form.articles()).map(({ articleId }) => articleId).slice(0, 30);
		const lines = ids.map((id, index) => `${id},A${index},${10 + index},`);
		const shown = await form.upload([HEADINGS, ...lines].join('\n'));
		expectTexts(shown.text, [`uppdateras: ${ids.length}`, 'Lägsta pris 10.00', 'A29']);
		expect((await shown.answer('Ja, skicka dem')).text).toContain(`Uppdaterade: ${ids.length}`);
		expect((await form.articles())[1]).toMatchObject({ name: 'A1', prices: { regular: { inclVat: 11 } } });
	},
	Swedish: async () => {
		const [first, second] = await form.articles();
		const text = `Artikel-ID; Namn;Pris ;Take-away-pris\r\n${first?.articleId};Räksmörgås;89:-;1 234,50\r\n${second?.articleId};"Öl; ljus";79 kr;\r\n`;
		for (const file of [
			Buffer.from(text),
			Buffer.from(text, 'latin1'),
			Buffer.from(`\uFEFF${text}`, 'utf16le'),
		])
			expectTexts((await form.upload(file)).text, ['Räksmörgås', 'Öl; ljus', '89.00', '79.00', '1234.50']);
		const damaged = Buffer.from(text);
		damaged[damaged.indexOf('Ö')] = 0xff;
		for (const [file, said] of [
			[damaged, 'skadad på rad 3'],
			[Buffer.from(`${HEADINGS}\n1,\u00b3\u00b9,5,`, 'latin1'), 'Windows-1250'],
			[Buffer.from('PK\u0003\u0004'), 'Excel'],
		] as const)
			expectTexts((await form.upload(file)).text, ['Inget skickades', said]);
	},
	'a guest who wishes ill': async () => {
		const before = await form.articles();
		const ids = before.map(({ articleId }) => articleId);
		const rows = [
			'<img src=x>,#N/A,5',
			'B,2026-05-06,',
			'C,79/89,',
			'D,"1,234",',
			'E,89,50,60',
			'F,-5,',
			',,',
		];
		const shown = await form.upload(
			`${HEADINGS}\n${[...rows.map((row, index) => `${ids[index]},${row}`), `${ids[9]},G,1,`, `${ids[9]?.toUpperCase()},G,2,`, `${ids[10]},OK,5,`].join('\n')}`,
		);
		expectTexts(
			shown.text,
			[
				'uppdateras: 1',
				'Rader som utelämnas: 9',
				'inte ett pris',
				'kan vara 1234 / 1.234',
				'Fler celler',
				'under 0',
				'inget att uppdatera',
				'raderna 9, 10',
			],
			['<img src=x>'],
		);
		expectTexts((await form.upload(`${HEADINGS}\n1,"A,5,\n2,"B",6,\n`)).text, [
			'Ett citattecken stämmer inte på rad 2',
			'Inget skickades',
		]);
		expect(await form.articles()).toEqual(before);
	},
	'the first day': async () => {
		expect(form.url).toMatch(/\/form\/[0-9a-f-]{36}$/);
		expect((await fetch(form.url)).status).toBe(401);
	},
	'after midnight': NO_CLOCK,
	'the mail server down, then up': async () => {
		const [article] = await form.articles();
		const shown = await form.upload(`${HEADINGS}\n${article?.articleId},Soppa,92,`);
		await gallery.withoutMailServer(async () => {
			await shown.answer('Ja, skicka dem').catch(() => undefined);
		});
		expect((await form.articles())[0]).toMatchObject({ prices: { regular: { inclVat: 92 } } });
	},
	'the service down, then up': async () => {
		const [article] = await form.articles();
		const shown = await form.upload(`${HEADINGS}\n${article?.articleId},Soppa,93,`);
		await gallery.respond('batch-update', 500);
		const done = await shown.answer('Ja, skicka dem').finally(gallery.respondAsUsual);
		expectTexts(done.text, ['Uppdaterade: 0, inte uppdaterade: 1', 'Rad 2, Soppa: '], ['[item']);
		await gallery.mails(/^Prislista: Uppdaterade: 0/);
	},
};

// ---- The chat

let chat: StaffChat;
const asksToCancel = async (booking: Booking, words = '', meanwhile?: () => Promise<unknown>) =>
	(await chat.ask(`${words} ${order('Cancel_booking', { guid: booking.guid })}`, meanwhile)) as Review;
const chatFile: File = {
	none: async () => {
		const unknown = { guid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' };
		expect(await chat.ask(order('Cancel_booking', unknown))).toMatch(/^Done: /);
	},
	one: async () => {
		const booking = await gallery.book({ ...inHours(30), ...guest('Anna', 'Lind') });
		const review = await asksToCancel(booking);
		expectTexts(review.text, ['Anna Lind', booking.globalBookingNumber]);
		expect(review.buttons).toHaveLength(2);
		expect((await gallery.stored(booking)).web.status).not.toBe(CANCELED);
		expect(await chat.press(review, true)).toContain(booking.globalBookingNumber);
		expect((await gallery.stored(booking)).web.status).toBe(CANCELED);
	},
	many: async () => {
		const booking = await gallery.book({ ...inHours(31) });
		expect(await chat.press(await asksToCancel(booking), false)).toBe('Nothing was canceled.');
		expect((await gallery.stored(booking)).web.status).not.toBe(CANCELED);
	},
	Swedish: async () => {
		await gallery.book({ ...inHours(32), ...guest('Åsa', 'Ögren') });
		expect(await chat.ask(order('Find_booking', { words: 'ögren' }))).toContain('Åsa Ögren');
	},
	// The person reads what the service says when the model has asked, of the ID that it gave.
	'a guest who wishes ill': async () => {
		const booking = await gallery.book({ ...inHours(33), ...guest('Anna', 'Berg'), guests: 2 });
		const { text } = await asksToCancel(booking, 'B77, Eve', async () => {
			await gallery.change(booking, { guests: 8 });
		});
		expectTexts(text, ['Anna Berg', 'guests: 8', booking.globalBookingNumber], ['B77', 'Eve']);
	},
	'the first day': async () => {
		expect((await chat.write('hello', { user: 'staff', password: 'wrong' })).status).not.toBe(200);
	},
	'after midnight': NO_CLOCK,
	'the mail server down, then up': NO_MAIL,
	'the service down, then up': async () => {
		await gallery.respond('/api/', 500);
		const said = chat.ask(order('Find_booking', { words: 'berg' }));
		expect(await said.finally(gallery.respondAsUsual)).toContain('500');
	},
};

// ---- Files that wait for something to happen

const POLLED_MS = 11_000;
const MANY = 10;
const FAR = inHours(400);
const RESPONDED = 4;
const WAIT_FOR_MAIL = { unit: 'seconds', amount: 20 };
interface Recipient {
	id: string;
	name: string;
	status: number;
}
let channel: TestServer;
let sheet: GoogleSheet;
let silent: Recipient[];
let polls: Map<string, StoredWorkflow>;
/** What had come when nothing had happened yet. */
let first: { mails: number; posts: number; lines: number; rows: number };
const nothing = (what: keyof typeof first) => async () => expect(await Promise.resolve(first[what])).toBe(0);

const posts = () => channel.received.map(({ body }) => (JSON.parse(body) as { text: string }).text);
const mailsTo = async (address: string) =>
	(await gallery.allMails()).filter(({ to }) => to.some((one) => one.address === address));
const firstTo = (address: string) =>
	eventually(`a mail to ${address}`, async () => (await mailsTo(address))[0]);
const rowOf = async (rowsNow: () => Promise<JsonObject[]>, { guid }: Booking, values: JsonObject = {}) =>
	await eventually(`the row of ${guid}`, async () =>
		(await rowsNow()).find(
			(row) =>
				row.guid === guid &&
				Object.entries(values).every(([column, value]) => String(row[column]) === String(value)),
		),
	);
const cancel = async (booking: Booking) =>
	await gallery.change(booking, {
		status: CANCELED,
		history: [
			{ changeDate: DateTime.utc().toISO(), status: CANCELED, statusName: 'Avbokad' },
			...booking.history,
		],
	});

/** All polls fail at once, and what happened meanwhile comes out once afterwards. */
const pollOutage = memoize(async () => {
	await gallery.respond('/api/', 500);
	const booking = await gallery.book({
		...inHours(20),
		...guest('Meanwhile', '', 'meanwhile@example.com'),
		cancelAllowedBeforeUtc: DateTime.utc().plus({ hours: 9 }).toISO(),
	});
	await sleep(POLLED_MS);
	const during = await mailsTo('meanwhile@example.com');
	await gallery.respondAsUsual();
	await gallery.change(booking, { guests: 9 });
	return { booking, during };
});
const mailServerOutage = memoize(async () => {
	const booking = async (email: string) =>
		await gallery.book({ ...inHours(20), ...guest('Unmailed', '', email) });
	let made: Booking | undefined;
	await gallery.withoutMailServer(async () => {
		made = await booking('unmailed@example.com');
		await rowOf(gallery.rowsNow(NEW), made);
		await sleep(POLLED_MS / 2);
	});
	return made as Booking;
});

/** A file that keeps a row of each booking up to date. */
const keepsRows = (rowsNow: () => Promise<JsonObject[]>, already: () => Promise<void>): File => ({
	none: already,
	one: async () => {
		const booking = await gallery.book({ ...FAR, guests: 2 });
		await rowOf(rowsNow, booking, { guests: 2, state: 'expected' });
		await gallery.change(booking, { guests: 7 });
		await rowOf(rowsNow, booking, { guests: 7 });
		expect((await rowsNow()).filter(({ guid }) => guid === booking.guid)).toHaveLength(1);
	},
	many: async () => {
		const made = await gallery.control<Booking[]>('POST', '/bookings', { count: MANY, booking: FAR });
		for (const booking of made) await rowOf(rowsNow, booking);
	},
	Swedish: async () => {
		const booking = await gallery.book({ ...FAR, ...guest('Åsa', 'Öberg') });
		await rowOf(rowsNow, booking);
		await cancel(booking);
		expect(await rowOf(rowsNow, booking, { state: 'canceled' })).toMatchObject({
			status: 'Avbokad',
			guestName: 'Åsa Öberg',
		});
	},
	'a guest who wishes ill': async () => {
		const booking = await gallery.book({
			...FAR,
			...guest('=HYPERLINK("http://x.example")'),
			message: '=1+1',
		});
		expect(await rowOf(rowsNow, booking)).toMatchObject({
			guestName: '=HYPERLINK("http://x.example")',
			message: '=1+1',
		});
	},
	'the first day': already,
	'after midnight': async () => {
		const booking = await gallery.book({ ...visitIn(30, 0, 30) });
		expect(await rowOf(rowsNow, booking)).toMatchObject({ time: '00:30' });
	},
	'the mail server down, then up': NO_MAIL,
	'the service down, then up': async () => {
		const { booking } = await pollOutage();
		await rowOf(rowsNow, booking, { guests: 9 });
	},
});

const offered = (text: string) => eventually('the message', () => posts().find((one) => one.includes(text)));
async function cancelTable(tableName: string, fields: JsonObject = {}) {
	const booking = await gallery.book({ ...FAR, ...fields });
	const [table] = booking.articles;
	await gallery.change(booking, { articles: [{ ...table, tableName }] });
	await cancel(booking);
	return await offered(tableName);
}
async function answered(replaceParams: JsonObject, name = 'Anna') {
	const recipient = silent.shift() as Recipient;
	await gallery.control('PATCH', `/recipients/${recipient.id}`, { replaceParams, name, status: RESPONDED });
	const [row] = await gallery.rows(ANSWERS, ({ recipientId }) => recipientId === recipient.id);
	return row;
}
const subjectsTo = async (address: string) => (await mailsTo(address)).map(({ subject }) => subject);
const subjectsOf = async (subject: RegExp) =>
	(await gallery.allMails()).filter((mail) => subject.test(mail.subject));
const due = async (email: string, fields: JsonObject = {}, hours = 20) =>
	await gallery.book({
		...inHours(hours),
		...guest('Anna', 'Lind', email),
		language: 'sv-SE',
		cancelAllowedBeforeUtc: DateTime.utc().plus({ hours: 9 }).toISO(),
		...fields,
	});
/** The link of the one-tap email to an address. */
async function linkTo(email: string): Promise<string> {
	const mail = await eventually(`the question to ${email}`, async () =>
		(await mailsTo(email)).find(({ html = '' }) => html.includes('webhook-waiting')),
	);
	const link = String(/href="([^"]*webhook-waiting[^"]*)"/.exec(mail.html ?? '')?.[1]).replaceAll(
		'&amp;',
		'&',
	);
	await eventually('the page behind it', async () => (await fetch(link)).ok);
	return link;
}
const statusOf = async (booking: Booking) => (await gallery.stored(booking)).web.status;
const told = (email: string, text: string) =>
	eventually(`"${text}" to ${email}`, async () =>
		(await mailsTo(email)).some(({ html = '' }) => html.includes(text)),
	);

const waiting: Record<string, File> = {
	'new-booking-to-email-and-row': {
		none: nothing('rows'),
		one: async () => {
			const booking = await gallery.book({
				...FAR,
				...guest('Single', 'Guest'),
				guests: 3,
				guestsChildren: 1,
			});
			const [mail] = await gallery.mails(/^New booking: .*Single Guest/, 'kitchen@');
			const row = await rowOf(gallery.rowsNow(NEW), booking);
			expect(mail?.subject).toBe(`New booking: ${row.date} ${row.time}, 3 guests, Single Guest`);
			expectTexts(mail?.html ?? '', ['3 guests', '1 children', 'href="tel:+46701234567"']);
		},
		many: async () => {
			await gallery.control('POST', '/bookings', { count: MANY, booking: { ...FAR, ...guest('Several') } });
			await eventually(
				'all emails',
				async () => (await subjectsOf(/^New booking: .*Several/)).length === MANY,
			);
		},
		Swedish: async () => {
			await gallery.book({ ...FAR, ...guest('Åke', 'Ä') });
			await gallery.mails(/^New booking: .*Åke Ä$/);
		},
		'a guest who wishes ill': async () => {
			await gallery.book({ ...FAR, ...guest('A\r\nBcc: all@example.com', '<b>x'), message: ILL });
			const [mail] = await gallery.mails(/^New booking: .*A Bcc: all@example.com/);
			expect(mail?.to).toHaveLength(1);
			expectTexts(mail?.html ?? '', TAMED, [...(WILD ?? []), '<b>x']);
		},
		'the first day': nothing('mails'),
		'after midnight': async () => {
			await gallery.book({ ...visitIn(31, 0, 30), ...guest('Night', 'Owl') });
			await gallery.mails(/ 00:30, .*Night Owl$/);
		},
		'the mail server down, then up': async () => {
			const booking = await mailServerOutage();
			await rowOf(gallery.rowsNow(NEW), booking);
			const failed = (
				await gallery.client.executions(String(polls.get('new-booking-to-email-and-row')?.id))
			).filter(({ status }) => status === 'error');
			expect(failed.length).toBeGreaterThan(0);
		},
		'the service down, then up': async () => {
			const { booking } = await pollOutage();
			await rowOf(gallery.rowsNow(NEW), booking);
			expect(await gallery.mails(/^New booking: .*Meanwhile/)).toHaveLength(1);
		},
	},
	'bookings-in-a-table': keepsRows(() => gallery.rowsNow(BOOKINGS)(), nothing('rows')),
	'bookings-in-google-sheets': keepsRows(async () => await Promise.resolve(sheet.lines()), nothing('lines')),
	'canceled-booking-offer-table': {
		none: nothing('posts'),
		one: async () =>
			expect(await cancelTable('Window 1', { guests: 4 })).toMatch(
				/^Ledigt igen: \d{4}-\d\d-\d\d \d\d:\d\d, 4 gäster, Window 1$/,
			),
		many: async () => void (await Promise.all(times(5, (index) => cancelTable(`Bar ${index}`)))),
		Swedish: async () => void (await cancelTable('Fönster Å')),
		'a guest who wishes ill': async () =>
			expect(await cancelTable('Table "7\\', guest('Secret <!channel>'))).not.toContain('Secret'),
		'the first day': nothing('posts'),
		'after midnight': async () => {
			const over = await gallery.book({ ...inHours(-3), guests: 97 });
			await cancel(over);
			await cancelTable('After it', visitIn(32, 0, 30));
			expect(posts().filter((text) => text.includes('97 '))).toEqual([]);
		},
		'the mail server down, then up': NO_MAIL,
		'the service down, then up': async () => {
			const { booking } = await pollOutage();
			await cancel(booking);
			await offered('9 gäster');
		},
	},
	'survey-answers-and-alert': {
		none: async () => expect(await answered({})).toMatchObject({ score: null }),
		one: async () => {
			expect(await answered({ score: '2' }, 'Angry')).toMatchObject({ score: 2, name: 'Angry' });
			const [mail] = await gallery.mails(/^★ 2 · Angry$/);
			expect(mail?.html).toContain('href="tel:+');
		},
		many: async () => {
			for (const score of ['5', '4', '5']) await answered({ score }, 'Pleased');
			await answered({ score: '2.5' }, 'Last');
			await gallery.mails(/^★ 2.5 · Last/);
			expect(await subjectsOf(/Pleased/)).toEqual([]);
		},
		Swedish: async () =>
			expect(await answered({ score: '2,5' }, 'Åsa')).toMatchObject({ score: 2.5, name: 'Åsa' }),
		'a guest who wishes ill': async () => {
			await answered({ score: '1' }, 'A\r\nBcc: all@example.com <img>');
			const [mail] = await gallery.mails(/^★ 1 · A Bcc/);
			expect(mail?.to).toHaveLength(1);
			expect(mail?.html).not.toContain('<img>');
		},
		'the first day': nothing('rows'),
		'after midnight': NO_CLOCK,
		'the mail server down, then up': 'As the new booking: its row does not wait for the email.',
		'the service down, then up': async () => {
			await pollOutage();
			expect(await answered({ score: '5' })).toMatchObject({ score: 5 });
		},
	},
	'reminder-and-review-request': {
		none: async () => {
			await due('later@example.com', FAR);
			await due('last@example.com');
			await firstTo('last@example.com');
			expect(await mailsTo('later@example.com')).toEqual([]);
		},
		one: async () => {
			const booking = await due('one@example.com', { guests: 3, guestsChildren: 1 });
			await due('over@example.com', { language: 'de' }, -5);
			const mail = await eventually('the reminder', async () =>
				(await mailsTo('one@example.com')).find(({ subject }) => subject.endsWith('Vi ses snart')),
			);
			expectTexts(mail.html ?? '', [
				'Vi ser fram emot',
				DateTime.fromISO(booking.start, { zone: 'Europe/Stockholm', locale: 'sv' }).toFormat(
					'cccc d LLLL, HH:mm',
				),
				'3 gäster, 1 barn',
				NAME,
				'tel:+4640123456',
			]);
			expectTexts((await firstTo('over@example.com')).html ?? '', ['Wie war es?', `${channel.url}/reviews`]);
		},
		many: async () => {
			const emails = times(5, (index) => `many-${index}@example.com`);
			for (const email of emails) await due(email);
			for (const email of emails)
				await eventually('its reminder', async () =>
					(await subjectsTo(email)).includes(`${NAME}: Vi ses snart`),
				);
		},
		Swedish: async () => {
			await due('other@example.com', { language: 'fi-FI' });
			await eventually('the reminder', async () =>
				(await subjectsTo('other@example.com')).includes(`${NAME}: See you soon`),
			);
		},
		'a guest who wishes ill': async () => {
			await due('a@example.com, victim@example.com');
			await due('ill@example.com', guest('Win at https://evil.example', '', 'ill@example.com'));
			expect((await firstTo('ill@example.com')).html).not.toContain('evil');
			expect(await mailsTo('victim@example.com')).toEqual([]);
		},
		'the first day': async () => {
			const parameters = house('reminder-and-review-request', {});
			const workflow = await gallery.publish('reminder-and-review-request', parameters);
			await due('nobody@example.com', FAR);
			await due('first-day@example.com');
			const failed = await eventually('what is missing', async () => {
				const [execution] = (await gallery.client.executions(workflow.id)).filter(
					({ status }) => status === 'error',
				);
				return execution && (await gallery.client.execution(execution.id));
			});
			await gallery.client.deactivate(workflow);
			expect(failed.error?.message).toContain("Enter name, phone and review page in 'Your house'");
		},
		'after midnight': 'Reminders follow the booking, not a day.',
		'the mail server down, then up': async () => {
			await mailServerOutage();
			await eventually('the reminder', async () =>
				(await subjectsTo('unmailed@example.com')).some((subject) =>
					/See you soon|Vi ses snart/.test(subject),
				),
			);
		},
		'the service down, then up': async () => {
			expect((await pollOutage()).during).toEqual([]);
			await eventually('the reminder', async () =>
				(await subjectsTo('meanwhile@example.com')).some(
					(subject) => subject.includes('See you soon') || subject.includes('Vi ses snart'),
				),
			);
		},
	},
	'one-tap-answers': {
		none: async () => {
			const booking = await due('gone@example.com');
			const link = await linkTo('gone@example.com');
			await cancel(booking);
			await sendAnswer(link, 'Avboka');
			await told('gone@example.com', 'kunde inte avbokas här');
		},
		one: async () => {
			const booking = await due('tap@example.com', { guests: 3 });
			const link = await linkTo('tap@example.com');
			for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(link, { method })).status).toBe(200);
			expect(await (await fetch(link)).text()).toContain('Avboka');
			expect(await statusOf(booking)).not.toBe(CANCELED);
			expect(
				(await fetch(link.replace(/signature=../, 'signature=00'), { method: 'POST', body: new FormData() }))
					.ok,
			).toBe(false);
			await sendAnswer(link, 'Avboka');
			await told('tap@example.com', 'Er bokning är avbokad.');
			expect(await statusOf(booking)).toBe(CANCELED);
			expect(await (await fetch(link)).text()).not.toContain('Avboka');
		},
		many: async () => {
			const emails = times(3, (index) => `several-${index}@example.com`);
			const bookings = await Promise.all(emails.map((email) => due(email)));
			for (const email of emails) await sendAnswer(await linkTo(email), 'Vi kommer');
			for (const booking of bookings) expect(await statusOf(booking)).not.toBe(CANCELED);
		},
		Swedish: async () => {
			const late = { cancelAllowedBeforeUtc: DateTime.utc().minus({ hours: 1 }).toISO(), language: 'de' };
			const booking = await due('late@example.com', late);
			await sendAnswer(await linkTo('late@example.com'), 'Buchung stornieren');
			await told('late@example.com', 'Bitte rufen Sie uns an.');
			expect(await statusOf(booking)).not.toBe(CANCELED);
		},
		'a guest who wishes ill': async () => {
			await due('b@example.com, victim2@example.com');
			await due('tame@example.com', guest('<b>Eve', ILL, 'tame@example.com'));
			await linkTo('tame@example.com');
			expect(await mailsTo('victim2@example.com')).toEqual([]);
		},
		'the first day': nothing('mails'),
		'after midnight': async () => {
			const booking = await due('moved@example.com');
			const link = await linkTo('moved@example.com');
			await gallery.change(booking, inHours(22));
			await sendAnswer(link, 'Avboka');
			await told('moved@example.com', 'kunde inte avbokas här');
			expect(await statusOf(booking)).not.toBe(CANCELED);
		},
		'the mail server down, then up': async () => {
			await mailServerOutage();
			const failed = (await gallery.client.executions(String(polls.get('one-tap-answers')?.id))).filter(
				({ status }) => status === 'error',
			);
			expect(failed.length).toBeGreaterThan(0);
		},
		'the service down, then up': async () => {
			await pollOutage();
			await linkTo('meanwhile@example.com');
		},
	},
	'tell-me-when-something-fails': {
		none: nothing('mails'),
		one: 'With the service down.',
		many: 'With the service down.',
		Swedish: 'It speaks as n8n does.',
		'a guest who wishes ill': 'It holds no text of a guest.',
		'the first day': nothing('mails'),
		'after midnight': NO_CLOCK,
		'the mail server down, then up': 'Without a mail server it cannot tell; n8n lists the execution.',
		'the service down, then up': async () => {
			await pollOutage();
			const mails = await gallery.mails(/^Please look: Bookings in a table$/);
			expect(mails).toHaveLength(1);
			expectTexts(mails[0]?.text ?? '', ['(500)', 'Try again later']);
		},
	},
};

const table: Record<string, File> = {
	...byHand,
	'price-list-to-articles': priceList,
	'chat-that-waits-for-a-person': chatFile,
	...waiting,
};
/** Cases that wait for polls begin at once: each mostly waits. */
const begun = new Map<Cell, Promise<void>>();

beforeAll(async () => {
	channel = await startServer((_, response) => response.writeHead(200).end('ok'));
	sheet = await startGoogleSheet();
	const errors = await gallery.publish('tell-me-when-something-fails');
	const document = { __rl: true, mode: 'id', value: 'the-document' };
	const parameters: Record<string, Record<string, JsonObject>> = {
		'bookings-in-google-sheets': { 'Save or update its line': { documentId: document } },
		'canceled-booking-offer-table': {
			...house('canceled-booking-offer-table', { language: 'sv' }),
			'Post it in the channel': { url: `${channel.url}/channel` },
		},
		'reminder-and-review-request': {
			...house('reminder-and-review-request', {
				name: NAME,
				phone: PHONE,
				reviewPage: `${channel.url}/reviews`,
			}),
			'Wait three hours': WAIT_FOR_MAIL,
		},
		'one-tap-answers': house('one-tap-answers', { name: NAME, phone: PHONE }),
	};
	polls = new Map();
	for (const name of Object.keys(waiting)) {
		if (name === 'tell-me-when-something-fails') continue;
		const workflow = gallery.filled(name, parameters[name]);
		const settings = {
			...workflow.settings,
			...(name === 'bookings-in-a-table' ? { errorWorkflow: errors.id } : {}),
		};
		const stored = await gallery.create({ ...workflow, settings });
		await gallery.client.activate(stored);
		polls.set(name, stored);
	}
	form = await PriceForm.publish(gallery, swedish('price-list-to-articles'));
	if (isNewestN8n()) chat = await openStaffChat(gallery);
	const recipients = await gallery.control<Recipient[]>('GET', '/state/recipients');
	silent = recipients.filter(({ status }) => status !== RESPONDED);
	await sleep(POLLED_MS);
	const rows = await Promise.all([BOOKINGS, NEW, ANSWERS].map((name) => gallery.rowsNow(name)()));
	first = {
		mails: (await gallery.allMails()).length,
		posts: posts().length,
		lines: sheet.lines().length,
		rows: rows.flat().length,
	};
	for (const file of Object.values(waiting))
		for (const name of CASES) {
			const cell = file[name];
			if (typeof cell !== 'string' && !name.endsWith('then up')) begun.set(cell, cell());
		}
	void Promise.allSettled(begun.values());
});

afterAll(async () => {
	await gallery.respondAsUsual();
	await chat?.close();
	await channel?.close();
	await sheet?.close();
});

describe.each(CASES)('%s', (name) => {
	for (const [file, cells] of Object.entries(table)) {
		const cell = cells[name];
		if (typeof cell === 'string') continue;
		const isOlder = neededN8n(file) !== undefined && !isNewestN8n();
		(isOlder ? test.skip : testOf(file))(file, async () => await (begun.get(cell) ?? cell()));
	}
});

test('a case after which the outages begin has ended', async () => {
	await Promise.allSettled(begun.values());
	expect(begun.size).toBeGreaterThan(40);
});
