// npm run test:compat [-- --ci | [--only AREA,…] VERSION…]: tries this package on versions of n8n, all of compat/versions.json unless
// some are named, and keeps how it went in compat/results/. With --ci: only those marked for CI, on the n8n of harness/
// only what `npm test` leaves out, nothing is kept, and a version that cannot be installed is left out with a line. Ends
// with `N passed, N failed`. With --only: these areas, in a result that is there already.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Child, stopAll } from '../harness/children.ts';
import { defaultN8n, installN8n, n8nVersions, type N8nInstall } from '../harness/n8nVersions.ts';
import { projectRoot } from '../harness/paths.ts';
import { type Area, AREAS, areaOf, lackingIn, testFiles, testNames } from './areas.ts';
import {
	dependenciesIn,
	readLines,
	readResults,
	resultsFolder,
	type Result,
	wireDifferences,
	writeResult,
} from './results.ts';
import { fingerprint, type Sent, WIRE_LOG } from './wire.ts';

const root = projectRoot();

interface JestReport {
	testResults: Array<{
		name: string;
		message: string;
		assertionResults: Array<{ fullName: string; status: string; failureMessages?: string[] }>;
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

/** @throws when an option, an area or a version is unknown */
function readArguments(args: string[]): Arguments {
	const { values, positionals } = parseArgs({
		args,
		options: { ci: { type: 'boolean', default: false }, only: { type: 'string' } },
		allowPositionals: true,
	});
	const wrong = positionals.find((arg) => !/^\d+\.\d+\.\d+$/.test(arg));
	if (wrong !== undefined) throw new Error(`"${wrong}" is not a version of n8n such as 2.41.1.`);
	const only = values.only?.split(',');
	const unknown = only?.find((name) => !AREAS.some(({ id }) => id === name));
	if (unknown !== undefined)
		throw new Error(`There is no area "${unknown}": ${AREAS.map(({ id }) => id).join(', ')}.`);
	const known = n8nVersions().versions.filter(({ inCi }) => !values.ci || inCi);
	return {
		ci: values.ci,
		only,
		versions: positionals.length > 0 ? positionals : known.map(({ version }) => version),
	};
}

/** The areas to try: all, those named, or in CI on the n8n of harness/ those that `npm test` leaves out. */
function areasFor({ ci, only }: Arguments, install: N8nInstall): Area[] {
	if (only) return AREAS.filter(({ id }) => only.includes(id));
	return ci && install.folder === defaultN8n().folder ? AREAS.filter(({ id }) => !inNpmTest(id)) : AREAS;
}

/** Runs the tests of all areas on one n8n. @returns what jest has written of them */
async function runTests(install: N8nInstall, folder: string, areas: Area[]): Promise<JestReport> {
	const output = join(folder, 'jest.json');
	const child = new Child({
		name: `The tests on n8n ${install.version}`,
		command: process.execPath,
		args: [
			join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
			...['--config', join('test', 'compat', 'jest.config.js')],
			...['--json', '--outputFile', output, '--testNamePattern', testNames(areas)],
			...['--testPathPatterns', testFiles(areas)],
		],
		cwd: root,
		env: {
			...process.env,
			HOSPITALITY_BOOKING_N8N: JSON.stringify(install),
			[WIRE_LOG]: join(folder, 'wire.jsonl'),
		},
		logFile: join(folder, 'tests.log'),
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
	for (const { name, assertionResults } of report.testResults) {
		for (const { fullName, status } of assertionResults) {
			const area = areas[areaOf(relative(root, name), fullName)?.id ?? ''];
			if (area === undefined || status === 'pending') continue;
			if (status === 'passed') area.passed++;
			else area.failed.push(`${relative(join(root, 'test'), name)}: ${fullName}`);
		}
	}
	for (const [id, area] of Object.entries(areas)) {
		const late = lackingIn(install.version, id);
		if (late && area.failed.length > 0) Object.assign(area, { failed: [], instead: late.instead });
		else if (late) area.failed.push(`${id} works, though it is said to need n8n ${late.since}`);
		else if (area.passed + area.failed.length === 0) area.failed.push(`no test of ${id} has run`);
	}
	return {
		n8n: install.version,
		package: version,
		node: process.versions.node,
		date: new Date().toISOString().slice(0, 10),
		areas,
		wire: Object.fromEntries(
			sent
				.filter(({ test }) => isCompared(test))
				.map(({ test, sent: requests }) => [test, fingerprint(requests)] as const)
				.sort(([one], [other]) => one.localeCompare(other)),
		),
		dependencies: dependenciesIn(install.folder),
	};
}

/** Whether a test, named as in the log of requests, is about what the operations send. */
function isCompared(test: string): boolean {
	const [operation = '', ...title] = test.split(': ');
	const area = areaOf(`test/engine/${operation.replace('.', '/')}.test.ts`, title.join(': '));
	return area !== undefined && ['operations', 'links', 'batch'].includes(area.id);
}

/** Whether `npm test` tries an area already, on the n8n of harness/. */
function inNpmTest(area: string): boolean {
	return !['operations', 'links', 'errorDetails', 'batch'].includes(area);
}

/** A result of some areas within the one that is there already. */
function within(result: Result): Result {
	const earlier = readResults().find(({ n8n }) => n8n === result.n8n);
	return {
		...result,
		areas: { ...earlier?.areas, ...result.areas },
		wire: { ...earlier?.wire, ...result.wire },
	};
}

/** Tries one version. Undefined where it cannot be installed. */
async function tryVersion(version: string, given: Arguments): Promise<Result | undefined> {
	let install: N8nInstall;
	try {
		install = await installN8n(version, (step) => say(`[n8n ${version}] ${step} …`));
	} catch (error) {
		say(`SKIPPED: n8n ${version} could not be installed: ${String(error).split('\n', 1)[0]}`);
		return undefined;
	}
	const folder = join(root, '.cache', 'compat', version);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const began = performance.now();
	say(`[n8n ${version}] Testing …`);
	const areas = areasFor(given, install);
	const report = await runTests(install, folder, areas);
	const result = resultOf(install, areas, report, readLines<Sent>(join(folder, 'wire.jsonl')));
	for (const { id, what } of areas) {
		const area = result.areas[id];
		if (!area) continue;
		const how = area.instead
			? `lacking. ${area.instead}`
			: `${area.passed} passed, ${area.failed.length} failed`;
		say(`[n8n ${version}]   ${area.failed.length === 0 ? '✓' : '✗'} ${what}: ${how}`);
		for (const title of area.failed) say(`[n8n ${version}]       ${title}`);
	}
	say(
		`[n8n ${version}] ${((performance.now() - began) / 1000).toFixed(0)} s; all that was printed: ${relative(root, join(folder, 'tests.log'))}`,
	);
	return result;
}

async function main(): Promise<number> {
	const given = readArguments(process.argv.slice(2));
	const { ci, only, versions } = given;
	const results: Result[] = [];
	let skipped = 0;
	for (const version of versions) {
		const result = await tryVersion(version, given);
		if (result === undefined) skipped++;
		else results.push(result);
		if (result)
			writeResult(
				only ? within(result) : result,
				ci ? join(root, '.cache', 'compat', 'results') : resultsFolder(),
			);
	}
	const differences = wireDifferences(results);
	for (const difference of differences) say(`These versions send different requests: ${difference}`);
	say(`${results.length} versions compared: ${differences.length} differences in what is sent`);
	const areas = results.flatMap((result) => Object.values(result.areas));
	const passed = areas.reduce((sum, area) => sum + area.passed, 0);
	const failed = areas.reduce(
		(sum, area) => sum + area.failed.length,
		differences.length + (ci ? 0 : skipped),
	);
	say(`\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => void stopAll().finally(() => process.exit(1)));
}

process.exitCode = await main();
