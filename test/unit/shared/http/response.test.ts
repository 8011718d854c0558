import { CallError } from '../../../../nodes/shared/errors/callFault';
import { type Call, type RawResponse, readOutcome } from '../../../../nodes/shared/http/response';
import {
	CHUNK,
	INHERITED_NAMES,
	OTHER_TYPES,
	deepLists,
	unusable,
} from '../../../engine/support/hostileResponses';

const MB = CHUNK.length;

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
		for (; this.taken < this.chunks; this.taken++) yield this.chunk;
		await this.goOn();
	}
}

async function read(
	body: Body | string | Buffer,
	given: Partial<RawResponse & Call> & { endsAt?: number } = {},
) {
	const { statusCode = 200, headers = {}, endsAt = performance.now() + 60_000, ...reading } = given;
	const stream = body instanceof Body ? body : new Body(Buffer.from(body), 1);
	const outcome = await readOutcome(
		{ statusCode, headers, body: stream },
		'http://service.example.com',
		endsAt,
		{ text: (text) => text, data: (text, parse) => parse(text) },
		{ accepts: 'anything', ...reading },
	);
	if (outcome.kind === 'response') return outcome.response.body;
	if (outcome.kind === 'status') return outcome.body;
	throw new CallError(outcome);
}

const TOO_LATE = { fault: { kind: 'connection', code: 'ETIMEDOUT' } };
const fault = (problem: string) => ({ fault: { kind: 'body', problem } });

it.each(unusable(10_001, 2_000_001))('refuses a response %s', async (_, body, complaint) => {
	await expect(read(body)).rejects.toMatchObject(fault(complaint));
	expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

it.each<[what: string, body: string]>([
	['100 levels', deepLists(101)],
	['10,000 fields', unusable(10_000, 0)[2]?.[1] ?? ''],
	['fields named like members of every object', JSON.stringify([INHERITED_NAMES])],
	...OTHER_TYPES.map((body): [string, string] => [body, body]),
])('passes on what is within its bounds: %s', async (_, body) => {
	expect(JSON.stringify(await read(body))).toBe(JSON.stringify(JSON.parse(body)));
});

it('reads no further than its bound, 32 MB unless set, and 64 kB of what is no success', async () => {
	const [flood, small, refusal] = [new Body(CHUNK, 100), new Body(CHUNK, 100), new Body(CHUNK, 100)];
	await expect(read(flood)).rejects.toMatchObject(fault('is larger than 32 MB'));
	await expect(read(small, { largestMb: 1 })).rejects.toMatchObject(fault('is larger than 1 MB'));
	await read(refusal, { statusCode: 400 });

	expect([flood.taken, small.taken, refusal.taken]).toEqual([32, 1, 0]);
});

it('holds no more than 256 MB of all responses under way, and lets go of what has ended', async () => {
	let end: () => void = () => undefined;
	const ended = new Promise<void>((resolve) => (end = resolve));
	const held = Array.from({ length: 8 }, () => new Body(CHUNK, 30, async () => await ended));
	const reading = Promise.all(held.map(async (body) => await read(body)));
	while (held.some(({ taken }) => taken < 30)) await new Promise(setImmediate);

	await expect(read(new Body(CHUNK, 30))).rejects.toMatchObject(
		fault('exceeds 256 MB across concurrent responses'),
	);
	end();
	await expect(reading).resolves.toHaveLength(8);
	await expect(read(new Body(CHUNK, 30))).resolves.toHaveLength(30 * MB);
});

it('takes the first records of a list that is too large, where they are all that is asked for', async () => {
	const list = (name: string) =>
		`[{"id":1,"name":"first ]}[{,\\""},{"id":2,"list":[1,[2]]},{"id":3,"name":"${name}`;
	const long = list('x'.repeat(MB));

	expect(await read(long, { largestMb: 1, records: 2 })).toEqual([
		{ id: 1, name: 'first ]}[{,"' },
		{ id: 2, list: [1, [2]] },
	]);
	await expect(read(long, { largestMb: 1, records: 3 })).rejects.toMatchObject(fault('is larger than 1 MB'));
});

it.each([
	['the time is over', 20, async () => await new Promise(() => undefined), TOO_LATE],
	['the time was over before', -1000, async () => await new Promise(() => undefined), TOO_LATE],
	[
		'the connection breaks',
		60_000,
		async () => await Promise.reject(new Error('broken')),
		{ message: 'broken' },
	],
])('gives up when %s, and lets go of the connection', async (_, leftMs, goOn, error) => {
	const body = new Body(Buffer.from('[{"id":'), 1, goOn);

	await expect(read(body, { endsAt: performance.now() + leftMs })).rejects.toMatchObject(error);
	expect(body.destroy).toHaveBeenCalled();
});

it.each<[contentType: string, body: Buffer]>([
	['application/json', Buffer.from('["Å"]')],
	['application/json; charset=utf-8', Buffer.from('\uFEFF["Å"]')],
	['application/json; charset="UTF-8"', Buffer.from('["Å"]')],
	['application/json; charset=unheard-of', Buffer.from('["Å"]')],
	['application/json;Charset=ISO-8859-15; boundary=x', Buffer.from('["Å"]', 'latin1')],
	['text/json; charset="windows-1252"', Buffer.from('["Å"]', 'latin1')],
	['application/json; charset=utf-16le', Buffer.from('\uFEFF["Å"]', 'utf16le')],
])('decodes a body by the charset that it declares: %s', async (contentType, body) => {
	expect(await read(body, { headers: { 'content-type': contentType } })).toEqual(['Å']);
});
