// npm run verify: n8n's verification scan of the source and of the packed package, and whether that holds only what belongs in it.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage } from '../dev/package.ts';
import { projectRoot } from '../dev/paths.ts';

/** The part of n8n's scanner that is used here; it has no types of its own. */
interface Scanner {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage(
		folder: string,
		patterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}

const SCANNER = '@n8n/scan-community-package/scanner/scanner.mjs';
/** What n8n's scan reads of a published package. */
const PACKAGE_FILE_PATTERNS = ['**/*.js', 'package.json'];
/** Everything a published package may hold: what npm shows, code, codex files, output previews, icons. */
const CONTENTS =
	/^(package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/(nodes|credentials)\/.*(?<!\.test)\.js|dist\/nodes\/[^/]+\/([^/]+\.node|__schema__\/.*)\.json|dist\/icons\/.*\.svg)$/;

function report(title: string, findings: string[]): void {
	console.log(`${findings.length === 0 ? '✔' : '✘'} ${title}: ${findings.length} finding(s)`);
	for (const finding of findings) console.log(`    ${finding.replaceAll('\n', '\n    ')}`);
	if (findings.length > 0) process.exitCode = 1;
}

const { analyzePackage, SOURCE_FILE_PATTERNS } = (await import(SCANNER)) as Scanner;

async function scan(title: string, folder: string, patterns: string[]): Promise<void> {
	const read = globSync(patterns, {
		cwd: folder,
		exclude: (name) => name === 'node_modules',
	}).length;
	const { passed, message, details } = await analyzePackage(folder, patterns);
	const findings = passed ? [] : [[message, details].filter(Boolean).join('\n')];
	if (read < 2) findings.push(`only ${read} file(s) match ${patterns.join(', ')}`);
	report(`${title}, ${read} files`, findings);
}

const root = projectRoot();
const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-verify-'));
try {
	execFileSync('tar', ['-xzf', await buildPackage(), '-C', folder], { stdio: 'inherit' });
	const packed = join(folder, 'package');
	const files = globSync('**', { cwd: packed }).filter((file) =>
		statSync(join(packed, file)).isFile(),
	);
	await scan("n8n's scan of the source", root, SOURCE_FILE_PATTERNS);
	await scan("n8n's scan of the packed package", packed, PACKAGE_FILE_PATTERNS);
	report(`The packed package, ${files.length} files`, [
		...files.filter((file) => !CONTENTS.test(file.replaceAll('\\', '/'))),
		...files.filter((file) => readFileSync(join(packed, file), 'utf8').includes(root)),
	]);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
