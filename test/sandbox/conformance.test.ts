import pick from 'lodash/pick';
import type { Account } from '../../conformance/account';
import { type ConformanceOptions, checkConformance } from '../../conformance/conformance';
import { startServer } from '../engine/support/server';
import { type Bend, type BentService, type Passing, startBentService } from './support/bentService';
import { contract } from './support/contract';
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

/** A service that returns all bookings of two years, whatever was asked for. */
const everyBooking = (when: (query: URLSearchParams) => boolean): Bend =>
	changing(({ path, query }) => {
		if (path !== BOOKINGS || !when(query)) return;
		query.delete('changedFrom');
		query.set('startTime', new Date(Date.now() - 400 * MS_PER_DAY).toISOString());
		query.set('endTime', new Date(Date.now() + 400 * MS_PER_DAY).toISOString());
	});

/** What a service may do differently, and what the report has to say: `operation field: …`. */
interface Bent {
	what: string;
	bend: Bend;
	found: RegExp[];
}

/** Values that bookings come with; undefined leaves the field out. */
const VALUES: Array<[what: string, field: string, value: unknown, found: string]> = [
	['leaves a field out', 'guests', undefined, 'never comes'],
	['has a field more', 'loyalty', 3, 'is not documented'],
	['sends null', 'recoupTime', null, 'is null'],
	['sends a number as text', 'guests', '4', 'is a string where the contract has integer'],
	['has a code that is not listed', 'subStatus', 77, 'has a value that the documents do not list'],
	['writes dates in another way', 'createdDate', '22/11/2026 18:00', 'is not written as a date-time'],
	['sends an object for a list', 'nonTableArticles', {}, 'is an object where the contract has a list'],
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

/** Query parameters that a service does not know. */
const IGNORED: Array<[path: string, name: string, found: RegExp]> = [
	[BOOKINGS, 'unitIds', /^webBooking.getAll : unitIds does not narrow the list/],
	[BOOKINGS, 'articleCategoryIds', /^webBooking.getAll : articleCategoryIds does not narrow the list/],
	[CUSTOMERS, 'changedFromUtc', /^customer.getAll : changedFromUtc returns \d+ customers changed before it/],
	[RECIPIENTS, 'status', /^surveyRecipient.getAll : status returns \d+ recipients with another one/],
	[RECIPIENTS, 'surveyId', /^surveyRecipient.getAll : surveyId returns \d+ recipients with another one/],
];

const BENDS: Bent[] = [
	...VALUES.map(([what, field, value, found]) => ({
		what,
		bend: giving(/WebBookings$/, { [field]: value }),
		found: [new RegExp(`^webBooking.getAll \\[\\]\\.${field}: ${found}`)],
	})),
	...CUSTOMER_LISTS.map(([what, answer, found]) => ({
		what,
		bend: answering(({ path }) => path === CUSTOMERS, answer),
		found: [found],
	})),
	...IGNORED.map(([path, name, found]) => ({
		what: `does not know ${name}`,
		bend: changing((passing) => {
			if (passing.path === path) passing.query.delete(name);
		}),
		found: [found],
	})),
	{
		what: 'ignores changedFrom',
		bend: everyBooking((query) => query.has('changedFrom')),
		found: [
			/^webBooking.getAll : changedFrom returns \d+ bookings changed before it/,
			/^webBooking.getAll : changedFrom in the far future returns \d+ bookings/,
		],
	},
	{
		what: 'ignores the period',
		bend: everyBooking((query) => query.has('startTime')),
		found: [/^webBooking.getAll : \d+ of \d+ lie outside the period asked for/],
	},
	{
		what: 'always sends the contact',
		bend: changing(({ path, query }) => {
			if (path === BOOKINGS) query.set('includeContact', 'true');
		}),
		found: [/^webBooking.getAll \[\]\.contact: comes although includeContact is not true/],
	},
	{
		what: 'wants system with every call',
		bend: answering(({ path, headers }) => path.endsWith('/WithSurvey') && !headers.system, {
			status: 400,
			text: '{"title":"system is required"}',
		}),
		found: [/^surveyRecipient.getWithSurvey : takes no call without the header 'system'/],
	},
	{
		what: 'leaves the survey out',
		bend: giving(/WithSurvey$/, { content: undefined }),
		found: [/^surveyRecipient.getWithSurvey content: does not come for a recipient/],
	},
	{
		what: 'does not say how long a token is valid',
		bend: giving(/connect\/token$/, { expires_in: undefined }),
		found: [/^token.issue expires_in: never comes/],
	},
	{
		what: 'issues no token',
		bend: answering(({ path }) => path.endsWith('/connect/token'), {
			status: 400,
			text: '{"error":"invalid_client"}',
		}),
		found: [/^token.issue : could not be read: status 400/],
	},
	{
		what: 'has a clock that is late',
		bend: {
			response: (answer) => ({
				...answer,
				headers: { ...answer.headers, date: new Date(Date.now() - 600_000).toUTCString() },
			}),
		},
		found: [/^token.issue : the service's clock is \d+ s behind/],
	},
	{
		what: 'opens no session',
		bend: giving(/pay\/authentication$/, { AuthenticationToken: undefined }),
		found: [/^customer.authenticate AuthenticationToken: never comes/],
	},
];

describe('against a service that is as the documents say', () => {
	test('finds no difference and compares every reading operation', async () => {
		const { results } = await check();

		expect(results.findings).toEqual([]);
		expect(results.empty).toEqual([]);
		expect([...new Set(results.dateTimes.map(({ operation }) => operation))].sort()).toEqual([
			'customer.getAll',
			'surveyRecipient.getAll',
			'surveyRecipient.getWithSurvey',
			'webBooking.getAll',
		]);
	});

	test('makes reading calls only', async () => {
		await here.control('DELETE', '/requests');
		await check();

		const requests = await here.control<Array<{ method: string; path: string }>>('GET', '/requests');
		const changing = requests.filter(
			({ method, path }) => method !== 'GET' && !/\/connect\/token$|\/authentication$/.test(path),
		);
		expect(requests.length).toBeGreaterThan(15);
		expect(changing).toEqual([]);
	});
});

describe('against a service that differs', () => {
	test.each(BENDS)('a service that $what is found out, and nothing else is said', async ({ bend, found }) => {
		service.bend = bend;
		const { results } = await check();
		const lines = results.findings.map(({ operation, path, what }) => `${operation} ${path}: ${what}`);

		expect(lines).toHaveLength(found.length);
		for (const line of found) expect(lines).toContainEqual(expect.stringMatching(line));
		for (const { concerns } of results.findings) expect(concerns).not.toBe('');
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
	test('names fields, and neither values, addresses nor secrets', async () => {
		service.bend = giving(/WebBookings$/, { subStatus: 77, note: 'Nut allergy' });
		const { report } = await check();

		expect(report).toContain('[].note');
		for (const hidden of ['Nut allergy', account.clientSecret, account.baseUrl])
			expect(report).not.toContain(hidden);
	});

	test('shows values where they are asked for, and no secret even then', async () => {
		service.bend = giving(/WebBookings$/, { note: `secret ${account.clientSecret}` });
		const { report } = await check({ withValues: true });

		expect(report).toContain('"secret ***"');
		expect(report).not.toContain(account.clientSecret);
	});

	test('comes within the time given from a service that never ends a list, sends pages or does not respond', async () => {
		const hostile = await startServer(({ url }, response) => {
			if (url.includes('/connect/token')) {
				response.end('{"access_token":"t","token_type":"Bearer","expires_in":60,"scope":"publicAPI"}');
			} else if (url.includes('WebBookings')) {
				response.write('[');
				const more = () => {
					while (!response.destroyed && response.write('{"guid":[1,{"a":null}]},'.repeat(4000)));
				};
				response.on('drain', more);
				more();
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
			expect.stringContaining('COULD NOT BE PUT BACK'),
		]);
	});
});
