import { HospitalityBooking } from '../../../../nodes/HospitalityBooking/HospitalityBooking.node';
import { formOf } from '../../../support/forms';
import { type Engine, createEngine } from '../../support/engine';
import { type TestServer, sendJson, startServer, tokenFor } from '../../support/server';
import { bookingCredential, useService } from '../../support/service';

const setting = useService({ customers: 130 });

interface Search {
	method: string;
	filter?: string;
	paginationToken?: string;
}

const search = async (request: Search) =>
	await setting.engine.listSearch({ node: 'hospitalityBooking', parameters: {}, ...request });

interface Recipient {
	id: string;
	surveyId: string;
	name: string;
	status: number;
}

const recipients = async () => await setting.service.control<Recipient[]>('GET', '/state/recipients');

describe('web bookings', () => {
	test('are listed by their start from two days ago, with one call and without further data', async () => {
		const { results, paginationToken } = await search({ method: 'searchWebBookings' });

		const names = results.map(({ name }) => name);
		expect(names.length).toBeGreaterThan(5);
		expect(names).toEqual([...names].sort());
		expect(names[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d · .+ · \d+ guests? · B\d+ · \w+$/);
		expect(paginationToken).toBe('1');
		const requests = await setting.service.requests();
		expect(requests.map(({ query }) => Object.keys(query).sort())).toEqual([
			['endTime', 'includeContact', 'startTime'],
		]);
	});

	test('further ahead come with the next pages, without a gap, up to a year', async () => {
		const periods: Array<[number, number]> = [];
		let token: string | undefined;
		do {
			await setting.service.forgetRequests();
			const page = await search({ method: 'searchWebBookings', paginationToken: token });
			token = page.paginationToken === undefined ? undefined : String(page.paginationToken);
			for (const { query } of await setting.service.requests())
				periods.push([Date.parse(String(query.startTime)), Date.parse(String(query.endTime))]);
		} while (token !== undefined);

		expect(periods).toHaveLength(3);
		expect(periods.slice(1).map(([from]) => from)).toEqual(periods.slice(0, -1).map(([, to]) => to));
		const days = ((periods.at(-1)?.[1] ?? 0) - (periods[0]?.[0] ?? 0)) / 86_400_000;
		expect(days).toBe(367);
	});

	test("are those of the system under 'Options'", async () => {
		await setting.engine.listSearch({
			node: 'hospitalityBooking',
			method: 'searchWebBookings',
			parameters: { options: { system: setting.service.info.secondSystem } },
		});

		expect((await setting.service.requests())[0]?.headers.system).toBe(setting.service.info.secondSystem);
	});

	test('are found by guest name', async () => {
		const all = await setting.engine.listSearch({ node: 'hospitalityBooking', method: 'searchWebBookings' });
		const name = all.results[0]?.name.split(' · ')[1] ?? 'nobody';
		const found = await setting.engine.listSearch({
			node: 'hospitalityBooking',
			method: 'searchWebBookings',
			filter: name,
		});

		expect(all.results.length).toBeGreaterThan(found.results.length);
		expect(found.results.length).toBeGreaterThan(0);
		for (const result of found.results) expect(result.name).toContain(name);
	});
});

describe('a web booking far ahead', () => {
	const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19);
	const contact = { fname: 'Zebulon', lname: 'Quist' };

	test.each([45, 300])(
		'is found by guest name %d days ahead, though the first page has none',
		async (days) => {
			const booking = { start: inDays(days), end: inDays(days), contact };
			await setting.service.control('POST', '/bookings', { count: 1, booking });

			const { results } = await search({ method: 'searchWebBookings', filter: 'zebulon' });

			expect(results.map(({ name }) => name)).toEqual([expect.stringContaining('Zebulon Quist')]);
		},
	);

	test('is searched for in the whole year, each part once, before nothing is said to be found', async () => {
		const { results, paginationToken } = await search({
			method: 'searchWebBookings',
			filter: 'no such guest',
		});

		expect([results, paginationToken]).toEqual([[], undefined]);
		expect(await setting.service.requests()).toHaveLength(3);
	});

	test('is named without guests when their number is not known', async () => {
		const booking = { start: inDays(1), end: inDays(1), contact, guests: null };
		await setting.service.control('POST', '/bookings', { count: 1, booking });

		const { results } = await search({ method: 'searchWebBookings', filter: 'zebulon' });

		expect(results[0]?.name).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d · Zebulon Quist · B\d+ · Reserved$/);
	});
});

describe('customers', () => {
	test('come in pages of 100, by name, each once', async () => {
		const first = await search({ method: 'searchCustomers' });
		const second = await search({
			method: 'searchCustomers',
			paginationToken: String(first.paginationToken),
		});

		expect(first.results).toHaveLength(100);
		expect(second.results).toHaveLength(30);
		expect(second.paginationToken).toBeUndefined();
		const values = [...first.results, ...second.results].map(({ value }) => value);
		expect(new Set(values).size).toBe(130);
	});

	test('are found by a part of name, city or number, in any letter case', async () => {
		const [customer] = await setting.service.control<Array<{ id: number; name: string }>>(
			'GET',
			'/state/customers',
		);
		const { results } = await search({
			method: 'searchCustomers',
			filter: customer?.name.slice(1).toUpperCase(),
		});

		expect(results.map(({ value }) => value)).toContain(String(customer?.id));
		expect(results.length).toBeLessThan(20);
	});
});

