import { Readable } from 'node:stream';

/** What a route answers; date-times are in UTC. */
export interface Answer {
	status: number;
	/** undefined sends no body. Lists may be any iterable: they are written while they are read. */
	body?: unknown;
	headers?: Record<string, string>;
}

/** A 200 with a body. */
export function ok(body: unknown): Answer {
	return { status: 200, body };
}

/** A list, written to the wire piece by piece so that 100,000 bookings are never one string. */
export class JsonList {
	readonly records: Iterable<unknown>;

	constructor(records: Iterable<unknown>) {
		this.records = records;
	}
}

const CHUNK = 64 * 1024;

function* chunks(records: Iterable<unknown>, convert: (record: unknown) => unknown): Generator<string> {
	let text = '[';
	let first = true;
	for (const record of records) {
		text += (first ? '' : ',') + JSON.stringify(convert(record));
		first = false;
		if (text.length >= CHUNK) {
			yield text;
			text = '';
		}
	}
	yield text + ']';
}

/** The JSON text of a list as a stream. */
export function streamList(list: JsonList, convert: (record: unknown) => unknown): Readable {
	return Readable.from(chunks(list.records, convert), { objectMode: false });
}
