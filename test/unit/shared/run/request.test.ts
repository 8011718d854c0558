import attempt from 'lodash/attempt';
import times from 'lodash/times';

import { toJsonText } from '../../../../nodes/shared/values/longNumber';
import type { Field } from '../../../../nodes/shared/form/fields';
import type { ItemRequest } from '../../../../nodes/shared/operation/operation';
import {
	type Form,
	type Row,
	GUID,
	RECORDS,
	fullForm,
	prepare,
	rows,
	setField,
} from '../../../support/sampleForm';

const rowOf = (id: string) => rows.find((row) => row.id === id) as Row;
const prepareFull = async (id: string, form: Form) =>
	await prepare(rowOf(id), { ...fullForm(rowOf(id)), ...form });
const asJson = (jsonBody: unknown) => ({ bodyMode: 'json', jsonBody });

const TIME = '2026-03-01T18:00:00Z';
const UPDATE = { timeSetDate: TIME, guests: 2, times: [] };

const HALF = '\ud83d';
const details = (more: Form) => ({ details: more });
const time = (more: Form) => ({ times: { entry: [{ ruleId: 7, start: TIME, ...more }] } });
const requirements = (text: string) => ({ rules: { requirements: text } });
const customerInJson = (json: unknown) => ({ ...asJson(json), anotherCustomer: {} });
const byHand = (value: Form, schema: object[] = []) => ({
	mappingMode: 'defineBelow',
	value,
	schema,
});
const automatically = (value: Form) => ({
	article: {
		mappingMode: 'autoMapInputData',
		value: { articleId: GUID, description: 'x', ...value },
	},
});
const articlesInJson = (...items: Form[]) =>
	asJson({ items: items.map((one) => ({ articleId: GUID, ...one })) });
const updateJson = (more: Form) => asJson({ ...UPDATE, ...more });

