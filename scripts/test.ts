// npm test [-- stage…]: runs stages, two at a time, all of them even where one fails, and ends with one line,
// `N passed, N failed`: the tests' own counts, and one for every other stage.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import partition from 'lodash/partition.js';
import { Child, stopOnSignals } from '../dev/children.ts';
import { readCommandLine } from '../dev/commandLine.ts';
import { installHarness } from '../dev/install.ts';
import { npmCommand } from '../dev/npm.ts';
import { buildPackage } from '../dev/package.ts';
import { NoServersError, type Servers, ensureServers } from '../dev/servers.ts';

interface Stage {
	/** The name of a folder of `test/`, whose tests are counted one by one, unless there is a script. */
	name: string;
	/** What it promises. */
	what: string;
	/** An npm script. It counts as one check, unless its last line has counts. */
	script?: string;
	/** Real n8n, which is installed while stages without it run, and servers: without PostgreSQL and Redis it is skipped, with the reason. */
	needs?: 'n8n' | 'n8n and servers';
	/** Runs before the others, with nothing beside it. */
	isAlone?: true;
	/** Not in `npm test`: only with --all, or only if named. */
	only?: 'all' | 'named';
}

/** Runs first: tests and types read its output. */
const GENERATE: Stage = {
	name: 'generate',
	what: 'validators, calls and previews are made from the contract',
	script: 'generate',
	isAlone: true,
};

const STAGES: Stage[] = [
	// It rewrites files that the others read.
	{ name: 'verify', what: "n8n's verification scan of source and package", script: 'verify', isAlone: true },
	// The longest first: the lanes then end at about the same time.
	{ name: 'e2e', what: 'the packed package in real n8n', needs: 'n8n' },
	{ name: 'compat', what: 'other versions of n8n', script: 'test:compat:ci', needs: 'n8n', only: 'all' },
	{ name: 'browser', what: 'the editor in a real browser', needs: 'n8n', only: 'all' },
	{ name: 'long', what: 'what cheaper stages prove, for longer in real n8n', needs: 'n8n', only: 'all' },
	{ name: 'model', what: 'the trigger and the limiter against models' },
	{ name: 'scale', what: 'n8n in queue mode, with workers', needs: 'n8n and servers', only: 'all' },
	{ name: 'engine', what: "operations and the trigger in n8n's engine" },
	{ name: 'unit', what: 'pure logic' },
	{ name: 'sandbox', what: 'the sandbox and the contract' },
	{ name: 'lint', what: 'ESLint reports nothing', script: 'lint' },
	{ name: 'types', what: 'TypeScript, strict', script: 'typecheck' },
	{ name: 'format', what: 'Prettier changes nothing', script: 'format:check' },
	{ name: 'endurance', what: 'an hour of kills in real n8n', needs: 'n8n', isAlone: true, only: 'named' },
];

/** How many stages run concurrently. */
const LANES = 2;
const COUNTS = /^(\d+) passed, (\d+) failed$/;

interface Count {
	passed: number;
	failed: number;
}

interface JestReport {
	numPassedTests: number;
	numFailedTests: number;
	numRuntimeErrorTestSuites: number;
	testResults: Array<{ name: string; startTime: number; endTime: number }>;
}

const root = join(import.meta.dirname, '..');
const results = join(root, '.cache', 'test');
const skipped: string[] = [];
/** Seconds of the stages, and of the test files by their path below `test/`; scripts/proof.ts reads them. */
const secondsOf: Record<string, number> = {};

/** Runs a command and prints each of its lines after the stage's name. */
async function execute(name: string, command: string, args: string[]) {
	let counts: Count | undefined;
	const onLine = (line: string) => {
		const [, passed, failed] = COUNTS.exec(line) ?? [];
		if (passed !== undefined) counts = { passed: Number(passed), failed: Number(failed) };
		if (line.startsWith('SKIPPED: ')) skipped.push(line);
		console.log(`[${name}] ${line}`);
	};
	const { code } = await new Child({ name, command, args, cwd: root, env: process.env, onLine }).exited;
	return { code, counts };
}

