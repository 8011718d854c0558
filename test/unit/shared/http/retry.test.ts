import { waitBeforeRetry } from '../../../../nodes/shared/http/retry';
import { parseRetryAfter } from '../../../../nodes/shared/values/retryAfter';

const now = new Date('2026-03-01T12:00:00Z');
const wait = (method: string, status: number, retries = 0, retryAfter?: string, random = 0) =>
	waitBeforeRetry(method, { kind: 'status', status, retryAfter }, retries, random, now);

describe('the retry rule', () => {
	it.each([429, 502, 503, 504])('repeats a GET after %i', (status) => {
		expect(wait('GET', status)).toBeGreaterThan(0);
	});

	it.each([400, 401, 403, 404, 409, 422, 500])('never repeats a GET after %i', (status) => {
		expect(wait('GET', status)).toBeUndefined();
	});

	it.each(['PUT', 'POST'])('repeats a %s only where the service cannot have acted', (method) => {
		expect(wait(method, 429)).toBeGreaterThan(0);
		expect(wait(method, 503, 0, '1')).toBeGreaterThan(0);
		expect(waitBeforeRetry(method, { kind: 'connection', reached: 'refused' }, 0, 0, now)).toBeGreaterThan(0);
		for (const status of [500, 502, 503, 504]) expect(wait(method, status)).toBeUndefined();
		expect(waitBeforeRetry(method, { kind: 'connection', reached: 'broken' }, 0, 0, now)).toBeUndefined();
	});

	it('repeats a GET after a broken connection', () => {
		expect(waitBeforeRetry('GET', { kind: 'connection', reached: 'broken' }, 0, 0, now)).toBeGreaterThan(0);
	});

	it('gives up after three repeats', () => {
		expect([0, 1, 2].map((retries) => wait('GET', 503, retries))).not.toContain(undefined);
		expect(wait('GET', 503, 3)).toBeUndefined();
	});

	it('waits longer each time and spreads parallel calls', () => {
		expect([0, 1, 2].map((retries) => wait('GET', 503, retries, undefined, 0))).toEqual([250, 500, 1000]);
		expect([0, 1, 2].map((retries) => wait('GET', 503, retries, undefined, 0.999_999))).toEqual([
			expect.closeTo(500, 1),
			expect.closeTo(1000, 1),
			expect.closeTo(2000, 1),
		]);
	});

	it('waits as long as Retry-After asks, in seconds or as a date, at most 60 s', () => {
		expect(wait('GET', 429, 0, '7')).toBe(7000);
		expect(wait('PUT', 503, 0, 'Sun, 01 Mar 2026 12:00:09 GMT')).toBe(9000);
		expect(wait('GET', 429, 0, '86400')).toBe(60_000);
	});

	it('takes a Retry-After that has passed for no wait, and one it cannot read for none given', () => {
		expect(parseRetryAfter('Sun, 01 Mar 2026 11:00:00 GMT', now)).toBe(0);
		expect(parseRetryAfter('soon', now)).toBeUndefined();
		expect(parseRetryAfter(undefined, now)).toBeUndefined();
		expect(wait('PUT', 503, 0, 'soon')).toBeUndefined();
	});
});
