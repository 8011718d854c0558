// npm test [-- stage…]: runs the stages in order, all of them even where one fails, and ends with one line,
// `N passed, N failed`: jest's own counts, and one for every other stage. Stages that only read run side by side.
import { type StdioOptions, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../harness/commandLine.ts';
import { NoServersError, type Servers, ensureServers } from '../harness/servers.ts';
import { npmCommand } from '../harness/npm.ts';

interface Stage {
	name: string;
	/** What it promises, as shown above its output. */
	what: string;
	/** An npm script that counts as one check. */
	script?: string;
	/** Whether it writes nothing that others read, so that it runs beside its neighbours of which this is true as well. */
	onlyReads?: boolean;
	/** A folder of `test/` whose tests are counted one by one. */
	tests?: string;
	/** Runs only where it is named. */
	onDemand?: boolean;
	/** Needs PostgreSQL and Redis; skipped with a line that says why where they cannot be had. */
	needsServers?: boolean;
}

const STAGES: Stage[] = [
	{ name: 'format', what: 'Prettier leaves every file as it is', script: 'format:check', onlyReads: true },
	{ name: 'lint', what: 'ESLint has nothing to say', script: 'lint', onlyReads: true },
	{ name: 'types', what: 'TypeScript, strict', script: 'typecheck', onlyReads: true },
	{ name: 'build', what: 'the package builds', script: 'build' },
	{ name: 'unit', what: 'pure logic', tests: 'unit' },
	{ name: 'engine', what: "workflows through n8n's real engine", tests: 'engine' },
	{ name: 'sandbox', what: 'the sandbox and the contract', tests: 'sandbox' },
	{ name: 'model', what: 'the trigger against a model', tests: 'model' },
	{ name: 'verify', what: "n8n's verification scan of source and package", script: 'verify' },
	{ name: 'e2e', what: 'the packed package in real n8n', tests: 'e2e' },
	{
		name: 'endurance',
		what: 'the trigger in real n8n while calls fail and n8n is killed',
		tests: 'endurance',
		onDemand: true,
	},
	{
		name: 'scale',
		what: 'n8n in queue mode: a main, workers, PostgreSQL and Redis (--short: the form for CI)',
		tests: 'scale',
		onDemand: true,
		needsServers: true,
	},
	{ name: 'browser', what: 'the editor in a real browser', tests: 'browser', onDemand: true },
];

interface Count {
	passed: number;
	failed: number;
}

const root = join(import.meta.dirname, '..');
const results = join(root, '.cache', 'test');

/** Runs a command, and shows what it prints: as it comes, or in one piece at the end under a heading. */
function execute(command: string, args: string[], heading?: string): Promise<number> {
	return new Promise((resolve) => {
		const stdio = heading === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'];
		const child = spawn(command, args, { cwd: root, stdio: stdio as StdioOptions, env: process.env });
		let printed = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => (printed += text));
		}
		child.once('error', (error) => {
			console.error(error.message);
			resolve(1);
		});
		child.once('close', (code) => {
			if (heading !== undefined) console.log(`\n${heading}\n${printed.trimEnd()}`);
			resolve(code ?? 1);
		});
	});
}

/** Runs one folder of tests with jest, with the folder's own configuration where it has one. */
async function runTests(folder: string, heading?: string): Promise<Count> {
	const own = join('test', folder, 'jest.config.js');
	const output = join(results, `${folder}.json`);
	rmSync(output, { force: true });
	const config = existsSync(join(root, own)) ? own : 'jest.config.js';
	const args = [
		join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
		...['--config', config, '--json', '--outputFile', output, '--testPathPatterns', `test/${folder}/`],
	];
	const code = await execute(process.execPath, args, heading);
	if (!existsSync(output)) return { passed: 0, failed: 1 };
	const report = JSON.parse(readFileSync(output, 'utf8')) as {
		numPassedTests: number;
		numFailedTests: number;
		numRuntimeErrorTestSuites: number;
	};
	const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
	return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** Runs tests that need PostgreSQL and Redis, on servers that run already or were started for them. */
async function runWithServers(folder: string): Promise<Count> {
	let servers: Servers;
	try {
		servers = await ensureServers();
	} catch (error) {
		if (!(error instanceof NoServersError)) throw error;
		console.log(`SKIPPED: test/${folder}: ${error.message}`);
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

const headingOf = ({ name, what }: Stage) => `━━ ${name}: ${what}`;

/**
 * Runs a stage, and adds to its counts a line for the summary.
 *
 * @param isAlone whether what it prints is shown as it comes, not in one piece at the end
 */
async function runStage(stage: Stage, isAlone: boolean): Promise<Count & { line: string }> {
	if (isAlone) console.log(`\n${headingOf(stage)}`);
	const began = performance.now();
	const { passed, failed } = await countStage(stage, isAlone ? undefined : headingOf(stage));
	const seconds = ((performance.now() - began) / 1000).toFixed(1);
	const line = `${failed === 0 ? '✓' : '✗'} ${stage.name.padEnd(8)} ${seconds.padStart(6)} s  ${passed} passed, ${failed} failed`;
	return { passed, failed, line };
}

async function countStage(
	{ name, tests, script, needsServers }: Stage,
	heading: string | undefined,
): Promise<Count> {
	if (tests !== undefined) return needsServers ? await runWithServers(tests) : await runTests(tests, heading);
	const { command, args } = npmCommand(['run', '--silent', script ?? name]);
	const code = await execute(command, args, heading);
	return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Neighbours that only read, together; every other stage alone. */
function sideBySide(stages: Stage[]): Stage[][] {
	const groups: Stage[][] = [];
	for (const stage of stages) {
		const last = groups.at(-1);
		if (stage.onlyReads && last?.[0]?.onlyReads) last.push(stage);
		else groups.push([stage]);
	}
	return groups;
}

function chosenStages(names: string[]): Stage[] {
	const unknown = names.find((name) => !STAGES.some((stage) => stage.name === name));
	if (unknown !== undefined) {
		console.error(`There is no stage "${unknown}".\n\n${usage()}`);
		process.exit(1);
	}
	return STAGES.filter(({ name, onDemand }) => (names.length > 0 ? names.includes(name) : !onDemand));
}

function usage(): string {
	const lines = STAGES.map(
		({ name, what, onDemand }) => `  ${name.padEnd(10)} ${what}${onDemand ? ' (only where named)' : ''}`,
	);
	return `npm test [-- stage… --short]\n\n${lines.join('\n')}\n  --short    the scale stage in its form for CI`;
}

async function main(): Promise<number> {
	mkdirSync(results, { recursive: true });
	const lines: string[] = [];
	const total: Count = { passed: 0, failed: 0 };
	const { values, positionals } = readCommandLine(usage(), { short: { type: 'boolean', default: false } });
	if (values.short) process.env['SCALE_FORM'] = 'short';
	for (const stages of sideBySide(chosenStages(positionals))) {
		if (stages.length > 1) console.log(`\n━━ side by side: ${stages.map(({ name }) => name).join(', ')}`);
		for (const { passed, failed, line } of await Promise.all(
			stages.map((stage) => runStage(stage, stages.length === 1)),
		)) {
			total.passed += passed;
			total.failed += failed;
			lines.push(line);
		}
	}
	console.log(`\n━━ summary\n${lines.join('\n')}\n\n${total.passed} passed, ${total.failed} failed`);
	return total.failed === 0 ? 0 : 1;
}

process.exitCode = await main();
