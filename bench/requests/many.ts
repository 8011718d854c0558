import { readFileSync, writeFileSync } from 'node:fs';
import { NODE_UNDER_TEST, publishRunner } from '../../harness/runner.ts';
import type { Bench } from '../bench.ts';
import { verdict } from '../report.ts';
import { createJobs, type Sides } from './jobs.ts';
import { type ServiceFacts, startInstantService } from './service.ts';

const FULL = { few: 1_000, many: 10_000, large: 3_000, before: 100 };
const QUICK = { few: 10, many: 100, large: 30, before: 1 };

const MOST_FOR_TEN_TIMES = 11;
const MOST_OF_THEIR_MEMORY = 0.8;
const RESPONSE_BYTES = 20_000;
const BYTES_PER_KB = 1024;
const MB = 1_000_000;
const TELLS_MEMORY = process.platform === 'linux';

/**
 * Ten times the items, and the memory that large responses take at the most.
 *
 * @returns a line a target; memory only on Linux, which tells the peak
 */
export async function benchMany(bench: Bench, facts: ServiceFacts): Promise<string[]> {
	const { few, many, large, before } = bench.quick ? QUICK : FULL;
	const [one, ten] = await measure(bench, facts, { side: 'ours', responseBytes: 0, runs: [few, many] });
	const ratio = (ten?.seconds ?? Number.NaN) / (one?.seconds ?? Number.NaN);
	const results = [
		`${many} items take ${ratio.toFixed(1)} times as long as ${few} (${ten?.seconds.toFixed(1)} and ${one?.seconds.toFixed(1)} s), at most ${MOST_FOR_TEN_TIMES}: ${verdict(ratio <= MOST_FOR_TEN_TIMES)}`,
	];
	bench.say(results.at(-1) ?? '');
	if (!TELLS_MEMORY) return results;
	const peakOf = async (side: keyof Sides<unknown>) => {
		const fresh = await bench.withFreshN8n();
		try {
			const runs = await measure(fresh, facts, {
				side,
				responseBytes: RESPONSE_BYTES,
				runs: [before, large],
			});
			return runs.at(-1)?.peakBytes ?? Number.NaN;
		} finally {
			await fresh.stop();
		}
	};
	const [own, other] = [await peakOf('ours'), await peakOf('theirs')];
	const mb = (bytes: number) => (bytes / MB).toFixed(0);
	results.push(
		`${large} items with responses of 20 KB, each side in an n8n of its own: n8n takes ${mb(own)} MB more at the most, with HTTP Request ${mb(other)} MB, ratio ${(own / other).toFixed(2)}, at most ${MOST_OF_THEIR_MEMORY}: ${verdict(own / other <= MOST_OF_THEIR_MEMORY)}`,
	);
	bench.say(results.at(-1) ?? '');
	return results;
}

/** @returns of each run the seconds, and the bytes that n8n took at the most until the execution was stored, beyond what it had before */
async function measure(
	{ n8n, ...bench }: Bench,
	facts: ServiceFacts,
	{
		side,
		responseBytes,
		runs,
	}: { side: keyof Sides<unknown>; responseBytes: number; runs: readonly number[] },
) {
	const booking = { ...(JSON.parse(facts.booking) as object), message: 'x'.repeat(responseBytes) };
	const service = await startInstantService({ ...facts, booking: JSON.stringify(booking) });
	const memory = `/proc/${n8n.child.pid ?? 0}`;
	const readBytes = (name: string) => {
		const text = TELLS_MEMORY ? readFileSync(`${memory}/status`, 'utf8') : '';
		return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * BYTES_PER_KB;
	};
	try {
		const [job] = await createJobs({ n8n, ...bench }, service.url, facts);
		const measured = [];
		for (const items of runs) {
			const runner = await publishRunner(n8n.client, job[side]);
			// Has Linux forget the peak.
			if (TELLS_MEMORY) writeFileSync(`${memory}/clear_refs`, '5');
			const before = readBytes('VmRSS');
			const id = await runner.runUnread(Array.from({ length: items }, (_, item) => ({ item })));
			// Before the execution is read: for that n8n takes more than in the run.
			const peakBytes = readBytes('VmHWM') - before;
			const execution = await n8n.client.execution(id);
			await runner.end();
			const run = execution.runs[NODE_UNDER_TEST]?.[0];
			if (execution.status !== 'success' || !run)
				throw new Error(`The run of ${items} items ended as ${execution.status}.`);
			measured.push({ seconds: run.executionTime / 1000, peakBytes });
		}
		return measured;
	} finally {
		await service.close();
	}
}
