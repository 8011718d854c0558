import type { Stats } from '../../sandbox/control/requestLog.ts';
import { type Sandbox, startSandbox } from '../../harness/sandbox.ts';
import { ContractClient, send } from './support/client';

type Json = Record<string, unknown>;

interface Logged {
	method: string;
	path: string;
	query: Json;
	rawUrl: string;
	headers: Json;
	body?: Json;
	status: number | null;
	tokenRequest: boolean;
}

const CUSTOMERS = '/api/booking/v1/booking/customers';

let sandbox: Sandbox;
let client: ContractClient;

beforeAll(async () => {
	sandbox = await startSandbox({ control: true, timeZone: 'Europe/Stockholm' });
	client = new ContractClient(sandbox.info);
});

beforeEach(async () => {
	await sandbox.control('POST', '/reset');
	await client.fetchToken();
	await sandbox.control('DELETE', '/requests');
	await sandbox.control('DELETE', '/stats');
});

afterAll(() => sandbox.stop());

async function customers() {
	const { baseUrl, system } = sandbox.info;
	return send(baseUrl + CUSTOMERS, 'GET', { authorization: `Bearer ${await client.accessToken()}`, system });
}

async function bookings(query: Json): Promise<Json[]> {
	return (await client.call('webBooking.getAll', { query })).body as Json[];
}

async function addBooking(booking: Json = {}): Promise<Json> {
	const [made] = await sandbox.control<Json[]>('POST', '/bookings', { booking });
	return made ?? {};
}

const set = (rule: Json) => sandbox.control<{ id: string }>('POST', '/faults', rule);
const fault = (own: Json) => set({ path: '/customers', times: 1, fault: own });

describe('Prefer: code=… on a request', () => {
	test.each([300, 401, 404, 429, 503])(
		'is answered with %i, once, without the control interface',
		async (code) => {
			const { baseUrl, system } = sandbox.info;
			const headers = { authorization: `Bearer ${await client.accessToken()}`, system };
			const failed = await send(baseUrl + CUSTOMERS, 'GET', { ...headers, prefer: `code=${code}` });

			expect(failed.status).toBe(code);
			expect(failed.headers['retry-after']).toBe(code === 429 || code === 503 ? '1' : undefined);
			expect((await send(baseUrl + CUSTOMERS, 'GET', headers)).status).toBe(200);
		},
	);

	test('leaves a request with another preference as it is', async () => {
		const { baseUrl, system } = sandbox.info;
		const headers = { authorization: `Bearer ${await client.accessToken()}`, system };

		for (const prefer of ['return=minimal', 'code=200', 'code=9999'])
			expect((await send(baseUrl + CUSTOMERS, 'GET', { ...headers, prefer })).status).toBe(200);
	});
});

