import { join } from 'node:path';
import { run } from '../../dev/children.ts';
import { projectRoot } from '../../dev/paths.ts';

/** What each comparison says it has measured, and how many lines of it there are. */
const RESULTS: Array<[comparison: string, line: RegExp, count: number]> = [
	['requests', /^(GET|Update) .+: ratio \d+\.\d\d, at most 0\.\d+: (reached|MISSED)/gm, 6],
	['responses', /^Reading, .+: ratio \d+\.\d\d, at most 2\.3 \([^)]+\): (reached|MISSED)/gm, 8],
	['growth', /^Growth, [\w ,]+: ratio \d+\.\d\d, at most 2\.3 \([^)]+\): (reached|MISSED)/gm, 15],
	[
		'limits',
		/: ratio \d+\.\d\d, at most [\d.]+ \(\d+\.\d\d s, the least \d+\.\d\d s; \d+ at once, .* 0 failed\): (reached|MISSED)/g,
		3,
	],
];

/** All comparisons but the limiters', in an n8n that starts for each side: it may take its time where others use the machine. */
jest.setTimeout(600_000);

it('npm run bench sends the same calls and gets the same items on both sides, and says what it measured', async () => {
	const chosen = RESULTS.flatMap(([comparison]) => ['--only', comparison]);
	const printed = await run({
		name: 'The benchmark',
		command: process.execPath,
		args: [join(projectRoot(), 'bench', 'main.ts'), ...chosen, '--row', 'at once', '--quick'],
		cwd: projectRoot(),
		env: process.env,
	});
	const results = printed.split('━━ Results')[1] ?? '';

	for (const [comparison, line, count] of RESULTS)
		expect([comparison, results.match(line)?.length]).toEqual([comparison, count]);
});
