// npm test [-- stage…]: runs stages, two at a time, all of them even where one fails, and ends with one line,
// `N passed, N failed`: the tests' own counts, and one for every other stage.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import partition from 'lodash/partition.js';
import sumBy from 'lodash/sumBy.js';
import { Child, stopOnSignals } from '../dev/children.ts';
import { readCommandLine } from '../dev/commandLine.ts';
import { installN8n, n8nVersions } from '../dev/n8nVersions.ts';
import { npmCommand } from '../dev/npm.ts';
import { buildPackage } from '../dev/package.ts';

interface Stage {
	/** The name of a folder of `test/`, whose tests are counted one by one, unless there is a script. */
	name: string;
	/** What it promises. */
	what: string;
	/** An npm script, which counts as one check. */
	script?: string;
	/** Whether it runs before the others, with nothing beside it. */
	isAlone?: true;
	/** Whether it needs real n8n, which is installed while stages without it run. */
	needsN8n?: true;
	/** The folder of `test/`, where the name is another. */
	folder?: string;
	/** The version of n8n, where it is not that of dev/. */
	n8n?: string;
	/** Not in `npm test`, only with --all or where it is named. */
	isOnlyInAll?: true;
}

interface Result {
	stage: string;
	passed: number;
	failed: number;
	seconds: number;
}

interface JestReport {
	numPassedTests: number;
	numFailedTests: number;
	numRuntimeErrorTestSuites: number;
}

/** Runs first: tests and types read its output. */
const GENERATE: Stage = {
	name: 'generate',
	what: 'calls and previews are made from the contract',
	script: 'generate',
	isAlone: true,
};
const OLDEST = n8nVersions().versions[0]?.version;
const STAGES: Stage[] = [
	// It rewrites files that the others read.
	{ name: 'verify', what: "n8n's verification scan of source and package", script: 'verify', isAlone: true },
	// The longest first: the lanes then end at about the same time.
	{ name: 'e2e', what: 'the packed package in real n8n', needsN8n: true },
	{
		name: 'oldest',
		what: 'the same in the oldest n8n',
		folder: 'e2e',
		n8n: OLDEST,
		needsN8n: true,
		isOnlyInAll: true,
	},
	{ name: 'browser', what: 'the editor in a real browser', needsN8n: true, isOnlyInAll: true },
	{ name: 'long', what: 'kills, memory and the demo in real n8n', needsN8n: true, isOnlyInAll: true },
	{ name: 'model', what: 'the trigger and the limiter against models' },
	{ name: 'scale', what: 'n8n in queue mode, with workers', needsN8n: true, isOnlyInAll: true },
	{ name: 'engine', what: "operations and the trigger in n8n's engine" },
	{ name: 'unit', what: 'pure logic' },
	{ name: 'sandbox', what: 'the sandbox and the contract' },
	{ name: 'lint', what: 'ESLint and Prettier report nothing', script: 'lint' },
	{ name: 'types', what: 'TypeScript, strict', script: 'typecheck' },
];
/** How many stages run concurrently. */
const LANES = 2;
const USAGE = `npm test [-- stage… --all --n8n VERSION --files PATTERN]

${[GENERATE, ...STAGES].map(({ name, what, isOnlyInAll }) => `  ${name.padEnd(10)} ${what}${isOnlyInAll ? ' (with --all)' : ''}`).join('\n')}
  --all      everything, and more generated cases
  --n8n      the version of n8n that e2e, browser and long run, e.g. 2.33.7; installed on first use
  --files    only the test files whose path matches`;

const root = join(import.meta.dirname, '..');
const results = join(root, '.cache', 'test');
const skipped: string[] = [];

const { values, positionals } = readCommandLine(USAGE, {
	all: { type: 'boolean', default: false },
	n8n: { type: 'string' },
	files: { type: 'string', default: '' },
});

/** Runs a command and prints each of its lines after the stage's name. @returns its exit code */
async function execute(name: string, command: string, args: string[], env: object = {}) {
	const onLine = (line: string) => {
		if (line.includes('SKIPPED: ')) skipped.push(line);
		console.log(`[${name}] ${line}`);
	};
	const options = { name, command, args, cwd: root, env: { ...process.env, ...env }, onLine };
	return (await new Child(options).exited).code;
}

