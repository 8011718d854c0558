import type { ServerResponse } from 'node:http';

/** One megabyte of blanks. */
export const CHUNK = Buffer.alloc(1024 * 1024, ' ');

/** Gives one hostile response. */
export type Respond = (response: ServerResponse) => void;

export const text =
	(body: string, status = 200): Respond =>
	(response) =>
		response.writeHead(status, { 'content-type': 'application/json' }).end(body);

/** Sends megabytes until it has sent so many or nobody listens any more; `sent` says how many were taken. */
export function flood(megabytes: number, status = 200): { respond: Respond; sent: () => number } {
	let sent = 0;
	return {
		sent: () => sent,
		respond: (response) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			let own = 0;
			const more = () => {
				while (own < megabytes && !response.destroyed) {
					own += 1;
					sent += 1;
					if (!response.write(CHUNK)) return void response.once('drain', more);
				}
				if (!response.destroyed) response.end('[]');
			};
			more();
		},
	};
}

/** Sends a blank now and then and never ends. */
export const drip: Respond = (response) => {
	response.writeHead(200, { 'content-type': 'application/json' });
	const dripping = setInterval(() => response.write(' '), 20);
	response.once('close', () => clearInterval(dripping));
};

/** Headers of 100 kB. */
export const headerBomb: Respond = (response) => {
	response.writeHead(200, { 'x-bomb': 'x'.repeat(100_000) }).end('[]');
};

export const deepLists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const deepRecord = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
const manyFields = (fields: number) =>
	`{${Array.from({ length: fields }, (_, index) => `"f${index}":1`).join()}}`;

/** Bodies that n8n could not take, each with what is said of it. */
export const UNUSABLE: ReadonlyArray<[what: string, body: string, complaint: string]> = [
	['nested 10,000 deep', deepLists(10_000), 'is nested deeper than 100 levels'],
	['of a record nested 10,000 deep', `[${deepRecord(10_000)}]`, 'is nested deeper than 100 levels'],
	[
		'of two million empty lists',
		`[${'[],'.repeat(2_000_000)}1]`,
		'has more than 2000000 lists and records',
	],
	[
		'of as many records',
		`[${'{},'.repeat(2_000_000)}1]`,
		'has more than 2000000 lists and records',
	],
	[
		'of nested lists',
		`[${`${deepLists(60)},`.repeat(40_000)}1]`,
		'has more than 2000000 lists and records',
	],
	[
		'with a number that JSON cannot hold',
		'[{"id":1e999}]',
		'has a number too large for JSON (1e999)',
	],
	['with another', `[-${'9'.repeat(400)}]`, 'has a number too large for JSON (-99'],
];

/** A record with fields named as what every object has. */
export const INHERITED_NAMES = {
	id: 1,
	constructor: { prototype: { polluted: true } },
	toString: 'x',
	hasOwnProperty: 1,
	valueOf: null,
};

/** Bodies of another type than documented. */
export const OTHER_TYPES = [
	'7',
	'true',
	'"text"',
	'{}',
	'[7, "text", null, [], true]',
	'{"items":7}',
	'[[[]]]',
	'[{"id":{}},{"id":[]}]',
	'[{"id":1,"__proto__":{"polluted":true},"a":[{"__proto__":{"polluted":true}}]}]',
];

/** What a person could paste into 'JSON', or an item could bring along. */
export const HOSTILE_BODIES: ReadonlyArray<[what: string, body: string]> = [
	['nested 10,000 deep', deepRecord(10_000)],
	['of 100,000 fields', manyFields(100_000)],
	['with __proto__', '{"__proto__":{"polluted":true},"id":1}'],
	['with what every object has', '{"constructor":{"prototype":{"polluted":true}},"toString":1}'],
];
