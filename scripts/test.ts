// npm test [-- stage…]: runs stages, two at a time, all of them even where one fails, and ends with one line,
// `N passed, N failed`: the tests' own counts, and one for every other stage.
import { join } from 'node:path';
import sumBy from 'lodash/sumBy.js';
import { Child, stopOnSignals } from '../dev/children.ts';
import { readCommandLine } from '../dev/commandLine.ts';
import { installN8n, n8nVersions } from '../dev/n8nVersions.ts';
import { buildPackage, npmCommand } from '../dev/package.ts';

interface Stage {
	/** The name of a folder of `test/`, whose tests are counted one by one, unless there is a script. */
	name: string;
	/** What it promises. */
	what: string;
	/** An npm script, which counts as one check. */
	script?: string;
	/** Whether it needs real n8n, which is installed while stages without it run. One n8n is enough for a core. */
	needsN8n?: true;
	/** Whether its files run one after the other: none of them waits for anything. */
	isInBand?: true;
	/** The folder of `test/`, where the name is another. */
	folder?: string;
	/** The folder whose jest.config.js it takes, where it is not the root. */
	config?: string;
	/** The version of n8n, where it is not that of dev/. */
	n8n?: string;
	/** Not in `npm test`, only with --all or where it is named. */
	isOnlyInAll?: true;
	/** Only where it is named: it writes files of the project. */
	isOnlyNamed?: true;
}

const REAL = { needsN8n: true, isOnlyInAll: true } as const;
const E2E = 'test/e2e';
const OLDEST = n8nVersions().versions[0]?.version;
/** The longest first: the lanes then end at about the same time. */
const STAGES: Stage[] = [
	{ name: 'long', what: 'kills, memory and the demo in real n8n', ...REAL },
	{ name: 'e2e', what: 'the packed package in real n8n', config: E2E, needsN8n: true },
	{
		name: 'oldest',
		what: 'the same in the oldest n8n',
		folder: 'e2e',
		n8n: OLDEST,
		config: E2E,
		...REAL,
	},
	{ name: 'browser', what: 'the editor in a real browser', config: E2E, ...REAL },
	{
		name: 'pictures',
		what: 'takes the pictures of the pages',
		config: E2E,
		needsN8n: true,
		isOnlyNamed: true,
	},
	{ name: 'model', what: 'the trigger and the limiter against models' },
	{ name: 'scale', what: 'n8n in queue mode, with workers', ...REAL },
	{ name: 'engine', what: "operations and the trigger in n8n's engine" },
	{ name: 'unit', what: 'pure logic', isInBand: true },
	{ name: 'sandbox', what: 'the sandbox and the contract' },
	{ name: 'lint', what: 'ESLint and Prettier report nothing', script: 'lint' },
	{ name: 'types', what: 'TypeScript, strict', script: 'typecheck' },
	{ name: 'verify', what: "n8n's verification scan of source and package", script: 'verify' },
];
/** How many stages run concurrently. */
const LANES = 2;
const USAGE = `npm test [-- stage… --all --n8n VERSION --files PATTERN]

${STAGES.map(({ name, what, isOnlyInAll, isOnlyNamed }) => `  ${name.padEnd(10)} ${what}${isOnlyInAll ? ' (with --all)' : ''}${isOnlyNamed ? ' (where it is named)' : ''}`).join('\n')}
  --all      everything, and more generated cases
  --n8n      the version of n8n that e2e and long run, e.g. 2.33.7; installed on first use
  --without  stages that are left out, e.g. "model unit"
  --files    only the test files whose path matches`;

const root = join(import.meta.dirname, '..');
const skipped: string[] = [];
const done: Array<{ line: string; passed: number; failed: number }> = [];

const { values, positionals } = readCommandLine(USAGE, {
	all: { type: 'boolean', default: false },
	n8n: { type: 'string' },
	without: { type: 'string', default: '' },
	files: { type: 'string', default: '' },
});