describe('a fault', () => {
	test('answers with any status, header and body', async () => {
		await fault({ kind: 'status', status: 418, headers: { 'x-tea': 'yes' }, body: { tea: true } });
		const json = await customers();
		expect([json.status, json.headers['x-tea'], json.text]).toEqual([418, 'yes', '{"tea":true}']);
		await fault({ kind: 'status', status: 500, body: 'plain words', contentType: 'text/plain' });
		const text = await customers();
		expect([text.status, text.headers['content-type'], text.text]).toEqual([
			500,
			'text/plain',
			'plain words',
		]);
		expect((await customers()).status).toBe(200);
	});

	test('delays the answer', async () => {
		await fault({ kind: 'delay', ms: 300 });
		const began = performance.now();
		expect((await customers()).status).toBe(200);
		expect(performance.now() - began).toBeGreaterThanOrEqual(290);
	});

	test('cuts the connection before the answer or within it', async () => {
		await fault({ kind: 'cut' });
		await expect(customers()).rejects.toThrow(/closed|ECONNRESET/);
		await fault({ kind: 'cutMidBody' });
		await expect(customers()).rejects.toThrow(/closed|aborted|ECONNRESET/);
		expect((await customers()).status).toBe(200);
	});

	test('answers with malformed JSON, HTML, or nothing', async () => {
		await fault({ kind: 'malformed' });
		const malformed = await customers();
		expect([malformed.status, malformed.headers['content-type']]).toEqual([
			200,
			'application/json; charset=utf-8',
		]);
		expect(() => JSON.parse(malformed.text) as unknown).toThrow(SyntaxError);
		await fault({ kind: 'html' });
		const html = await customers();
		expect([html.status, html.headers['content-type']]).toEqual([502, 'text/html; charset=utf-8']);
		await fault({ kind: 'empty' });
		const empty = await customers();
		expect([empty.status, empty.text]).toEqual([200, '']);
	});

	test('limits the rate without Retry-After, with seconds, and with a date', async () => {
		await fault({ kind: 'rateLimit', retryAfter: 'none' });
		const none = await customers();
		expect([none.status, none.headers['retry-after']]).toEqual([429, undefined]);
		await fault({ kind: 'rateLimit', status: 503, retryAfter: 'seconds', seconds: 7 });
		const seconds = await customers();
		expect([seconds.status, seconds.headers['retry-after']]).toEqual([503, '7']);
		await fault({ kind: 'rateLimit', retryAfter: 'date', seconds: 60 });
		const wait = Date.parse(String((await customers()).headers['retry-after'])) - Date.now();
		expect(wait).toBeGreaterThan(55_000);
		expect(wait).toBeLessThanOrEqual(61_000);
	});

	test.each(['status', 'cut', 'cutMidBody', 'malformed', 'html', 'empty', 'rateLimit', 'delay'])(
		'of kind %s, set to come after, lets the operation act and loses its answer',
		async (kind) => {
			const { guid } = await addBooking();
			await set({
				path: 'Cancel',
				after: true,
				times: 1,
				fault: { kind, status: kind === 'status' ? 500 : undefined, ms: 10 },
			});
			const url = `${sandbox.info.baseUrl}/api/booking/v1/WebBooking/WebBookings/${String(guid)}/Cancel`;
			const headers = {
				authorization: `Bearer ${await client.accessToken()}`,
				system: sandbox.info.system,
				'content-type': 'application/json',
			};
			const outcome = await send(url, 'POST', headers, '{}').then(
				({ text }) => text.includes('"guid":"') && text.includes('globalBookingNumber'),
				() => false,
			);
			expect(outcome).toBe(kind === 'delay');
			const stored = await sandbox.control<Array<{ web: Json }>>('GET', '/state/bookings');
			expect(stored.find(({ web }) => web['guid'] === guid)?.web['status']).toBe(5);
		},
	);

	test('set to come before keeps the operation from acting', async () => {
		const { guid } = await addBooking();
		await set({ method: 'POST', path: 'Cancel', fault: { kind: 'status', status: 503 } });
		const path = { id: String(guid) };
		await client.call('webBooking.cancel', { path, body: {} }).catch(() => undefined);
		const stored = await sandbox.control<Array<{ web: Json }>>('GET', '/state/bookings');
		expect(stored.find(({ web }) => web['guid'] === guid)?.web['status']).toBe(1);
	});

	test('meets the token endpoint as well, before and after', async () => {
		const token = async () =>
			(
				await send(
					`${sandbox.info.authUrl}/connect/token`,
					'POST',
					{ 'content-type': 'application/x-www-form-urlencoded' },
					new URLSearchParams(client.tokenForm()).toString(),
				)
			).status;
		await set({ path: '/connect/token', times: 1, fault: { kind: 'html' } });
		expect(await token()).toBe(502);
		await set({ path: '/connect/token', times: 1, after: true, fault: { kind: 'empty', status: 504 } });
		expect(await token()).toBe(504);
		expect(await token()).toBe(200);
	});

	test('meets only its method and address, as often as it is told, and as likely', async () => {
		await set({ method: 'PUT', path: '/customers', fault: { kind: 'empty', status: 500 } });
		await set({ path: '/cust.*changedFromUtc=/', fault: { kind: 'empty', status: 501 } });
		expect((await customers()).status).toBe(200);
		await set({ path: '/customers', times: 2, fault: { kind: 'empty', status: 500 } });
		expect([(await customers()).status, (await customers()).status, (await customers()).status]).toEqual([
			500, 500, 200,
		]);
		await set({ path: '/customers', probability: 0.5, fault: { kind: 'empty', status: 500 } });
		const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await customers()).status));
		const hit = statuses.filter((status) => status === 500).length;
		expect(hit).toBeGreaterThan(25);
		expect(hit).toBeLessThan(75);
	});

	test('is taken away by its id, or with all others', async () => {
		const { id } = await set({ path: '/customers', fault: { kind: 'empty', status: 500 } });
		await set({ path: '/customers', fault: { kind: 'empty', status: 501 } });
		await sandbox.control('DELETE', `/faults/${id}`);
		expect((await customers()).status).toBe(501);
		await sandbox.control('DELETE', '/faults');
		expect((await customers()).status).toBe(200);
		await expect(sandbox.control('DELETE', `/faults/${id}`)).rejects.toThrow('404');
	});

	test('that makes no sense is refused with the field', async () => {
		await expect(set({ fault: { kind: 'earthquake' } })).rejects.toThrow(/400 .*fault\.kind/);
		await expect(set({ probability: 2, fault: { kind: 'cut' } })).rejects.toThrow(/400 .*probability/);
		await expect(set({ path: '/(/', fault: { kind: 'cut' } })).rejects.toThrow('400');
	});
});

