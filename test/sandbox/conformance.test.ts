import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import mapKeys from 'lodash/mapKeys';
import pick from 'lodash/pick';
import snakeCase from 'lodash/snakeCase';
import type { Account } from '../../conformance/account';
import { type ConformanceOptions, checkConformance } from '../../conformance/conformance';
import { SECTIONS } from '../../conformance/report';
import { node24 } from '../../dev/node24.ts';
import { startServer } from '../engine/support/server';
import { root } from '../support/packageSources';
import { type Bend, type BentService, type Passing, startBentService } from './support/bentService';
import { contract, operations } from './support/contract';
import { type Json as Row, useSandbox } from './support/useSandbox';

const BOOKINGS = '/api/booking/v1/WebBooking/WebBookings';
const CUSTOMERS = '/api/booking/v1/booking/customers';
const RECIPIENTS = '/api/booking/v1/Survey/Recipients';
const HTML = { headers: { 'content-type': 'text/html' }, text: '<!doctype html><h1>Sign in</h1>' };
const MS_PER_DAY = 86_400_000;

const here = useSandbox();
let service: BentService;
let account: Account;

beforeAll(async () => {
	const { info } = here.sandbox;
	service = await startBentService(info.url);
	const { paymentCustomerId: customerId, paymentPassword: password } = info;
	account = {
		...pick(info, 'clientId', 'clientSecret', 'system'),
		baseUrl: service.url,
		authUrl: service.url,
		payment: { payUrl: `${service.url}/pay`, customerId, password, planId: 'plan-basic' },
	};
});

afterAll(() => service.close());

beforeEach(() => {
	service.bend = {};
});

async function check(options: Partial<ConformanceOptions> = {}, of = account) {
	return await checkConformance(of, contract, {
		minutes: 2,
		watchMinutes: 0,
		withValues: false,
		say: () => undefined,
		...options,
	});
}

/** A service that gives fields of a record, or of each record of a list, other values; undefined leaves them out. */
function giving(path: RegExp, fields: Row): Bend {
	return {
		response: (answer, passing) => {
			if (!path.test(passing.path) || answer.status >= 300) return answer;
			const body = JSON.parse(answer.text) as Row | Row[];
			const given = Array.isArray(body) ? body.map((row) => ({ ...row, ...fields })) : { ...body, ...fields };
			return { ...answer, text: JSON.stringify(given) };
		},
	};
}

/** A service that gets other requests than were sent. */
function changing(change: (passing: Passing) => void): Bend {
	return { request: (passing) => void change(passing) };
}

/** A service that answers a call in its own way. */
function answering(matches: (passing: Passing) => boolean, answer: object): Bend {
	return { request: (passing) => (matches(passing) ? answer : undefined) };
}

async function storedBookings(): Promise<Row[]> {
	const stored = await here.control<Array<{ web: Row }>>('GET', '/state/bookings');
	return stored.map(({ web }) => web);
}

function* endless(): Generator<string> {
	yield '[';
	for (;;) yield '{"guid":[1,{"a":null}]},'.repeat(4000);
}

/** A service that gets other queries for bookings than were sent. */
const bookings = (change: (query: URLSearchParams) => void): Bend =>
	changing(({ path, query }) => {
		if (path === BOOKINGS) change(query);
	});

/** A service that returns all bookings of two years, whatever was asked for. */
const everyBooking = (when: (query: URLSearchParams) => boolean): Bend =>
	bookings((query) => {
		if (!when(query)) return;
		query.delete('changedFrom');
		query.set('startTime', new Date(Date.now() - 400 * MS_PER_DAY).toISOString());
		query.set('endTime', new Date(Date.now() + 400 * MS_PER_DAY).toISOString());
	});

/** What bookings come with, all at once; undefined leaves the field out. */
const VALUES: Array<[field: string, value: unknown, found: string]> = [
	['guests', undefined, 'never comes'],
	['loyalty', 3, 'is not documented'],
	['recoupTime', null, 'is null'],
	['guestsChildren', '4', 'is a string where the contract has integer'],
	['subStatus', 77, 'has a value that the API documentation does not list'],
	['createdDate', '22/11/2026 18:00', 'is not written as a date-time'],
	['nonTableArticles', {}, 'is an object where the contract has a list'],
];

/** Responses in place of the list of customers. */
const CUSTOMER_LISTS: Array<[what: string, answer: object, found: RegExp]> = [
	['wraps a list', { text: '{"items":[]}' }, /^customer.getAll : is not a list/],
	['sends a web page', HTML, /^customer.getAll : could not be read: a web page/],
	['sends nothing', { text: '' }, /^customer.getAll : could not be read: an empty body/],
	[
		'refuses a list',
		{ status: 403, text: '{"title":"Not allowed"}' },
		/^customer.getAll : could not be read: status 403: Not allowed/,
	],
];

