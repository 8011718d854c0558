import type { IDataObject, INode } from 'n8n-workflow';
import get from 'lodash/get';
import set from 'lodash/set';

import {
	type OutputShape,
	selectedShaper,
	simplifiedShaper,
} from '../../../../nodes/shared/output/recordShape';
import type { ShapeContext } from '../../../../nodes/shared/output/recordView';
import { surveyRecipients, webBookings } from '../../../../nodes/shared/booking/outputColumns';
import { PeopleSearch } from '../../../../nodes/shared/booking/peopleSearch';
import { matchesFilters } from '../../../../nodes/shared/booking/filters';
import { namedStatuses } from '../../../../nodes/shared/booking/recentNames';
import { observe } from '../../../../nodes/HospitalityBookingTrigger/events/observe';
import { feedOf } from '../../trigger/support';
import { eventRows } from '../../../../nodes/HospitalityBookingTrigger/events/events';
import { recordShaper } from '../../../../nodes/shared/operation/output';
import { fieldsOf, sampleOf, typesOf } from '../../../sandbox/support/contract';
import { rows } from '../../../support/sampleForm';

/** Of a form with these values. */
const shaperOf = (getParameter: (name: string) => unknown, ...rest: [OutputShape, ShapeContext]) =>
	recordShaper({ getParameter, node: { parameters: {} } as INode }, ...rest);

/** What a person calls a value of the output, by the place of the response that it must come from. */
type Places = Readonly<Record<string, string | ((record: IDataObject) => unknown)>>;

const both = (one: string, other: string) => (record: IDataObject) =>
	`${String(get(record, one))} ${String(get(record, other))}`;

const bookings: Places = {
	date: () => '2031-05-02',
	time: (record) => inTokyo(record.start).slice(11, 16),
	when: (record) =>
		new Date(String(record.start)).toLocaleString('en-GB', {
			dateStyle: 'full',
			timeStyle: 'short',
			timeZone: 'Asia/Tokyo',
		}),
	guestName: both('contact.fname', 'contact.lname'),
	guests: 'guests',
	children: 'guestsChildren',
	tables: 'articles[0].tableName',
	booked: 'arrangementName',
	message: 'message',
	status: 'history[0].statusName',
	state: () => 'noShow',
	guestPhone: 'contact.mobile',
	phoneLink: () => 'tel:+4681234567',
	guestEmail: 'contact.email',
	bookingNumber: 'globalBookingNumber',
	start: 'start',
	end: 'end',
	guid: 'guid',
};
const inTokyo = (time: unknown) => new Date(Date.parse(String(time)) + 9 * 3_600_000).toISOString();
const checkout = (within: string): Places => ({
	bookingNumber: `${within}bookingNumber`,
	start: `${within}start`,
	end: `${within}end`,
	guests: `${within}guests`,
	guestName: both(`${within}contactFirstName`, `${within}contactLastName`),
	mustBeInvoiced: `${within}mustBeInvoiced`,
	status: `${within}status`,
	bookingRootId: `${within}bookingRootId`,
});
const messages = (kind: string) => (record: IDataObject) =>
	['validationResult', 'validationResults.key'].flatMap((at) => [
		get(record, `${at}.general${kind}[0].message`) as unknown,
		`'${String(get(record, `${at}.property${kind}[0].propertyName`))}': ${String(get(record, `${at}.property${kind}[0].message`))}`,
	]);
const checkoutResult: Places = {
	...checkout('result.'),
	errors: messages('Errors'),
	warnings: messages('Warnings'),
};
const recipient = (within: string): Places => ({
	name: `${within}name`,
	statusName: () => 'Opened',
	respondedTime: `${within}respondedTime`,
	sentTime: `${within}sentTime`,
	email: `${within}emailAddress`,
	phone: `${within}mobilePhone`,
	surveyId: `${within}surveyId`,
	id: `${within}id`,
});
const questions = (record: IDataObject) => [
	get(record, 'content.pages[0].sections[0].questions[0].title'),
];
const same = (...names: string[]): Places => Object.fromEntries(names.map((name) => [name, name]));
const customers: Places = {
	...same(
		'name',
		'customerNumber',
		'email',
		'phone',
		'streetaddress',
		'zipcode',
		'city',
		'orgNr',
		'id',
	),
	lastChanged: 'lastChangedUtc',
};
const recipients: Places = { ...recipient(''), openedTime: 'openedTime', ref: 'ref' };

