import { inspect, isDeepStrictEqual } from 'node:util';
import round from 'lodash/round.js';
import { NODE_UNDER_TEST, outputOf, publishRunner, type Runner } from '../harness/runner.ts';
import type { Bench } from './bench.ts';
import { median, verdict } from './report.ts';
import { createJobs, type Job, type Sides } from './requests/jobs.ts';
import { benchMany } from './requests/many.ts';
import { recordFacts, startInstantService, type Counts, type InstantService } from './requests/service.ts';

const FULL = { items: 1_000, rounds: 5, slowResponseMs: 250 };
const QUICK = { items: 20, rounds: 1, slowResponseMs: 20 };
const SIDES = ['ours', 'theirs'] as const;

/** What one side did in one run. */
type Measured = Awaited<ReturnType<typeof measure>>;

/**
 * The same items through this node and through n8n's HTTP Request node with an OAuth2 client-credentials credential:
 * same service without delay, same n8n, in turns. Prints each job's time per item on both sides and the ratio of their
 * medians.
 *
 * @returns a line a target
 * @throws when the two did not send the same calls or put out the same items
 */
export async function benchRequests(bench: Bench): Promise<string[]> {
	const { n8n, sandbox, quick, say } = bench;
	const { items: count, rounds, slowResponseMs } = quick ? QUICK : FULL;
	const facts = await recordFacts(sandbox);
	const service = await startInstantService(facts);
	try {
		const [first, ...others] = await createJobs(bench, service.url, facts);
		const results: string[] = [];
		for (const job of [first, ...others]) {
			const items = Array.from({ length: count }, (_, item) => job.itemOf(item));
			const runners = {
				ours: await publishRunner(n8n.client, job.ours),
				theirs: await publishRunner(n8n.client, job.theirs),
			};
			service.delayMs = job === first ? slowResponseMs : 0;
			const begun = await inTurn(runners, service, items, SIDES);
			service.delayMs = 0;
			if (job === first) show(`First use: no token yet, every response takes ${slowResponseMs} ms`, [begun]);
			const timed: Array<Sides<Measured>> = [];
			for (let round = 0; round < rounds; round++)
				timed.push(await inTurn(runners, service, items, round % 2 === 0 ? SIDES : SIDES.toReversed()));
			for (const { ours, theirs } of timed) for (const run of [ours, theirs]) sameWork(job, begun.ours, run);
			for (const side of SIDES) await runners[side].end();
			const ratio = timeOf(timed, 'ours') / timeOf(timed, 'theirs');
			show(`${job.name}, ${job.values}`, timed);
			results.push(
				`${job.name}, ${job.values}: ratio ${ratio.toFixed(2)}, at most ${job.target.toFixed(2)}: ${verdict(ratio <= job.target)}`,
			);
			say(`${results.at(-1)}\n`);
		}
		results.push(...(await benchMany(bench, facts)));
		return results;
	} finally {
		await service.close();
	}
}

/** Runs both sides, one after the other. */
async function inTurn(
	runners: Sides<Runner>,
	service: InstantService,
	items: unknown[],
	order: ReadonlyArray<keyof Sides<Runner>>,
): Promise<Sides<Measured>> {
	const runs: Partial<Sides<Measured>> = {};
	for (const side of order) runs[side] = await measure(runners[side], service, items);
	return runs as Sides<Measured>;
}

async function measure(runner: Runner, service: InstantService, items: unknown[]) {
	service.take();
	const execution = await runner.run(items);
	const run = execution.runs[NODE_UNDER_TEST]?.[0];
	if (execution.status !== 'success' || !run)
		throw new Error(execution.error?.message ?? `The execution ended as ${execution.status}.`);
	return {
		msPerItem: run.executionTime / items.length,
		counts: service.take(),
		output: outputOf(execution).map(({ json }) => json),
	};
}

function sameWork({ name, values }: Job, one: Measured, other: Measured): void {
	const [asked, alsoAsked] = [one, other].map(({ counts }) => counts.asked.map(asText).sort());
	if (!isDeepStrictEqual(asked, alsoAsked)) {
		throw new Error(`"${name}" (${values}): other calls were sent:\n${asked?.[0]}\n${alsoAsked?.[0]}`);
	}
	if (!isDeepStrictEqual(one.output, other.output))
		throw new Error(`"${name}" (${values}): other items came out.`);
}

/** A call with all names in order. */
function asText({ method, url, body }: Counts['asked'][number]): string {
	const { pathname, searchParams } = new URL(url, 'http://service');
	searchParams.sort();
	return `${method} ${pathname}?${searchParams} ${inspect(body, { sorted: true, depth: null })}`;
}

function timeOf(rounds: ReadonlyArray<Sides<Measured>>, side: keyof Sides<Measured>): number {
	return median(rounds.map((round) => round[side].msPerItem));
}

/** Prints both sides' time, and of each count the most in a run. */
function show(title: string, rounds: ReadonlyArray<Sides<Measured>>): void {
	const row = (side: keyof Sides<Measured>) => {
		const most = (key: 'calls' | 'tokenRequests' | 'failedCalls' | 'mostAtOnce') =>
			Math.max(...rounds.map((round) => round[side].counts[key]));
		return {
			'ms/item': round(timeOf(rounds, side), 2),
			'each run': rounds.map((round) => round[side].msPerItem.toFixed(2)).join(' '),
			calls: most('calls'),
			'token requests': most('tokenRequests'),
			'failed calls': most('failedCalls'),
			'most at once': most('mostAtOnce'),
		};
	};
	console.log(title);
	console.table({ 'this node': row('ours'), 'HTTP Request': row('theirs') });
}
