import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { everyOperation } from '../../support/everyOperation';
import { sendJson } from '../../support/server';
import {
	cancelBooking,
	getCustomers,
	getSubscription,
	shown,
	useStandIn,
} from '../../support/standIn';

const here = useStandIn();

/** What breaks, and what is said of it in a change and in a read. */
const BROKEN: ReadonlyArray<
	[what: string, respond: (response: ServerResponse) => void, said: RegExp]
> = [
	[
		'reset before it',
		({ socket }) => void socket?.resetAndDestroy(),
		/^The connection to 'Base URL' broke/,
	],
	['closed before it', ({ socket }) => void socket?.end(), /^The connection to 'Base URL' broke/],
	[
		'reset in its body',
		(response) => {
			response.writeHead(200, { 'content-length': '1000' });
			response.write('[{"id"', () => response.socket?.resetAndDestroy());
		},
		/^The connection to 'Base URL' broke/,
	],
	[
		'garbage',
		({ socket }) => void socket?.end('garbage\r\n\r\n'),
		/^The response from 'Base URL' is not valid HTTP/,
	],
];

it.each(BROKEN)(
	'a broken connection is recognized, in a change and in a read: instead of a response %s',
	async (what, respond, said) => {
		here.respond = respond;
		const changed = await cancelBooking(here);
		const read = await getCustomers(here);

		expect(shown(changed)).toMatch(new RegExp(`${said.source}[^|]*The change may have been made`));
		expect(shown(read)).toMatch(said);
		const calls = here.server.received.map(({ url }) => url);
		const reads = calls.filter((url) => url.includes('customers')).length;
		// What is no HTTP ends at once. In real n8n some attempts end before they arrive: its connection is kept open, and broken.
		if (what === 'garbage') expect(reads).toBe(1);
		else expect(reads).toBeGreaterThan(1);
		expect(calls.filter((url) => url.includes('WebBooking'))).toHaveLength(1);
	},
);

const DAMAGED: Record<string, (data: Buffer) => Buffer> = {
	gzip: gzipSync,
	deflate: deflateSync,
	br: brotliCompressSync,
	zstd: zstdCompressSync,
};

describe.each(Object.entries(DAMAGED))('%s', (encoding, compress) => {
	const whole = compress(Buffer.from(JSON.stringify([{ id: 1, name: 'x'.repeat(3_000) }])));

	it.each([
		['not at all', Buffer.from('[{"id":1}]')],
		[
			'with a byte changed',
			Buffer.from(whole.map((byte, at) => (at === whole.length >> 1 ? byte ^ 0xff : byte))),
		],
		['to its half', whole.subarray(0, whole.length / 2)],
	])(
		'that is compressed %s is named as what it is, not as an address that is wrong',
		async (how, body) => {
			const runsWith = async (sent: Buffer) => {
				here.respond = (response) =>
					void response.writeHead(200, { 'content-encoding': encoding }).end(sent);
				return [await getCustomers(here), await getSubscription(here)];
			};
			// Some versions of n8n decode no zstd: they read as it stands what is not compressed.
			const isDecoded = (await runsWith(whole))[0]?.error === undefined;
			expect(isDecoded || encoding === 'zstd').toBe(true);

			for (const run of isDecoded || how !== 'not at all' ? await runsWith(body) : []) {
				expect(shown(run)).toMatch(
					/^The response (from 'Base URL' is not valid HTTP|from 'Payment URL' is not valid HTTP|is something other than data|breaks off|is empty)/,
				);
			}
		},
	);
});

describe('a refusal with a body that is not compressed as its header says', () => {
	const respond = (response: ServerResponse, status: number) =>
		void response.writeHead(status, { 'content-encoding': 'gzip', 'retry-after': '0' }).end('{}');
	const options = { timeout: 500, giveUpAfter: 0 };

	it.each([404, 429, 503])(
		'is told by its status, and a change counts as not made: %i',
		async (status) => {
			here.respond = (response) => respond(response, status);
			const runs = [
				await cancelBooking(here, { options }),
				await getSubscription(here, { options }),
			];

			for (const text of runs.map(shown)) {
				expect(text).toContain(`(${status})`);
				expect(text).not.toMatch(/may have been made|compressed|broke|in time/);
			}
		},
	);

	it('by a 401 gets another token', async () => {
		let calls = 0;
		here.respond = (response) => (calls++ ? sendJson(response, []) : respond(response, 401));

		expect((await getCustomers(here, { options })).error).toBeUndefined();
	});
});

describe('a success that is none', () => {
	const bodies: ReadonlyArray<[what: string, body: string, kinds: string]> = [
		['is empty', '', 'list record batch'],
		['is null', 'null', 'list record batch'],
		['breaks off', '[{"id":1},{"id"', 'list record batch'],
		['is a list', '[]', 'record batch'],
		['is a record', '{}', 'list'],
		['is true', 'true', 'list record batch'],
		['is a number', '42', 'list record batch'],
		['is a text', '"OK"', 'list record batch'],
	];
	const documented = everyOperation.filter(
		({ operation }) => operation.output.schema !== undefined,
	);

	it.each(documented)('fails the item: $id', async ({ node, parameters, operation, record }) => {
		const isConfirmed = record !== undefined && !operation.resultIsInBody;
		const ofKind = bodies.filter(([, , kinds]) => kinds.includes(operation.output.kind));
		for (const [what, body] of ofKind.filter(
			([, text]) => !isConfirmed || !/^(|null)$/.test(text),
		)) {
			// As HTTP/1.0: only the end of the connection ends the body.
			here.respond = ({ socket }) =>
				void socket?.end(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${body}`);
			const text = shown(await here.engine.execute({ node, parameters }));

			expect([what, text]).toEqual([what, expect.stringMatching(/^The response (is|breaks off)/)]);
			const isUnconfirmed = operation.resultIsInBody === true && /^(|null)$/.test(body);
			const mayBeMade = record !== undefined || isUnconfirmed;
			expect(text.split('may have been made')).toHaveLength(mayBeMade ? 2 : 1);
			if (isUnconfirmed) expect(text).toContain('no confirmation came, it may have been made');
			if (record !== undefined) expect(text).toContain(record);
		}
	});
});