/** Runs one folder of tests with jest, with the folder's own configuration where it has one: for all files together, or each. */
async function runTests(folder: string): Promise<Count> {
	const own = ['together', ''].map((part) => join('test', folder, part, 'jest.config.js'));
	const config = own.find((file) => existsSync(join(root, file))) ?? 'jest.config.js';
	const output = join(results, `${folder}.json`);
	rmSync(output, { force: true });
	const { code } = await execute(folder, process.execPath, [
		join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
		...['--config', config],
		...['--json', '--outputFile', output, '--testPathPatterns', `test/${folder}/`],
	]);
	if (!existsSync(output)) return { passed: 0, failed: 1 };
	const report = JSON.parse(readFileSync(output, 'utf8')) as JestReport;
	for (const { name, startTime, endTime } of report.testResults)
		secondsOf[relative(join(root, 'test'), name)] = (endTime - startTime) / 1000;
	const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
	return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** Runs tests that need PostgreSQL and Redis, on running servers or on servers started for them. */
async function runWithServers(folder: string): Promise<Count> {
	let servers: Servers;
	try {
		servers = await ensureServers();
	} catch (error) {
		if (!(error instanceof NoServersError)) throw error;
		skipped.push(`SKIPPED: test/${folder}: ${error.message}`);
		return { passed: 0, failed: 0 };
	}
	process.env['SCALE_POSTGRES_PORT'] = String(servers.postgresPort);
	process.env['SCALE_REDIS_PORT'] = String(servers.redisPort);
	try {
		return await runTests(folder);
	} finally {
		await servers.stop();
	}
}

async function runScript(name: string, script: string): Promise<Count> {
	const { command, args } = npmCommand(['run', '--silent', script]);
	const { code, counts } = await execute(name, command, args);
	const { passed, failed } = counts ?? { passed: code === 0 ? 1 : 0, failed: 0 };
	return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

async function count({ name, script, needs }: Stage): Promise<Count> {
	if (script !== undefined) return await runScript(name, script);
	return needs === 'n8n and servers' ? await runWithServers(name) : await runTests(name);
}

async function runStage(stage: Stage): Promise<Count & { line: string }> {
	console.log(`━━ ${stage.name}: ${stage.what}`);
	const began = performance.now();
	const { passed, failed } = await count(stage).catch((error: unknown) => {
		console.error(error);
		return { passed: 0, failed: 1 };
	});
	const seconds = ((performance.now() - began) / 1000).toFixed(1);
	secondsOf[stage.name] = Number(seconds);
	const line = `${failed === 0 ? '✓' : '✗'} ${stage.name.padEnd(9)} ${seconds.padStart(6)} s  ${passed} passed, ${failed} failed`;
	console.log(`━━ ${line}`);
	return { passed, failed, line };
}

/** Runs the stages that must be alone, then the others in lanes side by side. */
async function runStages(stages: readonly Stage[]): Promise<Array<Count & { line: string }>> {
	const done: Array<Count & { line: string }> = [];
	const [alone, others] = partition(stages, ({ isAlone }) => isAlone);
	let isInstalled = false;
	// Mostly waits for the network: beside the stages that do not need n8n.
	const installed = stages.some(({ needs }) => needs)
		? installHarness().then(
				() => void (isInstalled = true),
				(error: unknown) => (error instanceof Error ? error.message : String(error)),
			)
		: undefined;
	const run = async (stage: Stage) => {
		const obstacle = stage.needs && (await installed);
		if (typeof obstacle === 'string')
			done.push({ passed: 0, failed: 1, line: `✗ ${stage.name}: not run: ${obstacle}` });
		else done.push(await runStage(stage));
	};
	for (const stage of alone) await run(stage);
	// It rewrites files that the stages read. If it fails, those that need the package say why.
	if (others.some(({ needs }) => needs)) await buildPackage().catch(() => undefined);
	const lane = async () => {
		while (others.length > 0) {
			const ready = isInstalled ? 0 : others.findIndex(({ needs }) => !needs);
			for (const stage of others.splice(Math.max(0, ready), 1)) await run(stage);
		}
	};
	await Promise.all(Array.from({ length: LANES }, lane));
	return done;
}

function chosenStages(names: string[], all: boolean): Stage[] {
	const unknown = names.find((name) => !STAGES.some((stage) => stage.name === name));
	if (unknown !== undefined) {
		console.error(`There is no stage "${unknown}".\n\n${usage()}`);
		process.exit(1);
	}
	if (names.length > 0) return STAGES.filter(({ name }) => names.includes(name));
	return STAGES.filter(({ only }) => only === undefined || (all && only === 'all'));
}

function usage(): string {
	const when = { all: ' (with --all)', named: ' (only where named)' };
	const lines = STAGES.map(({ name, what, only }) => `  ${name.padEnd(10)} ${what}${only ? when[only] : ''}`);
	return `npm test [-- stage… --all --short --pictures]\n\n${lines.join('\n')}\n  --all      all that CI runs, and more generated cases\n  --short    the scale stage in its form for CI\n  --pictures the browser stage puts the pictures that it takes into the documents`;
}

async function main(): Promise<number> {
	mkdirSync(results, { recursive: true });
	const { values, positionals } = readCommandLine(usage(), {
		all: { type: 'boolean', default: false },
		short: { type: 'boolean', default: false },
		pictures: { type: 'boolean', default: false },
	});
	if (values.pictures) process.env['HOSPITALITY_BOOKING_PICTURES'] = 'write';
	if (values.all) process.env['THOROUGH'] = 'true';
	if (values.all || values.short) process.env['SCALE_FORM'] = 'short';
	const secondsFile = join(results, 'seconds.json');
	const earlier = existsSync(secondsFile) ? (JSON.parse(readFileSync(secondsFile, 'utf8')) as object) : {};
	const began = performance.now();
	const done = await runStages([GENERATE, ...chosenStages(positionals, values.all)]);
	const passed = done.reduce((sum, one) => sum + one.passed, 0);
	const failed = done.reduce((sum, one) => sum + one.failed, 0);
	const lines = [...done.map(({ line }) => line), ...skipped];
	const seconds = (performance.now() - began) / 1000;
	writeFileSync(secondsFile, JSON.stringify({ ...earlier, ...secondsOf }));
	console.log(
		`\n━━ summary, ${seconds.toFixed(0)} s (${(seconds / 60).toFixed(1)} min)\n${lines.join('\n')}\n\n${passed} passed, ${failed} failed`,
	);
	return failed === 0 ? 0 : 1;
}

stopOnSignals(1);
process.exitCode = await main();