describe.each<[id: string, refused: Array<[form: Form, message: string]>]>([
	[
		'webBooking.update',
		[
			[{ timeSetDate: 'soon' }, "'Date and Time' is not a date and time ('soon')"],
			[{ timeSetDate: '0001-01-01T00:00:00Z' }, "'Date and Time' is in the year 0001"],
			[{ timeSetDate: '1899-12-30T18:00:00Z' }, "'Date and Time' is in the year 1899"],
			[{ guests: 'many' }, "'Guests' is not a number ('many')"],
			[time({ start: 'x' }), "'Times 1: Start' is not a date"],
			[{ times: { entry: [{ ruleId: 7, start: TIME }, {}] } }, "'Times 2: Rule ID' is empty"],
			[time({ ruleId: '9223372036854775808' }), "'Times 1: Rule ID' is "],
			[time({ rule: 7 }), "'Times 1' has no field 'rule'"],
			[details({ removeTimes: '={{ $json.times }}' }), "'Times to Remove' is not a list of rows"],
			[
				details({ removeTimes: { values: [{ sectionId: 7 }] } }),
				"'Times to Remove' has no field 'values'",
			],
			[details({ massage: 'x' }), "'Booking Details' has no field 'massage'"],
			[{ details: [{ message: 'x' }] }, "'Booking Details' has no field '0'"],
			[{ guest: { fname: {} } }, "'First Name' is not a text"],
			[{ guest: { fname: 2 ** 53 } }, "'First Name' is not a text"],
			[details({ markings: ['VIP', NaN] }), "'Markings' is not a text"],
			[asJson('{'), "'JSON' is not valid JSON"],
			[asJson(''), "'JSON' is not valid JSON"],
			[asJson(null), "'JSON' is not"],
			[
				updateJson({ times: [{ ruleId: 2 ** 53 + 1, start: TIME }] }),
				"'JSON: times[0].ruleId' is out of range",
			],
			[updateJson({ times: [{ ruleId: 1, start: TIME }, {}] }), "'JSON: times[1]' is empty"],
			[updateJson({ guests: null }), "'JSON: guests' is null"],
			[updateJson({ bookingGuid: '12' }), "'JSON: bookingGuid' must be a GUID, not '12'"],
		],
	],
	[
		'checkoutBooking.checkIn',
		[
			[{ bookingRootId: '2147483648' }, "'Booking Number, Else Root ID' is 2147483648"],
			[{ bookingRootId: '9007199254740993' }, "'Booking Number, Else Root ID' is 9007199254740993"],
		],
	],
	[
		'campaign.update',
		[
			[{ campaignId: Number.NaN }, "'Campaign ID' must be a text, not 'NaN'"],
			[requirements('[{]'), "'Requirements' is not valid JSON"],
			[requirements('{"a":1}'), "'Requirements' is of the wrong type"],
			[
				{ marketing: { imageMap: { entry: [1, 2].map((value) => ({ name: 'x', value })) } } },
				"'Image Map' has two rows with the same name",
			],
			[
				{ updateFields: { name: 'x', campaignId: 'other' } },
				"'Campaign ID in Body' names another record",
			],
			[
				requirements('[{"requirementType":"x"}]'),
				"'Requirements[0].requirementType' is of the wrong type",
			],
			[
				requirements('[{"requirementType":1,"groups":[{}]}]'),
				"'Requirements[0].groups[0]' is empty",
			],
		],
	],
	[
		// Never the credential's own customer in the place of another one.
		'customer.authenticate',
		[
			...[undefined, null, '', ' '].map((value): [Form, string] => [
				{ anotherCustomer: { customerId: value, password: value } },
				"'Customer ID' is ",
			]),
			[
				customerInJson('{"customerId":"4711","password":"wrong"}'),
				"'JSON: customerId' is not a field",
			],
			[customerInJson('{}'), "'Customer ID' is empty"],
			[customerInJson({ CustomerId: undefined, Password: undefined }), "'Customer ID' is empty"],
			[customerInJson({ CustomerId: '', Password: '' }), "'Customer ID' is empty"],
			[customerInJson({ CustomerId: null, Password: null }), "'Customer ID' is empty"],
			[customerInJson({ Password: 'theirs' }), "'Customer ID' is empty"],
			[{ customer: 'another', anotherCustomer: {} }, "'Customer ID' is empty"],
			[{ customer: 'another', anotherCustomer: undefined }, "'Customer ID' is empty"],
		],
	],
	[
		'article.batchUpdate',
		[
			[{ article: byHand({ name: 'x' }) }, "'Article ID' is empty"],
			[
				{ article: byHand({ articleId: '12', name: 'x' }) },
				"'Article ID' must be a GUID, not '12'",
			],
			...['regularPrice', 'prices.regular.inclVat', 'prices'].map((name): [Form, string] => [
				{ article: byHand({ articleId: GUID, name: 'x', [name]: 9 }) },
				`'Article' has no field '${name}'`,
			]),
			[automatically({ description: ' ', titel: 'x' }), "'Article' has nothing to change"],
			[
				articlesInJson({ name: 'x' }, { prices: { regular: {} } }),
				"'JSON: items[1]' has nothing to change",
			],
			[
				articlesInJson({ attributes: { resetColor: false } }),
				"'JSON: items[0]' has nothing to change",
			],
		],
	],
	[
		'contact.sendGuestMessage',
		[
			[{ event: {}, guest: {} }, "'Event' has nothing to send"],
			[{ event: { passcode: 'x' }, guest: { name: '' } }, "'Event' has nothing to send"],
			[asJson({ passcode: 'x', message: {} }), "'JSON' has nothing to send"],
		],
	],
	[
		'contact.connectToCustomer',
		[[{ connection: { binaryFlags: 2 } }, "'Binary Flags' is not one of"]],
	],
	[
		'surveyRecipient.getAll',
		[[{ filters: { surveyId: 'x' } }, "'Survey ID' must be a GUID, not 'x'"]],
	],
	[
		'checkoutBooking.cancelToBeInvoiced',
		[[{ alias: 1 / 0 }, "'Alias' must be a text, not 'Infinity'"]],
	],
	[
		'webBooking.getAll',
		[
			[{ include: [10n] }, `'Include' is not one of the allowed values ("10")`],
			[{ filters: { statuses: '1x' } }, "'Status Names or IDs' is not a number ('1x')"],
			[{ filters: { minGuests: 'many' } }, "'Min Guests' is not a number ('many')"],
		],
	],
	[
		'survey.updateContent',
		[
			[
				{ pages: [{ title: `a${HALF}`, sections: [] }] },
				"'Pages[0].title' contains an unpaired surrogate",
			],
		],
	],
	[
		'department.update',
		[
			[asJson({ name: HALF }), "'JSON: name' contains an unpaired surrogate"],
			[asJson('{ "name": "a\\ud83d" }'), "'JSON: name' contains an unpaired surrogate"],
			[asJson({ [`x${HALF}`]: 1 }), "'JSON: x"],
			...[10n, Symbol('x'), () => 'x', new Date('x'), new Map()].map((name): [Form, string] => [
				asJson({ name }),
				"'JSON: name' is of the wrong type",
			]),
			[asJson({ changeStatus: NaN }), "'JSON: changeStatus' is of the wrong type"],
			[asJson(new Map([['name', 'x']])), "'JSON' is not a JSON object"],
			[asJson(new Date(0)), "'JSON' is not a JSON object"],
		],
	],
])('%s', (id, refused) => {
	it.each(refused.map(([form, message]) => [message, form] as const))(
		'says: %s',
		async (message, form) => {
			await expect(prepareFull(id, form)).rejects.toThrow(message);
		},
	);
});

