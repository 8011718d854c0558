// npm run bench: side-by-side measurements. Prints each figure as soon as it is measured; ends with 0 also where a
// target is missed, and with 1 where a measurement could not be made.
import { availableParallelism, cpus } from 'node:os';
import { stopAll } from '../harness/children.ts';
import { defaultN8n } from '../harness/n8nVersions.ts';
import { startBench, type Bench } from './bench.ts';
import { benchLimiters } from './limiters.ts';
import { benchLimits } from './limits.ts';
import { type BenchArguments, type Comparison, HELP, readArguments } from './options.ts';
import { benchRequests } from './requests.ts';

/** n8n and the sandbox are started by the first comparison that needs them. */
interface Comparing {
	title: string;
	run: (bench: () => Promise<Bench>, args: BenchArguments) => Promise<string[]>;
}

const COMPARING: Record<Comparison, Comparing> = {
	requests: {
		title: "Requests: this node beside n8n's HTTP Request node with OAuth2 client credentials",
		run: async (bench) => await benchRequests(await bench()),
	},
	limits: {
		title: 'Limits: this node beside HTTP Request on services that bear only so much',
		run: async (bench, { row }) => await benchLimits(await bench(), row),
	},
	limiters: {
		title: 'Limiters: this package beside published algorithms on services drawn at random, simulated',
		run: (_bench, { seed }) => Promise.resolve(benchLimiters(say, seed)),
	},
};

function say(text: string): void {
	console.log(text);
}

function machine(): string {
	const model = cpus()[0]?.model.trim() ?? 'unknown processor';
	return `${new Date().toISOString().slice(0, 16)}Z, n8n ${defaultN8n().version}, Node ${process.versions.node}, ${availableParallelism()} × ${model}`;
}

async function main(): Promise<void> {
	const args = readArguments(process.argv.slice(2));
	if (args.help) return say(HELP);
	say(machine());
	let started: Promise<Bench> | undefined;
	const bench = () => {
		if (!started) say('Starting n8n with the packed package, and the sandbox …\n');
		started ??= startBench(args.quick, say);
		return started;
	};
	const results: string[] = [];
	for (const name of args.only) {
		const { title, run } = COMPARING[name];
		say(`\n━━ ${title}\n`);
		results.push(...(await run(bench, args)));
	}
	say(`\n━━ Results\n\n${results.join('\n')}`);
	await (await started)?.stop();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => void stopAll().then(() => process.exit(130)));
}

try {
	await main();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
} finally {
	await stopAll();
}
