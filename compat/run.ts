// npm run test:compat: tries this package on versions of n8n and keeps how it went in compat/results/; with --ci it keeps
// nothing, says what it leaves out, and where a kept result is out of date. Ends with `N passed, N failed`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import partition from 'lodash/partition.js';
import { Child, stopOnSignals } from '../dev/children.ts';
import { readCommandLine } from '../dev/commandLine.ts';
import {
	defaultN8n,
	installN8n,
	n8nVersions,
	type N8nInstall,
	NotAvailableError,
} from '../dev/n8nVersions.ts';
import { buildPackage } from '../dev/package.ts';
import { projectRoot } from '../dev/paths.ts';
import { type Area, AREAS, areaOf, comparedArea, runsSideBySide, testFiles, testNames } from './areas.ts';
import { hostFeatures } from './host.ts';
import {
	buildMark,
	dependenciesIn,
	outdated,
	readLines,
	readResults,
	type Result,
	wireDifferences,
	writeResult,
} from './results.ts';
import { fingerprint, type Sent, WIRE_LOG } from './wire.ts';

const USAGE = `npm run test:compat -- [options] [VERSION …]     without a version: all of compat/versions.json

  --ci          the oldest and the newest, in the form for CI; keeps no results
  --only AREAS  these areas, with commas between, in a result that is there already:
                ${AREAS.map(({ id }) => id).join(', ')}`;

const root = projectRoot();
/** In a version's folder: what the nodes have sent. */
const WIRE_FILE = 'wire.jsonl';

interface JestReport {
	testResults: Array<{
		name: string;
		status: string;
		/** What went wrong in the file as a whole. */
		message: string;
		assertionResults: Array<{ fullName: string; status: string; duration?: number | null }>;
	}>;
}

interface Arguments {
	ci: boolean;
	/** Of these areas alone, where some are named. */
	only?: string[];
	versions: string[];
}

function say(text: string): void {
	console.log(text);
}

/** @throws when an area or a version is unknown */
function readArguments(): Arguments {
	const { values, positionals } = readCommandLine(USAGE, {
		ci: { type: 'boolean', default: false },
		only: { type: 'string' },
	});
	const wrong = positionals.find((arg) => !/^\d+\.\d+\.\d+$/.test(arg));
	if (wrong !== undefined) throw new Error(`"${wrong}" is not a version of n8n such as 2.41.1.`);
	const only = values.only?.split(',');
	const unknown = only?.find((name) => !AREAS.some(({ id }) => id === name));
	if (unknown !== undefined)
		throw new Error(`There is no area "${unknown}": ${AREAS.map(({ id }) => id).join(', ')}.`);
	const all = n8nVersions().versions.map(({ version }) => version);
	const known = values.ci ? all.filter((_, index) => index === 0 || index === all.length - 1) : all;
	const versions = positionals.length > 0 ? positionals : known;
	// That of dev/ is there already: the others are installed while it is tried.
	const own = defaultN8n().version;
	return {
		ci: values.ci,
		only,
		versions: [...versions].sort((one, other) => Number(other === own) - Number(one === own)),
	};
}

/** The areas to try: all, or those named; and in CI what is left out, with the reason. */
function areasFor({ ci, only }: Arguments, { folder }: N8nInstall): { areas: Area[]; left: string } {
	if (only) return { areas: AREAS.filter(({ id }) => only.includes(id)), left: '' };
	if (!ci) return { areas: AREAS, left: '' };
	const without = (leave: (area: Area) => boolean, why: string) => {
		const left = AREAS.filter(leave).map(({ what }) => what);
		const words = left.length > 0 ? `${left.join('; ')}: ${why}` : '';
		return { areas: AREAS.filter((area) => !leave(area)), left: words };
	};
	if (folder === defaultN8n().folder)
		return without(({ id }) => id !== 'operations', 'engine, e2e and long run these on this n8n');
	return without(({ id }) => id === 'gallery', 'not in CI on an older n8n; npm run test:compat runs it');
}

/** Files with a service of their own, at a time: they mostly wait until n8n has published a workflow. */
const SIDE_BY_SIDE = 3;

