import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import maxBy from 'lodash/maxBy.js';
import range from 'lodash/range.js';
import '../scripts/packageSources.ts';
import { report } from './report.ts';

const { readOutcome } = await import('../nodes/shared/http/response.ts');
const { comparable, compareNames } = await import('../nodes/shared/values/text.ts');
const { matchesFilters } = await import('../nodes/shared/booking/filters.ts');
const { PeopleSearch } = await import('../nodes/shared/booking/peopleSearch.ts');
const { simplifiedShaper } = await import('../nodes/shared/output/recordShape.ts');
const { webBookings } = await import('../nodes/shared/booking/outputColumns.ts');

/** Twice as much takes twice the time, and a little for the memory. */
const MOST_GROWTH = 2.3;
const BYTES = 32 * 1024 * 1024;
const CHUNK = 64 * 1024;
const ROUNDS = 9;
/** As long as a copy or two of 32 MB take: less holds nothing up, and is counted as this. */
const LEAST_MS = 40;
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
	records: [
		'[',
		'{"id":1234567890123456789,"name":"a guest","start":"2026-01-01T00:00:00Z"},',
		'{}]',
	],
};

/** A booking whose guest and status have this text. */
const bookingWith = (text: string) => ({
	guid: 'b',
	start: '2026-01-01T18:00:00Z',
	status: 1,
	message: text,
	contact: { fname: text, lname: text, email: text },
	history: [{ status: 1, statusName: text, changeDate: '2026-01-01T00:00:00Z' }],
});

/** A text, and as it comes from a socket. */
interface Sample {
	text: string;
	chunks: Buffer[];
}

/** What reads a response, says what is in it, compares it, or shows it in a menu. */
const FUNCTIONS: Record<string, (sample: Sample) => unknown> = {
	'reading a success': async ({ chunks }) => await outcomeOf(200, chunks),
	'reading a refusal': async ({ chunks }) => await outcomeOf(400, chunks),
	comparing: ({ text }) => [comparable(text), compareNames(text, text.slice(1))],
	searching: ({ text }) => matchesFilters(bookingWith(text), { search: new PeopleSearch('berg') }),
	showing: ({ text }) =>
		simplifiedShaper(webBookings, { timeZone: 'UTC', language: 'en-GB', statusRoles: {} })(
			bookingWith(text),
		),
};

async function outcomeOf(statusCode: number, chunks: Buffer[]): Promise<unknown> {
	return await readOutcome(
		{ statusCode, headers: {}, body: Readable.from(chunks) },
		() => SECRETS,
		{},
	);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Does a work on each sample in turns. @returns the least milliseconds that the thread has worked */
async function timesOf(
	work: (sample: Sample) => unknown,
	samples: readonly Sample[],
): Promise<number[]> {
	const least = samples.map(() => Infinity);
	for (let round = 0; round < ROUNDS; round++) {
		for (const [index, sample] of samples.entries()) {
			collectGarbage();
			const start = process.threadCpuUsage();
			await work(sample);
			const { user, system } = process.threadCpuUsage(start);
			least[index] = Math.min(least[index] ?? Infinity, (user + system) / 1_000);
		}
	}
	return least.map((ms) => Math.max(ms, LEAST_MS));
}

/** Each function on hostile text of half the bound of a response and the whole; of its texts the worst counts. */
export async function benchGrowth(): Promise<void> {
	for (const [name, work] of Object.entries(FUNCTIONS)) {
		const rows: Array<{ text: string; ms: number; ratio: number }> = [];
		for (const [text, shape] of Object.entries(TEXTS)) {
			const [half = 0, ms = 0] = await timesOf(work, [
				sampleOf(shape, BYTES / 2),
				sampleOf(shape, BYTES),
			]);
			rows.push({ text, ms, ratio: ms / half });
		}
		const { text, ratio, ms } = maxBy(rows, 'ratio') ?? {
			text: '',
			ratio: Number.NaN,
			ms: Number.NaN,
		};
		report(`Growth, ${name}`, ratio, MOST_GROWTH, `${text}, ${ms.toFixed(0)} ms for 32 MB`);
	}
}

function sampleOf([start, unit, end]: readonly [string, string, string], size: number): Sample {
	const count = Math.floor((size - start.length - end.length) / Buffer.byteLength(unit));
	const bytes = Buffer.from(start + unit.repeat(count) + end);
	const chunks = range(0, bytes.length, CHUNK).map((from) => bytes.subarray(from, from + CHUNK));
	// As it comes from a buffer: not as the tree of its parts.
	return { text: bytes.toString(), chunks };
}
