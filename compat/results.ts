import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../dev/paths.ts';
import { compareVersions } from '../dev/n8nVersions.ts';
import { comparedArea } from './areas.ts';

/** How the tests of one area went. */
export interface AreaResult {
	passed: number;
	/** Titles of the tests that failed although this n8n has what they need. */
	failed: string[];
	/** What a person sees instead, where this n8n lacks what the area needs. */
	instead?: string;
}

/** How the package fared on one version of n8n. */
export interface Result {
	n8n: string;
	/** This package's version. */
	package: string;
	/** Mark of the build: what `dist/` was, see {@link buildMark}. */
	build: string;
	/** The commit that it was built from. */
	commit: string;
	node: string;
	/** Day of the run, e.g. `2026-11-21`. */
	date: string;
	/** By the id of the area. */
	areas: Record<string, AreaResult>;
	/** By operation and test: the fingerprint of what was sent. */
	wire: Record<string, string>;
	/** What this n8n has of what the package uses where it is there, by `id` of `HOST_FEATURES`. */
	host: Record<string, boolean>;
	/** What this n8n depends on directly, so that a node package finds it at run time. */
	dependencies: string[];
}

/** Folder of the results that are kept with the project. */
function resultsFolder(): string {
	return join(projectRoot(), 'compat', 'results');
}

/** All results of a folder, oldest n8n first. */
export function readResults(folder = resultsFolder()): Result[] {
	return globSync('*.json', { cwd: folder })
		.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Result)
		.sort((one, other) => compareVersions(one.n8n, other.n8n));
}

/** Writes a result as `<folder>/<n8n>.json`. */
export function writeResult(result: Result, folder = resultsFolder()): void {
	const file = join(folder, `${result.n8n}.json`);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
}

/** The names of what the n8n in a folder depends on directly. */
export function dependenciesIn(folder: string): string[] {
	const manifest = join(folder, 'node_modules', 'n8n', 'package.json');
	const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
		dependencies?: Record<string, string>;
	};
	return Object.keys(dependencies).sort();
}

/** The same for the same content of `dist/`, which is all that people install besides the page about it. */
export function buildMark(dist = join(projectRoot(), 'dist')): string {
	const hash = createHash('sha256');
	for (const file of globSync('**', { cwd: dist }).sort()) {
		if (!statSync(join(dist, file)).isFile()) continue;
		hash.update(`${file.replaceAll('\\', '/')}\0`).update(readFileSync(join(dist, file)));
	}
	return hash.digest('hex').slice(0, 12);
}

/** Operations and tests in which versions of n8n sent different requests, or some that tried them sent none. */
export function wireDifferences(results: Array<Pick<Result, 'areas' | 'wire'>>): string[] {
	const tests = new Set(results.flatMap(({ wire }) => Object.keys(wire)));
	return [...tests]
		.filter((test) => {
			const area = comparedArea(test)?.id ?? '';
			const tried = results.filter(({ areas }) => area in areas);
			return new Set(tried.map(({ wire }) => wire[test])).size > 1;
		})
		.sort();
}

/** Tests that sent other requests in a run than the result that is kept of the same n8n says. */
export function outdated(kept: Pick<Result, 'wire'>, now: Pick<Result, 'wire'>): string[] {
	return Object.entries(now.wire)
		.filter(([test, sent]) => kept.wire[test] !== undefined && kept.wire[test] !== sent)
		.map(([test]) => test);
}

/** Reads a file of lines of JSON; none where it is not there. */
export function readLines<T>(file: string): T[] {
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').split('\n');
	return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}
