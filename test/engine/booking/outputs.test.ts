import type { INodeParameters } from 'n8n-workflow';
import type { Run } from '../support/engine';
import { bookingService } from '../../../nodes/HospitalityBooking/resources';
import { wireOperations } from './operations';
import { readRecords } from './records';
import { useSandbox } from './setUp';

const setting = useSandbox();

const withModes = wireOperations.flatMap((entry) => {
	const operation = bookingService.resources
		.find(({ value }) => value === entry.resource)
		?.operations.find(({ value }) => value === entry.operation);
	const { simplified } = operation?.output ?? {};
	return simplified ? [{ ...entry, id: `${entry.resource}.${entry.operation}`, simplified }] : [];
});

async function run(
	{ resource, operation, smallest }: (typeof withModes)[number],
	parameters: INodeParameters,
): Promise<Run> {
	return await setting.engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource, operation, ...smallest(setting.records).parameters, ...parameters },
	});
}

test('every operation whose record has more than 10 fields, or nested ones, offers the choice', () => {
	expect(withModes.map(({ id }) => id).sort()).toEqual([
		'article.batchUpdate',
		'articleGroup.update',
		'campaign.update',
		'checkoutBooking.cancelToBeInvoiced',
		'checkoutBooking.checkIn',
		'checkoutBooking.checkOut',
		'customer.getAll',
		'survey.updateContent',
		'surveyRecipient.getAll',
		'surveyRecipient.getWithSurvey',
		'webBooking.cancel',
		'webBooking.getAll',
		'webBooking.update',
	]);
});

describe.each(withModes)('$id', (operation) => {
	test('simplified gives at most 10 flat fields, and what they hold', async () => {
		const [item] = (await run(operation, {})).json();

		expect(Object.keys(item ?? {})).toEqual(Object.keys(operation.simplified));
		const values = Object.values(item ?? {});
		for (const value of values.flat()) expect(typeof value === 'object' && value !== null).toBe(false);
		expect(values.filter((value) => value !== null).length).toBeGreaterThan(values.length / 2);
	});

	test('raw gives all that the service returns, selected the fields chosen', async () => {
		const [raw] = (await run(operation, { output: 'raw' })).json();
		setting.records = { ...(await readRecords(setting.service)), alias: setting.records.alias };
		const fields = Object.keys(raw ?? {}).slice(0, 2);
		const [selected] = (await run(operation, { output: 'selected', outputFields: fields })).json();

		expect(fields.length).toBeGreaterThan(0);
		expect(Object.keys(selected ?? {})).toEqual(fields);
	});

	test('sends nothing when no field is selected', async () => {
		const { error } = await run(operation, { output: 'selected', outputFields: '={{ [] }}' });

		expect(error?.message).toContain("'Fields' is empty");
		expect(await setting.service.requests()).toEqual([]);
	});
});

test('survey recipients have their status by name', async () => {
	const items = (await run(wireOf('surveyRecipient.getAll'), { returnAll: true })).json();
	const names = ['Template', 'Scheduled', 'Sent', 'Opened', 'Responded', 'Canceled', 'Deleted', 'Error'];

	expect(items.length).toBeGreaterThan(5);
	for (const { status } of items) expect(names).toContain(status);
});

test('a recipient who has responded comes without the survey', async () => {
	const recipients = await setting.service.control<Array<{ id: string; status: number }>>(
		'GET',
		'/state/recipients',
	);
	const id = recipients.find(({ status }) => status === 4)?.id ?? '';
	setting.records = { ...setting.records, recipientId: id };
	const [item] = (await run(wireOf('surveyRecipient.getWithSurvey'), {})).json();

	expect(item).toMatchObject({ id, status: 'Responded', surveyTitle: null, questions: [] });
});

function wireOf(id: string): (typeof withModes)[number] {
	const found = withModes.find((operation) => operation.id === id);
	if (!found) throw new Error(`There is no ${id}`);
	return found;
}
