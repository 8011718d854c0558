// npm run bench: side-by-side measurements. Prints each figure as soon as it is measured; ends with 0 also where a
// target is missed, and with 1 where a measurement could not be made.
import { availableParallelism, cpus } from 'node:os';
import { stopAll } from '../demo/children.ts';
import { n8nVersion } from '../demo/n8n.ts';
import { startBench, type Bench } from './bench.ts';
import { HELP, readArguments, type Comparison } from './options.ts';
import { benchRequests } from './requests.ts';

const RUN: Partial<Record<Comparison, { title: string; run: (bench: Bench) => Promise<string[]> }>> = {
	requests: {
		title: "Requests: this node beside n8n's HTTP Request node with OAuth2 client credentials",
		run: benchRequests,
	},
};

function say(text: string): void {
	console.log(text);
}

function machine(): string {
	const model = cpus()[0]?.model.trim() ?? 'unknown processor';
	return `${new Date().toISOString().slice(0, 16)}Z, n8n ${n8nVersion()}, Node ${process.versions.node}, ${availableParallelism()} × ${model}`;
}

async function main(): Promise<void> {
	const args = readArguments(process.argv.slice(2));
	if (args.help) return say(HELP);
	say(machine());
	say('Starting n8n with the packed package, and the sandbox …');
	const bench = await startBench(args.quick, say);
	const results: string[] = [];
	for (const name of args.only) {
		const comparison = RUN[name];
		if (!comparison) continue;
		say(`\n━━ ${comparison.title}\n`);
		results.push(...(await comparison.run(bench)));
	}
	say(`\n━━ Targets\n\n${results.join('\n')}`);
	await bench.stop();
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
