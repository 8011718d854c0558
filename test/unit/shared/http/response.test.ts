import { CallError, type CallFailure } from '../../../../nodes/shared/errors/failure';
import { outcomeOf } from '../../../../nodes/shared/errors/failureTable';
import { attemptCall } from '../../../../nodes/shared/http/attempt';
import { type Call, type RawResponse, readOutcome } from '../../../../nodes/shared/http/response';
import { readRetryAfter } from '../../../../nodes/shared/http/retryAfter';
import {
	CHUNK,
	INHERITED_NAMES,
	OTHER_TYPES,
	UNUSABLE,
	deepLists,
} from '../../../engine/support/hostileResponses';

/** A body as n8n's helpers give it. */
class Body implements AsyncIterable<Uint8Array> {
	taken = 0;
	readonly destroy = jest.fn();

	/** @param goOn what follows the last chunk: nothing unless set */
	constructor(
		private readonly chunk: Uint8Array,
		private readonly chunks: number,
		private readonly goOn: () => Promise<unknown> = async () => await Promise.resolve(),
	) {}

	async *[Symbol.asyncIterator]() {
		for (; this.taken < this.chunks; this.taken++) {
			// Not even between characters.
			yield this.chunk.subarray(0, 1);
			yield this.chunk.subarray(1);
		}
		await this.goOn();
	}
}

async function read(body: Body | string | Buffer, given: Partial<RawResponse & Call> = {}) {
	const { statusCode = 200, headers = {}, ...reading } = given;
	const stream = body instanceof Body ? body : new Body(Buffer.from(body), 1);
	const raw = { statusCode, headers, body: stream };
	const outcome = await readOutcome(raw, () => [], { expects: 'text', ...reading });
	if (outcome.kind === 'response') return outcome.response.body;
	if (outcome.kind === 'status') return outcome.said;
	throw new CallError(outcome);
}

/** Where a text ends is told by how many backslashes stand before a quotation mark. */
const ESCAPED = ['"', '\\', '\\"', '"\\', '\\\\', '"\\\\"', 'x\\\\\\'];

const failure = (problem: string) => ({ failure: { kind: 'body', problem } });

it.each(UNUSABLE)('refuses a response %s', async (_, body, complaint) => {
	const refused = failure(expect.stringContaining(complaint) as string);
	await expect(read(body)).rejects.toMatchObject(refused);
});

it.each<[what: string, body: string]>([
	['100 levels', deepLists(100)],
	[
		'brackets behind quotes and backslashes',
		JSON.stringify(ESCAPED.map((text) => text + '['.repeat(101))),
	],
	['three million numbers', `[${'1,'.repeat(3_000_000)}1]`],
	['a list of 20,000 in a record', `{"a":[${Array(20_000).fill(1).join()}],"b":1}`],
	['fields named like members of every object', JSON.stringify([INHERITED_NAMES])],
	...OTHER_TYPES.map((body): [string, string] => [body, body]),
])('passes on what is within its bounds: %s', async (_, body) => {
	expect(JSON.stringify(await read(body))).toBe(JSON.stringify(JSON.parse(body)));
});

it.each(ESCAPED)('finds the end of the text %j', async (text) => {
	const refused = failure(expect.stringContaining('nested deeper') as string);
	await expect(read(`[${JSON.stringify(text)},${deepLists(100)}]`)).rejects.toMatchObject(refused);
});

it('reads no further than its bound, 32 MB, and 256 kB of what is no success', async () => {
	const flood = new Body(CHUNK, 100);
	const refusal = new Body(CHUNK, 100);
	await expect(read(flood)).rejects.toMatchObject(failure('is larger than 32 MB'));
	await read(refusal, { statusCode: 400 });

	expect([flood.taken, refusal.taken]).toEqual([32, 0]);
});

it.each<[what: string, body: string, said: object]>([
	[
		'of 200 kB',
		`{"title":"No table","detail":"${'x'.repeat(200_000)}"}`,
		{ text: expect.stringMatching(/^No table: xxx/) as string },
	],
	['cut within a text', `{"title":"${'x'.repeat(2_000_000)}"}`, { text: '', fields: [] }],
	['that breaks off', '{"title', { text: '', fields: [] }],
	['of lists without end', '['.repeat(70_000), { text: '', fields: [] }],
])('shows no fragment of JSON of an error %s', async (_, body, said) => {
	expect(await read(body, { statusCode: 400 })).toMatchObject(said);
});