/** Query parameters that a service does not know, all at once. */
const IGNORED: Array<[path: string, name: string, found: RegExp]> = [
	[BOOKINGS, 'unitIds', /^webBooking.getAll : unitIds does not narrow the list/],
	[BOOKINGS, 'articleCategoryIds', /^webBooking.getAll : articleCategoryIds does not narrow the list/],
	[CUSTOMERS, 'changedFromUtc', /^customer.getAll : changedFromUtc returns \d+ customers changed before it/],
	[RECIPIENTS, 'status', /^surveyRecipient.getAll : status returns \d+ recipients with another one/],
	[RECIPIENTS, 'surveyId', /^surveyRecipient.getAll : surveyId returns \d+ recipients with another one/],
];

/** What a service may do differently, and what the report has to say: `operation field: …`. */
const BENDS: Array<readonly [what: string, bend: Bend, found: RegExp | RegExp[]]> = [
	[
		'sends values that the API documentation does not have',
		giving(/WebBookings$/, Object.fromEntries(VALUES)),
		VALUES.map(([field, , found]) => new RegExp(`^webBooking.getAll \\[\\]\\.${field}: ${found}`)),
	],
	[
		'ignores parameters',
		changing(({ path, query }) => {
			for (const [of, name] of IGNORED) if (path === of) query.delete(name);
		}),
		IGNORED.map(([, , found]) => found),
	],
	...CUSTOMER_LISTS.map(([what, answer, found]) => {
		return [what, answering(({ path }) => path === CUSTOMERS, answer), found] as const;
	}),
	[
		'ignores changedFrom',
		everyBooking((query) => query.has('changedFrom')),
		/^webBooking.getAll : changedFrom has no effect: in the far future it returns \d+ bookings/,
	],
	[
		'ignores the period',
		everyBooking((query) => query.has('startTime')),
		/^webBooking.getAll : \d+ of \d+ lie outside the period asked for/,
	],
	[
		'always sends the contact',
		bookings((query) => query.set('includeContact', 'true')),
		/^webBooking.getAll \[\]\.contact: comes although includeContact is not true/,
	],
	[
		'wants system with every call',
		answering(({ path, headers }) => path.endsWith('/WithSurvey') && !headers.system, { status: 400 }),
		/^surveyRecipient.getWithSurvey : takes no call without the header 'system'/,
	],
	[
		'leaves the survey out',
		giving(/WithSurvey$/, { content: undefined }),
		/^surveyRecipient.getWithSurvey content: does not come for a recipient/,
	],
	[
		'does not say how long a token is valid',
		giving(/connect\/token$/, { expires_in: undefined }),
		/^token.issue expires_in: never comes/,
	],
	[
		'has a clock that is late',
		{
			response: ({ headers, ...answer }) => ({
				...answer,
				headers: { ...headers, date: new Date(Date.now() - 600_000).toUTCString() },
			}),
		},
		/^token.issue : the service's clock is \d+ s behind/,
	],
	[
		'opens no session',
		giving(/pay\/authentication$/, { AuthenticationToken: undefined }),
		/^customer.authenticate AuthenticationToken: never comes/,
	],
];

describe('against a service that matches the contract', () => {
	test('finds no difference, compares every reading operation, and makes reading calls only', async () => {
		await here.control('DELETE', '/requests');
		const { results } = await check();
		const requests = await here.control<Array<{ method: string; path: string }>>('GET', '/requests');
		const changes = requests.filter(
			({ method, path }) => method !== 'GET' && !/\/connect\/token$|\/authentication$/.test(path),
		);

		expect(results).toMatchObject({ findings: [], unjudged: [], rejected: [] });
		const reading = operations.filter(({ method }) => method === 'GET').map(({ id }) => id);
		expect(Object.keys(results.records).sort()).toEqual(
			[...reading, 'customer.authenticate', 'token.issue'].sort(),
		);
		expect(requests.length).toBeGreaterThan(15);
		expect(changes).toEqual([]);
	});
});