test('survey recipients are found by name, with their status by name', async () => {
	const [recipient] = await recipients();
	const { results } = await search({ method: 'searchSurveyRecipients', filter: recipient?.name });

	const found = results.find(({ value }) => value === recipient?.id);
	expect(found?.name).toContain(recipient?.name);
	expect(found?.name).toMatch(/ · (Template|Scheduled|Sent|Opened|Responded|Canceled|Deleted|Error)\b/);
});

test('surveys are listed once each, with their title and how many they were sent to', async () => {
	const all = await recipients();
	await setting.service.forgetRequests();
	const { results } = await search({ method: 'searchSurveys' });

	const surveyIds = [...new Set(all.map(({ surveyId }) => surveyId))];
	expect(results.map(({ value }) => value).sort()).toEqual([...surveyIds].sort());
	for (const { name, value } of results) {
		const count = all.filter(({ surveyId }) => surveyId === value).length;
		expect(name).toMatch(new RegExp(`^How was .+ · ${count} recipients$`));
	}
	expect(await setting.service.requests()).toHaveLength(1 + surveyIds.length);
});

describe('surveys of a service with many of them', () => {
	const COUNT = 45;
	const recipientOf = (survey: number, index: number) => ({
		id: `recipient-${survey}-${index}`,
		surveyId: `survey-${survey}`,
		status: 3,
	});
	let server: TestServer;
	let engine: Engine;
	/** Recipients that the service does not find. */
	let missing = /^$/;

	beforeAll(async () => {
		server = await startServer((request, response) => {
			const [, survey, index] = /recipient-(\d+)-(\d+)/.exec(request.url) ?? [];
			const list = Array.from({ length: COUNT * 2 }, (_, at) => recipientOf(at % COUNT, at < COUNT ? 0 : 1));
			const token = tokenFor(request);
			if (token) sendJson(response, token);
			else if (survey === undefined) sendJson(response, list);
			else if (missing.test(`${survey}-${index}`)) sendJson(response, { title: 'Not found' }, 404);
			else sendJson(response, { content: { title: `How was visit ${survey}?` } });
		});
		const account = { clientId: 'surveys', clientSecret: 'the-secret', system: 'the-system' };
		engine = await createEngine({
			credentials: { hospitalityBookingApi: { baseUrl: server.url, authUrl: server.url, ...account } },
		});
	});

	afterAll(async () => await server.close());

	const find = async (filter?: string, paginationToken?: string) =>
		await engine.listSearch({
			node: 'hospitalityBooking',
			method: 'searchSurveys',
			parameters: {},
			filter,
			paginationToken,
		});

	test('every one of them is found by its title', async () => {
		for (const survey of [0, 20, 44]) {
			const { results } = await find(`visit ${survey}?`);
			expect(results).toEqual([
				{ name: `How was visit ${survey}? · 2 recipients`, value: `survey-${survey}` },
			]);
		}
	});

	test('all of them come with the next pages, each once', async () => {
		const values: unknown[] = [];
		let token: string | undefined;
		do {
			const page = await find(undefined, token);
			values.push(...page.results.map(({ value }) => value));
			token = page.paginationToken === undefined ? undefined : String(page.paginationToken);
		} while (token !== undefined);

		expect(values).toHaveLength(COUNT);
		expect(new Set(values).size).toBe(COUNT);
	});

	test.each([
		['one recipient', /^3-0$/, 'How was visit 3? · 2 recipients'],
		['all recipients of a survey', /^3-/, 'survey-3 · 2 recipients'],
	])('a 404 for %s fails nothing', async (_, gone, name) => {
		missing = gone;
		const { results } = await find();

		expect(results[3]?.name).toBe(name);
		expect(results[4]?.name).toBe('How was visit 4? · 2 recipients');
	});
});

test('nothing is found where there is nothing', async () => {
	for (const method of ['searchWebBookings', 'searchCustomers', 'searchSurveyRecipients', 'searchSurveys'])
		expect((await search({ method, filter: 'nobody has this name' })).results).toEqual([]);
});

test('says what to do when the service cannot be reached', async () => {
	await setting.engine.credentials.add('elsewhere', 'hospitalityBookingApi', {
		...bookingCredential(setting.service.info),
		baseUrl: 'http://127.0.0.1:9',
	});

	await expect(
		setting.engine.listSearch({
			node: 'hospitalityBooking',
			method: 'searchCustomers',
			parameters: {},
			credentials: { hospitalityBookingApi: 'elsewhere' },
		}),
	).rejects.toThrow(/'Base URL'/);
});

test('booking statuses have the names that the history of recent bookings gives them', async () => {
	const options = await setting.engine.loadOptions({
		node: 'hospitalityBooking',
		method: 'getBookingStatuses',
		parameters: {},
	});

	expect(options).toHaveLength(30);
	expect(new Set(options.map(({ value }) => value)).size).toBe(30);
	expect(options[0]?.name).not.toMatch(/^Status /);
});

test.each([
	['webBooking', 'getAll', 'globalBookingNumber'],
	['article', 'batchUpdate', 'publicationStatus'],
	['checkoutBooking', 'checkOut', 'validationResult'],
	['checkoutBooking', 'checkIn', 'mustBeInvoiced'],
])('the fields to select of %s %s are those of its answer', (resource, operation, field) => {
	const { properties } = new HospitalityBooking().description;
	const [fields] = formOf(properties, { resource, operation }).filter(({ name }) => name === 'outputFields');

	expect(fields?.options?.map((option) => ('value' in option ? option.value : ''))).toContain(field);
});