/** Runs the tests of all areas on one n8n. @returns what jest has written of them */
async function runTests(install: N8nInstall, folder: string, areas: Area[]): Promise<JestReport> {
	const [quick, others] = partition(areas, runsSideBySide);
	const reports = [
		await runJest(install, folder, { name: 'operations', areas: quick, workers: SIDE_BY_SIDE }),
		await runJest(install, folder, { name: 'others', areas: others, workers: 1 }),
	];
	return { testResults: reports.flatMap(({ testResults }) => testResults) };
}

async function runJest(
	install: N8nInstall,
	folder: string,
	{ name, areas, workers }: { name: string; areas: Area[]; workers: number },
): Promise<JestReport> {
	if (areas.length === 0) return { testResults: [] };
	const output = join(folder, `${name}.json`);
	const child = new Child({
		name: `The tests on n8n ${install.version}`,
		command: process.execPath,
		args: [
			join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
			...['--config', join('test', 'compat', 'jest.config.js')],
			...['--json', '--outputFile', output, '--testNamePattern', testNames(areas)],
			...['--testPathPatterns', testFiles(areas), '--maxWorkers', String(workers)],
		],
		cwd: root,
		env: {
			...process.env,
			HOSPITALITY_BOOKING_N8N: JSON.stringify(install),
			[WIRE_LOG]: join(folder, WIRE_FILE),
		},
		logFile: join(folder, `${name}.log`),
	});
	const exit = await child.exited;
	try {
		return JSON.parse(readFileSync(output, 'utf8')) as JestReport;
	} catch (error) {
		throw new Error(child.describeExit(exit), { cause: error });
	}
}

function resultOf(install: N8nInstall, tried: Area[], report: JestReport, sent: Sent[]): Result {
	const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
	const areas = Object.fromEntries(
		tried.map(({ id }) => [id, { passed: 0, failed: [] } as Result['areas'][string]]),
	);
	for (const { file, title, status } of outcomes(report, tried)) {
		const area = areas[areaOf(file, title)?.id ?? tried[0]?.id ?? ''];
		if (area === undefined) continue;
		if (status === 'passed') area.passed++;
		else area.failed.push(`${relative('test', file)}: ${title}`);
	}
	for (const [id, area] of Object.entries(areas))
		if (area.passed + area.failed.length === 0) area.failed.push(`no test of ${id} has run`);
	return {
		n8n: install.version,
		package: version,
		build: buildMark(),
		commit: commit(),
		node: process.versions.node,
		date: new Date().toISOString().slice(0, 10),
		areas,
		wire: Object.fromEntries(
			sent
				.filter(({ test }) => comparedArea(test) !== undefined)
				.map(({ test, sent: requests }) => [test, fingerprint(requests)] as const)
				.sort(([one], [other]) => one.localeCompare(other)),
		),
		host: hostFeatures(install.folder),
		dependencies: dependenciesIn(install.folder),
	};
}

/** Every test of the areas that has run, and every file that failed as a whole. */
function outcomes(report: JestReport, tried: Area[]): Array<{ file: string; title: string; status: string }> {
	return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
		const file = relative(root, name);
		const ran = assertionResults.filter((one) => one.status !== 'pending');
		const whole = status === 'failed' && !ran.some((one) => one.status === 'failed');
		return [
			...ran
				.map((one) => ({ file, title: one.fullName, status: one.status }))
				.filter(({ title }) => tried.includes(areaOf(file, title) as Area)),
			...(whole ? [{ file, title: message.trim().split('\n', 1)[0] ?? '', status }] : []),
		];
	});
}

/** The commit of this working copy; says so where nodes or tests are not as in it. */
function commit(): string {
	const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
	try {
		const changed = git('status', '--porcelain', '--', 'nodes', 'credentials', 'contract', 'test', 'sandbox');
		return `${git('rev-parse', '--short=10', 'HEAD')}${changed === '' ? '' : ' and changes'}`;
	} catch {
		return 'unknown';
	}
}

/** How long the tests of an area took, in seconds. */
function secondsOf(area: Area, report: JestReport): string {
	const durations = report.testResults.flatMap(({ name, assertionResults }) =>
		assertionResults
			.filter(({ fullName }) => areaOf(relative(root, name), fullName) === area)
			.map(({ duration }) => duration ?? 0),
	);
	return (durations.reduce((sum, one) => sum + one, 0) / 1000).toFixed(0);
}

