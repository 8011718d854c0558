import type {
	IAdditionalCredentialOptions,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	NodeApiError,
} from 'n8n-workflow';

import { type ServiceRequest, openAccount } from '../../../../nodes/shared/auth/account';
import type { CallingContext } from '../../../../nodes/shared/http/helpers';
import { forgetAll } from '../../../../nodes/shared/values/recentMap';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const CREDENTIAL = {
	baseUrl: 'http://service',
	authUrl: 'http://identity',
	clientId: 'client',
	clientSecret: 'the-secret',
	system: 'first',
	timeZone: 'UTC',
};

type Response = { statusCode: number; headers: IDataObject; body: unknown };
type Fault = () => Promise<Response>;

/** A body as n8n's helpers give it, without the ticks of Node's streams, which stand still in virtual time. */
const asJson = (data: unknown) => ({
	async *[Symbol.asyncIterator]() {
		yield await Promise.resolve(Buffer.from(data === undefined ? '' : JSON.stringify(data)));
	},
	destroy: () => undefined,
});

const status =
	(statusCode: number, headers: IDataObject = {}, body?: unknown): Fault =>
	async () =>
		await Promise.resolve({ statusCode, headers, body: asJson(body) });
const broken =
	(code: string): Fault =>
	async () =>
		await Promise.reject(Object.assign(new Error(code), { code }));
const silent: Fault = async () => await new Promise<never>(() => undefined);

const FAULTS = {
	'503': status(503),
	'503 with Retry-After': status(503, { 'retry-after': '1' }),
	'429': status(429),
	'429 with Retry-After': status(429, { 'retry-after': '1' }),
	reset: broken('ECONNRESET'),
	refused: broken('ECONNREFUSED'),
	'unknown host': broken('ENOTFOUND'),
	'101': silent,
	hang: silent,
};
type FaultName = keyof typeof FAULTS;

beforeEach(() => {
	forgetAll();
	jest.useFakeTimers();
	// Node's own timers of signals are not among those that jest puts in virtual time.
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(new DOMException('Too late', 'TimeoutError')), ms);
		return stop.signal;
	});
});

afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

/** A service whose calls take 20 ms. What `faultOf` returns for one at a time comes in the place of its response. */
function startService(
	faultOf: (kind: 'token' | 'call', atMs: number, number: number) => Fault | undefined,
) {
	const began = performance.now();
	const sent: Array<{ kind: 'token' | 'call'; atMs: number; path: string; isFault: boolean }> = [];
	const count = { token: 0, call: 0 };
	const answer = async (kind: 'token' | 'call', path: string, body: unknown): Promise<Response> => {
		const atMs = performance.now() - began;
		const failure = faultOf(kind, atMs, count[kind]++);
		sent.push({ kind, atMs, path, isFault: failure !== undefined });
		await new Promise((resolve) => setTimeout(resolve, 20));
		return failure ? await failure() : { statusCode: 200, headers: {}, body: asJson(body) };
	};
	const helpers = {
		httpRequest: async ({ url }: IHttpRequestOptions) =>
			await answer('token', url, { access_token: `token ${sent.length}`, expires_in: 3600 }),
		httpRequestWithAuthentication: {
			call: async (
				_: unknown,
				__: string,
				{ url }: IHttpRequestOptions,
				___: IAdditionalCredentialOptions,
			) => await answer('call', url, { id: 1 }),
		},
	};
	const stop = new AbortController();
	const context = {
		getCredentials: async () => await Promise.resolve(CREDENTIAL),
		helpers,
	} as unknown as IExecuteFunctions;
	return { sent, context, stop, atMs: () => performance.now() - began };
}

interface Done {
	atMs: number;
	error?: NodeApiError;
}

/** As a run does: items one after the other, each prepared as soon as the account is ready for it. */
async function run(
	{
		context,
		stop: { signal },
		atMs,
	}: Pick<ReturnType<typeof startService>, 'context' | 'stop' | 'atMs'>,
	request: Partial<ServiceRequest>,
	items: number,
): Promise<Done[]> {
	const account = await openAccount(context as CallingContext, 'hospitalityBookingApi');
	const ended: Array<Promise<Done>> = [];
	for (let item = 0; item < items; item++) {
		await account.queue.ready();
		const call = account.call(
			{ method: 'GET', path: `/items/${item}`, giveUpAfterMs: MINUTE, signal, ...request },
			{ node: { type: 'test' } as INode, action: 'Call', itemIndex: item, inRun: true },
		);
		ended.push(
			call.then(
				() => ({ atMs: atMs() }),
				(error: NodeApiError) => ({ atMs: atMs(), error }),
			),
		);
	}
	return await Promise.all(ended);
}

