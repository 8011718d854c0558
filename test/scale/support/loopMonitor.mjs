import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Loaded into n8n with --import: appends a line of JSON a second to the file named by EXCHANGE_FILE. Where a file of that
// name with `.collect` behind it is found, garbage is collected first, and the line says so.
const file = process.env.EXCHANGE_FILE;
// n8n's worker threads load it, too, and have a heap and a loop of their own.
if (file && isMainThread && process.argv.includes('start')) {
	const delay = monitorEventLoopDelay({ resolution: 5 });
	delay.enable();
	const ms = (nanoseconds) => Math.round(nanoseconds / 1e4) / 100;
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc');
	setInterval(() => {
		const collected = existsSync(`${file}.collect`);
		if (collected) collectGarbage();
		const { rss, heapUsed } = process.memoryUsage();
		const { user, system } = process.cpuUsage();
		const cpuMs = (user + system) / 1000;
		const line = {
			at: Date.now(),
			p99: ms(delay.percentile(99)),
			max: ms(delay.max),
			rss,
			heapUsed,
			cpuMs,
			collected,
		};
		appendFileSync(file, `${JSON.stringify(line)}\n`);
		if (collected) rmSync(`${file}.collect`);
		delay.reset();
	}, 1_000).unref();
}