const TABLE: Readonly<Record<string, Places>> = {
	'article.batchUpdate': {
		...same(
			'name',
			'articleNumber',
			'customerFacingName',
			'publicationStatus',
			'externalId',
			'articleId',
		),
		regularPrice: 'prices.regular.inclVat',
		takeAwayPrice: 'prices.takeAway.inclVat',
		conferencePrice: 'prices.conference.inclVat',
		color: 'attributes.color.hexValue',
	},
	'articleGroup.update': same(
		...['name', 'type', 'sortOrder', 'color', 'accountNumber', 'hidden', 'onePerGuest'],
		...['notRelevantForCheckout', 'changeDate', 'id'],
	),
	'campaign.update': {
		...same(
			'name',
			'displayName',
			'description',
			'startDate',
			'endDate',
			'status',
			'maxNumberOfOutcomes',
		),
		...same('campaignId', 'id'),
		marketingEnabled: 'marketing.enabled',
	},
	'checkoutBooking.cancelToBeInvoiced': checkoutResult,
	'checkoutBooking.checkIn': { ...checkout(''), ...same('customerName', 'message') },
	'checkoutBooking.checkOut': checkoutResult,
	'customer.getAll': customers,
	'survey.updateContent': {
		...same(
			'status',
			'statusMessage',
			'changedTime',
			'changedBy',
			'createdTime',
			'createdBy',
			'revision',
			'id',
		),
		title: 'content.title',
		questions,
	},
	'surveyRecipient.getAll': recipients,
	'surveyRecipient.getWithSurvey': {
		...recipient('recipient.'),
		surveyTitle: 'content.title',
		questions,
	},
	'webBooking.cancel': bookings,
	'webBooking.getAll': bookings,
	'webBooking.update': bookings,
	...Object.fromEntries(
		eventRows().map(({ value }) => [
			value,
			value.startsWith('booking')
				? bookings
				: value.startsWith('customer')
					? customers
					: recipients,
		]),
	),
};

const shapes = [
	...rows.map(({ id, operation }) => ({ name: id, shape: operation.output })),
	...eventRows().map(({ value, kind }) => ({ name: value, shape: kind.output })),
].filter(({ shape }) => shape.simplified);

const CONTEXT = {
	timeZone: 'Asia/Tokyo',
	language: 'en-GB',
	statusRoles: { noShow: new Set(['text of history[0].statusname']) },
};
const OPENED = 3;

/** A record with each field of the contract, no two with the same value; of the switches one is on. */
function recordOf(schema: string, switchedOn?: string): IDataObject {
	const root = { $ref: `#/components/schemas/${schema}` };
	const record = sampleOf(root) as IDataObject;
	const fields = [...fieldsOf(root), ...mapFields(record)];
	for (const [index, { path, schema: field }] of fields.entries()) {
		const at = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
		const place = at.slice(1);
		const [type = ''] = typesOf(field);
		if (type === 'boolean') set(record, path, place === switchedOn);
		else if (field.format === 'date-time') set(record, path, minutesAfter(index));
		else if (type === 'integer' || type === 'number') set(record, path, 1000 + index);
		else if (type === 'string') set(record, path, `text of ${place}`);
	}
	for (const at of ['status', 'recipient.status']) {
		if (schema.includes('Recipient') && get(record, at) !== undefined) set(record, at, OPENED);
	}
	if (record.history) set(record, 'history[0].status', record.status);
	if (record.history) set(record, 'contact.phone', '+46 8 123 45 67');
	return record;
}

