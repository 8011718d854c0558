import { appendFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';

// Loaded into n8n with --import: appends a line of JSON ten times a second to the file named by EXCHANGE_FILE.
const file = process.env.EXCHANGE_FILE;
if (file) {
	const names = new Set(Object.getOwnPropertyNames(Object.prototype));
	setInterval(() => {
		const added = Object.getOwnPropertyNames(Object.prototype).filter((name) => !names.has(name));
		const { total_heap_size: heap } = getHeapStatistics();
		// Exact, also for what was over before this ran again.
		const { maxRSS } = process.resourceUsage();
		appendFileSync(file, `${JSON.stringify({ heap, peak: maxRSS * 1024, added })}\n`);
	}, 100).unref();
}
