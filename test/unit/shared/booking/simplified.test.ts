import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';
import set from 'lodash/set';

import { shapeRecord } from '../../../../nodes/shared/booking/recordShape';
import { webBookings } from '../../../../nodes/shared/booking/records';
import { EVENTS } from '../../../../nodes/HospitalityBookingTrigger/events';
import { recordShaper } from '../../../../nodes/shared/operation/output';
import { fieldsOf, sampleOf, typesOf } from '../../../sandbox/support/contract';
import { rows } from '../../../support/sampleForm';

/** What a person calls a value of the output, by the place of the response that it must come from. */
type Places = Readonly<Record<string, string | ((record: IDataObject) => unknown)>>;

const both = (one: string, other: string) => (record: IDataObject) =>
	`${String(get(record, one))} ${String(get(record, other))}`;

const bookings: Places = {
	bookingNumber: 'globalBookingNumber',
	start: 'start',
	end: 'end',
	guests: 'guests',
	guestName: both('contact.fname', 'contact.lname'),
	state: () => 'noShow',
	message: 'message',
	guestPhone: 'contact.mobile',
	guestEmail: 'contact.email',
	guid: 'guid',
};
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
const questions = (record: IDataObject) => [get(record, 'content.pages[0].sections[0].questions[0].title')];
const same = (...names: string[]): Places => Object.fromEntries(names.map((name) => [name, name]));
const customers: Places = {
	...same('name', 'customerNumber', 'email', 'phone', 'streetaddress', 'zipcode', 'city', 'orgNr', 'id'),
	lastChanged: 'lastChangedUtc',
};
const recipients: Places = { ...recipient(''), openedTime: 'openedTime', ref: 'ref' };

const TABLE: Readonly<Record<string, Places>> = {
	'article.batchUpdate': {
		...same('name', 'articleNumber', 'customerFacingName', 'publicationStatus', 'externalId', 'articleId'),
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
		...same('name', 'displayName', 'description', 'startDate', 'endDate', 'status', 'maxNumberOfOutcomes'),
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
	'surveyRecipient.getWithSurvey': { ...recipient('recipient.'), surveyTitle: 'content.title', questions },
	'webBooking.cancel': bookings,
	'webBooking.getAll': bookings,
	'webBooking.update': bookings,
	...Object.fromEntries(
		EVENTS.map(({ value }) => [
			value,
			value.startsWith('booking') ? bookings : value.startsWith('customer') ? customers : recipients,
		]),
	),
};

const shapes = [
	...rows.map(({ id, operation }) => ({ name: id, shape: operation.output })),
	...EVENTS.map(({ value, output }) => ({ name: value, shape: output })),
].filter(({ shape }) => shape.simplified);

const CONTEXT = {
	timeZone: 'Asia/Tokyo',
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
	for (const at of ['status', 'recipient.status'])
		if (schema.includes('Recipient') && get(record, at) !== undefined) set(record, at, OPENED);
	return record;
}

/** `validationResults` is a map: its fields stand under names of its own. */
function mapFields({ validationResult, validationResults }: IDataObject): ReturnType<typeof fieldsOf> {
	if (!validationResult || !validationResults) return [];
	(validationResults as IDataObject).key = JSON.parse(JSON.stringify(validationResult)) as IDataObject;
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
			const come = recordShaper(() => undefined, shape, CONTEXT)(record)[field];
			if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) {
				expect(String(come)).toMatch(/^2031-05-02T\d\d:\d\d:00\+09:00$/);
				expect([field, Date.parse(String(come))]).toEqual([field, Date.parse(value)]);
			} else expect([field, come]).toEqual([field, value]);
			expect([field, come ?? null]).not.toEqual([field, null]);
		}
	},
);

it.each(shapes)(
	'selected fields of $name always come with the ID, simplified ones as Simplified gives them',
	({ shape }) => {
		const record = recordOf(shape.schema ?? '');
		const read = (fields: string[]) =>
			recordShaper((name) => (name === 'output' ? 'selected' : fields), shape, CONTEXT)(record);
		const simplified = recordShaper(() => undefined, shape, CONTEXT)(record);
		const id = shape.id ?? 'id';

		expect(simplified[id]).toBeDefined();
		for (const name of Object.keys(shape.simplified ?? {}))
			expect(read([name])).toEqual({ [id]: simplified[id], [name]: simplified[name] });
		for (const name of Object.keys(record).filter((own) => !(own in simplified)))
			expect(read([name])).toEqual({ [id]: simplified[id], [name]: record[name] });
	},
);

it('the raw output is the record as it was received', () => {
	for (const { shape } of shapes) {
		const record = recordOf(shape.schema ?? '');
		const copy = JSON.parse(JSON.stringify(record)) as object;
		expect(recordShaper(() => 'raw', shape, CONTEXT)(record)).toEqual(copy);
	}
});

it.each(shapes)(
	"an 'Output' of $name that there is not is refused by name, an empty one is Simplified",
	({ shape }) => {
		const shaped = (output: unknown) => recordShaper(() => output, shape, CONTEXT)({ other: 1 });
		for (const output of ['everything', 7, { mode: 'raw' }])
			expect(() => shaped(output)).toThrow("'Output' contains");
		for (const output of [undefined, ''])
			expect(Object.keys(shaped(output))).toEqual(Object.keys(shape.simplified ?? {}));
	},
);

it("gives the time of a booking's last change with its offset, or when it was made", () => {
	const context = { timeZone: 'Europe/Stockholm', statusRoles: {} };
	const made = { guid: 'a', createdDate: '2026-10-24T09:00:00Z' };
	const lastChanged = (record: IDataObject) =>
		shapeRecord(record, webBookings, 'selected', ['lastChanged'], context);

	expect(lastChanged(made)).toEqual({ guid: 'a', lastChanged: '2026-10-24T11:00:00+02:00' });
	expect(lastChanged({ ...made, changeDate: '2026-11-24T09:00:00' })).toEqual({
		guid: 'a',
		lastChanged: '2026-11-24T09:00:00+01:00',
	});
	expect(lastChanged({ ...made, changeDate: '0001-01-01T00:00:00' })).toEqual(lastChanged(made));
	expect(lastChanged({ guid: 'a' })).toEqual({ guid: 'a', lastChanged: null });
});