/** `validationResults` is a map: its fields stand under names of its own. */
function mapFields({
	validationResult,
	validationResults,
}: IDataObject): ReturnType<typeof fieldsOf> {
	if (!validationResult || !validationResults) return [];
	(validationResults as IDataObject).key = JSON.parse(
		JSON.stringify(validationResult),
	) as IDataObject;
	return fieldsOf({ $ref: '#/components/schemas/ValidationResult' }).map((field) => ({
		...field,
		path: ['validationResults', 'key', ...field.path],
	}));
}

const minutesAfter = (minutes: number) => new Date(Date.UTC(2031, 4, 1, 20, minutes)).toISOString();

it('The table has a row for each operation and event with a simplified output', () => {
	expect(Object.keys(TABLE).sort()).toEqual(shapes.map(({ name }) => name).sort());
});

it.each(shapes)(
	'each simplified field of $name comes from its own place, times in the zone of the account',
	({ name, shape }) => {
		const places = TABLE[name] ?? {};
		expect(Object.keys(shape.simplified ?? {}).sort()).toEqual(Object.keys(places).sort());
		for (const [field, place] of Object.entries(places)) {
			const record = recordOf(shape.schema ?? '', typeof place === 'string' ? place : undefined);
			const value = typeof place === 'string' ? (get(record, place) as unknown) : place(record);
			const come = shaperOf(() => undefined, shape, CONTEXT)(record)[field];
			if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) {
				expect(String(come)).toMatch(/^2031-05-02T\d\d:\d\d:00\+09:00$/);
				expect([field, Date.parse(String(come))]).toEqual([field, Date.parse(value)]);
			} else {
				expect([field, come]).toEqual([field, value]);
			}
			expect([field, come ?? null]).not.toEqual([field, null]);
		}
	},
);

it.each(shapes)(
	'selected fields of $name always come with the ID, simplified ones as Simplified gives them, times in the zone of the account',
	({ shape }) => {
		const record = recordOf(shape.schema ?? '');
		const read = (fields: string[]) =>
			shaperOf((name) => (name === 'output' ? 'selected' : fields), shape, CONTEXT)(record);
		const simplified = shaperOf(() => undefined, shape, CONTEXT)(record);
		const id = shape.id ?? 'id';

		expect(simplified[id]).toBeDefined();
		for (const name of Object.keys(shape.simplified ?? {})) {
			expect(read([name])).toEqual({ [id]: simplified[id], [name]: simplified[name] });
		}
		for (const [name, value] of Object.entries(record).filter(([own]) => !(own in simplified))) {
			const come = read([name]);
			const isTime = typeof value === 'string' && value.startsWith('2031-');
			expect(come).toEqual({ [id]: simplified[id], [name]: isTime ? come[name] : value });
			if (isTime) {
				expect([Date.parse(String(come[name])), String(come[name]).slice(-6)]).toEqual([
					Date.parse(value),
					'+09:00',
				]);
			}
		}
	},
);

/** Tags and a filler behind each of a record's texts, and nothing else of it changed. */
function withHiddenLetters(value: unknown): unknown {
	if (typeof value === 'string') return `${value}\u{e0069}\u{e0067}\u3164\ufffa`;
	return value;
}

it.each(shapes)('no text of $name has hidden letters, whoever has written it', ({ shape }) => {
	const { schema = '', simplified, computed } = shape;
	const text = JSON.stringify(recordOf(schema), (_, value: unknown) => withHiddenLetters(value));
	const record = JSON.parse(text) as IDataObject;

	const names = Object.keys({ ...simplified, ...computed });
	const output = selectedShaper(shape, names, CONTEXT)(record);

	expect(Object.keys(output).length).toBeGreaterThanOrEqual(Object.keys(simplified ?? {}).length);
	expect(JSON.stringify(output)).not.toMatch(/[\u{e0000}-\u{e007f}\u3164\ufffa]/u);
});

/** JSON of a service of which neither a text nor a number can be made: JavaScript throws. */
const WITHOUT_TEXT = { toString: 1, valueOf: 1 };

