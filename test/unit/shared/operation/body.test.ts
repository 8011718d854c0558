import type { IDataObject } from 'n8n-workflow';
import { collection, field, topLevel } from '../../../../nodes/shared/operation/declare';
import { requestBodies } from '../../../../nodes/shared/contract/calls';
import { bodyProperties } from '../../../../nodes/shared/operation/form';
import { filledIn } from '../../../../nodes/shared/operation/formValues';
import type { BodyPart } from '../../../../nodes/shared/operation/operation';
import { readBody } from '../../../../nodes/shared/operation/request';
import { type FieldRow, makeField } from '../../../../nodes/shared/operation/fields';

const made = (...rows: FieldRow[]) =>
	rows.map((row) => makeField(row, requestBodies.WebBookingUpdate, { removeTimes: [] }));

const update: BodyPart = {
	schema: 'WebBookingUpdate',
	sections: [
		topLevel(
			...made(
				field('Time Set', 'timeSetDate'),
				field('Times', 'times', {
					entry: 'Time',
					entries: [field('Rule ID', 'ruleId'), field('Start', 'start', { required: true })],
				}),
				field('Guests', 'guests'),
			),
		),
		collection(
			'Guest',
			'guest',
			made(field('First Name', 'contact.fname'), field('Newsletter', 'contact.newsletter')),
		),
		collection(
			'Details',
			'details',
			made(
				field('Markings', 'markings'),
				field('Event Tag', 'eventTag'),
				field('Remove Times', 'removeTimes', { isJson: true }),
			),
		),
	],
	example: { timeSetDate: '2026-03-01T18:00:00Z', times: [], guests: 2 },
};

const smallest = {
	bodyMode: 'fields',
	timeSetDate: '2026-03-01T18:00',
	times: { entry: [{ ruleId: 7, start: '2026-03-01T18:00' }] },
	guests: 2,
};

const read = (parameters: Record<string, unknown>) =>
	readBody(update, {
		read: (name) => filledIn(parameters[name]),
		timeZone: 'Europe/Stockholm',
		options: (parameters.options ?? {}) as IDataObject,
	});

describe('a body from fields', () => {
	it('holds the required fields and nothing that was not given', () => {
		expect(read(smallest)).toEqual({
			timeSetDate: '2026-03-01T18:00:00+01:00',
			times: [{ ruleId: 7, start: '2026-03-01T18:00:00+01:00' }],
			guests: 2,
		});
	});

	it('puts the fields of collections where the service has them', () => {
		expect(
			read({
				...smallest,
				guest: { contactFname: 'Ada', contactNewsletter: false },
				details: { markings: 'vip, window' },
			}),
		).toMatchObject({ contact: { fname: 'Ada', newsletter: false }, markings: ['vip', 'window'] });
	});

	it('sends null and empty text where they were given, to clear a value', () => {
		expect(read({ ...smallest, guest: { contactFname: '' }, details: { eventTag: null } })).toMatchObject({
			contact: { fname: '' },
			eventTag: null,
		});
	});

	it.each<[string, Record<string, unknown>, RegExp]>([
		['an empty required field', { guests: '' }, /'Guests' is empty/],
		['a date that is none', { timeSetDate: 'soon' }, /'Time Set' is not a date and time/],
		['a number that is none', { guests: 'many' }, /'Guests' is not a number \('many'\)/],
		['a number beyond the width', { guests: 2 ** 31 }, /'Guests' is out of range/],
		[
			'a bad field of a row',
			{ times: { entry: [{ ruleId: 7, start: 'x' }] } },
			/'Times 1: Start' is not a date/,
		],
		[
			'an empty row',
			{ times: { entry: [{ ruleId: 7, start: '2026-03-01T18:00' }, {}] } },
			/'Times 2' is empty/,
		],
		['a row without its start', { times: [{ ruleId: 7 }] }, /'Times 1: Start' is empty/],
		[
			'an id beyond 2^53',
			{ times: { entry: [{ ruleId: '9007199254740993', start: '2026-03-01' }] } },
			/'Times 1: Rule ID'/,
		],
		[
			'null where the contract has none',
			{ guest: { contactFname: null } },
			/'First Name' is of another type/,
		],
		['an object for a text', { guest: { contactFname: {} } }, /'First Name' is not a text/],
		['JSON that is none', { details: { removeTimes: '[{]' } }, /'Remove Times' is not valid JSON/],
		['JSON of another shape', { details: { removeTimes: '{}' } }, /'Remove Times' is of another type/],
		[
			'a wrong value deep in JSON',
			{ details: { removeTimes: [{ sectionId: 'x' }] } },
			/'Remove Times 1: sectionId' is of another type/,
		],
	])('is refused with %s, naming the parameter', (_, parameters, message) => {
		expect(() => read({ ...smallest, ...parameters })).toThrow(message);
	});
});

describe('a body from JSON', () => {
	const whole = (jsonBody: unknown) => read({ bodyMode: 'json', jsonBody });

	it('is sent as it is, from text or from an object', () => {
		const body = { ...(update.example as object), guests: 3 };
		expect(whole(JSON.stringify(body))).toEqual(body);
		expect(whole(body)).toEqual(body);
	});

	it.each<[unknown, RegExp]>([
		['{', /'JSON' is not valid JSON/],
		['', /'JSON' is not valid JSON/],
		['[]', /'JSON' is not a JSON object/],
		[null, /'JSON' is not/],
		['{"guests":2,"times":[]}', /'JSON: timeSetDate' is missing/],
		['{"guests":2,"times":[],"timeSetDate":""}', /'JSON: timeSetDate' is empty/],
		[
			'{"guests":2,"times":[{"ruleId":9007199254740993}],"timeSetDate":"2026-03-01T18:00:00Z"}',
			/'JSON: times\[0\].ruleId' is out of range/,
		],
	])('is refused for %p, naming the place', (value, message) => {
		expect(() => whole(value)).toThrow(message);
	});
});

describe('the form of a body', () => {
	it('shows fields or JSON, never both', () => {
		const shownFor = (mode: string) =>
			bodyProperties(update)
				.filter(({ displayOptions }) => !displayOptions || displayOptions.show?.bodyMode?.includes(mode))
				.map(({ displayName }) => displayName);
		expect(shownFor('fields')).toEqual(['Values', 'Time Set', 'Times', 'Guests', 'Guest', 'Details']);
		expect(shownFor('json')).toEqual(['Values', 'JSON']);
	});
});
