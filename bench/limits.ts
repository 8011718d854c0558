import { NODE_UNDER_TEST, outputOf, publishRunner } from '../harness/runner.ts';
import type { Bench } from './bench.ts';
import type { Response } from './limiters/client.ts';
import { createService, leastFor, type Rules } from './limiters/services.ts';
import { median, verdict } from './report.ts';
import { createJobs, type Sides } from './requests/jobs.ts';
import { recordFacts, type ServiceFacts, startInstantService } from './requests/service.ts';

const FULL = { items: 1_000, rounds: 3 };
const QUICK = { items: 40, rounds: 1 };

/** A service and what is to be reached there. */
interface Row {
	name: string;
	callMs: number;
	/** Its limits; undefined: compare with HTTP Request instead of the least time. */
	limits?: (items: number) => Partial<Rules>;
	/** Of that time, and of calls at once. */
	most: number;
	mostAtOnce?: number;
}

const RATE = { rate: { perSecond: () => 150, isWindow: false, burst: 10 } };

const ROWS: readonly Row[] = [
	{ name: 'no limit, 0 ms', callMs: 0, most: 0.3 },
	{ name: 'no limit, 20 ms', callMs: 20, most: 0.4 },
	{ name: 'no limit, 100 ms', callMs: 100, most: 0.7 },
	{ name: 'no limit, 300 ms', callMs: 300, most: 1.15 },
	{
		name: '35 served at once, 60 ms',
		callMs: 60,
		limits: () => ({ served: () => 35 }),
		most: 1.4,
		mostAtOnce: 105,
	},
	{ name: '429 above 50 at once, 80 ms', callMs: 80, limits: () => ({ accepted: () => 50 }), most: 1.6 },
	{ name: '150 a second, Retry-After 2', callMs: 20, limits: () => ({ ...RATE, retryAfter: 2 }), most: 1.75 },
	{ name: '150 a second, without it', callMs: 20, limits: () => RATE, most: 1.25 },
	{
		name: '100 at once, 20 half way, 100 ms',
		callMs: 100,
		limits: (items) => ({ accepted: (total) => (total < items / 2 ? 100 : 20) }),
		most: 1.4,
	},
];

/** The service of the simulation in real time. */
const CLOCK = {
	get now() {
		return performance.now();
	},
	at: (time: number, run: () => void) => {
		const ms = time - performance.now();
		if (ms > 0) setTimeout(run, ms);
		else run();
	},
};

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
	// A fresh n8n takes longer over its first thousand items: those are not timed.
	for (const side of ['ours', 'theirs'] as const)
		await measure(bench, facts, { latency: () => 0 }, items, side);
	for (const row of ROWS.filter(({ name }) => name.includes(only))) {
		const { callMs, limits, most, mostAtOnce = Infinity } = row;
		const rules: Rules = { latency: () => callMs, ...limits?.(items) };
		const ours: Array<Awaited<ReturnType<typeof measure>>> = [];
		const theirs: number[] = [];
		for (let round = 0; round < rounds; round++) {
			ours.push(await measure(bench, facts, rules, items, 'ours'));
			if (!limits) theirs.push((await measure(bench, facts, rules, items, 'theirs')).seconds);
		}
		const least = limits ? leastFor(rules, items, callMs) / 1000 : median(theirs);
		const seconds = median(ours.map((run) => run.seconds));
		const worst = (of: (run: (typeof ours)[number]) => number) => Math.max(...ours.map(of));
		const [failed, atOnce] = [worst((run) => run.failed), worst((run) => run.mostAtOnce)];
		const share = 100 * worst((run) => run.failedCalls / run.calls);
		const isReached = seconds / least <= most && atOnce <= mostAtOnce && failed === 0;
		const of = limits ? 'the least' : "HTTP Request's time";
		results.push(
			`${row.name}: ${seconds.toFixed(2)} s, ${(seconds / least).toFixed(2)} of ${of} (${least.toFixed(2)} s), at most ${most}; ` +
				`${atOnce} at once, ${share.toFixed(1)}% 429, ${failed} failed: ${verdict(isReached)}`,
		);
		bench.say(results.at(-1) ?? '');
	}
	return results;
}

async function measure(
	bench: Bench,
	facts: ServiceFacts,
	rules: Rules,
	items: number,
	side: keyof Sides<unknown>,
) {
	const call = createService(CLOCK, rules, Math.random);
	const service = await startInstantService(facts, async () => await new Promise<Response>(call));
	try {
		const [job] = await createJobs(bench, service.url, facts);
		const node = { ...job[side], onError: 'continueRegularOutput' };
		const runner = await publishRunner(bench.n8n.client, node);
		const run = await runner.run(Array.from({ length: items }, () => ({})));
		await runner.end();
		const succeeded = outputOf(run).filter(({ json }) => !('error' in json));
		const seconds = (run.runs[NODE_UNDER_TEST]?.[0]?.executionTime ?? Number.NaN) / 1000;
		return { seconds, failed: items - succeeded.length, ...service.take() };
	} finally {
		await service.close();
	}
}
