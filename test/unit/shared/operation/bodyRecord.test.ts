import { type Form, type Row, GUID, fullForm, prepare, rows } from '../../../support/sampleForm';

const OTHER_GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c33ff';
const TIMES = { timeSetDate: '2031-05-01T18:00:00Z', guests: 2, times: [] };

/** What names the record of a body: its place, its parameter, its value and another one. */
const cases = [
	{
		id: 'webBooking.update',
		at: 'bookingGuid',
		name: 'webBookingId',
		label: 'Web Booking',
		json: TIMES,
		value: GUID,
		other: OTHER_GUID,
	},
	{
		id: 'checkoutBooking.checkOut',
		at: 'bookingRootId',
		name: 'bookingRootId',
		label: 'Booking Root ID',
		json: { cashierName: 'Kim' },
		value: 7,
		other: 8,
	},
	{
		id: 'contact.connectToCustomer',
		at: 'contactId',
		name: 'contactId',
		label: 'Contact ID',
		json: { customerId: 7, contactFirstName: 'Kim' },
		value: 7,
		other: 8,
	},
	{
		id: 'contact.connectToCustomer',
		at: 'customerId',
		name: 'customerId',
		label: 'Customer',
		json: { contactId: 7, contactFirstName: 'Kim' },
		value: 7,
		other: 8,
	},
];

const rowOf = (id: string) => rows.find((row) => row.id === id) as Row;
const prepareWith = async (id: string, form: Form) =>
	(await prepare(rowOf(id), { ...fullForm(rowOf(id)), ...form })).body as Form;
const asJson = (jsonBody: object) => ({ bodyMode: 'json', jsonBody });

describe.each(cases)('$at, which names the record of $id,', ({ id, at, name, label, json, value, other }) => {
	it('comes from the form in either mode', async () => {
		expect((await prepareWith(id, { [name]: value }))[at]).toBe(value);
		expect((await prepareWith(id, { [name]: value, ...asJson(json) }))[at]).toBe(value);
	});

	it('may stand in the JSON alone', async () => {
		const body = { ...json, [at]: value };
		const empty = Object.fromEntries(cases.filter((one) => one.id === id).map((one) => [one.name, '']));

		expect(await prepareWith(id, { ...empty, ...asJson(body) })).toEqual(body);
	});

	it('is refused when the JSON names another one', async () => {
		await expect(prepareWith(id, { [name]: value, ...asJson({ ...json, [at]: other }) })).rejects.toThrow(
			`'JSON: ${at}' is '${other}', but '${label}' is '${value}'`,
		);
	});

	it('is refused when an expression for it is undefined', async () => {
		for (const form of [{}, asJson(json), asJson({ ...json, [at]: undefined })])
			await expect(prepareWith(id, { [name]: undefined, ...form })).rejects.toThrow(`'${label}' is empty`);
	});
});

it.each<[string, Form, string]>([
	[
		'webBooking.update',
		asJson({ ...TIMES, bookingGuid: '12' }),
		"'JSON: bookingGuid' must be a GUID, not '12'",
	],
	[
		'webBooking.update',
		{ times: { entry: [{ ruleId: undefined, start: TIMES.timeSetDate }] } },
		"'Times 1: Rule ID' is empty",
	],
	[
		'webBooking.update',
		{ details: { removeTimes: { entry: [{ sectionId: '1', startTime: undefined }] } } },
		"'Times to Remove 1: Start Time' is empty",
	],
	[
		'webBooking.update',
		asJson({ ...TIMES, times: [{ ruleId: 1, start: TIMES.timeSetDate }, {}] }),
		"'JSON: times[1]' is empty",
	],
	[
		'campaign.update',
		{ rules: { requirements: '[{"requirementType": 1, "groups": [{}]}]' } },
		"'Requirements 1: groups[0]' is empty",
	],
])('%s refuses %j by its place', async (id, form, message) => {
	await expect(prepareWith(id, form)).rejects.toThrow(message);
});