async function inVirtualTime<T>(work: Promise<T>): Promise<T> {
	let isOver = false;
	const over = work.finally(() => (isOver = true));
	over.catch(() => undefined);
	while (!isOver) await jest.advanceTimersByTimeAsync(SECOND);
	return await over;
}

const said = ({ error }: Done) => `${error?.message} | ${error?.description ?? ''}`;
const timeout = 5 * SECOND;

/** What becomes of a failure: `done` without a failed item, `told` as one that may have acted, or what is said. */
type Cell = 'done' | 'told' | RegExp;
const WAITS: [Cell, Cell, Cell] = [
	'done',
	'done',
	/raise 'Give Up After \(Minutes\)' under Options/,
];

/** For a failure that happens once, for 3 s, and for longer than Give Up After. */
type Cells = Record<'GET' | 'change', [once: Cell, brief: Cell, long: Cell]>;
const CANNOT_HAVE_ACTED: Cells = { GET: WAITS, change: WAITS };
/** @param brief of a GET: one that is told late is told when the failure is over */
const mayHaveActed = (told: RegExp, brief: Cell = told): Cells => ({
	GET: ['done', brief, told],
	change: ['told', 'told', 'told'],
});

/** Of calls; a token is waited for whatever happens to its request. */
const TABLE: Record<FaultName, Cells> = {
	'503': mayHaveActed(/not available \(503\)/),
	'503 with Retry-After': CANNOT_HAVE_ACTED,
	'429': CANNOT_HAVE_ACTED,
	'429 with Retry-After': CANNOT_HAVE_ACTED,
	reset: mayHaveActed(/connection to 'Base URL' broke/),
	refused: CANNOT_HAVE_ACTED,
	'unknown host': CANNOT_HAVE_ACTED,
	'101': mayHaveActed(/did not respond within 5000 ms \('Timeout'\)/, 'done'),
	hang: mayHaveActed(/did not respond within 5000 ms \('Timeout'\)/, 'done'),
};

const LENGTHS = [
	['once', 0],
	['for 3 s', 3 * SECOND],
	['for longer than Give Up After', 10 * MINUTE],
] as const;

const cells = Object.entries(TABLE).flatMap(([failure, calls]) =>
	Object.entries({ token: WAITS, ...calls }).flatMap(([place, row]) =>
		LENGTHS.map(([length, ms], index) => ({
			failure: failure as FaultName,
			place,
			length,
			ms,
			cell: row[index],
		})),
	),
);

describe('what is sent, what fails, what is said', () => {
	it.each(cells)('$failure, $place, $length', async ({ failure, place, ms, cell }) => {
		const kind = place === 'token' ? 'token' : 'call';
		const service = startService((one, atMs, number) =>
			one === kind && (ms === 0 ? number === 0 : atMs < ms) ? FAULTS[failure] : undefined,
		);
		// One item at a time in the long ones: what follows is told at once.
		const method = place === 'GET' ? 'GET' : 'PUT';
		const done = await inVirtualTime(run(service, { method, timeout }, ms > MINUTE ? 5 : 40));
		const failed = done.filter(({ error }) => error);
		const failures = service.sent.filter((one) => one.kind === 'call' && one.isFault);
		expect(service.sent.filter(({ isFault }) => isFault)).not.toEqual([]);

		if (cell === 'done') {
			expect(failed.map(said)).toEqual([]);
		} else if (cell === 'told') {
			// Each that may have acted is told; that nothing else was sent, too.
			const told = failed.filter((one) => said(one).includes('The change may have been made'));
			expect(told).toHaveLength(failures.length);
			const others = failed.filter((one) => !told.includes(one));
			expect(others.filter((one) => !said(one).includes('the call was not sent'))).toEqual([]);
			if (ms < MINUTE) expect(others).toEqual([]);
		} else {
			if (ms > MINUTE) expect(failed).toHaveLength(done.length);
			expect(failed.length).toBeGreaterThan(0);
			for (const one of failed) expect(said(one)).toMatch(cell as RegExp);
			expect(Math.max(...failed.map(({ atMs }) => atMs))).toBeLessThan(2.2 * MINUTE);
		}
		// No change is sent twice unless the service cannot have acted.
		if (cell === 'told') {
			const paths = service.sent.filter((one) => one.kind === 'call').map(({ path }) => path);
			expect(new Set(paths).size).toBe(paths.length);
		}
	});
});

