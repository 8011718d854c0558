// Preloaded into n8n: its standard input is a pipe from the process that started it, and the pipe ends when
// that process is gone, however it went. n8n then stops as on Ctrl-C instead of holding its port for ever.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
	process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'));
	process.stdin.on('error', () => process.kill(process.pid, 'SIGTERM'));
	process.stdin.resume();
}
