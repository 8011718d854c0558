import type { WorkflowNode } from '../harness/n8nClient.ts';
import { NODE_UNDER_TEST, outputOf, packageNode, publishRunner } from '../harness/runner.ts';
import type { Bench } from './bench.ts';
import { type Limits, type LimitedService, startLimitedService } from './limits/service.ts';
import { median, table, verdict } from './report.ts';
import { BOOKINGS, recordFacts, type ServiceFacts } from './requests/service.ts';
import { createCredentials, httpRequestNode } from './sides.ts';

const FULL = { items: 1_000, rounds: 3 };
const QUICK = { items: 40, rounds: 1 };

/** A service and what is to be reached there. */
interface Row {
	name: string;
	limits: (items: number) => Limits;
	/** The least seconds that the service needs; undefined: compare with HTTP Request. */
	least?: (items: number) => number;
	most: { time: number; atOnce?: number };
}

const NO_LIMIT = [
	[0, 0.3],
	[20, 0.4],
	[100, 0.7],
	[300, 1.15],
] as const;

const ROWS: readonly Row[] = [
	...NO_LIMIT.map(([latencyMs, time]) => ({
		name: `no limit, ${latencyMs} ms`,
		limits: () => ({ latencyMs }),
		most: { time },
	})),
	{
		name: '35 served at once, 60 ms',
		limits: () => ({ latencyMs: 60, served: 35 }),
		least: (items) => (items / 35) * 0.06,
		most: { time: 1.4, atOnce: 105 },
	},
	{
		name: '429 above 50 at once, 80 ms',
		limits: () => ({ latencyMs: 80, accepted: () => 50 }),
		least: (items) => (items / 50) * 0.08,
		most: { time: 1.6 },
	},
	...[2, undefined].map((retryAfter) => ({
		name: `150 a second, ${retryAfter ? `Retry-After ${retryAfter}` : 'without it'}`,
		limits: () => ({ latencyMs: 20, perSecond: 150, burst: 10, retryAfter }),
		least: (items: number) => Math.max(0, items - 10) / 150 + 0.02,
		most: { time: retryAfter ? 1.75 : 1.25 },
	})),
	{
		name: '100 at once, 20 half way, 100 ms',
		limits: (items) => ({ latencyMs: 100, accepted: (total) => (total < items / 2 ? 100 : 20) }),
		least: (items) => (items / 2 / 100 + items / 2 / 20) * 0.1,
		most: { time: 1.4 },
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
 * The same items through this node and through n8n's HTTP Request node, and on services with limits beside the least
 * time that they need.
 *
 * @param only part of the names of the services; undefined: all of them
 * @returns a line a target
 * @throws when a run could not be made
 */
export async function benchLimits(bench: Bench, only = ''): Promise<string[]> {
	const { items, rounds } = bench.quick ? QUICK : FULL;
	const facts = await recordFacts(bench.sandbox);
	const results: string[] = [];
	const rows: string[][] = [
		['', 'seconds', 'least', 'HTTP Request', 'failed', '429', 'in a pause', 'at once'],
	];
	for (const isOurs of [true, false]) await measure(bench, facts, WARM_UP, items, isOurs);
	for (const row of ROWS.filter(({ name }) => name.includes(only))) {
		const ours: Measured[] = [];
		const theirs: number[] = [];
		for (let round = 0; round < rounds; round++) {
			ours.push(await measure(bench, facts, row, items, true));
			if (!row.least) theirs.push((await measure(bench, facts, row, items, false)).seconds);
		}
		const least = row.least?.(items);
		const seconds = median(ours.map((run) => run.seconds));
		const ratio = seconds / (least ?? median(theirs));
		const worst = (of: (run: Measured) => number) => Math.max(...ours.map(of));
		const [failed, inPause] = [worst((run) => run.failed), worst(({ service }) => service.inPause)];
		const atOnce = worst(({ service }) => service.mostAtOnce);
		const { time, atOnce: mostAtOnce = Infinity } = row.most;
		const isReached = ratio <= time && atOnce <= mostAtOnce && failed + inPause === 0;
		const of = least === undefined ? "HTTP Request's time" : 'the least';
		results.push(
			`${row.name}: ${ratio.toFixed(2)} of ${of}, at most ${time}; ${atOnce} at once: ${verdict(isReached)}`,
		);
		bench.say(results.at(-1) ?? '');
		const share = 100 * worst(({ service }) => service.throttled / service.calls);
		rows.push([
			row.name,
			seconds.toFixed(2),
			least?.toFixed(2) ?? '–',
			least === undefined ? median(theirs).toFixed(2) : '–',
			String(failed),
			`${share.toFixed(1)}%`,
			String(inPause),
			String(atOnce),
		]);
	}
	bench.say(`\n${table(rows)}\n`);
	return results;
}

async function measure(
	bench: Bench,
	facts: ServiceFacts,
	row: Row,
	items: number,
	isOurs: boolean,
): Promise<Measured> {
	const service = await startLimitedService(facts, row.limits(items));
	try {
		const node = await nodeFor(bench, facts, service.url, isOurs);
		const runner = await publishRunner(bench.n8n.client, node);
		const run = await runner.run(Array.from({ length: items }, () => ({})));
		await runner.end();
		const succeeded = outputOf(run).filter(({ json }) => !('error' in json));
		return {
			seconds: (run.runs[NODE_UNDER_TEST]?.[0]?.executionTime ?? Number.NaN) / 1000,
			failed: items - succeeded.length,
			service: service.counts,
		};
	} finally {
		await service.close();
	}
}

async function nodeFor(
	bench: Bench,
	facts: ServiceFacts,
	url: string,
	isOurs: boolean,
): Promise<WorkflowNode> {
	const settings = { onError: 'continueRegularOutput' };
	const { ours, theirs } = await createCredentials(bench, url, facts);
	if (!isOurs) return httpRequestNode(theirs, { url: url + BOOKINGS }, settings);
	const parameters = {
		resource: 'webBooking',
		operation: 'getAll',
		getBy: 'bookingTime',
		startTime: '2026-12-24T00:00:00Z',
		endTime: '2026-12-25T00:00:00Z',
		returnAll: true,
		output: 'raw',
	};
	return packageNode('hospitalityBooking', parameters, ours, settings);
}