it.each(shapes)('$name comes out whatever stands in one of its fields', ({ shape }) => {
	const { schema = '', simplified, computed } = shape;
	const names = Object.keys({ ...recordOf(schema), ...simplified, ...computed });
	const shaper = selectedShaper(shape, names, CONTEXT);
	for (const { path } of fieldsOf({ $ref: `#/components/schemas/${schema}` })) {
		const record = set(recordOf(schema), path, WITHOUT_TEXT);

		expect(() => shaper(record)).not.toThrow();
	}
});

const bookingFields = fieldsOf({ $ref: '#/components/schemas/WebBooking' });

it('a booking is matched to filters whatever stands in one of its fields', () => {
	const filters = {
		statuses: [1, 'Arrived'],
		states: ['canceled' as const],
		statusRoles: CONTEXT.statusRoles,
		minGuests: 2,
		customerId: 7,
		search: new PeopleSearch('Anna'),
	};
	for (const { path } of bookingFields) {
		const record = set(recordOf('WebBooking'), path, WITHOUT_TEXT);
		for (const [name, filter] of Object.entries(filters)) {
			expect(() => matchesFilters(record, { [name]: filter })).not.toThrow();
		}
		expect(() => namedStatuses([record])).not.toThrow();
	}
});

it.each(eventRows())('$value is observed whatever stands in a field of a record', (event) => {
	const schema = event.kind.output.schema ?? '';
	const feed = feedOf(event.value, { whatChanged: true });
	for (const { path } of fieldsOf({ $ref: `#/components/schemas/${schema}` })) {
		const record = set(recordOf(schema), path, WITHOUT_TEXT);

		expect(() => observe([record], feed)).not.toThrow();
	}
});

it('the raw output is the record as it was received', () => {
	for (const { shape } of shapes) {
		const record = recordOf(shape.schema ?? '');
		const copy = JSON.parse(JSON.stringify(record)) as object;
		expect(shaperOf(() => 'raw', shape, CONTEXT)(record)).toEqual(copy);
	}
});

it.each(shapes)(
	"an 'Output' of $name that there is not is refused by name, an empty one is Simplified",
	({ shape }) => {
		const shaped = (output: unknown) => shaperOf(() => output, shape, CONTEXT)({ other: 1 });
		for (const output of ['everything', 7, { mode: 'raw' }]) {
			expect(() => shaped(output)).toThrow("'Output' is not one of the allowed values");
		}
		for (const output of [undefined, '']) {
			expect(Object.keys(shaped(output))).toEqual(Object.keys(shape.simplified ?? {}));
		}
	},
);

const STOCKHOLM = { timeZone: 'Europe/Stockholm', language: 'en-GB', statusRoles: {} };
const simplified = (record: object) => simplifiedShaper(webBookings, STOCKHOLM)(record);
const selected = (record: object, name: string, context: ShapeContext = STOCKHOLM) =>
	selectedShaper(webBookings, [name], context)(record)[name];

it('a simplified booking is ready for a mail: 18 fields, date and time first', () => {
	const names =
		'date time when guestName guests children tables booked message status state guestPhone phoneLink';
	expect(Object.keys(simplified({})).join(' ')).toBe(
		`${names} guestEmail bookingNumber start end guid`,
	);
});

it('a status of a recipient without a name is shown as it is', () => {
	const { statusName } = simplifiedShaper(surveyRecipients, STOCKHOLM)({ status: 77 });
	expect(statusName).toBe(77);
});

it.each([
	['2026-11-26T18:30:00', '2026-11-26', '18:30', '2026-11-26T18:30:00+01:00'],
	['2026-07-01T22:30:00Z', '2026-07-02', '00:30', '2026-07-02T00:30:00+02:00'],
	['0001-01-01T00:00:00', null, null, null],
	['soon', null, null, 'soon'],
	[undefined, null, null, null],
])("%p is a date and a time of the credential's zone", (start, date, time, iso) => {
	expect(simplified({ start })).toMatchObject({ date, time, start: iso });
});

