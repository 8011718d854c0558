import { Readable } from 'node:stream';
import maxBy from 'lodash/maxBy.js';
import range from 'lodash/range.js';
import round from 'lodash/round.js';
import '../scripts/packageSources.ts';
import { growthOf, MOST_GROWTH, type Report } from './report.ts';

const { readOutcome } = await import('../nodes/shared/http/response.ts');
const { readJson } = await import('../nodes/shared/http/readJson.ts');
const { looksLikeHtml, readServiceMessage } = await import('../nodes/shared/errors/serviceMessage.ts');
const { redacted } = await import('../nodes/shared/errors/secrets.ts');
const { plainText } = await import('../nodes/shared/values/plainText.ts');

const MB = 1024 * 1024;
const MOST_MB = 32;
const CHUNK = 64 * 1024;
const SECRETS = ['\\'.repeat(16), 'eyJ-eyJ-', '<title<title', 'a'.repeat(500)];

/** Texts that patterns trip over: what stands in front, what is repeated, what ends it. */
const TEXTS: Record<string, readonly [start: string, unit: string, end: string]> = {
	backslashes: ['["', '\\\\', '"]'],
	'escaped quotes': ['["', '\\"', '"]'],
	'quotes without an end': ['["', '\\"', ''],
	'half a tag': ['', '<title', ''],
	'half a token': ['', 'eyJ-', ''],
	blanks: ['', ' ', 'x'],
	digits: ['[', '1', ']'],
	'open lists': ['', '[', ''],
	braces: ['{"message":"', '{a', '"}'],
	secrets: ['"', 'aaaa', '"'],
	records: ['[', '{"id":1234567890123456789,"name":"a guest","start":"2026-01-01T00:00:00Z"},', '{}]'],
};

const FUNCTIONS: Record<string, (text: string) => unknown> = {
	'a success': async (text) => await outcomeOf(200, text),
	'a refusal': async (text) => await outcomeOf(400, text),
	readJson: (text) => readJson(text, Infinity),
	readServiceMessage: (text) => readServiceMessage(text, SECRETS),
	'readServiceMessage of fields': (text) =>
		readServiceMessage({ title: text, errors: { [text]: [text] } }, SECRETS),
	looksLikeHtml,
	redacted: (text) => redacted(text, SECRETS),
	plainText: (text) => plainText(text),
};

/** Reads a text as it comes from a socket. */
async function outcomeOf(statusCode: number, text: string): Promise<unknown> {
	const bytes = Buffer.from(text);
	const parts = range(0, bytes.length, CHUNK).map((start) => bytes.subarray(start, start + CHUNK));
	return await readOutcome({ statusCode, headers: {}, body: Readable.from(parts) }, () => SECRETS, {});
}

/** Each function that reads a response, on hostile text of half the bound and the whole; of its texts the worst counts. */
export async function benchResponses(report: Report, quick: boolean): Promise<void> {
	const size = (quick ? 1 : MOST_MB) * MB;
	for (const [name, read] of Object.entries(FUNCTIONS)) {
		const rows: Array<{ text: string; ms: number; ratio: number }> = [];
		for (const [text, shape] of Object.entries(TEXTS)) {
			const { whole, ratio } = await growthOf(size, (bytes) => {
				const filled = fill(shape, bytes);
				return () => read(filled);
			});
			rows.push({ text, ms: round(whole, 1), ratio: round(ratio, 2) });
		}
		console.log(`\n${name}, ${size / MB} MB`);
		console.table(rows);
		const { text, ratio } = maxBy(rows, 'ratio') ?? { text: '', ratio: Number.NaN };
		report.add(`Reading, ${name}: ratio`, ratio, MOST_GROWTH, text);
	}
}

function fill([start, unit, end]: readonly [string, string, string], size: number): string {
	const text = start + unit.repeat((size - start.length - end.length) / unit.length) + end;
	// As it comes from a buffer: not as the tree of its parts.
	return Buffer.from(text).toString();
}
