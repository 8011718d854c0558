import { join } from 'node:path';
import { run } from '../../harness/children.ts';
import { projectRoot } from '../../harness/paths.ts';

async function resultsOf(comparison: string): Promise<string> {
	const printed = await run({
		name: 'The benchmark',
		command: process.execPath,
		args: [join(projectRoot(), 'bench', 'main.ts'), '--only', comparison, '--quick'],
		cwd: projectRoot(),
		env: process.env,
	});
	return printed.split('━━ Results')[1] ?? '';
}

it('npm run bench sends the same calls and gets the same items on both sides, and says what it measured', async () => {
	const results = await resultsOf('requests');

	expect(results.match(/ratio \d+\.\d\d, at most 0\.\d\d: (reached|MISSED)/g)).toHaveLength(6);
});

it('npm run bench measures what reads a response', async () => {
	const results = await resultsOf('responses');

	expect(results.match(/ratio \d+\.\d\d \([^)]+\), at most 2\.3: (reached|MISSED)/g)).toHaveLength(8);
});

it('npm run bench measures services with limits', async () => {
	const results = await resultsOf('limits');

	expect(
		results.match(
			/: \d+\.\d\d s, \d+\.\d\d of (HTTP Request's time|the least) \(\d+\.\d\d s\), at most [\d.]+; \d+ at once, .* 0 failed: (reached|MISSED)/g,
		),
	).toHaveLength(9);
});
