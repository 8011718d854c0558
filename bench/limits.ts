import type { Execution, JsonObject, WorkflowNode } from '../harness/n8nClient.ts';
import { NODE_UNDER_TEST, outputOf, packageNode, publishRunner } from '../harness/runner.ts';
import type { Bench } from './bench.ts';
import { type Limits, type LimitedService, startLimitedService } from './limits/service.ts';
import { median, table, verdict } from './report.ts';
import { BOOKINGS, recordFacts, type ServiceFacts } from './requests/service.ts';
import { createCredentials, httpRequestNode } from './sides.ts';

const FULL = { items: 1_000, rounds: 3 };
const QUICK = { items: 40, rounds: 1 };

const GUID_TAIL = 12;
const LONGEST_PAUSE_BETWEEN_TRIES_MS = 5_000;

/** A service and what is to be reached there. */
interface Row {
	name: string;
	limits: (items: number) => Limits;
	method?: 'GET' | 'PUT';
	/** Workflows at the same time; the items are shared out among them. */
	workflows?: number;
	/** Batching of the HTTP Request node that suits the service best: items and milliseconds. */
	batching?: [size: number, ms: number];
	/** The least seconds that the service needs; undefined: compare with HTTP Request. */
	least?: (items: number) => number;
	most: { time: number; atOnce?: number; refused?: number };
}

const ROWS: readonly Row[] = [
	...(
		[
			[0, 0.3],
			[20, 0.4],
			[100, 0.7],
			[300, 1.15],
		] as const
	).map(([latencyMs, time]) => ({
		name: `no limit, ${latencyMs} ms`,
		limits: () => ({ latencyMs }),
		most: { time },
	})),
	{
		name: '20 served at once, 100 ms',
		limits: () => ({ latencyMs: 100, served: 20 }),
		least: (items) => (items / 20) * 0.1,
		most: { time: 1.3, atOnce: 60 },
	},
	{
		name: '429 above 30 at once, 100 ms',
		limits: () => ({ latencyMs: 100, accepted: () => 30 }),
		batching: [30, 150],
		least: (items) => (items / 30) * 0.1,
		most: { time: 1.5, refused: 0.05 },
	},
	...([1, undefined] as const).flatMap((retryAfter) =>
		(['GET', 'PUT'] as const).map((method) => ({
			name: `100 a second, ${retryAfter ? 'Retry-After' : 'without it'}, ${method}`,
			method,
			limits: () => ({ latencyMs: 20, perSecond: 100, retryAfter }),
			batching: [95, 1000] as [number, number],
			least: (items: number) => Math.max(0, items - 100) / 100 + 0.02,
			most: { time: 1.2 },
		})),
	),
	{
		name: '100 at once, 20 half way, 100 ms',
		limits: (items) => ({ latencyMs: 100, accepted: (total) => (total < items / 2 ? 100 : 20) }),
		batching: [20, 150],
		least: (items) => (items / 2 / 100 + items / 2 / 20) * 0.1,
		most: { time: 1.4 },
	},
	{
		name: 'two workflows, 429 above 30 at once',
		limits: () => ({ latencyMs: 100, accepted: () => 30 }),
		workflows: 2,
		batching: [15, 150],
		least: (items) => (items / 30) * 0.1,
		most: { time: 1.5, refused: 0.05 },
	},
];

/** Run before anything is timed: a fresh n8n takes longer over its first thousand items. */
const WARM_UP: Row = { name: 'warm-up', limits: () => ({ latencyMs: 0 }), most: { time: Infinity } };

interface Measured {
	seconds: number;
	failed: number;
	service: LimitedService['counts'];
}

/**
 * The same items through this node and through n8n's HTTP Request node on services with limits.
 *
 * @param only part of the names of the services; undefined: all of them
 * @returns a line a target
 * @throws when a run could not be made
 */
export async function benchLimits(bench: Bench, only?: string): Promise<string[]> {
	const { items, rounds } = bench.quick ? QUICK : FULL;
	const facts = await recordFacts(bench.sandbox);
	const results: string[] = [];
	const rows: string[][] = [
		['', 'seconds', 'of the least', 'HTTP Request', 'failed', '429', 'in a pause', 'most at once'],
	];
	for (const isOurs of [true, false]) await measure(bench, facts, WARM_UP, items, isOurs);
	for (const row of ROWS.filter(({ name }) => name.includes(only ?? ''))) {
		const ours: Measured[] = [];
		const theirs: Measured[] = [];
		for (let round = 0; round < rounds; round++) {
			ours.push(await measure(bench, facts, row, items, true));
			if (!row.least || round === 0) theirs.push(await measure(bench, facts, row, items, false));
		}
		const { line, isReached, text } = judge(row, items, ours, theirs);
		rows.push(line);
		results.push(`${row.name}: ${text}: ${verdict(isReached)}`);
		bench.say(results.at(-1) ?? '');
	}
	bench.say(`\n${table(rows)}\n`);
	return results;
}

