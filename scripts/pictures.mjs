// npm run pictures: the browser tests, which put the pictures they take into the documents.
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('npm', ['run', 'test:browser'], {
	stdio: 'inherit',
	shell: process.platform === 'win32',
	env: { ...process.env, HOSPITALITY_BOOKING_PICTURES: 'write' },
});
process.exitCode = status ?? 1;
