import type { Bench } from './bench.ts';
import type { Response } from './limiters/client.ts';
import { createService, leastFor, type Rules } from './limiters/services.ts';
import { median, type Report } from './report.ts';
import type { Sides } from './requests/jobs.ts';
import { type Measured, measureOnce, withService } from './requests/measure.ts';

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
 * @throws when a run could not be made
 */
export async function benchLimits(bench: Bench, report: Report, only = ''): Promise<void> {
	const { items, rounds } = bench.quick ? QUICK : FULL;
	const run = async (side: keyof Sides<unknown>, rules: Rules) => {
		const call = createService(CLOCK, rules, Math.random);
		const allow = async () => await new Promise<Response>(call);
		return await withService(bench, { allow }, async (service, [job]) => {
			const node = { ...job[side], onError: 'continueRegularOutput' };
			return await measureOnce(
				bench,
				service,
				node,
				Array.from({ length: items }, () => ({})),
			);
		});
	};
	// A fresh n8n takes longer over its first thousand items: those are not timed.
	for (const side of ['ours', 'theirs'] as const) await run(side, { latency: () => 0 });
	for (const row of ROWS.filter(({ name }) => name.includes(only))) {
		const { name, callMs, limits, most, mostAtOnce = Infinity } = row;
		const rules: Rules = { latency: () => callMs, ...limits?.(items) };
		const ours: Measured[] = [];
		const theirs: number[] = [];
		for (let round = 0; round < rounds; round++) {
			ours.push(await run('ours', rules));
			if (!limits) theirs.push((await run('theirs', rules)).seconds);
		}
		const least = limits ? leastFor(rules, items, callMs) / 1000 : median(theirs);
		const seconds = median(ours.map((one) => one.seconds));
		const worst = (of: (one: Measured) => number) => Math.max(...ours.map(of));
		const failed = worst(({ output }) => items - output.filter((json) => !('error' in json)).length);
		const atOnce = worst((one) => one.mostAtOnce);
		const throttled = 100 * worst(({ failedCalls, calls }) => failedCalls / calls);
		const time = `${seconds.toFixed(2)} s, ${limits ? 'the least' : 'HTTP Request'} ${least.toFixed(2)} s`;
		const isReached = seconds / least <= most && atOnce <= mostAtOnce && failed === 0;
		const details = `${time}; ${atOnce} at once, ${throttled.toFixed(1)}% 429, ${failed} failed`;
		report.add(`${name}: ratio`, seconds / least, most, details, isReached);
	}
}
