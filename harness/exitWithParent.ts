// Preloaded into n8n: its standard input is a pipe from the process that started it, and the pipe ends when
// that process is gone, however it went. n8n then stops as on Ctrl-C instead of holding its port for ever.
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
	// Nobody reads what it prints any more; without these every line logged would raise an error that is logged.
	process.stdout.on('error', () => undefined);
	process.stderr.on('error', () => undefined);
}