describe('the request log', () => {
	test('holds method, path, query, headers, body, status and time, with secrets redacted', async () => {
		const token = await client.fetchToken();
		await client.call('surveyRecipient.getAll', { query: { status: [3, 4] } });
		const { paymentCustomerId, paymentPassword } = sandbox.info;
		await client.call('customer.authenticate', {
			body: { CustomerId: paymentCustomerId, Password: paymentPassword },
		});
		const log = await sandbox.control<Logged[]>('GET', '/requests');
		expect(log.map(({ path, status, tokenRequest }) => [path, status, tokenRequest])).toEqual([
			['/connect/token', 200, true],
			['/api/booking/v1/Survey/Recipients', 200, false],
			['/pay/authentication', 201, false],
		]);
		expect(log[0]?.body).toEqual({ ...client.tokenForm(), client_secret: '…' });
		expect(log[1]).toMatchObject({
			method: 'GET',
			query: { status: ['3', '4'] },
			rawUrl: '/api/booking/v1/Survey/Recipients?status=3&status=4',
			headers: { system: sandbox.info.system, authorization: `Bearer ${token.slice(0, 6)}…` },
			time: expect.stringMatching(/^\d{4}-/),
		});
		expect(log[2]?.body).toEqual({ CustomerId: paymentCustomerId, Password: '…' });
		expect(JSON.stringify(log)).not.toContain(token);
		await sandbox.control('DELETE', '/requests');
		expect(await sandbox.control('GET', '/requests')).toEqual([]);
	});

	test('shows a cut connection as a request without a status', async () => {
		await fault({ kind: 'cut' });
		await customers().catch(() => undefined);
		const log = await sandbox.control<Logged[]>('GET', '/requests');
		expect(log.map(({ status }) => status)).toEqual([null]);
	});
});

