import { isRefusal, waitBeforeRetry } from '../../../../nodes/shared/http/retry';

const answered = (status: number, retryAfter?: string) => ({ kind: 'status' as const, status, retryAfter });
const wait = (method: string, status: number, retries = 0, random = 0) =>
	waitBeforeRetry(method, answered(status), retries, random);

describe('the retry rule', () => {
	it.each([502, 503, 504])('repeats a GET after %i', (status) => {
		expect(wait('GET', status)).toBeGreaterThan(0);
	});

	it.each([400, 401, 403, 404, 409, 422, 500])('never repeats a GET after %i', (status) => {
		expect(wait('GET', status)).toBeUndefined();
	});

	it.each(['PUT', 'POST'])('repeats a %s only where the service cannot have acted', (method) => {
		expect(waitBeforeRetry(method, { kind: 'connection', reached: 'refused' }, 0, 0)).toBeGreaterThan(0);
		for (const status of [500, 502, 503, 504]) expect(wait(method, status)).toBeUndefined();
		expect(waitBeforeRetry(method, { kind: 'connection', reached: 'broken' }, 0, 0)).toBeUndefined();
	});

	it('repeats a GET after a broken connection', () => {
		expect(waitBeforeRetry('GET', { kind: 'connection', reached: 'broken' }, 0, 0)).toBeGreaterThan(0);
	});

	it('gives up after three repeats', () => {
		expect([0, 1, 2].map((retries) => wait('GET', 503, retries))).not.toContain(undefined);
		expect(wait('GET', 503, 3)).toBeUndefined();
	});

	it('waits longer each time and spreads parallel calls', () => {
		expect([0, 1, 2].map((retries) => wait('GET', 503, retries, 0))).toEqual([250, 500, 1000]);
		expect([0, 1, 2].map((retries) => wait('GET', 503, retries, 0.999_999))).toEqual([
			expect.closeTo(500, 1),
			expect.closeTo(1000, 1),
			expect.closeTo(2000, 1),
		]);
	});
});

describe('a refusal for now', () => {
	it('is 429, and 503 where the service says when to come back', () => {
		expect(isRefusal(answered(429))).toBe(true);
		expect(isRefusal(answered(503, '1'))).toBe(true);
		expect(isRefusal(answered(503, 'Sun, 01 Mar 2026 12:00:09 GMT'))).toBe(true);
	});

	it.each([
		[503, undefined],
		[503, 'soon'],
		[500, '1'],
		[502, '1'],
		[200, '1'],
	])('is not %i with Retry-After %p', (status, retryAfter) => {
		expect(isRefusal(answered(status, retryAfter))).toBe(false);
	});
});