describe('a run of many changes', () => {
	const change = { method: 'PUT', timeout } as const;

	it.each(['refused', 'unknown host', '429', '503 with Retry-After'] as const)(
		'loses none of 1,000 to 3 s of %s, and goes on soon after',
		async (failure) => {
			const service = startService((kind, atMs) =>
				kind === 'call' && atMs >= 100 && atMs < 3_100 ? FAULTS[failure] : undefined,
			);
			const done = await inVirtualTime(run(service, change, 1_000));
			expect(done.filter(({ error }) => error).map(said)).toEqual([]);
			expect(service.sent.find(({ atMs, isFault }) => atMs > 3_100 && !isFault)?.atMs).toBeLessThan(
				5_200,
			);
			const failures = service.sent.filter(({ isFault }) => isFault);
			expect(failures).not.toEqual([]);
			expect(failures.length).toBeLessThan(400);
		},
	);

	it('behind a rate limit ends with all done, though that takes longer than Give Up After', async () => {
		let second = 0;
		let calls = 0;
		const service = startService((kind, atMs) => {
			if (kind === 'token') return undefined;
			if (Math.floor(atMs / SECOND) !== second) {
				second = Math.floor(atMs / SECOND);
				calls = 0;
			}
			return ++calls > 10 ? FAULTS['429 with Retry-After'] : undefined;
		});
		const done = await inVirtualTime(run(service, change, 1_500));
		expect(done.filter(({ error }) => error).map(said)).toEqual([]);
		expect(Math.max(...done.map(({ atMs }) => atMs))).toBeGreaterThan(2 * MINUTE);
	});

	it.each(['503 with Retry-After', 'refused'] as const)(
		'is not stopped by one instance of two that says %s',
		async (failure) => {
			let calls = 0;
			const service = startService((kind) =>
				kind === 'call' && calls++ % 2 === 0 ? FAULTS[failure] : undefined,
			);
			const done = await inVirtualTime(run(service, change, 1_000));
			expect(done.filter(({ error }) => error).map(said)).toEqual([]);
			expect(Math.max(...done.map(({ atMs }) => atMs))).toBeLessThan(60 * SECOND);
			// The one that it was said to keeps the pause.
			const last = new Map<string, number>();
			const waits = service.sent.map(({ path, atMs }) => {
				const wait = atMs - (last.get(path) ?? -Infinity);
				last.set(path, atMs);
				return wait;
			});
			expect(Math.min(...waits)).toBeGreaterThanOrEqual(failure === 'refused' ? 80 : SECOND);
		},
	);
});

describe('the shared request for a token', () => {
	it('ends for each who waits by their own end', async () => {
		const service = startService((kind) => (kind === 'token' ? silent : undefined));
		const waiting = inVirtualTime(run(service, { timeout }, 3));
		const poll = await inVirtualTime(
			run(
				service,
				{ timeout, deadline: performance.now() + 2 * SECOND, giveUpAfterMs: 2 * SECOND },
				1,
			),
		);
		expect(poll[0]?.atMs).toBeLessThan(4 * SECOND);
		service.stop.abort(new Error('The execution was cancelled'));
		for (const one of await waiting) expect(one.atMs).toBeLessThan(10 * SECOND);
	});
});

describe('a clock that is set', () => {
	it.each([
		['forward', 60 * MINUTE],
		['back', -60 * MINUTE],
	])('%s by an hour changes nothing', async (_, ms) => {
		const service = startService((kind, atMs) => {
			jest.setSystemTime(Date.now() + ms);
			return kind === 'token' && atMs < 3 * SECOND
				? status(401, {}, { error: 'invalid_client' })
				: undefined;
		});
		const first = await inVirtualTime(run(service, { timeout }, 3));
		expect(first.filter(({ error }) => error)).toHaveLength(3);
		await jest.advanceTimersByTimeAsync(6 * SECOND);
		const next = await inVirtualTime(run(service, { timeout }, 3));
		expect(next.filter(({ error }) => error).map(said)).toEqual([]);
	});
});