describe('against a service that differs', () => {
	test.each(BENDS)('a service that %s is found out, and nothing else is said', async (_, bend, found) => {
		service.bend = bend;
		const { findings } = (await check()).results;
		const lines = findings.map(({ operation, path, what }) => `${operation} ${path}: ${what}`);

		expect(lines).toHaveLength([found].flat().length);
		for (const one of [found].flat()) expect(lines).toContainEqual(expect.stringMatching(one));
		expect(findings.map(({ concerns }) => concerns)).not.toContain('');
	});

	test('dates without an offset, an inclusive changedFrom and a needless system are told as they are', async () => {
		service.bend = {
			...changing(({ headers, query }) => {
				headers.system ??= here.sandbox.info.system;
				const from = query.get('changedFrom');
				if (from && Date.parse(from) <= Date.now())
					query.set('changedFrom', new Date(Date.parse(from) - 1).toISOString());
			}),
			response: (answer) => ({ ...answer, text: answer.text.replaceAll(/(T[\d:.]+)Z"/g, '$1"') }),
		};
		const { results } = await check();
		const found = Object.fromEntries(results.observations.map((one) => [one.question, one.found]));

		expect(results.findings).toEqual([]);
		expect(results.dateTimes.every(({ withOffset }) => withOffset === 0)).toBe(true);
		expect(found['Does changedFrom include a change made at that very time?']).toBe('yes');
		expect(found["Which calls need the header 'system'?"]).toContain('webBooking.getAll does not');
	});
});

describe('the report', () => {
	test('has the sections of its page; a filter without effect first, absent fields in one row', async () => {
		const page = readFileSync(join(root, 'docs', 'conformance.md'), 'utf8');
		const absent = { guests: undefined, message: undefined, createdDate: undefined };
		service.bend = {
			...everyBooking((query) => query.has('changedFrom')),
			...giving(/WebBookings$/, absent),
		};
		const { results, report } = await check();
		const rows = report.split('\n').filter((line) => line.startsWith('| webBooking.getAll |'));

		for (const [text, pattern] of [
			[page, /^- \*\*(.+?)\*\*/gm],
			[report, /^## (.+)$/gm],
		] as const)
			expect([...text.matchAll(pattern)].map(([, name]) => name)).toEqual(SECTIONS);
		expect(rows[0]).toContain('changedFrom has no effect');
		expect(rows[1]).toMatch(/\[\]\.createdDate.*3 fields: never come/);
		expect(report).toContain(`webBooking.getAll ${results.records['webBooking.getAll']}`);
		expect(report).not.toContain('Does changedFrom include');
	});

	test('says what it could not judge where no record came', async () => {
		service.bend = answering(({ path }) => path === BOOKINGS || path === RECIPIENTS, { text: '[]' });
		const { report } = await check();

		for (const one of [
			'webBooking.getAll: no record came',
			'unitIds: no booking came',
			'status: no recipient',
		])
			expect(report).toContain(`- ${one}`);
	});

	test.each([
		['clientSecret', "'Client ID' or 'Client Secret'", 'token'],
		['password', "'Customer ID' or 'Password'", 'session'],
	])(
		'tells a wrong %s by its field and what it keeps from being judged, and ends with 1',
		async (name, fields, lacking) => {
			const { payment, ...booking } = account;
			const values = { ...booking, ...(name === 'password' ? payment : {}), [name]: 'wrong' };
			const environment = mapKeys(values, (_, key) => `HOSPITALITY_${snakeCase(key).toUpperCase()}`);
			const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
			const command = [join(root, 'conformance', 'main.ts'), '--report', join(folder, 'report.md')];
			const ended = await promisify(execFile)(node24(), command, {
				cwd: root,
				env: { ...process.env, ...environment } as NodeJS.ProcessEnv,
			}).catch((error: { code: number; stderr: string; stdout: string }) => error);
			const report = readFileSync(join(folder, 'report.md'), 'utf8');

			expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`rejected ${fields}`) });
			expect(report).toContain(`- what needs a ${lacking}: none was issued`);
			// Nothing may read as if all were well where nothing could be compared.
			for (const text of [ended.stdout, report])
				expect(text.includes('Nothing was compared.')).toBe(name === 'clientSecret');
			expect(report.includes('matches the contract')).toBe(name === 'password');
		},
	);

	test('claims nothing of a header where no call is answered with it either', async () => {
		service.bend = answering(({ path }) => path === BOOKINGS, { status: 400, text: '{}' });
		const { results } = await check();
		const { found } = results.observations.find(({ question }) => question.includes("'system'")) ?? {};

		expect(found).toContain('customer.getAll does');
		expect(found).not.toContain('webBooking.getAll');
		expect(results.unjudged).toContain("the header 'system': webBooking.getAll could not be read with it");
	});

	test.each([
		['authUrl', "'Token URL Base'"],
		['baseUrl', "'Base URL'"],
		['payUrl', "'Payment URL'"],
	])('says that nothing responds at %s, and judges nothing by it', async (name, field) => {
		const { payment, ...booking } = account;
		const nowhere = 'http://127.0.0.1:1';
		const given = { ...booking, payment: { ...payment, [name]: nowhere }, [name]: nowhere } as Account;
		const { results, report } = await check({}, given);

		expect(results.rejected).toEqual([`${field} could not be reached (ECONNREFUSED): check the address`]);
		expect(report).toContain(`**${field} could not be reached (ECONNREFUSED): check the address.**`);
		expect(results.findings).toEqual([]);
		expect(JSON.stringify(results.observations)).not.toContain('(0)');
	});

	test("does not say that a call needs the header 'system' where the service failed without it", async () => {
		service.bend = answering(({ path, headers }) => path.startsWith('/api/') && !headers.system, {
			status: 500,
		});
		const { results } = await check();
		const [found] = results.observations.filter(({ question }) => question.includes("'system'"));

		expect(found?.found).toMatch(/webBooking\.getAll unknown \(500\)/);
	});

	test.each([
		[false, '[].note', ['Nut allergy']],
		[true, '"Nut allergy ***"', []],
	])('names fields; with --values %s it shows no secret either', async (withValues, shown, hidden) => {
		service.bend = giving(/WebBookings$/, { note: `Nut allergy ${account.clientSecret}` });
		const { report } = await check({ withValues });

		expect(report).toContain(shown);
		for (const text of [...hidden, account.clientSecret, account.baseUrl]) expect(report).not.toContain(text);
	});

	test('comes within the time given from a service that never ends a list, sends pages or does not respond', async () => {
		const hostile = await startServer(({ url }, response) => {
			if (url.includes('/connect/token')) {
				response.end('{"access_token":"t","token_type":"Bearer","expires_in":60,"scope":"publicAPI"}');
			} else if (url.includes('WebBookings')) {
				Readable.from(endless()).pipe(response);
			} else if (url.includes('customers')) {
				response.end('<html></html>');
			}
		});
		const { url } = hostile;
		const { payment: _, ...booking } = account;
		try {
			const { results, report } = await check({ minutes: 0.1 }, { ...booking, baseUrl: url, authUrl: url });

			expect(report).toContain('more than 20 MB');
			expect(report).toContain('a web page, not JSON');
			expect(results.findings.map(({ operation }) => operation)).toEqual(
				expect.arrayContaining(['webBooking.getAll', 'customer.getAll', 'surveyRecipient.getAll']),
			);
		} finally {
			await hostile.close();
		}
	});
});

describe('with --write', () => {
	test('the booking and the department are as before, and no guest is written to', async () => {
		const before = await storedBookings();
		const departments = await here.control<Row[]>('GET', '/state/departments');
		const booking = before[2];
		const [department] = departments;
		const { results } = await check({
			write: {
				booking: String(booking?.guid),
				department: { id: Number(department?.id), name: String(department?.name) },
			},
		});

		const after = await storedBookings();
		const confirmations = await here.control<Row[]>('GET', '/state/confirmations');
		expect(results.findings).toEqual([]);
		expect(after.find(({ guid }) => guid === booking?.guid)).toMatchObject({
			message: booking?.message,
			guests: booking?.guests,
			contact: booking?.contact,
		});
		expect(await here.control('GET', '/state/departments')).toEqual(departments);
		expect(confirmations).toEqual([]);
	});

	test('changes nothing with an account that the service rejects', async () => {
		await here.control('DELETE', '/requests');
		const write = { booking: 'any', department: { id: 1, name: 'Restaurant' } };
		const { results } = await check({ write }, { ...account, clientSecret: 'wrong' });
		const requests = await here.control<Array<{ method: string }>>('GET', '/requests');

		expect(requests.filter(({ method }) => method === 'PUT')).toEqual([]);
		expect(results.findings).toEqual([]);
		expect(results.unjudged).toContain('--write: nothing was tried');
	});

	test('says when the service does not keep what it was sent', async () => {
		service.bend = {
			request: ({ method, path }) =>
				method === 'PUT' && path.includes('/departments/') ? { text: '{"id":1,"name":"Bar"}' } : undefined,
		};
		const { results } = await check({
			write: { booking: 'no-such-booking', department: { id: 1, name: 'Restaurant' } },
		});

		expect(results.findings.map(({ what }) => what)).toEqual([
			expect.stringContaining('nothing was changed'),
			'is not what was sent',
			expect.stringContaining('COULD NOT BE RESTORED'),
		]);
	});
});
