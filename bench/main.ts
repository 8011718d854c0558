// npm run bench: side-by-side measurements. Prints each figure as soon as it is measured; ends with 0 also where a
// target is missed, and with 1 where a measurement could not be made.
import { availableParallelism, cpus } from 'node:os';
import difference from 'lodash/difference.js';
import { stopAll, stopOnSignals } from '../dev/children.ts';
import { readCommandLine } from '../dev/commandLine.ts';
import { startBench, type Bench } from './bench.ts';
import { benchGrowth } from './growth.ts';
import { benchLimiters } from './limiters.ts';
import { benchLimits } from './limits.ts';
import { benchRequests } from './requests.ts';
import { Report } from './report.ts';
import { benchResponses } from './responses.ts';

const USAGE = `npm run bench -- [options]

  --only NAME      one comparison; may be repeated; they run in this order
                     limiters   the limiter beside AIMD on services drawn at random, simulated
                     responses  hostile text of 16 and 32 MB through each function that reads a response
                     growth     lists, polls and outcomes of 10,000 and 20,000
                     requests   1,000 items through this node and through n8n's HTTP Request node
                     limits     the same on services with limits: calls at once, calls a second, pauses
  --row TEXT       of the limits, only the services whose name holds this text
  --seed NUMBER    of the limiters, the first of the 500 services drawn; unless given it follows from the version
  --quick          few items and one round, to see that the benchmark itself works; its times say nothing
  --help           this text`;

const { values } = readCommandLine(USAGE, {
	only: { type: 'string', multiple: true, default: [] },
	row: { type: 'string' },
	seed: { type: 'string' },
	quick: { type: 'boolean', default: false },
});

const report = new Report();
/** n8n and the sandbox are started by the first comparison that needs them. */
let started: Promise<Bench> | undefined;
const bench = async () => await (started ??= startBench(values.quick));

const COMPARISONS: Record<string, { title: string; run: () => void | Promise<void> }> = {
	// What measures this process leaves it no time to keep connections to n8n: it runs before n8n starts.
	limiters: {
		title: 'Limiters: this package beside AIMD on services drawn at random, simulated',
		run: () => benchLimiters(report, values.seed === undefined ? undefined : Number(values.seed)),
	},
	responses: {
		title: 'Responses: the time that hostile text takes grows no faster than the text',
		run: async () => await benchResponses(report, values.quick),
	},
	growth: {
		title: 'Growth: twice as many records, items or parts of an item take twice the time',
		run: async () => await benchGrowth(report, values.quick),
	},
	requests: {
		title: "Requests: this node beside n8n's HTTP Request node with OAuth2 client credentials",
		run: async () => await benchRequests(await bench(), report),
	},
	limits: {
		title: 'Limits: this node beside HTTP Request on services with limits',
		run: async () => await benchLimits(await bench(), report, values.row),
	},
};

async function main(): Promise<void> {
	const known = Object.keys(COMPARISONS);
	const names = values.only.length > 0 ? values.only : known;
	for (const name of difference(names, known))
		throw new Error(`--only takes one of ${known.join(', ')}, not "${name}".`);
	const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`;
	const now = new Date().toISOString().slice(0, 16);
	console.log(`${now}Z, Node ${process.versions.node}, ${machine}`);
	for (const [name, { title, run }] of Object.entries(COMPARISONS)) {
		if (!names.includes(name)) continue;
		console.log(`\n━━ ${title}\n`);
		await run();
	}
	console.log(`\n━━ Results\n\n${report.lines.join('\n')}`);
	await (await started)?.stop();
}

stopOnSignals(130);

try {
	await main();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
} finally {
	await stopAll();
}
