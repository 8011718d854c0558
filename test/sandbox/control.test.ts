import type { LoggedRequest } from '../../sandbox/control/requestLog.ts';
import { type Json, useSandbox } from './support/useSandbox';

const CANCELED = 5;

const here = useSandbox({ timeZone: 'Europe/Stockholm' });
const { accepted } = here;
const control: typeof here.control = (...call) => here.control(...call);

beforeEach(async () => {
	await control('DELETE', '/requests');
	await control('DELETE', '/stats');
});

/** Asks for the customers; what comes back need not be by the contract. */
const customers = (headers: Record<string, string> = {}) => here.client.send('customer.getAll', { headers });

const bookings = (query: Json) => accepted<Json[]>('webBooking.getAll', { query });

async function addBooking(booking: Json = {}): Promise<Json> {
	const [made] = await control<Json[]>('POST', '/bookings', { booking });
	return made ?? {};
}

const set = (rule: Json) => control<{ id: string }>('POST', '/faults', rule);
const fault = (own: Json) => set({ path: '/customers', times: 1, fault: own });

test.each([
	['code=404', 404, undefined],
	['code=429', 429, '1'],
	['return=minimal', 200, undefined],
])('a request with Prefer: %s is answered with %i', async (prefer, status, retryAfter) => {
	const answer = await customers({ prefer });

	expect([answer.status, answer.headers['retry-after']]).toEqual([status, retryAfter]);
});

