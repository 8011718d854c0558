// npm run bench: this node beside n8n's HTTP Request, its limiter on services drawn at random, and growth with hostile text.
// Prints each figure with its target; ends with 1 only where a measurement could not be made.
import { availableParallelism, cpus } from 'node:os';
import { stopAll, stopOnSignals } from '../dev/children.ts';
import { readCommandLine } from '../dev/commandLine.ts';
import { benchGrowth } from './growth.ts';
import { benchLimiter } from './limiter.ts';
import { benchRequests, startBench } from './n8n.ts';

const USAGE = `npm run bench -- [growth] [limiter] [requests] [--seed N]

  growth     hostile text of 16 and 32 MB through all that reads, compares or shows it
  limiter    the limiter on 2,000 services drawn at random, in virtual time; --seed N draws others
  requests   1,000 items through this node and through n8n's HTTP Request, in real n8n`;

const { values, positionals } = readCommandLine(USAGE, {
	seed: { type: 'string', default: '1' },
});
const isChosen = (name: string) => positionals.length === 0 || positionals.includes(name);

stopOnSignals(130);
try {
	const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`;
	console.log(
		`${new Date().toISOString().slice(0, 16)}Z, Node ${process.versions.node}, ${machine}`,
	);
	// What measures this process leaves it no time to keep connections to n8n: it runs before n8n starts.
	if (isChosen('growth')) await benchGrowth();
	if (isChosen('limiter')) benchLimiter(Number(values.seed));
	if (isChosen('requests')) await benchRequests(await startBench());
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
} finally {
	await stopAll();
}
