import { type CallFailure, isRateLimited } from '../../../../nodes/shared/errors/callFailure';
import type { CallEnd } from '../../../../nodes/shared/http/concurrency/limiter';
import type { CallOutcome } from '../../../../nodes/shared/http/response';
import { RetryBudget, callEndOf, stepAfter, waitBeforeRetry } from '../../../../nodes/shared/http/retry';

const responded = (status: number, retryAfterMs?: number): CallFailure => ({
	...{ kind: 'status', status },
	...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const broken: CallFailure = { kind: 'connection', code: 'ECONNRESET' };
const step = (method: string, failure: CallFailure) => stepAfter(failure, method === 'GET');

describe('the retry rule', () => {
	it.each<CallFailure>([
		...[502, 503, 504].map((status) => responded(status)),
		...['ECONNRESET', 'ETIMEDOUT'].map((code): CallFailure => ({ kind: 'connection', code })),
	])('repeats a GET after %j', (failure) => {
		expect(step('GET', failure)).toBe('repeat');
	});

	it.each<CallFailure>([
		...[400, 401, 403, 404, 408, 409, 422, 500].map((status) => responded(status)),
		{ kind: 'connection', code: 'CERT_HAS_EXPIRED' },
		{ kind: 'redirect', status: 302, address: '', isService: false },
		{ kind: 'body', reason: 'noData', status: 200, problem: '' },
	])('ends a GET after %j', (failure) => {
		expect(step('GET', failure)).toBe('end');
	});

	it.each(['GET', 'PUT', 'POST'])('lets a %s wait wherever the service cannot have acted', (method) => {
		for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])
			expect(step(method, { kind: 'connection', code })).toBe('wait');
		for (const failure of [responded(429), responded(429, 1_000), responded(503, 1_000)])
			expect(step(method, failure)).toBe('wait');
	});

	it('ends a change that the service may have acted on', () => {
		for (const status of [500, 502, 503, 504]) expect(step('PUT', responded(status))).toBe('end');
		expect(step('PUT', broken)).toBe('end');
	});

	it('waits longer each time and spreads parallel calls', () => {
		const random = jest.spyOn(Math, 'random').mockReturnValue(0);
		expect([0, 1, 2, 9].map((times) => waitBeforeRetry(broken, times))).toEqual([250, 500, 1000, 4000]);
		random.mockReturnValue(1);
		expect([0, 1, 2, 9].map((times) => waitBeforeRetry(broken, times))).toEqual([500, 1000, 2000, 8000]);
		expect(waitBeforeRetry(responded(503, 7_000), 0)).toBe(7_000);
		expect(waitBeforeRetry(responded(429), 3)).toBe(0);
		expect(waitBeforeRetry(responded(502, 7_000), 0)).toBe(500);
	});
});

it('429, and 503 with Retry-After, are rate-limited, and nothing else', () => {
	const limited = [responded(429), responded(503, 1_000), responded(503, 0)];
	const others = [responded(503), responded(500, 1_000), responded(502, 1_000)];
	expect([...limited, ...others].filter(isRateLimited)).toEqual(limited);
});

it.each<[CallOutcome | undefined, CallEnd]>([
	[undefined, { kind: 'cancelled' }],
	[{ kind: 'response', response: { status: 200, headers: {}, body: {} } }, { kind: 'responded' }],
	[responded(404), { kind: 'responded' }],
	[responded(500), { kind: 'responded' }],
	[{ kind: 'connection', code: 'CERT_HAS_EXPIRED' }, { kind: 'responded' }],
	[responded(429), { kind: 'throttled', status: 429, pauseMs: undefined }],
	[responded(503, 2_000), { kind: 'throttled', status: 503, pauseMs: 2_000 }],
	[responded(503), { kind: 'failed' }],
	[broken, { kind: 'failed' }],
	[{ kind: 'connection', code: 'ERR_CANCELED' }, { kind: 'cancelled' }],
	[{ kind: 'connection', code: 'ECONNREFUSED' }, { kind: 'unreachable' }],
])('tells the limiter of %j: %j', (outcome, end) => {
	expect(callEndOf(outcome)).toEqual(end);
});

describe('the retry budget', () => {
	const MINUTE = 60_000;
	const claimed = (budget: RetryBudget, now: number) => {
		let count = 0;
		while (count < 1_000 && budget.claim(now)) count++;
		return count;
	};
	const after = (calls: number, now = 0) => {
		const budget = new RetryBudget();
		for (let made = 0; made < calls; made++) budget.called(now);
		return budget;
	};

	it('is ten, or a fifth of the calls of late', () => {
		expect([0, 1, 50, 55, 100].map((calls) => claimed(after(calls), 0))).toEqual([10, 10, 10, 11, 20]);
	});

	it('counts calls and retries less as they become older', () => {
		expect(claimed(after(200), MINUTE)).toBe(14);
		const used = after(0);
		expect(claimed(used, 0)).toBe(10);
		expect(claimed(used, 0)).toBe(0);
		expect(claimed(used, MINUTE)).toBe(6);
		expect(claimed(used, 100 * MINUTE)).toBe(10);
	});
});
