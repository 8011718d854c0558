import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import attempt from 'lodash/attempt.js';
import maxBy from 'lodash/maxBy.js';
import range from 'lodash/range.js';
import '../scripts/packageSources.ts';
import { report } from './report.ts';

const { readOutcome } = await import('../nodes/shared/http/response.ts');
const { comparable, compareNames } = await import('../nodes/shared/values/text.ts');
const { matchesFilters } = await import('../nodes/shared/booking/bookingFilters.ts');
const { shapeRecord } = await import('../nodes/shared/booking/recordShape.ts');
const { webBookings } = await import('../nodes/shared/booking/records.ts');

/** Twice as much takes twice the time, and a little for the memory. */
const MOST_GROWTH = 2.3;
const BYTES = 32 * 1024 * 1024;
const CHUNK = 64 * 1024;
const ROUNDS = 9;
/** What takes less says nothing: JSON.parse itself varies by as much where other processes run. */
const LEAST_MS = 50;
const SECRETS = ['\\'.repeat(16), 'eyJ-eyJ-', '<title<title', 'a'.repeat(500)];

/** Texts that patterns and Unicode's algorithms trip over: what stands in front, what is repeated, what ends it. */
const TEXTS: Record<string, readonly [start: string, unit: string, end: string]> = {
	backslashes: ['["', '\\\\', '"]'],
	'quotes without an end': ['["', '\\"', ''],
	'half a tag': ['', '<title', ''],
	'half a token': ['', 'eyJ-', ''],
	blanks: ['', ' ', 'x'],
	digits: ['[', '1', ']'],
	'open lists': ['', '[', ''],
	braces: ['{"message":"', '{a', '"}'],
	secrets: ['"', 'aaaa', '"'],
	'combining marks': ['["', '\u0301', '"]'],
	'joined emoji': ['["', '👩‍', '"]'],
	records: ['[', '{"id":1234567890123456789,"name":"a guest","start":"2026-01-01T00:00:00Z"},', '{}]'],
};

/** A booking whose guest and status have this text. */
const bookingWith = (text: string) => ({
	...{ guid: 'b', start: '2026-01-01T18:00:00Z', status: 1, message: text },
	contact: { fname: text, lname: text, email: text },
	history: [{ status: 1, statusName: text, changeDate: '2026-01-01T00:00:00Z' }],
});

/** Most of its time is that of JSON.parse, which grows as it likes: it is measured beside it and left out. */
const READING = 'reading a success';
/** What reads a response, says what is in it, compares it, or shows it in a menu. */
const FUNCTIONS: Record<string, (text: string) => unknown> = {
	[READING]: async (text) => await outcomeOf(200, text),
	'reading a refusal': async (text) => await outcomeOf(400, text),
	comparing: (text) => [comparable(text), compareNames(text, `${text}a`)],
	searching: (text) => matchesFilters(bookingWith(text), { search: 'berg' }),
	showing: (text) =>
		shapeRecord(bookingWith(text), webBookings, 'simplified', [], { timeZone: 'UTC', statusRoles: {} }),
};

/** Reads a text as it comes from a socket. */
async function outcomeOf(statusCode: number, text: string): Promise<unknown> {
	const bytes = Buffer.from(text);
	const parts = range(0, bytes.length, CHUNK).map((start) => bytes.subarray(start, start + CHUNK));
	return await readOutcome({ statusCode, headers: {}, body: Readable.from(parts) }, () => SECRETS, {});
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Does each work in turns. @returns the least milliseconds of the processor, as what else runs counts little in them */
async function timesOf(works: ReadonlyArray<() => unknown>): Promise<number[]> {
	const least = works.map(() => Infinity);
	for (let round = 0; round < ROUNDS; round++)
		for (const [index, work] of works.entries()) {
			collectGarbage();
			const start = process.cpuUsage();
			await work();
			// Without the system's time, which it takes to find the memory.
			least[index] = Math.min(least[index] ?? Infinity, process.cpuUsage(start).user / 1_000);
		}
	return least;
}

/** Each function on hostile text of half the bound of a response and the whole; of its texts the worst counts. */
export async function benchGrowth(): Promise<void> {
	for (const [name, work] of Object.entries(FUNCTIONS)) {
		const rows: Array<{ text: string; ms: number; ratio: number }> = [];
		for (const [text, shape] of Object.entries(TEXTS)) {
			const works = [BYTES / 2, BYTES].flatMap((size) => {
				const filled = fill(shape, size);
				return [() => work(filled), () => name === READING && attempt(JSON.parse, filled)];
			});
			const [half = 0, parsedHalf = 0, whole = 0, parsedWhole = 0] = await timesOf(works);
			const own = (all: number, parsed: number) => Math.max(all - parsed, LEAST_MS);
			rows.push({ text, ms: whole, ratio: own(whole, parsedWhole) / own(half, parsedHalf) });
		}
		const { text, ratio, ms } = maxBy(rows, 'ratio') ?? { text: '', ratio: Number.NaN, ms: Number.NaN };
		report(`Growth, ${name}`, ratio, MOST_GROWTH, `${text}, ${ms.toFixed(0)} ms for 32 MB`);
	}
}

function fill([start, unit, end]: readonly [string, string, string], size: number): string {
	const count = Math.floor((size - start.length - end.length) / Buffer.byteLength(unit));
	// As it comes from a buffer: not as the tree of its parts.
	return Buffer.from(start + unit.repeat(count) + end).toString();
}
