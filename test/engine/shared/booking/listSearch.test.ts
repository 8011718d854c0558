import type { INodeListSearchResult } from 'n8n-workflow';
import type { Engine } from '../../support/engine';
import { sendJson } from '../../support/server';
import { useService } from '../../support/service';
import { useStandIn } from '../../support/standIn';

const setting = useService({ customers: 130 });

type Search = Omit<Parameters<Engine['listSearch']>[0], 'node'>;

const search = async (request: Search, { engine }: { engine: Engine } = setting) =>
	await engine.listSearch({ node: 'hospitalityBooking', parameters: {}, ...request });

/** The pages of a list, from the first to the last. */
async function allPages(request: Search, here?: { engine: Engine }): Promise<INodeListSearchResult[]> {
	const pages = [await search(request, here)];
	for (let token = pages[0]?.paginationToken; token !== undefined; token = pages.at(-1)?.paginationToken)
		pages.push(await search({ ...request, paginationToken: String(token) }, here));
	return pages;
}

describe('web bookings', () => {
	const method = 'searchWebBookings';

	test('are listed by their start from two days ago, with one call and without further data', async () => {
		const { results, paginationToken } = await search({ method });

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
		await allPages({ method });
		const periods = (await setting.service.requests()).map(({ query }) =>
			[query.startTime, query.endTime].map((time) => Date.parse(String(time))),
		);

		expect(periods).toHaveLength(3);
		expect(periods.slice(1).map(([from]) => from)).toEqual(periods.slice(0, -1).map(([, to]) => to));
		const days = ((periods.at(-1)?.[1] ?? 0) - (periods[0]?.[0] ?? 0)) / 86_400_000;
		expect(days).toBe(367);
	});

	test("are those of the system under 'Options'", async () => {
		const { secondSystem: system } = setting.service.info;
		await search({ method, parameters: { options: { system } } });

		expect((await setting.service.requests())[0]?.headers.system).toBe(system);
	});

	test("are those of the credential's system where the one under 'Options' is an expression, which no item resolves yet", async () => {
		await search({ method, parameters: { options: { system: '={{ $json.system }}' } } });

		expect((await setting.service.requests())[0]?.headers.system).toBe(setting.service.info.system);
	});

	describe('far ahead', () => {
		const bookIn = async (days: number, more: object = {}) => {
			const at = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19);
			const contact = { fname: 'Zebulon', lname: 'Quist' };
			await setting.service.book(1, { start: at, end: at, contact, ...more });
		};

		test.each([45, 300])(
			'are found by guest name %d days ahead, though the first page has none',
			async (days) => {
				await bookIn(days);
				const { results } = await search({ method, filter: 'zebulon' });

				expect(results.map(({ name }) => name)).toEqual([expect.stringContaining('Zebulon Quist')]);
			},
		);

		test('are listed once where they last from one part of the year into the next', async () => {
			const end = new Date(Date.now() + 360 * 86_400_000).toISOString().slice(0, 19);
			await bookIn(1, { end });
			const { results } = await search({ method, filter: 'zebulon' });

			expect(results).toHaveLength(1);
		});

		test('are searched for in the whole year, each part once, before nothing is said to be found', async () => {
			const { results, paginationToken } = await search({ method, filter: 'no such guest' });

			expect([results, paginationToken]).toEqual([[], undefined]);
			expect(await setting.service.requests()).toHaveLength(3);
		});

		test('are named without guests when their number is not known', async () => {
			await bookIn(1, { guests: null });
			const { results } = await search({ method, filter: 'zebulon' });

			expect(results[0]?.name).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d · Zebulon Quist · B\d+ · Reserved$/);
		});
	});
});