it.each([
	[{ guests: 4, guestsChildren: 2 }, 4, 2],
	[{ guests: 4, guestsChildren: 0 }, 4, 0],
	[{ guests: 2, guestsChildren: 3 }, 2, 3],
	[{ guests: 4 }, 4, null],
])(
	'guests and children of %j are as received, neither added nor subtracted',
	(record, guests, children) => {
		expect(simplified(record)).toMatchObject({ guests, children });
	},
);

const table = (tableName: unknown, more: object = {}) => ({ isTable: true, tableName, ...more });
it.each([
	[undefined, null],
	[null, null],
	[[], ''],
	[[table('7'), table('12')], '7, 12'],
	[[table('7'), table('7', { start: 'later' })], '7'],
	[
		[table(null, { tableNumber: '4', name: 'Table' }), table('', { name: 'Bar' }), table(null)],
		'4, Bar',
	],
	[[table('7'), { isTable: false, tableName: null, name: 'Wine' }, null], '7'],
	[[table('Under\nthe \u202Eoak')], 'Under the oak'],
])('the tables of %j are named in one text: %p', (articles, tables) => {
	expect(simplified({ articles, nonTableArticles: [table('no')] }).tables).toBe(tables);
});

it.each([
	[{ status: 5 }, 5],
	[{ status: 5, history: [{ status: 5, statusName: 'Avbokad' }] }, 'Avbokad'],
	[{ status: 5, history: [{ status: 5, statusName: 'Av\u202Ebokad\n' }] }, 'Avbokad'],
	[{ status: 5, history: [{ status: 5, statusName: '' }] }, 5],
	[{ status: 5, history: [null] }, 5],
	[{ status: 5, history: 'text' }, 5],
	[{}, null],
])('the status of %j is its name where known, else its number', (record, status) => {
	expect(simplified(record).status).toBe(status);
});

it.each([
	['one line', ' Window\r\n\tseat \u2028please\u0000 ', 'Window seat please'],
	['no half characters', 'a\uD83Db', 'ab'],
	['markup as it is', '<b>& "x"', '<b>& "x"'],
	['a number as it is', 7, 7],
])('a text of a guest is %s', (_, received, shown) => {
	const contact = { fname: received, mobile: received, email: received };
	const { message, guestName, guestPhone, guestEmail } = simplified({ message: received, contact });
	expect([message, guestPhone, guestEmail]).toEqual([shown, shown, shown]);
	expect(guestName).toBe(String(shown));
	expect(selected({ message: received }, 'message')).toBe(shown);
});

it('names and addresses have at most 200 characters, a message has 2,000', () => {
	const long = 'x'.repeat(201);
	const contact = { fname: long, mobile: long, email: long };
	const short = `${'x'.repeat(199)}…`;

	expect(simplified({ contact, message: long })).toMatchObject({
		guestName: short,
		guestPhone: short,
		guestEmail: short,
		message: long,
	});
});

it.each([
	['whole with 2,000 characters', 'x'.repeat(2_000), 'x'.repeat(2_000), []],
	['cut with 2,001', 'x'.repeat(2_001), `${'x'.repeat(1_999)}…`, ['message']],
	['whole in one line', `nuts\n${' '.repeat(5_000)}!`, 'nuts !', []],
	['cut after what is read', `nuts${' '.repeat(50_000)}!`, 'nuts…', ['message']],
])("a guest's message is %s, and one that is cut is reported", (_, message, shown, reported) => {
	const cut: string[] = [];
	const reportCut = (path: string) => cut.push(path);

	expect(selected({ message }, 'message', { ...STOCKHOLM, reportCut })).toBe(shown);
	expect(cut).toEqual(reported);
});

/** Versions of Node.js differ in them. */
const withoutCommas = (text: unknown) => String(text).replaceAll(',', '');

