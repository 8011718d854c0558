// Preloaded into n8n. Its standard input is a pipe from the process that started it, which ends with that process,
// even if it is killed. n8n then stops as on Ctrl-C instead of keeping its port.
import { isMainThread } from 'node:worker_threads';

const INSIST_AFTER_MS = 10_000;

function stop(): void {
	process.kill(process.pid, 'SIGTERM');
	setTimeout(() => process.kill(process.pid, 'SIGKILL'), INSIST_AFTER_MS).unref();
}

if (isMainThread) {
	process.stdin.once('end', stop);
	process.stdin.once('error', stop);
	process.stdin.resume();
	// Nobody reads its output any more: without these, every logged line would cause an error, which is logged too.
	process.stdout.on('error', () => undefined);
	process.stderr.on('error', () => undefined);
}
