import { isDeepStrictEqual } from 'node:util';
import type { Execution } from '../harness/n8nClient.ts';
import { NODE_UNDER_TEST, outputOf, publishRunner, type Runner } from '../harness/runner.ts';
import type { Bench } from './bench.ts';
import { median, table, verdict } from './report.ts';
import { benchMany } from './requests/many.ts';
import { jobs, type Job } from './requests/jobs.ts';
import { recordFacts, startInstantService, type Counts, type InstantService } from './requests/service.ts';
import { createCredentials, type Sides } from './sides.ts';

const FULL = { items: 1_000, rounds: 5, slowAnswerMs: 250 };
const QUICK = { items: 20, rounds: 1, slowAnswerMs: 20 };

/** What one side did in one run. */
interface Measured {
	msPerItem: number;
	counts: Counts;
	output: unknown[];
}

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
	const { items: count, rounds, slowAnswerMs } = quick ? QUICK : FULL;
	const facts = await recordFacts(sandbox);
	const service = await startInstantService(facts);
	try {
		const { ours, theirs } = await createCredentials(bench, service.url, facts);
		const [first, ...others] = jobs({ url: service.url, system: facts.system, ours, theirs });
		const results: string[] = [];
		for (const job of [first, ...others]) {
			const items = Array.from({ length: count }, (_, item) => job.itemOf(item));
			const runners = {
				ours: await publishRunner(n8n.client, job.ours),
				theirs: await publishRunner(n8n.client, job.theirs),
			};
			service.delayMs = job === first ? slowAnswerMs : 0;
			const begun = {
				ours: await measure(runners.ours, service, items),
				theirs: await measure(runners.theirs, service, items),
			};
			service.delayMs = 0;
			if (job === first) say(firstUse(begun, count, slowAnswerMs));
			const timed = await inTurns(runners, service, items, rounds);
			for (const run of [...timed.ours, ...timed.theirs]) sameWork(job, begun.ours, run);
			await runners.ours.end();
			await runners.theirs.end();
			const ratio = timeOf(timed.ours) / timeOf(timed.theirs);
			say(describe(job, timed));
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

/** Runs both sides once a round, another one first each time. */
async function inTurns(
	runners: Sides<Runner>,
	service: InstantService,
	items: unknown[],
	rounds: number,
): Promise<Sides<Measured[]>> {
	const runs: Sides<Measured[]> = { ours: [], theirs: [] };
	for (let round = 0; round < rounds; round++) {
		for (const side of round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const)) {
			runs[side].push(await measure(runners[side], service, items));
		}
	}
	return runs;
}

async function measure(runner: Runner, service: InstantService, items: unknown[]): Promise<Measured> {
	service.take();
	const execution = await runner.run(items);
	return {
		msPerItem: nodeTime(execution) / items.length,
		counts: service.take(),
		output: outputOf(execution).map(({ json }) => json),
	};
}

/** @returns the milliseconds that n8n's engine spent in the node. @throws what the execution failed with */
function nodeTime(execution: Execution): number {
	const run = execution.runs[NODE_UNDER_TEST]?.[0];
	if (execution.status === 'success' && run) return run.executionTime;
	throw new Error(execution.error?.message ?? `The execution ended as ${execution.status}.`);
}

function sameWork({ name, values }: Job, one: Measured, other: Measured): void {
	const [asked, alsoAsked] = [one, other].map(({ counts }) => counts.asked.toSorted());
	if (!isDeepStrictEqual(asked, alsoAsked)) {
		throw new Error(`"${name}" (${values}): other calls were sent:\n${asked?.[0]}\n${alsoAsked?.[0]}`);
	}
	if (!isDeepStrictEqual(one.output, other.output))
		throw new Error(`"${name}" (${values}): other items came out.`);
}

function timeOf(runs: readonly Measured[]): number {
	return median(runs.map(({ msPerItem }) => msPerItem));
}

function firstUse(begun: Sides<Measured>, items: number, slowAnswerMs: number): string {
	const row = (name: string, { counts }: Measured) => [name, ...countsOf([counts])];
	return [
		`First use: ${items} items, no token yet, every answer takes ${slowAnswerMs} ms`,
		table([
			['', 'calls', 'token requests', 'failed calls', 'most at once'],
			row('this node', begun.ours),
			row('HTTP Request', begun.theirs),
		]),
		'',
	].join('\n');
}

function describe(job: Job, timed: Sides<Measured[]>): string {
	const row = (name: string, runs: readonly Measured[]) => [
		name,
		timeOf(runs).toFixed(2),
		runs.map(({ msPerItem }) => msPerItem.toFixed(2)).join(' '),
		...countsOf(runs.map(({ counts }) => counts)),
	];
	return [
		`${job.name}, ${job.values}`,
		table([
			['', 'ms/item', 'each run', 'calls', 'token requests', 'failed calls', 'most at once'],
			row('this node', timed.ours),
			row('HTTP Request', timed.theirs),
		]),
	].join('\n');
}

/** Calls, token requests, failed calls and the most calls at once: of each the most in a run. */
function countsOf(counts: readonly Counts[]): number[] {
	const keys = ['calls', 'tokenRequests', 'failedCalls', 'mostAtOnce'] as const;
	return keys.map((key) => Math.max(...counts.map((of) => of[key])));
}