const OTHER_COLUMNS = {
	date: '2026-01-01',
	Price: 9,
	same: 'x',
	Label: 'Old',
	unit: 'kg',
	images: {},
};
const SWITCHES = { attributesNonSale: false, attributesAllowDiscount: false };
const ADDED = [
	{ id: 'attributesNonSale', removed: true },
	{ id: 'attributesAllowDiscount', removed: false },
];

it.each<[what: string, form: Form, sent: Form]>([
	[
		'by name, and not columns of other names',
		automatically({
			description: '',
			stock: null,
			pricesRegularInclVat: '120.5',
			name: 'New',
			...OTHER_COLUMNS,
		}),
		{ name: 'New', prices: { regular: { inclVat: 120.5 } } },
	],
	[
		'by dotted path',
		automatically({ 'prices.takeAway.exclVat': 80, discount: true }),
		{ description: 'x', prices: { takeAway: { exclVat: 80 } } },
	],
	[
		'by nesting',
		automatically({ prices: { conference: { inclVat: 90 } }, attributes: { nonSale: 'true' } }),
		{ description: 'x', prices: { conference: { inclVat: 90 } }, attributes: { nonSale: true } },
	],
	['that are null in JSON', articlesInJson({ attributes: null }), { attributes: null }],
	[
		'that were added to the form, though n8n keeps a value for the switches of others',
		{ article: byHand({ articleId: GUID, name: 'New', ...SWITCHES }, ADDED) },
		{ name: 'New', attributes: { allowDiscount: false } },
	],
])('sends the fields of an article %s', async (_, form, sent) => {
	const { body } = await prepareFull('article.batchUpdate', form);
	expect(body).toEqual({ items: [{ articleId: GUID, ...sent }] });
});

it('takes a date from 1900', async () => {
	const { body } = await prepareFull('webBooking.update', { timeSetDate: '1900-01-01T00:00:00Z' });
	expect(body).toMatchObject({ timeSetDate: '1900-01-01T00:00:00Z' });
});

it.each([-(2 ** 31) - 1, 2 ** 31])(
	'refuses %d in JSON where the contract has 32 bits',
	async (n) => {
		const update = prepareFull('webBooking.update', asJson({ ...UPDATE, guests: n }));
		await expect(update).rejects.toThrow("'JSON: guests' is out of range");
	},
);

it('takes zeros before a number in a locator, however long it is', async () => {
	const bookingRootId = { __rl: true, mode: 'id', value: ' 009007199254740993 ' };
	const { body } = await prepareFull('checkoutBooking.checkOut', { bookingRootId });
	expect(toJsonText(body)).toContain('"bookingRootId":9007199254740993');
});

it('leaves out a list of separators alone, which would clear what is there', async () => {
	const { body } = await prepareFull('webBooking.update', details({ markings: ' , ; ' }));
	expect(body).not.toHaveProperty('markings');
});

