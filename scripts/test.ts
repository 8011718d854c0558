// npm test [-- stage…]: runs stages, two at a time, all of them even where one fails, and ends with one line,
// `N passed, N failed`: the tests' own counts, and one for every other stage.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import partition from 'lodash/partition.js';
import { stopAll } from '../harness/children.ts';
import { readCommandLine } from '../harness/commandLine.ts';
import { installHarness } from '../harness/install.ts';
import { npmCommand } from '../harness/npm.ts';
import { buildPackage } from '../harness/package.ts';
import { NoServersError, type Servers, ensureServers } from '../harness/servers.ts';

interface Stage {
	/** The name of a folder of `test/`, whose tests are counted one by one, unless there is a script. */
	name: string;
	/** What it promises. */
	what: string;
	/** An npm script. It counts as one check, unless its last line has counts. */
	script?: string;
	/** Starts real n8n, which is installed while stages without it run. */
	needsN8n?: true;
	/** Needs PostgreSQL and Redis; skipped, with the reason, if they are not available. */
	needsServers?: true;
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
	{ name: 'e2e', what: 'the packed package in real n8n', needsN8n: true },
	{
		name: 'compat',
		what: 'other versions of n8n, in the form for CI',
		script: 'test:compat:ci',
		needsN8n: true,
		only: 'all',
	},
	{ name: 'browser', what: 'the editor in a real browser', needsN8n: true, only: 'all' },
	{
		name: 'long',
		what: 'what cheaper stages prove, again and for longer in real n8n',
		needsN8n: true,
		only: 'all',
	},
	{ name: 'model', what: 'the trigger and the limiter against models' },
	{
		name: 'scale',
		what: 'n8n in queue mode: a main, workers, PostgreSQL and Redis',
		needsN8n: true,
		needsServers: true,
		only: 'all',
	},
	{ name: 'engine', what: "operations and the trigger in n8n's engine" },
	{ name: 'unit', what: 'pure logic' },
	{ name: 'sandbox', what: 'the sandbox and the contract' },
	{ name: 'lint', what: 'ESLint reports nothing', script: 'lint' },
	{ name: 'types', what: 'TypeScript, strict', script: 'typecheck' },
	{ name: 'format', what: 'Prettier changes nothing', script: 'format:check' },
	{
		name: 'endurance',
		what: 'the trigger in real n8n for most of an hour while calls fail and n8n is killed',
		needsN8n: true,
		isAlone: true,
		only: 'named',
	},
];

/** How many stages run concurrently. */
const LANES = 2;
const SLOWEST = 10;
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
const files: Array<{ name: string; seconds: number }> = [];
const skipped: string[] = [];
/** Seconds of the stages that have run; scripts/proof.ts reads them. */
const stageSeconds: Record<string, number> = {};

/** Runs a command and prints each of its lines after the stage's name. */
function execute(stage: string, command: string, args: string[]): Promise<{ code: number; counts?: Count }> {
	return new Promise((resolve) => {
		const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: process.env });
		let counts: Count | undefined;
		for (const input of [child.stdout, child.stderr]) {
			createInterface({ input }).on('line', (line) => {
				const [, passed, failed] = COUNTS.exec(line) ?? [];
				if (passed !== undefined) counts = { passed: Number(passed), failed: Number(failed) };
				if (line.startsWith('SKIPPED: ')) skipped.push(line);
				console.log(`[${stage}] ${line}`);
			});
		}
		child.once('error', (error) => {
			console.error(error.message);
			resolve({ code: 1 });
		});
		child.once('close', (code) => resolve({ code: code ?? 1, counts }));
	});
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
		files.push({ name: relative(root, name), seconds: (endTime - startTime) / 1000 });
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
	if (counts) return counts.failed === 0 && code !== 0 ? { ...counts, failed: 1 } : counts;
	return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function count({ name, script, needsServers }: Stage): Promise<Count> {
	if (script !== undefined) return await runScript(name, script);
	return needsServers ? await runWithServers(name) : await runTests(name);
}

async function runStage(stage: Stage): Promise<Count & { line: string }> {
	console.log(`━━ ${stage.name}: ${stage.what}`);
	const began = performance.now();
	const { passed, failed } = await count(stage).catch((error: unknown) => {
		console.error(error);
		return { passed: 0, failed: 1 };
	});
	const seconds = ((performance.now() - began) / 1000).toFixed(1);
	stageSeconds[stage.name] = Number(seconds);
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
	const installed = stages.some(({ needsN8n }) => needsN8n) ? installHarness() : Promise.resolve();
	installed.then(
		() => (isInstalled = true),
		() => undefined,
	);
	const run = async (stage: Stage) => {
		try {
			if (stage.needsN8n) await installed;
			done.push(await runStage(stage));
		} catch (error) {
			const why = error instanceof Error ? error.message : String(error);
			done.push({ passed: 0, failed: 1, line: `✗ ${stage.name}: not run: ${why}` });
		}
	};
	for (const stage of alone) await run(stage);
	// It rewrites files that the stages read. If it fails, those that need the package say why.
	if (others.some(({ needsN8n }) => needsN8n)) await buildPackage().catch(() => undefined);
	const lane = async () => {
		while (others.length > 0) {
			const ready = isInstalled ? 0 : others.findIndex(({ needsN8n }) => !needsN8n);
			for (const stage of others.splice(Math.max(0, ready), 1)) await run(stage);
		}
	};
	await Promise.all(Array.from({ length: LANES }, lane));
	return done;
}

function slowestFiles(): string {
	return files
		.sort((one, other) => other.seconds - one.seconds)
		.slice(0, SLOWEST)
		.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${name}`)
		.join('\n');
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
	const stagesFile = join(results, 'stages.json');
	const earlier = existsSync(stagesFile) ? (JSON.parse(readFileSync(stagesFile, 'utf8')) as object) : {};
	const began = performance.now();
	const done = await runStages([GENERATE, ...chosenStages(positionals, values.all)]);
	const passed = done.reduce((sum, one) => sum + one.passed, 0);
	const failed = done.reduce((sum, one) => sum + one.failed, 0);
	const lines = [...done.map(({ line }) => line), ...skipped];
	const seconds = (performance.now() - began) / 1000;
	writeFileSync(stagesFile, JSON.stringify({ ...earlier, ...stageSeconds }));
	console.log(`\n━━ slowest files\n${slowestFiles()}`);
	console.log(
		`\n━━ summary, ${seconds.toFixed(0)} s (${(seconds / 60).toFixed(1)} min)\n${lines.join('\n')}\n\n${passed} passed, ${failed} failed`,
	);
	return failed === 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.on(signal, () => void stopAll().finally(() => process.exit(1)));

process.exitCode = await main();