/** Runs one folder of tests with jest, with the folder's own configuration where it has one: for all files together, or each. */
async function runTests({ name, folder = name, n8n = values.n8n }: Stage) {
	const own = ['together', ''].map((part) => join('test', folder, part, 'jest.config.js'));
	const config = own.find((file) => existsSync(join(root, file))) ?? 'jest.config.js';
	const output = join(results, `${name}.json`);
	rmSync(output, { force: true });
	const env = n8n ? { HOSPITALITY_BOOKING_N8N: JSON.stringify(await installN8n(n8n, console.log)) } : {};
	const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const args = ['--config', config, '--json', '--outputFile', output];
	const files = `test/${folder}/.*(${values.files})`;
	const code = await execute(name, process.execPath, [jest, ...args, '--testPathPatterns', files], env);
	if (!existsSync(output)) return { passed: 0, failed: 1 };
	const report = JSON.parse(readFileSync(output, 'utf8')) as JestReport;
	const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
	return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

async function runScript(name: string, script: string) {
	const { command, args } = npmCommand(['run', '--silent', script]);
	const code = await execute(name, command, args);
	return { passed: Number(code === 0), failed: Number(code !== 0) };
}

async function runStage(stage: Stage): Promise<Result> {
	const { name, what, script } = stage;
	console.log(`━━ ${name}: ${what}`);
	const began = performance.now();
	const counts = await (script ? runScript(name, script) : runTests(stage)).catch((error: unknown) => {
		console.error(error);
		return { passed: 0, failed: 1 };
	});
	const result = { stage: name, ...counts, seconds: (performance.now() - began) / 1000 };
	console.log(`━━ ${lineOf(result)}`);
	return result;
}

function lineOf({ stage, passed, failed, seconds }: Result): string {
	const counts = `${passed} passed, ${failed} failed`;
	return `${failed === 0 ? '✓' : '✗'} ${stage.padEnd(9)} ${seconds.toFixed(1).padStart(6)} s  ${counts}`;
}

/** Runs the stages that must be alone, then the others in lanes side by side. */
async function runStages(stages: readonly Stage[]): Promise<Result[]> {
	const done: Result[] = [];
	const [alone, others] = partition(stages, ({ isAlone }) => isAlone);
	let isInstalled = false;
	// Mostly waits for the network: beside the stages that do not need n8n.
	const installed = stages.some(({ needsN8n }) => needsN8n)
		? installN8n().then(() => void (isInstalled = true), console.error)
		: undefined;
	for (const stage of alone) done.push(await runStage(stage));
	// It rewrites files that the stages read. If it fails, those that need the package say why.
	if (others.some(({ needsN8n }) => needsN8n)) await buildPackage().catch(() => undefined);
	const lane = async () => {
		while (others.length > 0) {
			const ready = isInstalled ? 0 : others.findIndex(({ needsN8n }) => !needsN8n);
			for (const stage of others.splice(Math.max(0, ready), 1)) {
				if (stage.needsN8n) await installed;
				done.push(await runStage(stage));
			}
		}
	};
	await Promise.all(Array.from({ length: LANES }, lane));
	return done;
}

function chosenStages(): Stage[] {
	const unknown = positionals.find((name) => !STAGES.some((stage) => stage.name === name));
	if (unknown !== undefined) {
		console.error(`There is no stage "${unknown}".\n\n${USAGE}`);
		process.exit(1);
	}
	if (positionals.length > 0) return STAGES.filter(({ name }) => positionals.includes(name));
	return STAGES.filter(({ isOnlyInAll }) => values.all || !isOnlyInAll);
}

stopOnSignals(1);
mkdirSync(results, { recursive: true });
if (values.all) process.env['THOROUGH'] = 'true';
const began = performance.now();
const done = await runStages([GENERATE, ...chosenStages()]);
const failed = sumBy(done, 'failed');
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
console.log([`\n━━ summary, ${minutes} min`, ...done.map(lineOf), ...skipped, ''].join('\n'));
console.log(`${sumBy(done, 'passed')} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
