import { type CallFault, isRateLimited } from '../../../../nodes/shared/errors/callFault';
import { waitBeforeRetry } from '../../../../nodes/shared/http/retry';

const responded = (status: number, retryAfterMs?: number): CallFault => ({
	...{ kind: 'status', status },
	...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const broken: CallFault = { kind: 'connection', code: 'ECONNRESET' };
const wait = (method: string, fault: CallFault, retries = 0, random = 0) =>
	waitBeforeRetry(method, fault, retries, random);

describe('the retry rule', () => {
	it.each<CallFault>([
		...[502, 503, 504].map((status) => responded(status)),
		...['ECONNRESET', 'ETIMEDOUT'].map((code): CallFault => ({ kind: 'connection', code })),
	])('retries a GET after %j', (fault) => {
		expect(wait('GET', fault)).toBeGreaterThan(0);
	});

	it.each<CallFault>([
		...[400, 401, 403, 404, 408, 409, 422, 500].map((status) => responded(status)),
		{ kind: 'status', status: 502, proxy: 'own' },
		{ kind: 'connection', code: 'CERT_HAS_EXPIRED' },
		{ kind: 'redirect', status: 302, address: '', isService: false },
		{ kind: 'body', reason: 'noData', status: 200, problem: '' },
	])('never retries a GET after %j', (fault) => {
		expect(wait('GET', fault)).toBeUndefined();
	});

	it.each(['PUT', 'POST'])('retries a %s only where the service cannot have acted', (method) => {
		for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])
			expect(wait(method, { kind: 'connection', code })).toBeGreaterThan(0);
		for (const status of [500, 502, 503, 504]) expect(wait(method, responded(status))).toBeUndefined();
		expect(wait(method, broken)).toBeUndefined();
	});

	it('gives up after three retries', () => {
		expect([0, 1, 2].map((retries) => wait('GET', broken, retries))).not.toContain(undefined);
		expect(wait('GET', broken, 3)).toBeUndefined();
	});

	it('waits longer each time and spreads parallel calls', () => {
		expect([0, 1, 2].map((retries) => wait('GET', broken, retries, 0))).toEqual([250, 500, 1000]);
		expect([0, 1, 2].map((retries) => wait('GET', broken, retries, 0.999_999))).toEqual([
			expect.closeTo(500, 1),
			expect.closeTo(1000, 1),
			expect.closeTo(2000, 1),
		]);
	});
});

it('429, and 503 with Retry-After, are rate-limited, and nothing else', () => {
	const limited = [responded(429), responded(503, 1_000), responded(503, 0)];
	const others = [responded(503), responded(500, 1_000), responded(502, 1_000)];
	expect([...limited, ...others].filter(isRateLimited)).toEqual(limited);
});
