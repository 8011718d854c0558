import { inspect, isDeepStrictEqual } from 'node:util';
import range from 'lodash/range.js';
import round from 'lodash/round.js';
import { publishRunner } from '../dev/runner.ts';
import type { Bench } from './bench.ts';
import { median, type Report } from './report.ts';
import type { Job, Sides } from './requests/jobs.ts';
import { benchMany } from './requests/many.ts';
import { measure, type Measured, withService } from './requests/measure.ts';

const FULL = { items: 1_000, rounds: 5, slowResponseMs: 250 };
const QUICK = { items: 20, rounds: 1, slowResponseMs: 20 };

/**
 * The same items through this node and through n8n's HTTP Request node with an OAuth2 client-credentials credential:
 * same service without delay, same n8n, in turns. Prints each job's time per item on both sides; the ratio of their medians
 * counts.
 *
 * @throws when the two did not send the same calls or put out the same items
 */
export async function benchRequests(bench: Bench, report: Report): Promise<void> {
	const { items: count, rounds, slowResponseMs } = bench.quick ? QUICK : FULL;
	await withService(bench, {}, async (service, jobs) => {
		for (const job of jobs) {
			const items = range(count).map(job.itemOf);
			const runners = {
				ours: await publishRunner(bench.n8n.client, job.ours),
				theirs: await publishRunner(bench.n8n.client, job.theirs),
			};
			const runBoth = async (order: ReadonlyArray<keyof Sides<unknown>>) => {
				const runs: Partial<Sides<Measured>> = {};
				for (const side of order) runs[side] = await measure(bench, service, runners[side], items);
				return runs as Sides<Measured>;
			};
			service.delayMs = job === jobs[0] ? slowResponseMs : 0;
			const first = await runBoth(['ours', 'theirs']);
			if (job === jobs[0])
				show(`First use: no token yet, every response takes ${slowResponseMs} ms`, [first]);
			service.delayMs = 0;
			const timed: Array<Sides<Measured>> = [];
			for (const turn of range(rounds))
				timed.push(await runBoth(turn % 2 === 0 ? ['ours', 'theirs'] : ['theirs', 'ours']));
			for (const run of timed.flatMap(({ ours, theirs }) => [ours, theirs])) sameWork(job, first.ours, run);
			await runners.ours.end();
			await runners.theirs.end();
			show(job.name, timed);
			report.add(`${job.name}: ratio`, timeOf(timed, 'ours') / timeOf(timed, 'theirs'), job.most);
		}
	});
	await benchMany(bench, report);
}

function sameWork({ name }: Job, one: Measured, other: Measured): void {
	const [asked, alsoAsked] = [one, other].map((run) => run.asked.map(asText).sort());
	if (!isDeepStrictEqual(asked, alsoAsked))
		throw new Error(`"${name}": other calls were sent:\n${asked?.[0]}\n${alsoAsked?.[0]}`);
	if (!isDeepStrictEqual(one.output, other.output)) throw new Error(`"${name}": other items came out.`);
}

/** A call with all names in order. */
function asText({ method, url, body }: Measured['asked'][number]): string {
	const { pathname, searchParams } = new URL(url, 'http://service');
	searchParams.sort();
	return `${method} ${pathname}?${searchParams} ${inspect(body, { sorted: true, depth: null })}`;
}

function timeOf(rounds: ReadonlyArray<Sides<Measured>>, side: keyof Sides<Measured>): number {
	return median(rounds.map((one) => one[side].seconds));
}

/** Prints both sides' time, and of each count the most in a run. */
function show(title: string, rounds: ReadonlyArray<Sides<Measured>>): void {
	const row = (side: keyof Sides<Measured>) => {
		const runs = rounds.map((one) => one[side]);
		const msPerItem = ({ seconds, output }: Measured) => round((1000 * seconds) / output.length, 2);
		const most = (key: 'calls' | 'tokenRequests' | 'failedCalls' | 'mostAtOnce') =>
			Math.max(...runs.map((run) => run[key]));
		return {
			'ms/item': median(runs.map(msPerItem)),
			'each run': runs.map(msPerItem).join(' '),
			calls: most('calls'),
			'token requests': most('tokenRequests'),
			'failed calls': most('failedCalls'),
			'most at once': most('mostAtOnce'),
		};
	};
	console.log(title);
	console.table({ 'this node': row('ours'), 'HTTP Request': row('theirs') });
}