test('the figures count requests, failures, tokens, bytes and calls at the same time', async () => {
	await set({ path: '/customers', times: 3, fault: { kind: 'delay', ms: 200 } });
	await Promise.all([customers(), customers(), customers()]);
	await fault({ kind: 'cut' });
	await customers().catch(() => undefined);
	await client.fetchToken();
	await client.call('customer.getAll', { headers: { system: undefined } });
	const stats = await sandbox.control<Stats>('GET', '/stats');
	expect(stats).toMatchObject({
		requests: 6,
		byPath: { [CUSTOMERS]: 5, '/connect/token': 1 },
		byStatus: { 200: 4, 400: 1, cut: 1 },
		tokenRequests: 1,
		failedCalls: 2,
		maxConcurrent: 3,
	});
	const { text } = await customers();
	expect(stats.bytesOut).toBeGreaterThan(3 * text.length);
	expect(stats.bytesIn).toBeGreaterThan(6 * 100);
	await sandbox.control('DELETE', '/stats');
	expect(await sandbox.control<Stats>('GET', '/stats')).toMatchObject({
		requests: 0,
		byPath: {},
		bytesOut: 0,
	});
});

describe('the clock', () => {
	const stampOf = async () => String((await addBooking())['changeDate']);

	test('can be skewed and frozen', async () => {
		await sandbox.control('PUT', '/clock', { skewMs: -3_600_000 });
		expect(Math.abs(Date.parse(await stampOf()) + 3_600_000 - Date.now())).toBeLessThan(30_000);
		await sandbox.control('PUT', '/clock', { skewMs: 0, freezeAt: '2031-03-30T00:30:00Z' });
		expect([await stampOf(), await stampOf()]).toEqual(Array(2).fill('2031-03-30T00:30:00.000Z'));
		await sandbox.control('PUT', '/clock', { freezeAt: null });
		expect(Math.abs(Date.parse(await stampOf()) - Date.now())).toBeLessThan(30_000);
	});

	test('writes date-times without an offset and in a chosen time zone, over daylight saving', async () => {
		await addBooking({ start: '2031-03-30T00:30:00Z', end: '2031-03-30T01:30:00Z' });
		const times = async () => {
			const query = { startTime: '2031-03-30T00:00:00Z', endTime: '2031-03-30T02:00:00Z' };
			const [booking] = await bookings(query);
			return [booking?.['start'], booking?.['end']];
		};
		expect(await times()).toEqual(['2031-03-30T00:30:00.000Z', '2031-03-30T01:30:00.000Z']);
		await sandbox.control('PUT', '/clock', { offset: 'none' });
		expect(await times()).toEqual(['2031-03-30T01:30:00.000', '2031-03-30T03:30:00.000']);
		await sandbox.control('PUT', '/clock', { offset: 'local' });
		expect(await times()).toEqual(['2031-03-30T01:30:00.000+01:00', '2031-03-30T03:30:00.000+02:00']);
		await sandbox.control('PUT', '/clock', { timeZone: 'America/New_York' });
		expect(await times()).toEqual(['2031-03-29T20:30:00.000-04:00', '2031-03-29T21:30:00.000-04:00']);
		await expect(sandbox.control('PUT', '/clock', { timeZone: 'Mars/Olympus' })).rejects.toThrow(
			/400 .*timeZone/,
		);
	});

	test('reads date-times without an offset in the time zone it was started with', async () => {
		const { guid } = await addBooking({ start: '2031-07-01T18:00:00', end: '2031-07-01T20:00:00' });
		const find = (startTime: string, endTime: string) => bookings({ startTime, endTime });
		expect((await find('2031-07-01T17:59:00', '2031-07-01T18:01:00')).map((one) => one['guid'])).toEqual([
			guid,
		]);
		expect((await find('2031-07-01T15:59:00Z', '2031-07-01T16:01:00Z')).map((one) => one['guid'])).toEqual([
			guid,
		]);
		expect(await find('2031-07-01T18:01:00Z', '2031-07-01T19:00:00Z')).toEqual([]);
	});
});