describe('customers', () => {
	const method = 'searchCustomers';

	test('come in pages of 100, by name, each once', async () => {
		const pages = await allPages({ method });

		expect(pages.map(({ results }) => results.length)).toEqual([100, 30]);
		const values = pages.flatMap(({ results }) => results.map(({ value }) => value));
		expect(new Set(values).size).toBe(130);
	});

	test.each(['k', 'g', 'st', '2'])(
		'that are found fill their pages, so that no more calls are made: %s',
		async (filter) => {
			const pages = await allPages({ method, filter });
			const found = pages.flatMap(({ results }) => results);

			expect(found.length).toBeGreaterThan(0);
			expect(pages).toHaveLength(Math.ceil(found.length / 100));
		},
	);

	test('are found by a part of name, city or number, in any letter case', async () => {
		const [customer] = await setting.service.stored('customers');
		const { results } = await search({ method, filter: customer?.name.slice(1).toUpperCase() });

		expect(results.map(({ value }) => value)).toContain(String(customer?.id));
		expect(results.length).toBeLessThan(20);
	});

	test('say what to do when the service cannot be reached', async () => {
		const nowhere = { baseUrl: 'http://127.0.0.1:9' };
		await setting.engine.credentials.edit('hospitalityBookingApi', nowhere);

		await expect(search({ method })).rejects.toThrow(/'Base URL'/);
	});
});

test('survey recipients are found by name, with their status by name', async () => {
	const [recipient] = await setting.service.stored('recipients');
	const { results } = await search({ method: 'searchSurveyRecipients', filter: recipient?.name });

	const found = results.find(({ value }) => value === recipient?.id);
	expect(found?.name).toContain(recipient?.name);
	expect(found?.name).toMatch(/ · (Template|Scheduled|Sent|Opened|Responded|Canceled|Deleted|Error)\b/);
});

test('surveys are listed once each, with their title and how many they were sent to', async () => {
	const all = await setting.service.stored('recipients');
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
	const method = 'searchSurveys';
	const COUNT = 45;
	const list = Array.from({ length: COUNT * 2 }, (_, at) => ({
		id: `recipient-${at % COUNT}-${at < COUNT ? 0 : 1}`,
		surveyId: `survey-${at % COUNT}`,
		status: 3,
	}));
	const many = useStandIn();
	/** Recipients that the service does not find. */
	let missing = /^$/;

	beforeAll(() => {
		many.respond = (response, { url }) => {
			const [, survey, index] = /recipient-(\d+)-(\d+)/.exec(url) ?? [];
			if (survey === undefined) sendJson(response, list);
			else if (missing.test(`${survey}-${index}`)) sendJson(response, { title: 'Not found' }, 404);
			else sendJson(response, { content: { title: `How was visit ${survey}?` } });
		};
	});

	test('every one of them is found by its title', async () => {
		for (const survey of [0, 20, 44]) {
			const { results } = await search({ method, filter: `visit ${survey}?` }, many);
			expect(results).toEqual([
				{ name: `How was visit ${survey}? · 2 recipients`, value: `survey-${survey}` },
			]);
		}
	});

	test('all of them come with the next pages, each once', async () => {
		const pages = await allPages({ method }, many);
		const values = pages.flatMap(({ results }) => results.map(({ value }) => value));

		expect(values).toHaveLength(COUNT);
		expect(new Set(values).size).toBe(COUNT);
	});

	test.each([
		['one recipient', /^3-0$/, 'How was visit 3? · 2 recipients'],
		['all recipients of a survey', /^3-/, 'survey-3 · 2 recipients'],
	])('a 404 for %s fails nothing', async (_, gone, name) => {
		missing = gone;
		const { results } = await search({ method }, many);

		expect(results[3]?.name).toBe(name);
		expect(results[4]?.name).toBe('How was visit 4? · 2 recipients');
	});
});

test('nothing is found where there is nothing', async () => {
	for (const method of ['searchCustomers', 'searchSurveyRecipients', 'searchSurveys'])
		expect((await search({ method, filter: 'nobody has this name' })).results).toEqual([]);
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