/** The median of the seconds; of everything else the worst of the runs. */
function judge({ name, least, most }: Row, items: number, ours: Measured[], theirs: Measured[]) {
	const seconds = median(ours.map((run) => run.seconds));
	const other = median(theirs.map((run) => run.seconds));
	const worst = (runs: Measured[], of: (run: Measured) => number) => Math.max(...runs.map(of));
	const failed = worst(ours, (run) => run.failed);
	const inPause = worst(ours, ({ service }) => service.inPause);
	const share = worst(ours, ({ service }) => service.throttled / service.calls);
	const atOnce = worst(ours, ({ service }) => service.mostAtOnce);
	const ratio = seconds / (least ? least(items) : other);
	const isReached =
		ratio <= most.time &&
		failed === 0 &&
		inPause === 0 &&
		share <= (most.refused ?? 1) &&
		atOnce <= (most.atOnce ?? Infinity);
	const of = least ? 'the least possible' : "HTTP Request's time";
	const also = [
		most.refused === undefined ? '' : `429 ${percent(share)}, at most ${percent(most.refused)}`,
		most.atOnce === undefined ? '' : `${atOnce} at once, at most ${most.atOnce}`,
		`${failed} failed`,
	].filter(Boolean);
	return {
		isReached,
		text: `${ratio.toFixed(2)} of ${of}, at most ${most.time.toFixed(2)}; ${also.join('; ')}`,
		line: [
			name,
			seconds.toFixed(2),
			least ? ratio.toFixed(2) : '–',
			`${other.toFixed(2)} s, ${worst(theirs, (run) => run.failed)} failed`,
			String(failed),
			percent(share),
			String(inPause),
			String(atOnce),
		],
	};
}

async function measure(
	bench: Bench,
	facts: ServiceFacts,
	row: Row,
	items: number,
	isOurs: boolean,
): Promise<Measured> {
	const { n8n } = bench;
	const service = await startLimitedService(facts, row.limits(items));
	const workflows = row.workflows ?? 1;
	try {
		const node = await nodeFor(bench, facts, service.url, row, isOurs);
		const runners = await Promise.all(
			Array.from({ length: workflows }, async () => await publishRunner(n8n.client, node)),
		);
		const input = Array.from({ length: items / workflows }, (_, item) => ({ guid: guidOf(item) }));
		const runs = await Promise.all(runners.map(async (runner) => await runner.run(input)));
		await Promise.all(runners.map(async (runner) => await runner.end()));
		const times = runs.map((run) => run.runs[NODE_UNDER_TEST]?.[0]?.executionTime ?? Number.NaN);
		return {
			seconds: Math.max(...times) / 1000,
			failed: runs.reduce((sum, run) => sum + items / workflows - successes(run), 0),
			service: service.counts,
		};
	} finally {
		await service.close();
	}
}

/** Items that came out without an error. */
function successes(run: Execution): number {
	return outputOf(run).filter(({ json }) => !('error' in json)).length;
}

async function nodeFor(
	bench: Bench,
	facts: ServiceFacts,
	url: string,
	{ method = 'GET', batching }: Row,
	isOurs: boolean,
): Promise<WorkflowNode> {
	const settings = { onError: 'continueRegularOutput' };
	const { ours, theirs } = await createCredentials(bench, url, facts);
	if (isOurs) return packageNode('hospitalityBooking', method === 'GET' ? LIST : UPDATE, ours, settings);
	const [batchSize, batchInterval] = batching ?? [];
	return httpRequestNode(
		theirs,
		{
			url: url + BOOKINGS,
			options: batching ? { batching: { batch: { batchSize, batchInterval } } } : {},
			...(method === 'GET' ? {} : { method, sendBody: true, specifyBody: 'json', jsonBody: UPDATE.jsonBody }),
		},
		{
			...settings,
			...(batching
				? { retryOnFail: true, maxTries: 5, waitBetweenTries: LONGEST_PAUSE_BETWEEN_TRIES_MS }
				: {}),
		},
	);
}

const LIST = {
	resource: 'webBooking',
	operation: 'getAll',
	getBy: 'bookingTime',
	startTime: '2026-12-24T00:00:00Z',
	endTime: '2026-12-25T00:00:00Z',
	returnAll: true,
	output: 'raw',
};

const UPDATE: JsonObject = {
	resource: 'webBooking',
	operation: 'update',
	output: 'raw',
	bodyMode: 'json',
	jsonBody: '={{ { bookingGuid: $json.guid, timeSetDate: "2026-12-24T18:00:00Z", guests: 2, times: [] } }}',
};

function guidOf(item: number): string {
	return `3f2504e0-4f89-41d3-9a0c-${String(item).padStart(GUID_TAIL, '0')}`;
}

function percent(part: number): string {
	return `${(100 * part).toFixed(1)}%`;
}
