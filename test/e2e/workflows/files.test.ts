import { setTimeout as sleep } from 'node:timers/promises';
import ICAL from 'ical.js';
import memoize from 'lodash/memoize';
import times from 'lodash/times';
import { DateTime } from 'luxon';
import { tableRows } from '../../../dev/demo/table.ts';
import { runsOn } from '../../../dev/demo/workflows.ts';
import type { JsonObject, StoredWorkflow } from '../../../dev/n8nClient.ts';
import { outputOf } from '../../../dev/runner.ts';
import { eventually } from '../../../dev/eventually.ts';
import { callTool } from '../support/agent';
import { chosenN8n, isNewestN8n } from '../support/stack.ts';
import { openPriceForm, type PriceForm, sendAnswer } from './form';
import { type GoogleSheet, startGoogleSheet } from './googleSheet';
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
	LARGE,
	storedNode,
	TIME_ZONE,
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
/**
 * What a file does in a case. There is nothing to try where it knows no day, sends no email (or as another one), or shows nothing
 * that a guest wrote.
 */
type File = Partial<Record<Case, () => Promise<void>>>;
type Texts = Array<string | RegExp>;

const NEW = 'Hospitality New Bookings';
const BOOKINGS = 'Hospitality Bookings';
const ANSWERS = 'Hospitality Survey Answers';
const HOUSE = 'Harbour House';
const NO_ROLES = { canceledStatuses: '', noShowStatuses: '', finishedStatuses: '' };

const gallery = useGallery([NEW, BOOKINGS, ANSWERS], 'sv');
const evening = (hour: number, fields: JsonObject = {}, minute = 15, days = 0) => ({
	...visitIn(days, hour, minute),
	...CONFIRMED,
	guests: 2,
	guestsChildren: 0,
	message: null,
	...fields,
});
const expectTexts = (text: string, shows: Texts, hides: Texts = []) => {
	const holding = (part: string | RegExp) =>
		(typeof part === 'string'
			? expect.stringContaining(part)
			: expect.stringMatching(part)) as unknown;
	for (const part of shows) expect(text).toEqual(holding(part));
	for (const part of hides) expect(text).not.toEqual(holding(part));
};
const list = (name: string, bookings: JsonObject[]) => {
	gallery.listed(name).bookings = bookings.map(gallery.sample);
};
/** The service that lists fails for a file while an act runs. */
async function withFailing<T>(name: string, act: () => Promise<T>, status = 500): Promise<T> {
	gallery.listed(name).status = status;
	return await act().finally(() => (gallery.listed(name).status = 200));
}
/** A file has a credential with other values while an act runs. */
async function withAccount(
	name: string,
	fields: JsonObject,
	act: () => Promise<void>,
): Promise<void> {
	await gallery.putListed(name, fields);
	await act().finally(() => gallery.putListed(name));
}
const run = async (name: string, parameters?: Record<string, JsonObject>) =>
	await (
		await gallery.load(name, parameters)
	)();
/** What n8n says of a file that lacks a choice: when it is started, or when it runs. */
const refusalOf = (name: string, parameters: Record<string, JsonObject>) =>
	run(name, parameters).then(({ error }) => JSON.stringify(error), String);

// ---- Files that a clock starts, and that send one email

const ill = { ...guest(ILL, ILL, `${ILL}@example.com`), message: ILL };
/** Markup is text, directions end, nothing is wide. */
const TAMED: Texts = ['&lt;img src=x', '<bdi>'];
const WILD: Texts = ['<img', '\u202E', 'W'.repeat(2_001)];
const owing = (fields: JsonObject) =>
	evening(19, { chargeShouldPayAmount: 5, chargePayedAmount: 0, ...fields }, 0, 1);
/** A guest in Swedish, one who canceled, one who wishes ill, and the hours around the end of a day, of which three are in it. */
const mixed = (days: number) => [
	evening(12, guest('Åsa'), 0, days),
	evening(12, { ...guest('Off'), ...AVBOKAD }, 0, days),
	evening(12, ill, 0, days),
	evening(4, guest('Early'), 59, days),
	evening(5, guest('A'), 0, days),
	evening(0, guest('B'), 30, days + 1),
	evening(4, guest('C'), 59, days + 1),
	evening(5, guest('Late'), 0, days + 1),
];
const MIDNIGHT: [Texts, Texts] = [
	['>A<', '>B<', '>C<'],
	['Early', 'Late'],
];

