import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into n8n with --import: appends a line of JSON a second to the file named by LOOP_MONITOR.
const file = process.env.LOOP_MONITOR;
if (file) {
	const delay = monitorEventLoopDelay({ resolution: 5 });
	delay.enable();
	const ms = (nanoseconds) => Math.round(nanoseconds / 1e4) / 100;
	setInterval(() => {
		const { rss, heapUsed } = process.memoryUsage();
		const { user, system } = process.cpuUsage();
		const cpuMs = (user + system) / 1000;
		const line = { at: Date.now(), p99: ms(delay.percentile(99)), max: ms(delay.max), rss, heapUsed, cpuMs };
		appendFileSync(file, `${JSON.stringify(line)}\n`);
		delay.reset();
	}, 1_000).unref();
}
