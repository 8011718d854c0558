import groupBy from 'lodash/groupBy.js';
import isEqual from 'lodash/isEqual.js';
import sortBy from 'lodash/sortBy.js';
import uniq from 'lodash/uniq.js';

import type { CallFailure } from '../nodes/shared/errors/callFailure.ts';
import { markdownTable } from '../dev/pages.ts';
import { readMessages } from './messages.ts';
import type { NodeSource } from './nodeSources.ts';
import './packageSources.ts';

const { anchorOf } = await import('../nodes/shared/errors/help.ts');
const { failureWords } = await import('../nodes/shared/errors/words.ts');

const statuses = (...all: number[]) => all.map((status): CallFailure => ({ kind: 'status', status }));
const codes = (...all: string[]) => all.map((code): CallFailure => ({ kind: 'connection', code }));
/** What can be wrong with a call, by headings of docs/troubleshooting.md. */
const FAULTS: Record<string, CallFailure[]> = {
	'The values of a call': statuses(400, 404, 409, 410, 413, 414, 418, 422, 423),
	'The account': statuses(401, 403),
	'Too many calls': [
		...statuses(429),
		{ kind: 'status', status: 429, retryAfterMs: 60_000, isUnsent: true },
		{ kind: 'waited' },
	],
	'The address': [
		...statuses(405, 406, 415, 501),
		{ kind: 'redirect', status: 302, address: '', isService: false },
		{ kind: 'redirect', status: 302, address: '…', isService: false },
		...codes('ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'EHOSTUNREACH', 'HPE_INVALID_CONSTANT'),
	],
	'The service or the network': [
		...statuses(408, 425, 500, 502, 503, 504),
		...codes('EAI_AGAIN', 'ETIMEDOUT', 'ECONNRESET', 'ERR_CANCELED'),
	],
	'A proxy': [
		{ kind: 'status', status: 407, proxy: 'own' },
		{ kind: 'connection', code: 'ECONNREFUSED', proxy: 'own' },
		{ kind: 'connection', code: 'ECONNREFUSED', proxy: 'n8n' },
	],
	'The response': [
		{ kind: 'body', reason: 'size', status: 200, problem: 'is larger than … MB' },
		{ kind: 'body', reason: 'format', status: 200, problem: 'is empty' },
		{ kind: 'body', reason: 'format', status: 200, problem: 'breaks off or is not valid JSON' },
		{ kind: 'body', reason: 'noData', status: 200, problem: 'is something other than data' },
	],
};

/** With more different hints, the page shows none. */
const MOST_HINTS = 2;
/** The end of a pause differs with each run. */
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/;

interface Said {
	heading: string;
	happened: string;
	hints: readonly string[];
}

/** What the nodes say when something fails, for docs/troubleshooting.md: a row with an anchor for each message. */
export function messageTable(nodes: readonly NodeSource[]): string {
	const anchored = new Set<string>();
	const row = (happened: string, same: readonly Said[]) => {
		const anchor = anchorOf(happened);
		const id = anchor === '' || anchored.has(anchor) ? '' : `<a id="${anchor}"></a>`;
		anchored.add(anchor);
		const hints = uniq(same.flatMap((one) => one.hints));
		const areShown = hints.length <= MOST_HINTS && hints.every((hint) => !hint.includes('…'));
		return [id + happened, areShown ? hints.map((hint) => hint.replace(/\.$/, '')).join('. Or: ') : ''];
	};
	const all = [...messagesOfCalls(nodes), ...readMessages()];
	return Object.entries(groupBy(all, 'heading'))
		.flatMap(([heading, messages]) => {
			const byText = Object.entries(groupBy(messages, 'happened'));
			const rows = sortBy(byText, ([happened]) => anchorOf(happened)).map((one) => row(...one));
			return [`### ${heading}`, markdownTable(['The message', 'What to do'], rows)];
		})
		.join('\n\n');
}

/** What is said of calls: of all of them, and of those of one operation or node. */
function messagesOfCalls(nodes: readonly NodeSource[]): Said[] {
	const common = Object.entries(FAULTS).flatMap(([heading, faults]) =>
		faults.map((fault) => {
			const [happened, hint] = failureWords(fault, { inRun: true });
			return { heading, happened: happened.replace(TIME, '…'), hints: [hint] };
		}),
	);
	const headingOf = (status: number) =>
		Object.keys(FAULTS).find((heading) =>
			FAULTS[heading]?.some((fault) => isEqual(fault, statuses(status)[0])),
		) ?? 'The values of a call';
	const special = nodes
		.flatMap((node) => [node, ...node.resources.flatMap(({ operations }) => operations)])
		.flatMap(({ statusWords = {} }) => Object.entries(statusWords))
		.map(([status, [happened, hint]]) => ({
			heading: headingOf(Number(status)),
			happened: `${happened} (${status})`,
			hints: [hint],
		}));
	return [...common, ...special];
}