interface MailFile {
	subject: RegExp;
	/** What it shows where nothing is listed. */
	none: Texts;
	one: [given: JsonObject[], shows: Texts];
	/** Of the mail about many, among them the mixed ones: how many there are, and what is in it of the hours around midnight. */
	many: [given: JsonObject[], shows: Texts, midnight?: [Texts, Texts]];
}
const MAILS: Record<string, MailFile> = {
	'arrivals-every-morning': {
		subject: /^Ankomster/,
		none: ['1 in all', 'Inga bokningar i dag.', 'Ankomster i dag: 0 bokningar, 0 gäster'],
		one: [
			[evening(19, { ...guest('Anna', 'Lind'), guests: 1, guestsChildren: 1 })],
			[
				': 1 bokning, 1 gäst',
				'<b>19:15</b>',
				'>1</td>',
				'href="tel:+46701234567"',
				'Anna Lind',
				HOUSE,
			],
		],
		many: [
			[...times(55, (index) => evening([21, 11, 17][index % 3] ?? 0)), ...mixed(0)],
			['Ankomster i dag: 60 bokningar, 120 gäster', /11:15.*17:15.*21:15/, 'Gäster'],
		],
	},
	'kitchen-and-covers': {
		subject: /^I morgon/,
		none: ['1 in all', 'I morgon: 0 kuvert', 'Inga bokningar i morgon.'],
		one: [
			[
				evening(19, { guests: 1, guestsChildren: 1, message: 'Nötter!' }, 45, 1),
				evening(19, { guests: 50 }),
			],
			['I morgon: 1 kuvert', '19:45', '1 gäst<br>1 barn', 'Nötter!'],
		],
		many: [
			[...times(35, (index) => evening(17 + (index % 5), {}, 0, 1)), ...mixed(1)],
			['I morgon: 80 kuvert', /17:00<\/b> · <b>14 kuvert/],
		],
	},
	deposits: {
		subject: /^Obetalda/,
		none: ['0 in all'],
		one: [
			[
				owing({ chargePayedAmount: 5 }),
				owing({ chargeShouldPayAmount: null }),
				owing({
					...guest('Anna'),
					guests: 1,
					chargePayedAmount: 1,
					chargePaymentLinkExpirationDate: '2026-12-01T10:00:00',
				}),
			],
			[
				'handpenningar: 1',
				'att betala: 5, betalt: 1',
				'länken går ut: 2026-12-01 10:00',
				'1 gäst<',
				'href="tel:+46701234567"',
			],
		],
		many: [
			[
				...times(30, () => owing({ chargePayedAmount: null })),
				owing(ill),
				owing(guest('Åsa')),
				owing({ ...guest('Off'), ...AVBOKAD }),
				owing(visitIn(2, 0, 30)),
			],
			['1 in all', 'handpenningar: 33', 'betalt: 0'],
			[['00:30'], []],
		],
	},
	'closing-time-check-out': {
		subject: /^Stängning/,
		none: ['0 in all'],
		one: [
			[evening(5, { guests: 1, paymentEvents: [{ bookingRootId: 7 }] }, 0)],
			['Stängning: 1 av 1', 'Utcheckad', '1 gäst<'],
		],
		many: [
			[
				evening(5, { ...ill, paymentEvents: [] }, 0),
				evening(5, { ...guest('Åsa'), paymentEvents: [] }, 0),
				evening(4, guest('Early'), 59),
				evening(5, { ...guest('A'), paymentEvents: [] }, 0),
				evening(4, guest('Late'), 59, 1),
				evening(5, { ...guest('Off'), ...AVBOKAD }, 0),
			],
			['1 in all', 'Stängning: 0 av 3', 'INTE UTCHECKAD', 'checka ut för hand'],
			[['>A<'], ['Early', 'Late']],
		],
	},
	'several-restaurants': {
		subject: /^I dag/,
		none: ['1 in all', 'I dag: 0 bokningar', 'Hamnen &lt;1> · 0 bokningar', 'Kullen · 0 bokningar'],
		one: [
			[evening(18, { ...guest('Anna'), guests: 1 })],
			['I dag: 2 bokningar, 2 gäster', 'Kullen · 1 bokning · 1 gäst<', '18:15'],
		],
		many: [[...times(45, () => evening(18)), ...mixed(0)], ['I dag: 100 bokningar, 200 gäster']],
	},
};

/** Runs a file. @returns its emails: how many, and each with its subject and HTML, one blank in the place of several */
async function mailsOf(name: string, given: JsonObject[]): Promise<string> {
	list(name, given);
	const mails = await gallery.mailsOf(MAILS[name]?.subject ?? /./, async () => {
		expect((await run(name)).status).toBe('success');
	});
	const texts = mails.map((mail) => `${mail.subject}\n${mail.html}`.replace(/\s+/g, ' '));
	return [`${mails.length} in all`, ...texts].join('\n');
}

function mailFile(name: string, { subject, none, one, many }: MailFile): File {
	const aboutMany = memoize(() => mailsOf(name, many[0]));
	const [shown, hidden] = many[2] ?? MIDNIGHT;
	return {
		none: async () => expectTexts(await mailsOf(name, []), none),
		one: async () => expectTexts(await mailsOf(name, one[0]), one[1]),
		many: async () => expectTexts(await aboutMany(), many[1]),
		Swedish: async () => expectTexts(await aboutMany(), ['Åsa'], ['Off']),
		'a guest who wishes ill': async () => expectTexts(await aboutMany(), TAMED, WILD),
		'the first day': async () =>
			await withAccount(name, NO_ROLES, async () => {
				list(name, [evening(12)]);
				const { error } = await run(name);
				// A house that cannot be read does not stop the mail about the others.
				if (name !== 'several-restaurants')
					expect(`${error?.message} ${error?.description}`).toContain('Canceled Statuses');
			}),
		'after midnight': async () => {
			expectTexts(await aboutMany(), shown, hidden);
			if (!['arrivals-every-morning', 'closing-time-check-out'].includes(name)) return;
			// The day of a run in the night is the one that began before midnight.
			const at = (hours: number, fname: string) => ({
				...evening(12, guest(fname)),
				...inHours(-hours),
			});
			await withAccount(name, inTheNight(), async () =>
				expectTexts(
					await mailsOf(name, [at(3, 'Evening'), at(26, 'Yesterday')]),
					['>Evening<'],
					['Yesterday'],
				),
			);
		},
		'the mail server down, then up': async () => {
			const { down, up, subjects } = await mailOutage();
			expect([down.get(name), up.get(name)]).toEqual(['error', 'success']);
			expect(subjects.filter((sent) => subject.test(sent))).toHaveLength(1);
		},
		'the service down, then up': async () => {
			const { status, error } = (await serviceOutage()).ended.get(name) ?? {};
			if (name === 'several-restaurants') return;
			expect([status, error?.message]).toEqual(['error', expect.stringContaining('500')]);
		},
	};
}