describe('a fault', () => {
	test.each([
		{
			what: 'any status and header, and JSON',
			given: { kind: 'status', status: 418, headers: { 'x-tea': 'yes' }, body: { tea: true } },
			got: { status: 418, headers: { 'x-tea': 'yes' }, text: '{"tea":true}' },
		},
		{
			what: 'a text',
			given: { kind: 'status', status: 500, body: 'plain words', contentType: 'text/plain' },
			got: { status: 500, headers: { 'content-type': 'text/plain' }, text: 'plain words' },
		},
		{
			what: 'malformed JSON',
			given: { kind: 'malformed' },
			got: {
				status: 200,
				headers: { 'content-type': 'application/json; charset=utf-8' },
				text: expect.stringMatching(/^\[.*": $/) as string,
			},
		},
		{
			what: 'HTML',
			given: { kind: 'html' },
			got: { status: 502, headers: { 'content-type': 'text/html; charset=utf-8' } },
		},
		{ what: 'nothing', given: { kind: 'empty' }, got: { status: 200, text: '' } },
		{
			what: 'seconds to wait',
			given: { kind: 'rateLimit', status: 503, retryAfter: 'seconds', seconds: 7 },
			got: { status: 503, headers: { 'retry-after': '7' } },
		},
	])('answers with $what, once', async ({ given, got }) => {
		await fault(given);
		expect(await customers()).toMatchObject(got);
		expect((await customers()).status).toBe(200);
	});

	test('limits the rate without Retry-After, and with a date', async () => {
		await fault({ kind: 'rateLimit', retryAfter: 'none' });
		const none = await customers();
		expect([none.status, none.headers['retry-after']]).toEqual([429, undefined]);
		await fault({ kind: 'rateLimit', retryAfter: 'date', seconds: 60 });
		const wait = Date.parse(String((await customers()).headers['retry-after'])) - Date.now();
		expect(wait).toBeGreaterThan(55_000);
		expect(wait).toBeLessThanOrEqual(61_000);
	});

	test('cuts the connection before the answer or within it', async () => {
		await fault({ kind: 'cut' });
		await expect(customers()).rejects.toThrow(/closed|hang up|ECONNRESET/);
		await fault({ kind: 'cutMidBody' });
		await expect(customers()).rejects.toThrow(/closed|hang up|aborted|ECONNRESET/);
		expect((await customers()).status).toBe(200);
	});

	test.each(['status', 'cut', 'cutMidBody', 'malformed', 'html', 'empty', 'rateLimit', 'delay'])(
		'of kind %s, set to come after, lets the operation act and loses its answer',
		async (kind) => {
			const cancel = here.request('webBooking.cancel');
			const own = { kind, status: kind === 'status' ? 500 : undefined, ms: 10 };
			await set({ path: 'Cancel', after: true, times: 1, fault: own });
			const outcome = await here.client.send('webBooking.cancel', cancel).then(
				({ text }) => text.includes('"guid":"') && text.includes('globalBookingNumber'),
				() => false,
			);
			expect(outcome).toBe(kind === 'delay');
			expect((await here.booking()).web['status']).toBe(CANCELED);
		},
	);

	test('meets the token endpoint as well, before and after', async () => {
		const token = async () => (await here.client.send('token.issue', here.request('token.issue'))).status;
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
});

test('the request log redacts secrets', async () => {
	const token = await here.client.fetchToken();
	await here.call('customer.authenticate');
	const log = await control<LoggedRequest[]>('GET', '/requests');

	expect(log[0]?.body).toEqual({ ...here.client.tokenForm(), client_secret: '…' });
	expect(log[1]?.body).toEqual({ CustomerId: here.sandbox.info.paymentCustomerId, Password: '…' });
	expect(JSON.stringify(log)).not.toContain(token);
});

describe('the clock', () => {
	test('writes date-times without an offset and in a chosen time zone, over daylight saving', async () => {
		await addBooking({ start: '2031-03-30T00:30:00Z', end: '2031-03-30T01:30:00Z' });
		const times = async () => {
			const query = { startTime: '2031-03-30T00:00:00Z', endTime: '2031-03-30T02:00:00Z' };
			const [booking] = await bookings(query);
			return [booking?.['start'], booking?.['end']];
		};
		expect(await times()).toEqual(['2031-03-30T00:30:00.000Z', '2031-03-30T01:30:00.000Z']);
		await control('PUT', '/clock', { offset: 'none' });
		expect(await times()).toEqual(['2031-03-30T01:30:00.000', '2031-03-30T03:30:00.000']);
		await control('PUT', '/clock', { offset: 'local' });
		expect(await times()).toEqual(['2031-03-30T01:30:00.000+01:00', '2031-03-30T03:30:00.000+02:00']);
		await control('PUT', '/clock', { timeZone: 'America/New_York' });
		expect(await times()).toEqual(['2031-03-29T20:30:00.000-04:00', '2031-03-29T21:30:00.000-04:00']);
	});

	test('reads date-times without an offset in the time zone it was started with', async () => {
		const { guid } = await addBooking({ start: '2031-07-01T18:00:00', end: '2031-07-01T20:00:00' });
		const find = async (startTime: string, endTime: string) =>
			(await bookings({ startTime, endTime })).map((one) => one['guid']);
		expect(await find('2031-07-01T17:59:00', '2031-07-01T18:01:00')).toEqual([guid]);
		expect(await find('2031-07-01T15:59:00Z', '2031-07-01T16:01:00Z')).toEqual([guid]);
		expect(await find('2031-07-01T18:01:00Z', '2031-07-01T19:00:00Z')).toEqual([]);
	});

	test.each([
		['none', '2031-07-01T18:00:00.000'],
		['local', '2031-07-01T18:00:00.000Z'],
	])('writes and reads what is named Utc in UTC, with the offset %s', async (offset, lastChangedUtc) => {
		await control('PUT', '/clock', { offset });
		const { id } = await control<Json>('POST', '/customers', { lastChangedUtc: '2031-07-01T18:00:00Z' });
		const after = (changedFromUtc: string) =>
			accepted<Json[]>('customer.getAll', { query: { changedFromUtc } });
		expect(await after('2031-07-01T17:59:59')).toMatchObject([{ id, lastChangedUtc }]);
		expect(await after('2031-07-01T18:00:00')).toEqual([]);
	});
});

test('changes become visible late, stamped with the time they were made', async () => {
	const before = await addBooking();
	const since = new Date(Date.now() - 1000).toISOString();
	await control('PUT', '/visibility', { delayMs: 700 });
	const { guid, changeDate } = await addBooking({ guests: 3 });
	await control('PATCH', `/bookings/${String(before['guid'])}`, { guests: 99 });
	const shown = async () =>
		new Map((await bookings({ changedFrom: since })).map((one) => [one['guid'], one]));
	const early = await shown();
	expect([early.has(guid), early.get(before['guid'])?.['guests']]).toEqual([false, before['guests']]);
	await new Promise((resolve) => setTimeout(resolve, 800));
	const late = await shown();
	expect(late.get(guid)).toMatchObject({ guests: 3, changeDate });
	expect(late.get(before['guid'])).toMatchObject({ guests: 99 });
});