/** An npm script, or jest with the configuration that a folder has. */
async function commandOf(stage: Stage) {
	const {
		name,
		script,
		needsN8n,
		isInBand = needsN8n,
		folder = name,
		config = '',
		n8n = values.n8n,
	} = stage;
	if (script) return npmCommand(['run', '--silent', script]);
	const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const files = `test/${folder}/.*(${values.files})`;
	const inBand = isInBand ? ['--runInBand'] : [];
	const args = [
		jest,
		'--config',
		join(config, 'jest.config.js'),
		...inBand,
		'--testPathPatterns',
		files,
	];
	const env = { ...process.env };
	if (n8n) env['HOSPITALITY_BOOKING_N8N'] = JSON.stringify(await installN8n(n8n, console.log));
	return { command: process.execPath, args, env };
}

/** Runs a stage and prints each line after its name. */
async function runStage(stage: Stage): Promise<void> {
	const { name, what, script } = stage;
	console.log(`━━ ${name}: ${what}`);
	const began = performance.now();
	let passed = 0;
	let failed = 0;
	const onLine = (line: string) => {
		console.log(`[${name}] ${line}`);
		if (line.includes('SKIPPED: ')) skipped.push(line);
		const counts =
			/^Tests: +(?:(\d+) failed, )?(?:\d+ skipped, )?(?:(\d+) passed, )?\d+ total$/.exec(line);
		if (!counts) return;
		failed = Number(counts[1] ?? 0);
		passed = Number(counts[2] ?? 0);
	};
	const { code } = await new Child({ name, cwd: root, onLine, ...(await commandOf(stage)) }).exited;
	if (code !== 0) failed = Math.max(failed, 1);
	else if (script) passed = 1;
	const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
	const line = `${failed === 0 ? '✓' : '✗'} ${name.padEnd(9)} ${seconds} s  ${passed} passed, ${failed} failed`;
	console.log(`━━ ${line}`);
	done.push({ line, passed, failed });
}

/** Makes first what the stages read, and would rewrite under each other's eyes; then runs them in lanes side by side. */
async function runStages(stages: Stage[]): Promise<void> {
	const needN8n = stages.some(({ needsN8n }) => needsN8n);
	let isInstalled = false;
	// Mostly waits for the network.
	const installed = needN8n
		? installN8n().then(() => void (isInstalled = true), console.error)
		: undefined;
	await runStage({
		name: 'generate',
		what: 'calls and previews are made from the contract',
		script: 'generate',
	});
	// If it fails, the stages that need the package say why.
	if (needN8n || stages.some(({ name }) => name === 'verify')) {
		await buildPackage().catch(() => undefined);
	}
	const lane = async () => {
		while (stages.length > 0) {
			const ready = isInstalled ? 0 : stages.findIndex(({ needsN8n }) => !needsN8n);
			for (const stage of stages.splice(Math.max(0, ready), 1)) {
				if (stage.needsN8n) await installed;
				await runStage(stage).catch(({ message }: Error) => {
					done.push({ line: `✗ ${stage.name}: ${message}`, passed: 0, failed: 1 });
				});
			}
		}
	};
	await Promise.all(Array.from({ length: LANES }, lane));
}

const unknown = positionals.find((name) => !STAGES.some((stage) => stage.name === name));
if (unknown !== undefined) {
	console.error(`There is no stage "${unknown}".\n\n${USAGE}`);
	process.exit(1);
}
stopOnSignals(1);
if (values.all) process.env['THOROUGH'] = 'true';
const began = performance.now();
const chosen = STAGES.filter(({ name, isOnlyInAll, isOnlyNamed }) =>
	positionals.length > 0
		? positionals.includes(name)
		: !isOnlyNamed && (values.all || !isOnlyInAll),
);
await runStages(chosen.filter(({ name }) => !values.without.split(' ').includes(name)));
const failed = sumBy(done, 'failed');
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
console.log(
	[`\n━━ summary, ${minutes} min`, ...done.map(({ line }) => line), ...skipped, ''].join('\n'),
);
console.log(`${sumBy(done, 'passed')} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