const alert = async (
	fields: JsonObject | number,
	shows: Texts,
	parameters?: Record<string, JsonObject>,
): Promise<void> => {
	const [status, body] =
		typeof fields === 'number'
			? [fields, {}]
			: [200, { SubscriptionId: 'plan', Charges: [], ...fields }];
	await gallery.respondAsUsual();
	await gallery.respond('/subscriptions', status, body);
	const mails = await gallery.mailsOf(/^Kontrollera abonnemanget/, async () => {
		expect((await run('subscription-check', parameters)).status).toBe('success');
	});
	expectTexts([`${mails.length} in all`, ...mails.map(({ html }) => html)].join('\n'), shows);
};
const subscription: File = {
	none: () => alert({ Status: 'Active' }, ['0 in all']),
	one: () => alert({ Status: 'Canceled' }, ['1 in all', 'Status: Canceled']),
	many: () =>
		alert(
			{
				Status: 'Active',
				Charges: [{ Captured: true }, { Captured: false, Amount: 9, Currency: 'SEK' }],
			},
			['1 in all', '9 SEK (inte genomförd)'],
		),
	Swedish: () =>
		alert({ Status: 'Active', NextCharge: '2020-01-01' }, [
			'1 in all',
			'Nästa debitering: 2020-01-01',
		]),
	'the first day': async () => {
		const unfilled = house('subscription-check', { language: 'sv' });
		await alert({ Status: 'Active' }, ['1 in all', 'Status: Active'], unfilled);
		const said = await refusalOf('subscription-check', { 'Get the subscription': { id: '' } });
		expect(said).toMatch(/Subscription Plan ID|has issues/);
	},
	'after midnight': () =>
		alert({ Status: 'Active', NextCharge: DateTime.now().plus({ days: 1 }).toISODate() }, [
			'0 in all',
		]),
	'the service down, then up': () => alert(500, ['1 in all', '(500)']),
};

// ---- Files that a person starts, or that answer

const CHECK = 'check-my-account';
const checked = async () => {
	const execution = await run(CHECK);
	expect(execution.status).toBe('success');
	const [came = {}] = outputOf(execution, 'Say what came').map(({ json }) => json);
	return { came, statuses: outputOf(execution, 'List the statuses').map(({ json }) => json) };
};
const statusesOf = (given: JsonObject[], expected: JsonObject[]) => async () => {
	list(CHECK, given);
	expect((await checked()).statuses).toMatchObject(expected);
};
const account: File = {
	none: async () => {
		list(CHECK, []);
		const { came, statuses } = await checked();
		expect([came.bookings, statuses]).toEqual(['0', []]);
	},
	one: statusesOf([evening(18)], [{ status: 'Bekräftad', state: 'expected', count_guid: 1 }]),
	many: statusesOf(
		[...times(60, () => evening(18)), ...times(5, () => evening(18, AVBOKAD))],
		[{ count_guid: 60 }, { count_guid: 5 }],
	),
	Swedish: statusesOf(
		[evening(18, AVBOKAD)],
		[{ status: 'Avbokad', state: 'canceled', count_guid: 1 }],
	),
	'a guest who wishes ill': async () => {
		list(CHECK, [evening(18, ill)]);
		expect(JSON.stringify(await checked())).not.toContain('img');
	},
	'the first day': async () =>
		await withAccount(CHECK, { system: '' }, async () => {
			expect((await checked()).came.bookings).toContain('System');
		}),
	'the service down, then up': async () => {
		const { came } = await withFailing(CHECK, checked, 403);
		for (const said of [came.bookings, came.customers, came.surveyRecipients])
			expect(said).toContain('(403)');
	},
};

const FILL = 'fill-or-repair-a-table';
const filledRows =
	(given: JsonObject[], expected: JsonObject[], runs = 1) =>
	async () => {
		list(FILL, given);
		const guids = gallery.listed(FILL).bookings.map(({ guid }) => guid);
		for (let index = 0; index < runs; index++) expect((await run(FILL)).status).toBe('success');
		const rows = await tableRows(gallery.client, BOOKINGS);
		expect(rows.filter(({ guid }) => guids.includes(guid))).toMatchObject(expected);
	};
const fill: File = {
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
	'the first day': async () =>
		expect(await refusalOf(FILL, { 'Get the bookings since': { changedFrom: '' } })).toMatch(
			/Changed After|has issues/,
		),
	'the service down, then up': async () =>
		expect((await withFailing(FILL, () => run(FILL))).error?.message).toContain('500'),
};

