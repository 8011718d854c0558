import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { bookingService } from '../../../../nodes/HospitalityBooking/resources';
import type { Run } from '../../support/engine';
import { byId } from '../../support/operation';
import { readRecords, type Records } from '../../support/records';
import { useService } from '../../support/service';

const here = useService();
const OTHER_GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c33ff';
let records: Records;

beforeEach(async () => {
	records = await readRecords(here.service);
	await here.service.forgetRequests();
});

async function run(id: string, parameters: INodeParameters, item: IDataObject = {}): Promise<Run> {
	const [resource = '', operation = ''] = id.split('.');
	return await here.engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource, operation, ...parameters },
		items: [item],
	});
}

async function expectRefused(run: Run, message: string): Promise<void> {
	expect(run.error?.message).toContain(message);
	expect(run.error?.message).toContain('[item 0]');
	expect(run.error?.description).toEqual(expect.stringMatching(/\w/));
	expect(await here.service.requests()).toEqual([]);
}

async function sentBodies(): Promise<unknown[]> {
	return (await here.service.requests()).map(({ body }) => body);
}

describe('an example', () => {
	const operations = bookingService.resources.flatMap(({ value: resource, operations }) =>
		operations.flatMap(({ value, body, pathFields = [] }) =>
			body ? [{ id: `${resource}.${value}`, body, pathFields }] : [],
		),
	);

	/** Values for the path, so that nothing but the body is at stake. */
	const inPath = (pathFields: (typeof operations)[number]['pathFields']) =>
		Object.fromEntries(
			pathFields.map(({ kind, property: { name, type } }) => {
				const value = kind === 'guid' ? OTHER_GUID : '7';
				return [name, type === 'resourceLocator' ? byId(value) : value];
			}),
		);

	test.each(operations)('of $id is not filled in when the form opens', async ({ id, pathFields }) => {
		const { status } = await run(id, { ...inPath(pathFields), bodyMode: 'json' });

		expect(status).toBe('error');
		expect(await here.service.requests()).toEqual([]);
	});
});

describe('an expression without a value', () => {
	const absent = '={{ $json.absent }}';

	test.each<[string, INodeParameters, string]>([
		[
			'checkoutBooking.checkOut',
			{ bookingRootId: '7', additionalFields: { tableArticleIds: absent } },
			"'Table Article IDs' is empty",
		],
		[
			'webBooking.cancel',
			{ webBookingId: byId(OTHER_GUID), messages: { disableSmsConfirmationMessage: absent } },
			"'Disable SMS' is empty",
		],
		['customer.getAll', { filters: { changedFromUtc: absent } }, "'Changed After' is empty"],
		['surveyRecipient.getAll', { filters: { surveyId: byId(absent) } }, "'Survey' is empty"],
		['surveyRecipient.getAll', { filters: { status: '={{ [] }}' } }, "'Status' is empty"],
		[
			'webBooking.getAll',
			{ getBy: 'lastChange', changedFrom: '2026-12-24', filters: { unitIds: '={{ null }}' } },
			"'Unit IDs' is empty",
		],
		[
			'department.update',
			{ departmentId: '3', updateFields: { name: absent } },
			"'Update Fields' has nothing to change",
		],
		[
			'department.update',
			{ departmentId: '3', bodyMode: 'json', jsonBody: '={{ ({ name: $json.absent }) }}' },
			"'JSON' has nothing to change",
		],
	])('does not widen %s %j', async (id, parameters, message) => {
		await expectRefused(await run(id, parameters), message);
	});

	test('leaves out a field that narrows nothing', async () => {
		const { error } = await run('checkoutBooking.checkOut', {
			bookingRootId: String(records.rootId),
			additionalFields: { cashierName: absent },
		});

		expect(error).toBeUndefined();
		expect(await sentBodies()).toEqual([{ bookingRootId: records.rootId }]);
	});
});

test('JSON with a misspelled name is refused with the name that is meant, unless unknown fields are allowed', async () => {
	const jsonBody = '{ "disableAllConfirmationMessage": true }';
	const parameters = { webBookingId: byId(records.guid), bodyMode: 'json', jsonBody };
	const refused = await run('webBooking.cancel', parameters);

	expect(refused.error?.description).toContain("Did you mean 'disableAllConfirmationMessages'?");
	await expectRefused(refused, "'JSON: disableAllConfirmationMessage' is not a field");
	await run('webBooking.cancel', { ...parameters, options: { allowUnknownFields: true } });
	expect(await sentBodies()).toEqual([{ disableAllConfirmationMessage: true }]);
});

