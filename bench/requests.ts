import { isDeepStrictEqual } from 'node:util';
import type { Execution, WorkflowNode } from '../demo/n8nClient.ts';
import { NODE_UNDER_TEST, outputOf, publishRunner, type Runner } from '../demo/runner.ts';
import { bookingCredential } from '../demo/sandbox.ts';
import type { Bench } from './bench.ts';
import { median, table, verdict } from './report.ts';
import { jobs, type Job } from './requests/jobs.ts';
import { recordFacts, startInstantService, type Counts, type InstantService } from './requests/service.ts';

interface Size {
	items: number;
	rounds: number;
}

const FULL: Size = { items: 1_000, rounds: 5 };
const QUICK: Size = { items: 20, rounds: 1 };

/** What one side did in one run. */
interface Measured {
	msPerItem: number;
	counts: Counts;
	output: unknown[];
}

interface Side {
	runner: Runner;
	/** The run with no token yet, which also warms the process up; it is not among the timed ones. */
	first: Measured;
	timed: Measured[];
}

/**
 * The same items through this node and through n8n's HTTP Request node with an OAuth2 client-credentials credential:
 * same service without delay, same n8n, one after the other and in turns. Prints each job's time per item on both
 * sides and the ratio of their medians.
 *
 * @throws when the two did not send the same calls or put out the same items
 */
export async function benchRequests({ n8n, sandbox, quick, say }: Bench): Promise<void> {
	const size = quick ? QUICK : FULL;
	const facts = await recordFacts(sandbox);
	const service = await startInstantService(facts);
	try {
		const { client } = n8n;
		const credentials = {
			ours: () =>
				client.createCredential('Bench', 'hospitalityBookingApi', {
					...bookingCredential(sandbox),
					baseUrl: service.url,
					authUrl: service.url,
				}),
			theirs: () =>
				client.createCredential('Bench OAuth2', 'oAuth2Api', {
					grantType: 'clientCredentials',
					accessTokenUrl: `${service.url}/connect/token`,
					clientId: facts.clientId,
					clientSecret: facts.clientSecret,
					scope: 'publicAPI',
					authentication: 'body',
				}),
		};
		const setting = { url: service.url, system: facts.system };
		const all = jobs({ ...setting, ours: await credentials.ours(), theirs: await credentials.theirs() });
		for (const job of all) {
			const items = Array.from({ length: size.items }, (_, item) => job.itemOf(item));
			const begin = async (node: WorkflowNode): Promise<Side> => {
				const runner = await publishRunner(client, node);
				return { runner, first: await measure(runner, service, items), timed: [] };
			};
			const ours = await begin(job.ours);
			const theirs = await begin(job.theirs);
			for (let round = 0; round < size.rounds; round++) {
				for (const side of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
					side.timed.push(await measure(side.runner, service, items));
				}
			}
			await ours.runner.end();
			await theirs.runner.end();
			for (const run of [...ours.timed, theirs.first, ...theirs.timed]) sameWork(job, ours.first, run);
			say(reportOf(job, ours, theirs));
		}
	} finally {
		await service.close();
	}
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

/** @throws what the execution failed with */
function nodeTime(execution: Execution): number {
	const run = execution.runs[NODE_UNDER_TEST]?.[0];
	if (execution.status === 'success' && run) return run.executionTime;
	throw new Error(execution.error?.message ?? `The execution ended as ${execution.status}.`);
}

function sameWork({ name, values }: Job, one: Measured, other: Measured): void {
	const asked = [one, other].map(({ counts }) => counts.asked.toSorted());
	if (!isDeepStrictEqual(asked[0], asked[1])) {
		throw new Error(
			`"${name}" (${values}): the two sides sent different calls:\n${asked[0]?.[0]}\n${asked[1]?.[0]}`,
		);
	}
	if (!isDeepStrictEqual(one.output, other.output))
		throw new Error(`"${name}" (${values}): the two sides put out different items.`);
}

function reportOf(job: Job, ours: Side, theirs: Side): string {
	const time = (side: Side) => median(side.timed.map(({ msPerItem }) => msPerItem));
	const most = (runs: Measured[], key: 'calls' | 'tokenRequests' | 'failedCalls' | 'mostAtOnce') =>
		Math.max(...runs.map(({ counts }) => counts[key]));
	const row = (name: string, side: Side) => [
		name,
		time(side).toFixed(2),
		side.timed.map(({ msPerItem }) => msPerItem.toFixed(2)).join(' '),
		most(side.timed, 'calls'),
		`${side.first.counts.tokenRequests} / ${most(side.timed, 'tokenRequests')}`,
		`${side.first.counts.failedCalls} / ${most(side.timed, 'failedCalls')}`,
		most(side.timed, 'mostAtOnce'),
	];
	const ratio = time(ours) / time(theirs);
	return [
		`${job.name}, values ${job.values}`,
		table([
			['', 'ms/item', 'runs', 'calls', 'token requests*', 'failed*', 'most at once'],
			row('this node', ours),
			row('HTTP Request', theirs),
		]),
		`ratio ${ratio.toFixed(3)}${job.target === undefined ? '' : `  ${verdict(ratio <= job.target)}, target at most ${job.target.toFixed(2)}`}`,
	].join('\n');
}
