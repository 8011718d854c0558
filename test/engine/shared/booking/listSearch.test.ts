import type { Engine } from '../../support/engine';
import { sendJson } from '../../support/server';
import { useService } from '../../support/service';
import { useStandIn } from '../../support/standIn';

const setting = useService({ customers: 230 });
const standIn = useStandIn();

type Search = Omit<Parameters<Engine['listSearch']>[0], 'node'>;

const search = async (request: Search, { engine }: { engine: Engine } = setting) =>
	(await engine.listSearch({ node: 'hospitalityBooking', parameters: {}, ...request })).results;
const statuses = async ({ engine }: { engine: Engine }) =>
	await engine.loadOptions({ node: 'hospitalityBooking', method: 'getBookingStatuses', parameters: {} });
const METHODS = ['searchWebBookings', 'searchCustomers', 'searchSurveyRecipients'];

test('web bookings are listed by their start, from two days ago to 90 days ahead, in one call', async () => {
	await setting.engine.credentials.edit('hospitalityBookingApi', { timeZone: 'Asia/Tokyo' });
	const names = (await search({ method: 'searchWebBookings' })).map(({ name }) => name);
	const [request, ...more] = await setting.service.requests();
	const { startTime, endTime, ...rest } = request?.query ?? {};

	expect(names.length).toBeGreaterThan(5);
	expect(names).toEqual([...names].sort());
	expect(names[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d · .+ · \d+ guests? · B\d+ · \w+$/);
	expect((Date.parse(String(endTime)) - Date.parse(String(startTime))) / 86_400_000).toBe(92);
	expect([rest, more]).toEqual([{ includeContact: 'true' }, []]);
});

test("are those of the system under 'Options', or the credential's where that is an expression, which no item resolves yet", async () => {
	const { system, secondSystem } = setting.service.info;
	for (const entered of [secondSystem, '={{ $json.system }}'])
		await search({ method: 'searchCustomers', parameters: { options: { system: entered } } });

	const systems = (await setting.service.requests()).map(({ headers }) => headers.system);
	expect(systems).toEqual([secondSystem, system]);
});

test('customers are listed by name, as many as a person scrolls through, and found by any part', async () => {
	const [customer] = await setting.service.stored('customers');
	const found = await search({
		method: 'searchCustomers',
		filter: customer?.name.slice(1).toUpperCase(),
	});

	expect(await search({ method: 'searchCustomers' })).toHaveLength(200);
	expect(found.map(({ value }) => value)).toContain(String(customer?.id));
	expect(found.length).toBeLessThan(20);
});

test('survey recipients are found by name, with their status by name', async () => {
	const [recipient] = await setting.service.stored('recipients');
	const found = await search({ method: 'searchSurveyRecipients', filter: recipient?.name });

	const { name } = found.find(({ value }) => value === recipient?.id) ?? {};
	expect(name).toContain(recipient?.name);
	expect(name).toMatch(/ · (Template|Scheduled|Sent|Opened|Responded|Canceled|Deleted|Error)\b/);
});

test.each(METHODS)('%s finds nothing where there is nothing', async (method) => {
	expect(await search({ method, filter: 'nobody has this name' })).toEqual([]);
});

test('a list says what to do when the service is unreachable', async () => {
	await setting.engine.credentials.edit('hospitalityBookingApi', { baseUrl: 'http://127.0.0.1:9' });
	await expect(search({ method: 'searchCustomers' })).rejects.toThrow(/'Base URL'/);
});

test('booking statuses have the names that the history of recent bookings gives them, and are all there', async () => {
	const options = await statuses(setting);

	expect(options).toHaveLength(30);
	expect(new Set(options.map(({ value }) => value)).size).toBe(30);
	expect(options[0]?.name).not.toMatch(/^Status /);
	expect(options.at(-1)?.name).toBe('Status -1');
});

test('names of the service are plain text and short, however long and hostile they are', async () => {
	const text = `<b>a\u202e${'\u0301\u0323'.repeat(100_000)}`;
	const record = { guid: 'a', id: 1, name: text, city: text, emailAddress: text, contact: { fname: text } };
	const history = [
		{ status: 2, statusName: text },
		{ status: 3, statusName: '' },
		{ status: 77, statusName: 'none of the contract' },
	];
	standIn.respond = (response) =>
		sendJson(
			response,
			Array.from({ length: 12 }, () => ({ ...record, history })),
		);
	const begun = process.cpuUsage();
	const names = (await statuses(standIn)).map(({ name }) => name);
	for (const method of METHODS) {
		const [entry] = await search({ method, filter: '‹b›' }, standIn);
		names.push(entry?.name ?? '');
	}
	const { user } = process.cpuUsage(begun);

	expect(names).toHaveLength(30 + METHODS.length);
	for (const name of names) {
		expect(name).toMatch(/^[^<>\u202e]{1,200}$/);
		expect(name).not.toBe('none of the contract');
	}
	expect(user).toBeLessThan(6_000_000);
});