describe('the record of a body', () => {
	const TIMES = { timeSetDate: '2031-05-01T18:00:00Z', guests: 2 };
	const cases = [
		{
			id: 'webBooking.update',
			label: 'Web Booking',
			at: 'bookingGuid',
			fields: { ...TIMES, times: {} },
			json: { ...TIMES, times: [] },
			onForm: (value: unknown) => ({ webBookingId: byId(value) }),
			value: () => records.guid,
			other: OTHER_GUID,
		},
		{
			id: 'checkoutBooking.checkOut',
			label: 'Booking Root ID',
			at: 'bookingRootId',
			fields: {},
			json: { cashierName: 'Kim' },
			onForm: (value: unknown) => ({ bookingRootId: value }),
			value: () => records.rootId,
			other: 8,
		},
		{
			id: 'contact.connectToCustomer',
			label: 'Contact ID',
			at: 'contactId',
			fields: { customerId: byId(2) },
			json: { customerId: 2, contactFirstName: 'Kim' },
			onForm: (value: unknown) => ({ contactId: value }),
			value: () => 1,
			other: 8,
		},
		{
			id: 'contact.connectToCustomer',
			label: 'Customer',
			at: 'customerId',
			fields: { contactId: '1' },
			json: { contactId: 1, contactFirstName: 'Kim' },
			onForm: (value: unknown) => ({ customerId: byId(value) }),
			value: () => 2,
			other: 8,
		},
	];
	const asJson = (body: object) => ({ bodyMode: 'json', jsonBody: JSON.stringify(body) });

	test.each(cases)('$at of $id comes from the form in either mode', async (each) => {
		const parameters = each.onForm(each.value()) as INodeParameters;
		await run(each.id, { ...parameters, ...each.fields });
		await run(each.id, { ...parameters, ...asJson(each.json) });

		const bodies = await sentBodies();
		expect(bodies).toHaveLength(2);
		for (const body of bodies) expect(body).toMatchObject({ [each.at]: each.value() });
	});

	test.each(cases)('$at of $id may stand in the JSON alone', async (each) => {
		const body = { ...each.json, [each.at]: each.value() };
		const { error } = await run(each.id, asJson(body));

		expect(error).toBeUndefined();
		expect(await sentBodies()).toEqual([body]);
	});

	test.each(cases)('$at of $id is refused when the JSON names another one', async (each) => {
		const parameters = each.onForm(each.value()) as INodeParameters;
		await expectRefused(
			await run(each.id, { ...parameters, ...asJson({ ...each.json, [each.at]: each.other }) }),
			`'JSON: ${each.at}' is '${each.other}', but '${each.label}' is '${each.value()}'`,
		);
	});

	test.each(cases)('$at of $id is refused when an expression for it is undefined', async (each) => {
		const undefinedOnForm = each.onForm('={{ $json.absent }}') as INodeParameters;
		await expectRefused(
			await run(each.id, { ...undefinedOnForm, ...each.fields }),
			`'${each.label}' is empty`,
		);
		await expectRefused(
			await run(each.id, { ...undefinedOnForm, ...asJson(each.json) }),
			`'${each.label}' is empty`,
		);
		await expectRefused(
			await run(each.id, {
				bodyMode: 'json',
				jsonBody: `={{ { ...${JSON.stringify(each.json)}, ${each.at}: $json.absent } }}`,
			}),
			`'${each.label}' is empty`,
		);
	});

	test('that is no ID is refused by its place in the JSON', async () => {
		await expectRefused(
			await run('webBooking.update', asJson({ ...TIMES, times: [], bookingGuid: '12' })),
			"'JSON: bookingGuid' must be a GUID, not '12'",
		);
	});
});

describe('an empty row', () => {
	const update = (parameters: object) => ({
		webBookingId: byId(records.guid),
		timeSetDate: '2031-05-01T18:00:00Z',
		guests: 2,
		times: {},
		...parameters,
	});
	const time = { ruleId: '1', start: '2031-05-01T18:00:00Z' };
	const removed = { sectionId: '1', startTime: '2031-05-01T18:00:00Z' };
	const rows = (...entry: object[]) => ({ entry });
	/** Empty for n8n itself is a workflow that does not start. */
	const absent = '={{ $json.absent }}';

	test.each<[string, object, string]>([
		['without values', { times: rows(time, { ruleId: absent, start: absent }) }, "'Times 2' is empty"],
		['without a rule', { times: rows({ ruleId: absent, start: time.start }) }, "'Times 1: Rule ID' is empty"],
		['without a start', { times: rows({ ruleId: '1', start: absent }) }, "'Times 1: Start' is empty"],
		[
			'without a section',
			{ details: { removeTimes: rows(removed, { sectionId: absent, startTime: removed.startTime }) } },
			"'Times to Remove 2: Section ID' is empty",
		],
		[
			'without a start time',
			{ details: { removeTimes: rows({ sectionId: '1', startTime: absent }) } },
			"'Times to Remove 1: Start Time' is empty",
		],
	])('of a list %s is refused by name and number', async (_, parameters, message) => {
		await expectRefused(await run('webBooking.update', update(parameters) as INodeParameters), message);
	});

	test('of a list in the JSON is refused by its place', async () => {
		const jsonBody = JSON.stringify({
			timeSetDate: '2031-05-01T18:00:00Z',
			guests: 2,
			times: [{ ruleId: 1, start: '2031-05-01T18:00:00Z' }, {}],
		});
		await expectRefused(
			await run('webBooking.update', update({ bodyMode: 'json', jsonBody }) as INodeParameters),
			"'JSON: times[1]' is empty",
		);
	});

	test('deep in a JSON parameter is refused by its place', async () => {
		await expectRefused(
			await run('campaign.update', {
				campaignId: 'campaign-1',
				rules: { requirements: '[{"requirementType": 1, "groups": [{}]}]' },
			}),
			"'Requirements 1: groups[0]' is empty",
		);
	});
});
