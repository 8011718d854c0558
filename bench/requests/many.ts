import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { WorkflowNode } from '../../harness/n8nClient.ts';
import { NODE_UNDER_TEST, publishRunner } from '../../harness/runner.ts';
import type { Bench } from '../bench.ts';
import { verdict } from '../report.ts';
import { createJobs, type Sides } from './jobs.ts';
import { type ServiceFacts, startInstantService } from './service.ts';

const FULL = { few: 1_000, many: 10_000, large: 3_000, before: 100 };
const QUICK = { few: 10, many: 100, large: 30, before: 1 };

const MOST_FOR_TEN_TIMES = 11;
const MOST_OF_THEIR_MEMORY = 0.8;
const ANSWER_BYTES = 20_000;
const BYTES_PER_KB = 1024;
const MB = 1_000_000;

/**
 * Ten times the items, and the memory that large answers take at the most.
 *
 * @returns a line a target; memory only on Linux, which tells the peak
 */
export async function benchMany(bench: Bench, facts: ServiceFacts): Promise<string[]> {
	const { few, many, large, before } = bench.quick ? QUICK : FULL;
	const [one, ten] = await withSides(bench, facts, 0, async ({ ours }) => {
		return [await measure(bench, ours, few), await measure(bench, ours, many)] as const;
	});
	const ratio = ten.seconds / one.seconds;
	const results = [
		`${many} items take ${ratio.toFixed(1)} times as long as ${few} (${ten.seconds.toFixed(1)} and ${one.seconds.toFixed(1)} s), at most ${MOST_FOR_TEN_TIMES}: ${verdict(ratio <= MOST_FOR_TEN_TIMES)}`,
	];
	bench.say(results.at(-1) ?? '');
	if (!existsSync(memoryOf(bench, 'status'))) return results;
	const peakOf = async (side: keyof Sides<unknown>) => {
		const fresh = await bench.withFreshN8n();
		try {
			return await withSides(fresh, facts, ANSWER_BYTES, async (sides) => {
				await measure(fresh, sides[side], before);
				return (await measure(fresh, sides[side], large)).peakBytes;
			});
		} finally {
			await fresh.stop();
		}
	};
	const [own, other] = [await peakOf('ours'), await peakOf('theirs')];
	results.push(
		`${large} items with answers of 20 KB, each side in an n8n of its own: n8n takes ${mb(own)} MB more at the most, with HTTP Request ${mb(other)} MB, ratio ${(own / other).toFixed(2)}, at most ${MOST_OF_THEIR_MEMORY}: ${verdict(own / other <= MOST_OF_THEIR_MEMORY)}`,
	);
	bench.say(results.at(-1) ?? '');
	return results;
}

async function withSides<T>(
	bench: Bench,
	facts: ServiceFacts,
	answerBytes: number,
	work: (sides: Sides<WorkflowNode>) => Promise<T>,
): Promise<T> {
	const booking = { ...(JSON.parse(facts.booking) as object), message: 'x'.repeat(answerBytes) };
	const service = await startInstantService({ ...facts, booking: JSON.stringify(booking) });
	try {
		const [job] = await createJobs(bench, service.url, facts);
		return await work(job);
	} finally {
		await service.close();
	}
}

/** @returns seconds, and the bytes that n8n took at the most until the execution was stored, beyond what it had before */
async function measure(bench: Bench, node: WorkflowNode, items: number) {
	const runner = await publishRunner(bench.n8n.client, node);
	if (existsSync(memoryOf(bench, 'clear_refs'))) writeFileSync(memoryOf(bench, 'clear_refs'), '5');
	const before = readBytes(bench, 'VmRSS');
	const id = await runner.runUnread(Array.from({ length: items }, (_, item) => ({ item })));
	// Before the execution is read: for that n8n takes more than in the run.
	const peakBytes = readBytes(bench, 'VmHWM') - before;
	const execution = await bench.n8n.client.execution(id);
	await runner.end();
	const run = execution.runs[NODE_UNDER_TEST]?.[0];
	if (execution.status !== 'success' || !run)
		throw new Error(`The run of ${items} items ended as ${execution.status}.`);
	return { seconds: run.executionTime / 1000, peakBytes };
}

/** Where Linux tells of n8n's memory, and forgets its peak. */
function memoryOf({ n8n }: Bench, file: 'status' | 'clear_refs'): string {
	return `/proc/${n8n.child.pid ?? 0}/${file}`;
}

function readBytes(bench: Bench, name: string): number {
	if (!existsSync(memoryOf(bench, 'status'))) return 0;
	const text = readFileSync(memoryOf(bench, 'status'), 'utf8');
	return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * BYTES_PER_KB;
}

function mb(bytes: number): string {
	return (bytes / MB).toFixed(0);
}
