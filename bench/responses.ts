import { Readable } from 'node:stream';
import range from 'lodash/range.js';
import round from 'lodash/round.js';
import { loadSource } from '../scripts/nodeSources.ts';
import { MOST_RATIO, ratioOf, timesOf, verdict } from './report.ts';

/** What reads the response of a call, from the sources. */
type ReadOutcome = (
	response: { statusCode: number; headers: object; body: unknown },
	secrets: readonly string[],
	call: { largestMb: number },
) => Promise<unknown>;
const { readOutcome } = loadSource<{ readOutcome: ReadOutcome }>('shared/http/response.ts');
const { readJson } = loadSource<{ readJson(text: string, maxValues: number): unknown }>(
	'shared/http/readJson.ts',
);
const { looksLikeHtml, readServiceMessage } = loadSource<{
	looksLikeHtml(text: string): boolean;
	readServiceMessage(body: unknown, secrets: readonly string[]): unknown;
}>('shared/errors/serviceMessage.ts');
const { redacted } = loadSource<{ redacted(text: string, secrets: readonly string[]): string }>(
	'shared/errors/secrets.ts',
);
const { plainText } = loadSource<{ plainText(text: string): string }>('shared/values/plainText.ts');

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

/** Each is given a text and, as it comes from a socket, its bytes. */
const FUNCTIONS: Record<string, (text: string, bytes: readonly Buffer[]) => unknown> = {
	'a success': async (_, bytes) => await outcomeOf(200, bytes),
	'a refusal': async (_, bytes) => await outcomeOf(400, bytes),
	readJson: (text) => readJson(text, Infinity),
	readServiceMessage: (text) => readServiceMessage(text, SECRETS),
	'readServiceMessage of fields': (text) =>
		readServiceMessage({ title: text, errors: { [text]: [text] } }, SECRETS),
	looksLikeHtml,
	redacted: (text) => redacted(text, SECRETS),
	plainText: (text) => plainText(text),
};

async function outcomeOf(statusCode: number, bytes: readonly Buffer[]): Promise<unknown> {
	const body = Readable.from(bytes);
	return await readOutcome({ statusCode, headers: {}, body }, SECRETS, { largestMb: MOST_MB });
}

/**
 * Each function that reads a response, on hostile text of half the bound and the whole.
 *
 * @returns a line a function, with the worst of its texts
 */
export async function benchResponses(say: (text: string) => void, quick: boolean): Promise<string[]> {
	const size = (quick ? 1 : MOST_MB) * MB;
	const results: string[] = [];
	for (const [name, read] of Object.entries(FUNCTIONS)) {
		const rows: Array<{ text: string; ms: number; ratio: number }> = [];
		for (const [text, shape] of Object.entries(TEXTS)) {
			const times = await timesOf([size / 2, size].map((bytes) => reading(read, fill(shape, bytes))));
			rows.push({ text, ms: round(times.at(-1) ?? Number.NaN, 1), ratio: round(ratioOf(times), 2) });
		}
		say(`\n${name}, ${size / MB} MB`);
		console.table(rows);
		const worst = rows.reduce((one, other) => (other.ratio > one.ratio ? other : one));
		const isReached = worst.ratio <= MOST_RATIO;
		results.push(
			`Reading, ${name}: ratio ${worst.ratio.toFixed(2)} (${worst.text}), at most ${MOST_RATIO}: ${verdict(isReached)}`,
		);
	}
	return results;
}

function fill([start, unit, end]: readonly [string, string, string], size: number): string {
	const text = start + unit.repeat((size - start.length - end.length) / unit.length) + end;
	// As it comes from a buffer: not as the tree of its parts.
	return Buffer.from(text).toString();
}

/** @returns what reads a text, and its bytes as they come from a socket */
function reading(read: (typeof FUNCTIONS)[string], text: string): () => unknown {
	const all = Buffer.from(text);
	const bytes = range(0, all.length, CHUNK).map((start) => all.subarray(start, start + CHUNK));
	return () => read(text, bytes);
}