it('sends a date in JSON as text', async () => {
	const { body } = await prepareFull('department.update', asJson({ name: new Date(0) }));
	expect(JSON.parse(JSON.stringify(body))).toEqual({ id: 7, name: '1970-01-01T00:00:00.000Z' });
});

it.each([
	['webBooking.update', asJson('{a')],
	['campaign.update', requirements('[{]')],
])('says how to write a text into JSON where that of %s is refused', async (id, form) => {
	await expect(prepareFull(id, form)).rejects.toMatchObject({
		description: expect.stringMatching(
			/^Expected .*\. Check quotes, commas and brackets\..* JSON\.stringify\(/,
		),
	});
});

it('reads a time in JSON as in a field: by its offset, as UTC where its name says so, else in the zone of the credential', async () => {
	const local = '2026-07-01T18:00:00';
	const withOffset = '2026-07-01T18:00:00.1234567-04:00';
	const customer = { lastChangedUtc: local };
	const codes = [{ campaignCodes: [{ createdDate: local }] }];
	const bodies = [
		await prepare(
			rowOf('webBooking.update'),
			updateJson({
				bookingGuid: GUID,
				timeSetDate: local,
				times: [{ ruleId: 7, start: withOffset }],
				customer,
			}),
			'Europe/Stockholm',
		),
		await prepare(
			rowOf('campaign.update'),
			{ campaignId: 'x', ...requirements(JSON.stringify(codes)) },
			'Europe/Stockholm',
		),
	].map(({ body }) => body);

	expect(bodies).toMatchObject([
		{
			timeSetDate: '2026-07-01T18:00:00+02:00',
			times: [{ start: withOffset }],
			customer: { lastChangedUtc: '2026-07-01T18:00:00Z' },
		},
		{ requirements: [{ campaignCodes: [{ createdDate: '2026-07-01T18:00:00+02:00' }] }] },
	]);
});

it('sends in JSON the date that stands for none as it was received', async () => {
	const customer = { lastChangedUtc: '0001-01-01T00:00:00' };
	const { body } = await prepareFull('webBooking.update', updateJson({ customer }));
	expect(body).toMatchObject({ customer });
});

it.each(rows)('refuses an option that $id does not have', async ({ id }) => {
	for (const options of [{ systen: 'test' }, { timeOut: 5_000 }, '={{ $json.options }}']) {
		await expect(prepareFull(id, { options })).rejects.toThrow("'Options' ");
	}
});

const takesId = ({ property, serialize }: Field) =>
	/\bIDs?$/.test(property.displayName) &&
	attempt(() => serialize('Anna Lind')) instanceof Error &&
	[7, GUID].some((id) => !(attempt(() => serialize(id)) instanceof Error));
const ids = rows.flatMap(({ id, operation, fields }) =>
	[...(operation.pathFields ?? []), ...fields]
		.flatMap((field) => field.entries ?? [field])
		.filter((field) => takesId(field) || field.property.type === 'resourceLocator')
		.map((field) => ({ id, label: field.property.displayName, field })),
);

it.each(ids)('says where $label of $id is found', ({ field }) => {
	const said = attempt(() => field.serialize('Anna Lind'));

	expect(said).toMatchObject({
		description: expect.stringMatching(
			/It is '|its root ID is '|No response of the API has it|See 'articles'/,
		),
	});
});

/** Lists of which all that is there is replaced. */
it.each<[label: string, id: string, form: Form, json: Form]>([
	[
		'Times',
		'webBooking.update',
		{ times: {}, details: { replaceTimes: true } },
		updateJson({ replaceTimes: true }),
	],
	['Pages', 'survey.updateContent', { pages: '[]' }, asJson({ title: 'Visit', pages: [] })],
])('replaces %s of %s by nothing in JSON alone', async (label, id, form, json) => {
	await expect(prepareFull(id, form)).rejects.toThrow(`'${label}' has no row`);
	await expect(prepareFull(id, json)).resolves.toBeDefined();
});

describe("the option 'System'", () => {
	const full = fullForm(rowOf('webBooking.cancel'));
	const prepareWith = async (options: Form, stored = options) =>
		await prepare(rowOf('webBooking.cancel'), { ...full, options: stored }, 'UTC', {
			...full,
			options,
		});

	it.each<[unknown, string]>([
		...[undefined, null, '', '  '].map((system): [unknown, string] => [system, 'is empty']),
		...[[], {}, ['a'], true].map((system): [unknown, string] => [system, 'is not a text']),
		[NaN, 'must be a text'],
		[HALF, 'contains an unpaired surrogate'],
		['my\u200b-restaurant', 'contains a character that a header cannot carry (U+200B)'],
	])('is refused when its expression comes to %j: it %s', async (system, what) => {
		const request = prepareWith({ system }, { system: '={{ $json.system }}' });
		await expect(request).rejects.toThrow(`'System' ${what}`);
	});

	it.each([
		['other', 'other'],
		[' other ', 'other'],
		[7, '7'],
		['-', '-'],
	])('sends %j as %j', async (system, header) => {
		expect((await prepareWith({ system }, { system: '={{ $json.system }}' })).system).toBe(header);
	});

	it("leaves the credential's system when it was added and left empty", async () => {
		for (const options of [{ system: '' }, {}]) {
			expect((await prepareWith(options)).system).toBeUndefined();
		}
	});
});

// Without brackets, which n8n shows otherwise.
test.each<[message: string, hint: string, id: string, form: Form]>([
	[
		"'Guests' is 2147483648",
		'Enter a whole number from 0 to 2147483647',
		'webBooking.update',
		{ guests: 2 ** 31 },
	],
	[
		"'Guests' is -1",
		'Enter a whole number from 0 to 2147483647',
		'webBooking.update',
		{ guests: -1 },
	],
	[
		"'JSON: guests' is of the wrong type",
		'Allowed: integer',
		'webBooking.update',
		updateJson({ guests: '2' }),
	],
	[
		"'JSON: eventTag' is of the wrong type",
		'Allowed: string or null',
		'webBooking.update',
		updateJson({ eventTag: 2 }),
	],
	[
		"'Password' is empty",
		"Enter both 'Customer ID' and 'Password' of the customer to authenticate",
		'customer.authenticate',
		{ anotherCustomer: { customerId: 'other' } },
	],
	[
		"'Update Fields' has nothing to send",
		"Enter at least one value; an ID or passcode alone is not enough. Empty fields are not sent; to clear a value, choose 'Using JSON'",
		'department.update',
		{ updateFields: {} },
	],
	[
		"'JSON' is not a JSON object",
		'Enter one object, in curly brackets',
		'department.update',
		asJson('[1]'),
	],
	[
		"'JSON: guests' is missing",
		'Fill it in: the service needs it',
		'webBooking.update',
		updateJson({ guests: undefined }),
	],
	[
		"'JSON: binaryFlags' is not one of the allowed values",
		'Allowed: 0, 1, 16',
		'contact.connectToCustomer',
		asJson({ customerId: 7, binaryFlags: 2 }),
	],
	[
		"'JSON: items' has too many entries",
		'Allowed: at most 50',
		'article.batchUpdate',
		articlesInJson(...times(51, () => ({ name: 'x' }))),
	],
	[
		"'JSON: timeSetDate' is not a date and time ('soon')",
		'Enter a date and time, e.g. 2026-12-24T18:00 or 2026-12-24T18:00:00+01:00, or use the date picker',
		'webBooking.update',
		updateJson({ timeSetDate: 'soon' }),
	],
])(
	'says how to fix what does not match the contract: %s. %s',
	async (message, description, id, form) => {
		await expect(prepareFull(id, form)).rejects.toMatchObject({ message, description });
	},
);

/** What a success must be, where that is not a record. */
const EXPECTS: Record<string, ItemRequest['expects']> = {
	'contact.connectToCustomer': 'text',
	'contact.sendGuestMessage': 'text',
	'customer.getAll': 'list',
	'surveyRecipient.getAll': 'list',
	'webBooking.getAll': 'list',
};

/** Changes whose result only the response tells. */
const TOLD_BY_BODY = [
	'article.batchUpdate',
	'checkoutBooking.checkOut',
	'checkoutBooking.cancelToBeInvoiced',
	'customer.authenticate',
];

describe('a request', () => {
	it.each(rows)('of $id that changes something may be answered without a body', async ({ id }) => {
		const { mayBeEmpty } = await prepareFull(id, {});

		const isChange = RECORDS[id] !== undefined;
		expect(mayBeEmpty === true).toBe(isChange && !TOLD_BY_BODY.includes(id));
		expect(mayBeEmpty === false).toBe(TOLD_BY_BODY.includes(id));
	});

	it.each(rows)(
		'of $id expects what comes, and names the record that it changes',
		async ({ id }) => {
			const { expects, changedRecordLabel: record } = await prepareFull(id, {});

			expect([expects, record]).toEqual([EXPECTS[id] ?? 'record', RECORDS[id]]);
		},
	);

	it('to a GUID of zeros, which software writes for no record, is refused by name wherever a GUID names one', async () => {
		const NIL = GUID.replace(/\w/g, '0');
		const takes = ({ serialize }: Field, value: string) =>
			!(attempt(serialize, value, 'UTC') instanceof Error);
		const refused: string[] = [];
		for (const row of rows) {
			for (const field of [...(row.operation.pathFields ?? []), ...row.fields]) {
				if (!takes(field, GUID) || takes(field, '7') || takes(field, 'summer')) continue;
				const form = fullForm(row);
				setField(form, { in: 'query', ...field }, NIL);
				await expect(prepare(row, form)).rejects.toThrow(
					`'${field.property.displayName}' is a GUID of zeros`,
				);
				refused.push(`${row.id} ${field.path}`);
			}
		}
		expect(refused).toHaveLength(8);
		for (const [id, form, label] of [
			['article.batchUpdate', automatically({ articleId: NIL }), 'Article ID'],
			[
				'article.batchUpdate',
				articlesInJson({ articleId: NIL, name: 'x' }),
				'JSON: items[0].articleId',
			],
			['webBooking.update', updateJson({ bookingGuid: NIL }), 'JSON: bookingGuid'],
		] as const) {
			await expect(prepareFull(id, form)).rejects.toThrow(`'${label}' is a GUID of zeros`);
		}
	});
});

it('takes the same GUID in other letters for the same record', async () => {
	const form = { webBookingId: GUID, ...asJson({ ...UPDATE, bookingGuid: GUID.toUpperCase() }) };

	await expect(prepare(rowOf('webBooking.update'), form)).resolves.toBeDefined();
});

it.each<[string, Form]>([
	['fields', { anotherCustomer: { customerId: ' other ', password: ' theirs ' } }],
	['JSON', customerInJson({ CustomerId: ' other ', Password: ' theirs ' })],
])(
	'authenticates another customer from %s, without the blanks around the ID and without a token',
	async (_, form) => {
		await expect(prepareFull('customer.authenticate', form)).resolves.toMatchObject({
			body: { CustomerId: 'other', Password: ' theirs ' },
			takesToken: false,
			secrets: [' theirs '],
		});
	},
);

/** A survey whose every text but `ref` holds this. */
function survey(text: string) {
	const questionScale = { min: 1, max: 5, minLabel: text, maxLabel: text };
	const question = {
		id: 1,
		ref: 'q1',
		title: text,
		description: text,
		questionType: 2,
		questionScale,
	};
	const sections = [{ title: text, description: text, questions: [question] }];
	const pages = [{ title: text, description: text, sections }];
	return { title: text, description: text, confirmationText: text, pages };
}

it.each([
	['How was it, [[name]]? [[ place_2 ]]', 'How was it, {{name}}? {{place_2}}'],
	['How was it, {{name}}?', 'How was it, {{name}}?'],
	['[[two words]] [name] [[]] [[a]b]]', '[[two words]] [name] [[]] [[a]b]]'],
])(
	'sends the placeholders of a survey as the service writes them, in every text: %s',
	async (written, sent) => {
		const { title, pages, ...additionalFields } = survey(written);
		for (const form of [
			{ title, pages: JSON.stringify(pages), additionalFields },
			asJson(survey(written)),
		]) {
			expect((await prepareFull('survey.updateContent', form)).body).toEqual(survey(sent));
		}
	},
);