/** Publishes a file that listens, once. @returns the path of its address, which nobody can guess */
const pathOf = memoize(async (name: string, type: string, isListed: boolean) => {
	const workflow = await gallery.publish(name, {}, { isListed });
	const { parameters } = await storedNode(gallery.client, workflow, type);
	expect(parameters.path).toMatch(/^[0-9a-f-]{36}$/);
	return String(parameters.path);
});
const CALENDAR = 'bookings-as-a-calendar';
async function askCalendar() {
	const path = await pathOf(CALENDAR, '.webhook', true);
	const response = await fetch(`${gallery.client.url}/webhook/${path}`);
	return { status: response.status, text: await response.text() };
}
/** A client keeps the calendar that it has. n8n 1.x answers 200 with the error's text. */
async function expectNoCalendar(): Promise<void> {
	const { status, text } = await askCalendar();
	expect(text).not.toContain('BEGIN:VCALENDAR');
	if (isNewestN8n()) expect(status).toBe(500);
}
const events = (given: JsonObject[], shows: Texts, hides?: Texts) => async () => {
	list(CALENDAR, given);
	const { text } = await askCalendar();
	expect(
		Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line))),
	).toBeLessThanOrEqual(75);
	const root = new ICAL.Component(ICAL.parse(text) as unknown[]);
	const all = root.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
	const lines = all.map(({ startDate, endDate, summary, description, uid }) =>
		JSON.stringify([startDate.toJSDate(), endDate.toJSDate(), summary, description, uid]),
	);
	expectTexts([`${all.length} in all`, ...lines].join('\n'), shows, hides);
};
const calendar: File = {
	none: events([], ['0 in all']),
	one: events(
		[evening(18, { ...guest('Anna; the, long', 'Lind'), guests: 1, end: null })],
		['Anna; the, long Lind, 1 gäst,', /(\d\d):15:00.*T\d\d:15:00/],
	),
	many: events(
		times(200, () => evening(18)),
		['200 in all', '2 gäster'],
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
	'the first day': async () => await withAccount(CALENDAR, NO_ROLES, expectNoCalendar),
	'after midnight': events([evening(0, {}, 30)], ['1 in all']),
	'the service down, then up': async () => {
		await withFailing(CALENDAR, expectNoCalendar);
		expect((await askCalendar()).text).toContain('BEGIN:VCALENDAR');
	},
};

const TOOLS = 'booking-tools-for-ai-agents';
async function ask({ tool = 'Find_booking', ...given }: JsonObject): Promise<string> {
	return await callTool(
		await pathOf(TOOLS, '.mcpTrigger', false),
		AGENT_TOKEN,
		String(tool),
		given,
	);
}
const tools: File = {
	none: async () =>
		expectTexts(await ask({ words: 'Nobody of this name' }), ['Nothing was found'], ['"guid"']),
	one: async () => {
		const contact = { ...guest('Anna').contact, mobile: '+46 70 765 43 21' };
		const { guid } = await gallery.book({ contact });
		expect(await ask({ words: '070-765 43 21' })).toContain(guid);
	},
	many: async () => {
		const { guid, start: from, end: until } = await gallery.book(inHours(44));
		expect(await ask({ tool: 'List_bookings', from, until })).toContain(guid);
	},
	Swedish: async () => {
		const { guid } = await gallery.book(guest('Zoë', 'Öberg-Żółć'));
		expect(await ask({ words: 'öberg-żółć' })).toContain(guid);
	},
	'a guest who wishes ill': async () => expect(await ask({ words: '  ' })).not.toContain('"guid"'),
	'the first day': async () => {
		const path = await pathOf(TOOLS, '.mcpTrigger', false);
		for (const token of [undefined, 'of-somebody-else'])
			await expect(callTool(path, token, 'Find_booking', {})).rejects.toThrow();
	},
	'the service down, then up': async () => expect((await serviceOutage()).found).toContain('500'),
};

// ---- The form

const HEADINGS = 'Article ID,Name,Price,Take-Away Price';
let form: PriceForm;
const priceList: File = {
	none: async () =>
		expect((await form.upload(`${HEADINGS}\n`)).text).toContain(
			'Det finns ingen rad under rubrikerna.',
		),
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
		expect((await form.articles())[1]).toMatchObject({
			name: 'A1',
			prices: { regular: { inclVat: 11 } },
		});
	},
	Swedish: async () => {
		const [one, two] = await form.articles();
		const text = `Artikel-ID; Namn;Pris ;Take-away-pris\r\n${one?.articleId};Räksmörgås;89:-;1 234,50\r\n${two?.articleId};"Öl; ljus";79 kr;\r\n`;
		const encoded = [
			Buffer.from(text),
			Buffer.from(text, 'latin1'),
			Buffer.from(`\uFEFF${text}`, 'utf16le'),
		];
		for (const file of encoded)
			expectTexts((await form.upload(file)).text, [
				'Räksmörgås',
				'Öl; ljus',
				'89.00',
				'79.00',
				'1234.50',
			]);
		const damaged = Buffer.from(text);
		damaged[damaged.indexOf('Ö')] = 0xff;
		for (const [file, said] of [
			[damaged, 'skadat på rad 3'],
			[Buffer.from(`${HEADINGS}\n1,\u00b3\u00b9,5,`, 'latin1'), 'Windows-1250'],
			[Buffer.from('PK\u0003\u0004'), 'Excel'],
		] as const)
			expectTexts((await form.upload(file)).text, ['Inget skickades', said]);
	},
	'a guest who wishes ill': async () => {
		const before = await form.articles();
		const id = (index: number) => before[index]?.articleId;
		const cells = [
			'<img src=x>,#N/A,5',
			'B,2026-05-06,',
			'C,79/89,',
			'D,"1,234",',
			'E,89,50,60',
			'F,-5,',
			',,',
		];
		const rows = [
			...cells.map((row, index) => `${id(index)},${row}`),
			`${id(9)},G,1,`,
			`${id(9)?.toUpperCase()},G,2,`,
			`${id(10)},OK,5,`,
		];
		const shown = await form.upload([HEADINGS, ...rows].join('\n'));
		const reasons = [
			'inte ett pris',
			'kan vara 1234 / 1.234',
			'Fler celler',
			'under 0',
			'inget att uppdatera',
		];
		const counts = ['uppdateras: 1', 'Rader som utelämnas: 9', 'raderna 9, 10'];
		expectTexts(shown.text, [...counts, ...reasons], ['<img src=x>']);
		expectTexts((await form.upload(`${HEADINGS}\n1,"A,5,\n2,"B",6,\n`)).text, [
			'Ett citattecken saknas eller står fel på rad 2',
			'Inget skickades',
		]);
		expect(await form.articles()).toEqual(before);
	},
	'the first day': async () => {
		expect(form.url).toMatch(/\/form\/[0-9a-f-]{36}$/);
		expect((await fetch(form.url)).status).toBe(401);
	},
	'the mail server down, then up': async () => {
		await mailOutage();
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

let chat: StaffChat | undefined;
const asksToCancel = async (booking: Booking, words = '', meanwhile?: () => Promise<unknown>) =>
	(await chat?.ask(
		`${words} ${order('Cancel_booking', { guid: booking.guid })}`,
		meanwhile,
	)) as Review;
const chatFile: File = {
	none: async () => {
		const unknown = { guid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' };
		expect(await chat?.ask(order('Cancel_booking', unknown))).toMatch(/^Done: /);
	},
	one: async () => {
		const booking = await gallery.book({ ...inHours(30), ...guest('Anna', 'Lind') });
		const review = await asksToCancel(booking);
		expectTexts(review.text, ['Anna Lind', booking.globalBookingNumber]);
		expect(review.buttons).toHaveLength(2);
		expect(await gallery.statusOf(booking)).not.toBe(CANCELED);
		expect(await chat?.press(review, true)).toContain(booking.globalBookingNumber);
		expect(await gallery.statusOf(booking)).toBe(CANCELED);
	},
	many: async () => {
		const booking = await gallery.book({ ...inHours(31) });
		expect(await chat?.press(await asksToCancel(booking), false)).toBe('Nothing was canceled.');
		expect(await gallery.statusOf(booking)).not.toBe(CANCELED);
	},
	Swedish: async () => {
		await gallery.book({ ...inHours(32), ...guest('Åsa', 'Ögren') });
		expect(await chat?.ask(order('Find_booking', { words: 'ögren' }))).toContain('Åsa Ögren');
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
		expect((await chat?.write('hello', { user: 'staff', password: 'wrong' }))?.status).not.toBe(
			200,
		);
	},
	'the service down, then up': async () => expect((await serviceOutage()).said).toContain('500'),
};

// ---- Files that wait for something to happen

/** Longer than the time from one poll to the next. */
const POLLED_MS = 6_000;
const MANY = 10;
const FAR = inHours(400);
const RESPONDED = 4;
let sheet: GoogleSheet;
let silent: Array<{ id: string; status: number }>;
let polls: Map<string, StoredWorkflow>;
/** What had come when nothing had happened yet. */
let first: { mails: number; posts: number; lines: number; rows: number };
const nothing = async () =>
	expect(await Promise.resolve(first)).toEqual({ mails: 0, posts: 0, lines: 0, rows: 0 });

const mailsTo = async (address: string) =>
	(await gallery.allMails()).filter(({ to }) => to.some((one) => one.address === address));
/** The first mail to an address, or the first whose subject has a word. */
const mailTo = (address: string, word = '') =>
	eventually(`a mail "${word}" to ${address}`, async () =>
		(await mailsTo(address)).find(({ subject }) => subject.includes(word)),
	);
const subjectsOf = async (subject: RegExp) =>
	(await gallery.allMails()).filter((mail) => subject.test(mail.subject));
const rowOf = async (
	rowsNow: () => Promise<JsonObject[]>,
	{ guid }: Booking,
	values: JsonObject = {},
) =>
	await eventually(`the row of ${guid}`, async () =>
		(await rowsNow()).find(
			(row) =>
				row.guid === guid &&
				Object.entries(values).every(([column, value]) => String(row[column]) === String(value)),
		),
	);
const newRowOf = (booking: Booking) => rowOf(gallery.rowsNow(NEW), booking);
/** An execution of a file that polls, with a status. */
const executionOf = (name: string, status: string) =>
	eventually(`${name}: ${status}`, async () =>
		(await gallery.client.executions(String(polls.get(name)?.id))).find(
			(one) => one.status === status,
		),
	);

/** No mail can be sent, by any file, and then it can. */
const mailOutage = memoize(async () => {
	for (const [name, { many }] of Object.entries(MAILS)) list(name, many[0].slice(-3));
	list('kitchen-and-covers', []);
	const [article] = await form.articles();
	const shown = await form.upload(`${HEADINGS}\n${article?.articleId},Soppa,92,`);
	const statuses = async () =>
		new Map(
			await Promise.all(
				Object.keys(MAILS).map(async (name) => [name, (await run(name)).status] as const),
			),
		);
	// The inbox that starts again lists what it had in another order.
	const before = new Set((await gallery.allMails()).map(({ id }) => id));
	let booking = {} as Booking;
	let down = new Map<string, string>();
	await gallery.withoutMailServer(async () => {
		booking = await gallery.book({
			...inHours(20),
			...guest('Unmailed', '', 'unmailed@example.com'),
		});
		const uploaded = shown.answer('Ja, skicka dem').catch(() => undefined);
		down = await statuses();
		await uploaded;
		await newRowOf(booking);
		for (const name of ['new-booking-to-email-and-row', 'one-tap-answers'])
			await executionOf(name, 'error');
		await executionOf('reminder-and-review-request', 'running');
	});
	const up = await statuses();
	const mails = (await gallery.allMails()).filter(({ id }) => !before.has(id));
	return { booking, down, up, subjects: mails.map(({ subject }) => subject) };
});

/** All polls fail at once, and runs by a clock; what happened meanwhile comes out once afterwards. */
const serviceOutage = memoize(async () => {
	await gallery.respond('/api/', 500);
	const booking = await gallery.book({
		...inHours(20),
		...guest('Meanwhile', '', 'meanwhile@example.com'),
		cancelAllowedBeforeUtc: DateTime.utc().plus({ hours: 9 }).toISO(),
	});
	const other = await gallery.book({ ...FAR, guests: 9 });
	const ended = await Promise.all(
		Object.keys(MAILS).map(
			async (name) => [name, await withFailing(name, () => run(name))] as const,
		),
	);
	const found = await ask({ words: 'Lind' });
	const said = chat && (await chat.ask(order('Find_booking', { words: 'berg' })));
	await gallery.mails(/^Please look: Bookings in a table$/);
	await sleep(POLLED_MS);
	const during = await mailsTo('meanwhile@example.com');
	await gallery.respondAsUsual();
	await gallery.change(booking, { guests: 9 });
	return { booking, other, found, said, during, ended: new Map(ended) };
});

/** A file that keeps a row of each booking up to date. */
const keepsRows = (rowsNow: () => Promise<JsonObject[]>): File => ({
	one: async () => {
		const booking = await gallery.book({ ...FAR, guests: 2 });
		await rowOf(rowsNow, booking, { guests: 2, state: 'expected' });
		await gallery.change(booking, { guests: 7 });
		await rowOf(rowsNow, booking, { guests: 7 });
		expect((await rowsNow()).filter(({ guid }) => guid === booking.guid)).toHaveLength(1);
	},
	many: async () => {
		const made = await gallery.control<Booking[]>('POST', '/bookings', {
			count: MANY,
			booking: FAR,
		});
		for (const booking of made) await rowOf(rowsNow, booking);
	},
	Swedish: async () => {
		const booking = await gallery.book({ ...FAR, ...guest('Åsa', 'Öberg') });
		await rowOf(rowsNow, booking);
		await gallery.cancel(booking);
		const row = await rowOf(rowsNow, booking, { state: 'canceled' });
		expect(row).toMatchObject({ status: 'Avbokad', guestName: 'Åsa Öberg' });
	},
	'a guest who wishes ill': async () => {
		const fname = '=HYPERLINK("http://x.example")';
		const message = '=1+1';
		const booking = await gallery.book({ ...FAR, ...guest(fname), message });
		expect(await rowOf(rowsNow, booking)).toMatchObject({ guestName: fname, message });
	},
	'the first day': nothing,
	'after midnight': async () => {
		const booking = await gallery.book({ ...visitIn(30, 0, 30) });
		expect(await rowOf(rowsNow, booking)).toMatchObject({ time: '00:30' });
	},
	'the service down, then up': async () =>
		void (await rowOf(rowsNow, (await serviceOutage()).booking, { guests: 9 })),
});

const offered = (text: string) =>
	eventually('the message', () => gallery.posts().find((one) => one.includes(text)));
async function cancelTable(tableName: string, fields: JsonObject = {}) {
	const booking = await gallery.book({ ...FAR, ...fields });
	const [table] = booking.articles;
	await gallery.change(booking, { articles: [{ ...table, tableName }] });
	await gallery.cancel(booking);
	return await offered(tableName);
}
/** A booking that the trigger of one file alone lets pass, once its poll has seen it. */
async function bookLarge(): Promise<Booking> {
	const booking = await gallery.book({ ...FAR, guests: LARGE });
	await sleep(POLLED_MS);
	return booking;
}
/** What workflows have noted in the log of a booking. */
async function notesOf({ guid }: Booking): Promise<string[]> {
	const all = await gallery.control<Array<{ web: Booking; log: string[] }>>(
		'GET',
		'/state/bookings',
	);
	const log = all.find(({ web }) => web.guid === guid)?.log ?? [];
	return log.filter((line) => line.startsWith('Ändrat'));
}
async function answered(replaceParams: JsonObject, name = 'Anna') {
	const id = silent.shift()?.id;
	await gallery.control('PATCH', `/recipients/${id}`, { replaceParams, name, status: RESPONDED });
	return await eventually('its row', async () =>
		(await gallery.rowsNow(ANSWERS)()).find(({ recipientId }) => recipientId === id),
	);
}
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
	const { html = '' } = await mailTo(email, '?');
	const link = String(/href="([^"]*webhook-waiting[^"]*)"/.exec(html)?.[1]).replaceAll(
		'&amp;',
		'&',
	);
	await eventually('the page behind it', async () => (await fetch(link)).ok);
	return link;
}
const told = (email: string, text: string) =>
	eventually(`"${text}" to ${email}`, async () =>
		(await mailsTo(email)).some(({ html = '' }) => html.includes(text)),
	);

const waiting: Record<string, File> = {
	'new-booking-to-email-and-row': {
		one: async () => {
			const anna = { ...guest('Single', 'Guest'), guests: 3, guestsChildren: 1 };
			const booking = await gallery.book({ ...FAR, ...anna });
			const [mail] = await gallery.mails(/^🆕 .*Single Guest/, 'kitchen@');
			const row = await newRowOf(booking);
			expect(mail?.subject).toBe(`🆕 ${row.date} ${row.time}, 3 👤, Single Guest`);
			expectTexts(mail?.html ?? '', ['3 👤', '1 🧒', 'href="tel:+46701234567"']);
		},
		many: async () => {
			await gallery.control('POST', '/bookings', {
				count: MANY,
				booking: { ...FAR, ...guest('Several') },
			});
			await eventually('all', async () => (await subjectsOf(/^🆕 .*Several/)).length === MANY);
		},
		Swedish: async () => {
			await gallery.book({ ...FAR, ...guest('Åke', 'Ä') });
			await gallery.mails(/^🆕 .*Åke Ä$/);
		},
		'a guest who wishes ill': async () => {
			await gallery.book({ ...FAR, ...guest('A\r\nBcc: all@example.com', '<b>x'), message: ILL });
			const [mail] = await gallery.mails(/^🆕 .*A Bcc: all@example.com/);
			expect(mail?.to).toHaveLength(1);
			expectTexts(mail?.html ?? '', TAMED, [...WILD, '<b>x']);
		},
		'the first day': nothing,
		'after midnight': async () => {
			await gallery.book({ ...visitIn(31, 0, 30), ...guest('Night', 'Owl') });
			await gallery.mails(/ 00:30, .*Night Owl$/);
		},
		'the mail server down, then up': async () =>
			void (await newRowOf((await mailOutage()).booking)),
		'the service down, then up': async () => {
			await newRowOf((await serviceOutage()).booking);
			expect(await gallery.mails(/^🆕 .*Meanwhile/)).toHaveLength(1);
		},
	},
	'bookings-in-a-table': keepsRows(() => gallery.rowsNow(BOOKINGS)()),
	'bookings-in-google-sheets': keepsRows(async () => await Promise.resolve(sheet.lines())),
	'canceled-booking-offer-table': {
		one: async () =>
			expect(await cancelTable('Window 1', { guests: 1 })).toMatch(
				/^Ledigt igen: \d{4}-\d\d-\d\d \d\d:\d\d, 1 gäst, Window 1$/,
			),
		many: async () => void (await Promise.all(times(5, (index) => cancelTable(`Bar ${index}`)))),
		Swedish: async () => void (await cancelTable('Fönster Å')),
		'a guest who wishes ill': async () =>
			expect(await cancelTable('Table "7\\', guest('Secret <!channel>'))).not.toContain('Secret'),
		'the first day': nothing,
		'after midnight': async () => {
			const over = await gallery.book({ ...inHours(-3), guests: 97 });
			await gallery.cancel(over);
			await cancelTable('After it', visitIn(32, 0, 30));
			expect(gallery.posts().filter((text) => text.includes('97 '))).toEqual([]);
		},
		'the service down, then up': async () => {
			await gallery.cancel((await serviceOutage()).other);
			await offered('9 gäster');
		},
	},
	'note-what-changed': {
		none: async () => {
			const booking = await bookLarge();
			await gallery.change(booking, { message: 'By the window, please' });
			await sleep(2 * POLLED_MS);
			expect(await notesOf(booking)).toEqual([]);
		},
		// The note changes the booking: the next polls emit that, and it is not noted again.
		one: async () => {
			const booking = await bookLarge();
			await gallery.change(booking, { guests: 95 });
			const notes = await eventually('the note', async () => {
				const found = await notesOf(booking);
				return found.length > 0 && found;
			});
			await sleep(3 * POLLED_MS);
			expect(notes).toEqual(['Ändrat: gäster 90 → 95']);
			expect(await notesOf(booking)).toEqual(notes);
		},
		'the first day': nothing,
	},
	'survey-answers-and-alert': {
		none: async () => expect(await answered({})).toMatchObject({ score: null }),
		one: async () => {
			expect(await answered({ score: '2' }, 'Angry')).toMatchObject({ score: 2, name: 'Angry' });
			const [mail] = await gallery.mails(/^★ 2 · Angry$/);
			expectTexts(mail?.html ?? '', ['href="tel:+', /\d{4}-\d\d-\d\d \d\d:\d\d</]);
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
		'the first day': nothing,
		'the service down, then up': async () => {
			await serviceOutage();
			expect(await answered({ score: '5' })).toMatchObject({ score: 5 });
		},
	},
	'reminder-and-review-request': {
		none: async () => {
			await due('later@example.com', FAR);
			await due('last@example.com');
			await mailTo('last@example.com');
			expect(await mailsTo('later@example.com')).toEqual([]);
		},
		one: async () => {
			const { start } = await due('one@example.com', { guests: 1, guestsChildren: 1 });
			await due('over@example.com', { language: 'de' }, -5);
			const { html = '' } = await mailTo('one@example.com', 'Vi ses snart');
			const format = { dateStyle: 'full', timeStyle: 'short', timeZone: TIME_ZONE } as const;
			const when = new Intl.DateTimeFormat('sv-SE', format).format(new Date(start));
			expectTexts(html, ['Vi ser fram emot', when, '1 gäst, 1 barn', HOUSE, 'tel:+46401234567']);
			expectTexts((await mailTo('over@example.com')).html ?? '', [
				'Wie war es?',
				'example.com/reviews',
			]);
		},
		many: async () => {
			const emails = times(5, (index) => `many-${index}@example.com`);
			for (const email of emails) await due(email);
			for (const email of emails) await mailTo(email, `${HOUSE}: Vi ses snart`);
		},
		Swedish: async () => {
			await due('other@example.com', { language: 'fi-FI' });
			await mailTo('other@example.com', `${HOUSE}: See you soon`);
		},
		'a guest who wishes ill': async () => {
			await due('a@example.com, victim@example.com');
			await due('ill@example.com', guest('Win at https://evil.example', '', 'ill@example.com'));
			expect((await mailTo('ill@example.com')).html).not.toContain('evil');
			expect(await mailsTo('victim@example.com')).toEqual([]);
		},
		'the first day': async () => {
			const empty = house('reminder-and-review-request', {});
			const { id } = await gallery.publish('reminder-and-review-request', empty);
			await due('first-day@example.com');
			const failed = await eventually('what is missing', async () =>
				(await gallery.client.executions(id)).find(({ status }) => status === 'error'),
			);
			const { error } = await gallery.client.execution(failed.id);
			expect(error?.message).toContain("Enter name, phone and review page in 'Your house'");
		},
		'the mail server down, then up': async () => {
			await mailOutage();
			await mailTo('unmailed@example.com', 'See you soon');
		},
		'the service down, then up': async () => {
			expect((await serviceOutage()).during).toEqual([]);
			await mailTo('meanwhile@example.com', 'See you soon');
		},
	},
	'one-tap-answers': {
		none: async () => {
			const booking = await due('gone@example.com');
			const link = await linkTo('gone@example.com');
			await gallery.cancel(booking);
			await sendAnswer(link, 'Avboka');
			await told('gone@example.com', 'kunde inte avbokas här');
		},
		one: async () => {
			const booking = await due('tap@example.com', { guests: 3 });
			const link = await linkTo('tap@example.com');
			for (const method of ['GET', 'HEAD', 'GET'])
				expect((await fetch(link, { method })).status).toBe(200);
			expect(await (await fetch(link)).text()).toContain('Avboka');
			expect(await gallery.statusOf(booking)).not.toBe(CANCELED);
			const forged = link.replace(/signature=../, 'signature=00');
			expect((await fetch(forged, { method: 'POST', body: new FormData() })).ok).toBe(false);
			await sendAnswer(link, 'Avboka');
			await told('tap@example.com', 'Er bokning är avbokad.');
			expect(await gallery.statusOf(booking)).toBe(CANCELED);
			expect(await (await fetch(link)).text()).not.toContain('Avboka');
		},
		many: async () => {
			const emails = times(3, (index) => `several-${index}@example.com`);
			const bookings = await Promise.all(emails.map((email) => due(email)));
			for (const email of emails) await sendAnswer(await linkTo(email), 'Vi kommer');
			for (const booking of bookings) expect(await gallery.statusOf(booking)).not.toBe(CANCELED);
		},
		Swedish: async () => {
			const late = {
				cancelAllowedBeforeUtc: DateTime.utc().minus({ hours: 1 }).toISO(),
				language: 'de',
			};
			const booking = await due('late@example.com', late);
			await sendAnswer(await linkTo('late@example.com'), 'Buchung stornieren');
			await told('late@example.com', 'Bitte rufen Sie uns an.');
			expect(await gallery.statusOf(booking)).not.toBe(CANCELED);
		},
		'a guest who wishes ill': async () => {
			await due('b@example.com, victim2@example.com');
			await due('tame@example.com', guest('<b>Eve', ILL, 'tame@example.com'));
			await linkTo('tame@example.com');
			expect(await mailsTo('victim2@example.com')).toEqual([]);
		},
		'the first day': nothing,
		'after midnight': async () => {
			const booking = await due('moved@example.com');
			const link = await linkTo('moved@example.com');
			await gallery.change(booking, inHours(22));
			await sendAnswer(link, 'Avboka');
			await told('moved@example.com', 'kunde inte avbokas här');
			expect(await gallery.statusOf(booking)).not.toBe(CANCELED);
		},
		'the mail server down, then up': async () => {
			// Its execution has failed while the server was down.
			await mailOutage();
		},
		'the service down, then up': async () => {
			await serviceOutage();
			await linkTo('meanwhile@example.com');
		},
	},
	'tell-me-when-something-fails': {
		'the first day': nothing,
		'the service down, then up': async () => {
			await serviceOutage();
			const mails = await gallery.mails(/^Please look: Bookings in a table$/);
			expect(mails).toHaveLength(1);
			expectTexts(mails[0]?.text ?? '', ['(500)', 'Try again later']);
		},
	},
};

/** Cases of these are tried one after the other: they need n8n, and not only wait for it. */
const oneByOne: Record<string, File> = {
	...Object.fromEntries(Object.entries(MAILS).map(([name, file]) => [name, mailFile(name, file)])),
	'subscription-check': subscription,
	'check-my-account': account,
	'fill-or-repair-a-table': fill,
	'bookings-as-a-calendar': calendar,
	'booking-tools-for-ai-agents': tools,
	'price-list-to-articles': priceList,
	'chat-that-waits-for-a-person': chatFile,
};
const runsHere = (file: string) => runsOn(chosenN8n().version, file);
/** The cases that have begun. Those of a file are tried one after the other, files side by side: n8n is mostly waited for. */
const begun = new Map<unknown, Promise<void>>();
/** Settles once the cases of the outages have begun. */
let outages: Promise<void>;
/** Begins a case of files. @param all whether cases of these wait for each other, too */
function begin(
	files: Record<string, File>,
	isWanted: (title: Case) => boolean,
	all?: 'one after the other',
) {
	let before: Promise<unknown> = Promise.resolve();
	for (const [name, file] of Object.entries(files).filter(([one]) => runsHere(one))) {
		if (all === undefined) before = Promise.resolve();
		for (const title of CASES.filter(isWanted)) {
			const cell = file[title];
			if (!cell) continue;
			const began = name in waiting ? cell() : before.then(cell);
			begun.set(cell, began);
			before = began.catch(() => undefined);
		}
	}
	return Promise.allSettled(begun.values());
}

beforeAll(async () => {
	sheet = await startGoogleSheet();
	const errorWorkflow = (await gallery.publish('tell-me-when-something-fails')).id;
	polls = new Map();
	for (const name of Object.keys(waiting)) {
		if (name === 'tell-me-when-something-fails') continue;
		const settings = name === 'bookings-in-a-table' ? { errorWorkflow } : {};
		polls.set(name, await gallery.publish(name, {}, { settings }));
	}
	form = await openPriceForm(gallery, await gallery.publish('price-list-to-articles'));
	if (runsHere('chat-that-waits-for-a-person')) chat = await openStaffChat(gallery);
	silent = (await gallery.control<typeof silent>('GET', '/state/recipients')).filter(
		({ status }) => status !== RESPONDED,
	);
	await sleep(POLLED_MS);
	const rows = await Promise.all([BOOKINGS, NEW, ANSWERS].map((name) => gallery.rowsNow(name)()));
	first = {
		mails: (await gallery.allMails()).length,
		posts: gallery.posts().length,
		lines: sheet.lines().length,
		rows: rows.flat().length,
	};
	const all = { ...waiting, ...oneByOne };
	outages = begin(all, (title) => !title.endsWith('then up'))
		.then(() => mailOutage())
		.catch(() => undefined)
		.then(() => void begin(all, (title) => title === 'the mail server down, then up'))
		.then(() => serviceOutage())
		.catch(() => undefined)
		.then(() => {
			const isLast = (title: Case) => title === 'the service down, then up';
			void begin(waiting, isLast);
			void begin(oneByOne, isLast, 'one after the other');
		});
});

afterAll(async () => {
	await gallery.respondAsUsual();
	await chat?.close();
	await sheet?.close();
});

describe.each(CASES)('%s', (name) => {
	for (const [file, cells] of Object.entries({ ...oneByOne, ...waiting })) {
		const cell = cells[name];
		if (!cell) continue;
		(runsHere(file) ? test : test.skip)(file, async () => {
			if (!begun.has(cell)) await outages;
			await begun.get(cell);
		});
	}
});