/** A result of some areas within the one of the same build that is there already. */
function within(result: Result): Result {
	const earlier = keptResult(result.n8n);
	return {
		...result,
		areas: { ...earlier?.areas, ...result.areas },
		wire: { ...earlier?.wire, ...result.wire },
	};
}

function keptResult(version: string): Result | undefined {
	return readResults().find(({ n8n }) => n8n === version);
}

/** @throws when some areas are to be tried again for a result that is of another build */
function refuseOtherBuilds({ only, versions }: Arguments): void {
	const build = buildMark();
	const other = only && versions.find((version) => keptResult(version)?.build !== build);
	if (other !== undefined)
		throw new Error(`The result of n8n ${other} is not of this build (${build}): try it without --only.`);
}

const tellerOf = (version: string) => (text: string) => say(`[n8n ${version}] ${text}`);

/** Installs the versions one after the other, ahead of the tests of those before. */
function installAll(versions: string[]): Map<string, Promise<N8nInstall>> {
	const installs = new Map<string, Promise<N8nInstall>>();
	let before: Promise<unknown> = Promise.resolve();
	for (const version of versions) {
		const tell = tellerOf(version);
		const install = before.then(async () => await installN8n(version, (step) => tell(`${step} …`)));
		installs.set(version, install);
		before = install.catch(() => undefined);
	}
	return installs;
}

/** Tries one version. Undefined where it cannot be had. */
async function tryVersion(
	version: string,
	installing: Promise<N8nInstall>,
	given: Arguments,
): Promise<Result | undefined> {
	const began = performance.now();
	const seconds = () => `${((performance.now() - began) / 1000).toFixed(0)} s`;
	const tell = tellerOf(version);
	let install: N8nInstall;
	try {
		install = await installing;
	} catch (error) {
		if (!(error instanceof NotAvailableError)) throw error;
		say(`SKIPPED: n8n ${version} could not be installed: ${error.message}`);
		return undefined;
	}
	const folder = join(root, '.cache', 'compat', version);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const { areas, left } = areasFor(given, install);
	tell(`There after ${seconds()}. Testing …`);
	const report = await runTests(install, folder, areas);
	const result = resultOf(install, areas, report, readLines<Sent>(join(folder, WIRE_FILE)));
	for (const area of areas) {
		const { passed, failed } = result.areas[area.id] ?? { passed: 0, failed: [] };
		const how = `${passed} passed, ${failed.length} failed`;
		tell(`  ${failed.length === 0 ? '✓' : '✗'} ${area.what}: ${how} (${secondsOf(area, report)} s)`);
		for (const title of failed) tell(`      ${title}`);
	}
	if (left !== '') tell(`  Left out: ${left}`);
	tell(`${seconds()} in all; what was printed: ${relative(root, folder)}`);
	return result;
}

/** Where the results that are kept no longer say what this package sends. */
function outOfDate(results: Result[]): string[] {
	return results.flatMap((result) => {
		const kept = keptResult(result.n8n);
		return kept ? outdated(kept, result).map((test) => `n8n ${result.n8n}: ${test}`) : [];
	});
}

async function main(): Promise<number> {
	const given = readArguments();
	const { ci, only, versions } = given;
	await buildPackage();
	if (!ci) refuseOtherBuilds(given);
	const results: Result[] = [];
	let skipped = 0;
	for (const [version, installing] of installAll(versions)) {
		const result = await tryVersion(version, installing, given);
		if (result === undefined) {
			skipped++;
			continue;
		}
		results.push(result);
		if (!ci) writeResult(only ? within(result) : result);
	}
	const differences = wireDifferences(results);
	for (const difference of differences) say(`These versions send different requests: ${difference}`);
	say(`${results.length} versions compared: ${differences.length} differences in what is sent`);
	const old = ci ? outOfDate(results) : [];
	for (const one of old) say(`compat/results is out of date, to be renewed before a release: ${one}`);
	const areas = results.flatMap((result) => Object.values(result.areas));
	const passed = areas.reduce((sum, area) => sum + area.passed, 0);
	const failed = areas.reduce(
		(sum, area) => sum + area.failed.length,
		differences.length + (ci ? 0 : skipped),
	);
	say(`\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

stopOnSignals(1);
process.exitCode = await main();