it.each<[what: string, text: string, data: unknown]>([
	['an ID', '{"id":9007199254740993}', { id: '9007199254740993' }],
	['a negative one in a list', '[1, -9223372036854775808 ]', [1, '-9223372036854775808']],
	[
		'one of many',
		`[${Array(2_000).fill('9007199254740993, 7')}]`,
		Array(2_000).fill(['9007199254740993', 7]).flat(),
	],
	[
		'after a text with quotes',
		'{"a\\"":"\\\\","b":12345678901234567890}',
		{ 'a"': '\\', b: '12345678901234567890' },
	],
])(
	'a whole number that JavaScript cannot count comes out exactly, as a text: %s',
	async (_, text, data) => {
		expect(await read(text)).toEqual(data);
	},
);

it.each([
	'9007199254740991',
	'0.12345678901234567',
	'1e25',
	'12345678901234567e2',
	'1e-12345678901234567',
])('any other number stays one: %s', async (number) =>
	expect(await read(`[${number},"12345678901234567890"]`)).toEqual([
		Number(number),
		'12345678901234567890',
	]),
);

describe('an exchange', () => {
	const never = async () => await new Promise<never>(() => undefined);
	const exchangeBy = async (send: () => Promise<RawResponse>, timeout = 20, deadline?: number) =>
		await attemptCall(
			{ send, address: 'http://service.example.com', currentSecrets: () => [] },
			{ method: 'GET', path: '/', timeout, deadline },
		);
	const TOO_LATE = { kind: 'connection', code: 'ETIMEDOUT' };

	it('ends by Timeout though no response ever comes, as after a 101, and says which it was', async () => {
		expect(await exchangeBy(never, 20)).toEqual({ ...TOO_LATE, timeoutMs: 20 });
	});

	it("says what Timeout it was, too, where n8n's helpers end the call", async () => {
		const timedOut = async () =>
			await Promise.reject(Object.assign(new Error('timeout'), { code: 'ECONNABORTED' }));

		expect(await exchangeBy(timedOut, 5_000)).toEqual({
			kind: 'connection',
			code: 'ECONNABORTED',
			timeoutMs: 5_000,
		});
	});

	it.each([
		['the deadline of the call', 20],
		['a deadline that has passed', -1_000],
	])('ends by %s, which is no Timeout', async (_, leftMs) => {
		const ended = await exchangeBy(never, 60_000, performance.now() + leftMs);

		expect(ended).toEqual(TOO_LATE);
	});

	it('ends though the body does not, and lets go of the connection', async () => {
		const body = new Body(Buffer.from('[{"id":'), 1, never);
		expect(
			await exchangeBy(async () => await Promise.resolve({ statusCode: 200, headers: {}, body })),
		).toMatchObject(TOO_LATE);
		expect(body.destroy).toHaveBeenCalled();
	});

	it.each([
		['in the error itself', { code: 'ECONNRESET' }],
		['in its cause', { cause: { cause: { code: 'ECONNRESET' } } }],
		['in `httpCode`, as before n8n 2.36', { cause: undefined, httpCode: 'ECONNRESET' }],
	])("takes Node's code of what broke from where n8n has it: %s", async (_, thrown) => {
		const broken = async () => await Promise.reject(Object.assign(new Error('broken'), thrown));
		expect(await exchangeBy(broken, 60_000)).toEqual({ kind: 'connection', code: 'ECONNRESET' });
	});

	it.each([
		['ETIMEDOUT', 'connect'],
		['EADDRNOTAVAIL', 'connect'],
		['EMFILE', 'connect'],
		['ESERVFAIL', 'getaddrinfo'],
	])(
		'that did not connect has sent nothing, whatever the code: %s of %s',
		async (code, syscall) => {
			const where = { hostname: 'service.example.com', port: 80 };
			const cause = { errors: [{ code, syscall, ...where }] };
			const unconnected = async () => await Promise.reject(Object.assign(new Error(), { cause }));
			const outcome = await exchangeBy(unconnected, 60_000);

			expect(outcome).toEqual({ kind: 'connection', code, isUnconnected: true });
			expect(outcomeOf(outcome as CallFailure).mayHaveActed).toBe(false);
		},
	);

	it('says what broke it', async () => {
		const broken = async () =>
			await Promise.reject(Object.assign(new Error('broken'), { code: 'ECONNRESET' }));
		const body = new Body(Buffer.from('[{"id":'), 1, broken);
		expect(
			await exchangeBy(
				async () => await Promise.resolve({ statusCode: 200, headers: {}, body }),
				60_000,
			),
		).toEqual({
			kind: 'connection',
			code: 'ECONNRESET',
		});
	});
});