test('changes become visible late, stamped with the time they were made', async () => {
	const before = await addBooking();
	const since = new Date(Date.now() - 1000).toISOString();
	await sandbox.control('PUT', '/visibility', { delayMs: 700 });
	const { guid, changeDate } = await addBooking({ guests: 3 });
	await sandbox.control('PATCH', `/bookings/${String(before['guid'])}`, { guests: 99 });
	const shown = async () =>
		new Map((await bookings({ changedFrom: since })).map((one) => [one['guid'], one]));
	const early = await shown();
	expect([early.has(guid), early.get(before['guid'])?.['guests']]).toEqual([false, before['guests']]);
	await new Promise((resolve) => setTimeout(resolve, 800));
	const late = await shown();
	expect(late.get(guid)).toMatchObject({ guests: 3, changeDate });
	expect(late.get(before['guid'])).toMatchObject({ guests: 99 });
});

test('tokens can be revoked, and given a short life', async () => {
	await sandbox.control('POST', '/tokens/revoke');
	expect((await customers()).status).toBe(401);
	await sandbox.control('PUT', '/tokens', { lifetimeSeconds: 5 });
	const { body } = await client.call('token.issue', { body: client.tokenForm() });
	expect(body).toMatchObject({ expires_in: 5 });
	await expect(sandbox.control('PUT', '/tokens', { lifetimeSeconds: 0 })).rejects.toThrow(
		/400 .*lifetimeSeconds/,
	);
});

describe('records', () => {
	test('bookings are made, changed and removed behind the service’s back', async () => {
		const made = await sandbox.control<Json[]>('POST', '/bookings', {
			count: 3,
			booking: { guests: 7, eventTag: 'gala' },
		});
		expect(made.map(({ guests, eventTag }) => [guests, eventTag])).toEqual(Array(3).fill([7, 'gala']));
		const [{ guid } = {}] = made;
		const changed = await sandbox.control<Json>('PATCH', `/bookings/${String(guid)}`, { status: 5 });
		expect(changed['history']).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ status: 5, statusName: 'Canceled', changeDate: changed['changeDate'] }),
			]),
		);
		const dated = await sandbox.control<Json>('PATCH', `/bookings/${String(guid)}`, {
			changeDate: '2031-01-01T00:00:00Z',
		});
		expect(dated['changeDate']).toBe('2031-01-01T00:00:00.000Z');
		await sandbox.control('DELETE', `/bookings/${String(guid)}`);
		await expect(sandbox.control('DELETE', `/bookings/${String(guid)}`)).rejects.toThrow('404');
		await expect(sandbox.control('PATCH', `/bookings/${String(guid)}`, {})).rejects.toThrow('404');
		expect(await sandbox.control<Json>('GET', '/state')).toMatchObject({ bookings: 42 });
	});

	test('customers are made with the next id and changed with a new stamp', async () => {
		const made = await sandbox.control<Json>('POST', '/customers', { name: 'Acme' });
		expect(made).toMatchObject({ id: 26, name: 'Acme' });
		await sandbox.control('PUT', '/clock', { skewMs: 60_000 });
		const changed = await sandbox.control<Json>('PATCH', '/customers/26', { phone: '1' });
		expect(Date.parse(String(changed['lastChangedUtc']))).toBeGreaterThan(
			Date.parse(String(made['lastChangedUtc'])),
		);
		await expect(sandbox.control('PATCH', '/customers/999', {})).rejects.toThrow('404');
	});

	test('a recipient that answers is stamped and counted', async () => {
		const [recipient] = await sandbox.control<Json[]>('GET', '/state/recipients');
		const answered = await sandbox.control<Json>('PATCH', `/recipients/${String(recipient?.['id'])}`, {
			status: 4,
		});
		expect(answered).toMatchObject({ status: 4, rev: 2, respondedTime: expect.any(String) });
		await expect(sandbox.control('PATCH', '/recipients/none', {})).rejects.toThrow('404');
		await expect(sandbox.control('GET', '/state/nothing')).rejects.toThrow('404');
	});
});