it.each([
	['en-GB', 'Saturday 28 November 2026 at 18:30'],
	['sv', 'lördag 28 november 2026 kl. 18:30'],
	['en-US', 'Saturday November 28 2026 at 6:30 PM'],
	['de', 'Samstag 28. November 2026 um 18:30'],
])("a time to read is in the credential's language: %s", (language, text) => {
	const context = { ...STOCKHOLM, language };
	expect(withoutCommas(selected({ start: '2026-11-28T17:30:00Z' }, 'when', context))).toBe(text);
});

it.each([
	['sv-SE', 'lördag 28 november 2026 kl. 18:30'],
	['sv_SE', 'lördag 28 november 2026 kl. 18:30'],
	['en', 'Saturday 28 November 2026 at 18:30'],
	['Klingon', 'Samstag 28. November 2026 um 18:30'],
	['', 'Samstag 28. November 2026 um 18:30'],
	[null, 'Samstag 28. November 2026 um 18:30'],
])(
	"for a guest it is in the language of the booking (%p), else in the house's",
	(language, text) => {
		const context = { ...STOCKHOLM, language: 'de' };
		expect(
			withoutCommas(selected({ start: '2026-11-28T18:30:00', language }, 'whenForGuest', context)),
		).toBe(text);
	},
);

it('there is nothing to read of a booking without a start', () => {
	for (const start of [undefined, null, 'soon', '0001-01-01T00:00:00']) {
		expect([selected({ start }, 'when'), selected({ start }, 'whenForGuest')]).toEqual([
			null,
			null,
		]);
	}
});

const article = (name: unknown, isTable = false) => ({ name, isTable });
it.each([
	[{}, null],
	[
		{ arrangementName: 'Christmas\nbuffet', nonTableArticles: [article('Wine')] },
		'Christmas buffet',
	],
	[{ arrangementName: ' ', nonTableArticles: [article('Wine'), article('Soup')] }, 'Wine, Soup'],
	[{ nonTableArticles: [article('Soup'), article('Soup'), article(''), null] }, 'Soup'],
	[{ articles: [article('Table', true), article('Double room')] }, 'Double room'],
	[{ articles: [article('Table', true)] }, ''],
])('what %j books is the arrangement, else its articles by name: %p', (record, booked) => {
	expect(simplified(record).booked).toBe(booked);
});

it.each([
	[{ mobile: '+46 70 123 45 67', phone: '08-123 45 67' }, 'tel:+46701234567'],
	[{ mobile: 'none', phone: '08-123 45 67' }, 'tel:081234567'],
	[{ mobile: '', phone: 'ask at the desk' }, null],
	[undefined, null],
])('the phones %j have one link or none', (contact, link) => {
	expect(simplified({ contact }).phoneLink).toBe(link);
});

it.each([
	[undefined, null],
	[[], null],
	[[{ id: 1 }, null, { bookingRootId: 4711 }], 4711],
	[[{ bookingRootId: '9007199254740993' }], '9007199254740993'],
])('of the payment events %j the number in the checkout is selected', (paymentEvents, id) => {
	expect(selected({ paymentEvents }, 'bookingRootId')).toBe(id);
});

it.each([
	[{ mobile: ' ', phone: '08-1' }, '08-1'],
	[{ mobile: '070-1', phone: '08-1' }, '070-1'],
	[{ mobile: null, phone: '' }, null],
	[undefined, null],
])('of the phones %j the first that is not blank is shown', (contact, phone) => {
	expect(simplified({ contact }).guestPhone).toBe(phone);
});

it('a recipient who has responded comes without the survey', () => {
	const { operation } = rows.find(
		({ id }) => id === 'surveyRecipient.getWithSurvey',
	) as (typeof rows)[number];
	const record = { recipient: { id: 'r1', status: 4 } };

	expect(shaperOf(() => undefined, operation.output, STOCKHOLM)(record)).toMatchObject({
		id: 'r1',
		statusName: 'Responded',
		surveyTitle: null,
		questions: [],
	});
});

it('selects no names that every object has', () => {
	const shape = selectedShaper(webBookings, ['guid', 'toString', 'status'], STOCKHOLM);
	expect(shape({ guid: 'a' })).toEqual({ guid: 'a', status: null });
});