it.each(['{"title":"Å"}', '\uFEFF{"title":"Å"}'])(
	'decodes a body as UTF-8, also of a refusal: %s',
	async (body) => {
		expect(await read(body)).toEqual({ title: 'Å' });
		expect(await read(body, { statusCode: 400 })).toMatchObject({ text: 'Å' });
	},
);

describe('a success', () => {
	it.each(['OK', '"OK"', 'OK, sent as 12345678901234567890'])(
		'may be a text where the documents show no body, and nowhere else: %s',
		async (body) => {
			expect(await read(body)).toBe(body.replaceAll('"', ''));
			for (const expects of ['list', 'record', undefined] as const) {
				await expect(read(body, { expects })).rejects.toMatchObject({ failure: { kind: 'body' } });
			}
		},
	);

	it.each([
		['its text', '<!doctype html><title>Sign in</title>', {}],
		['its type', 'Sign in', { 'content-type': 'text/html; charset=utf-8' }],
	])('is no web page: by %s', async (_, body, headers) => {
		await expect(read(body, { headers })).rejects.toMatchObject(
			failure('is something other than data'),
		);
	});

	it.each([200, 201, 204, 205])(
		'of %i without a body is that of a change; what reads needs one, and what is told by its body alone',
		async (statusCode) => {
			const told = failure('is empty: no confirmation came, it may have been made');
			for (const expects of ['list', 'record', 'text'] as const) {
				for (const body of ['', 'null', '""', '\r\n', ' ', '\uFEFF']) {
					const change = read(body, { statusCode, expects, mayBeEmpty: true });
					const reading = read(body, { statusCode, expects });
					const result = read(body, { statusCode, expects, mayBeEmpty: false });

					expect(await change).toBeUndefined();
					await expect(reading).rejects.toMatchObject(failure('is empty'));
					await expect(result).rejects.toMatchObject(told);
				}
			}
		},
	);
});

describe('Retry-After', () => {
	const date = 'Sun, 01 Mar 2026 12:00:00 GMT';
	const waitOf = (text: unknown, sent: string | undefined = date) =>
		readRetryAfter({ 'retry-after': text as string, date: sent });

	it('is read in seconds and as a date', () => {
		expect(waitOf('7')).toBe(7000);
		expect(waitOf(' 120 ')).toBe(120_000);
		expect(waitOf('1.2')).toBe(1200);
		expect(waitOf('Sun, 01 Mar 2026 12:00:09 GMT')).toBe(9000);
	});

	it.each([
		['ten minutes ahead of', 10],
		['ten minutes behind', -10],
	])("counts from the response's Date, with a service that is %s n8n", (_, minutes) => {
		const sent = Date.now() + minutes * 60_000;
		const httpDate = (ms: number) => new Date(ms).toUTCString();

		expect(waitOf(httpDate(sent + 3_000), httpDate(sent))).toBe(3_000);
	});

	it("counts from n8n's clock where the response has no readable Date", () => {
		const inAMinute = new Date(Date.now() + 60_000).toUTCString();

		for (const sent of ['', 'yesterday']) {
			expect(waitOf(inAMinute, sent)).toBeGreaterThan(55_000);
			expect(waitOf(inAMinute, sent)).toBeLessThanOrEqual(60_000);
		}
	});

	it('that has passed is no wait, and one that cannot be read is none given', () => {
		expect(waitOf('Sun, 01 Mar 2026 11:00:00 GMT')).toBe(0);
		for (const text of ['soon', '9'.repeat(400), '7 s', 's 7', '1.5.2', '.5', '-1', '']) {
			expect(waitOf(text)).toBeUndefined();
		}
		expect(waitOf(undefined)).toBeUndefined();
	});
});
