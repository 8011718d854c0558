// npm run verify: n8n's verification scan of the source and of the packed package, and whether that holds only what belongs in it.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { packFolder } from '../dev/package.ts';
import { projectRoot } from '../dev/paths.ts';

/** What n8n's scan reads of a published package. */
const PACKAGE_FILE_PATTERNS = ['**/*.js', 'package.json'];
/** Everything a published package may hold: what npm shows, code, codex files, output previews, icons. */
const CONTENTS = [
	/^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
	/^dist\/(nodes|credentials)\/.*(?<!\.test)\.js$/,
	/^dist\/nodes\/[^/]+\/([^/]+\.node|__schema__\/.*)\.json$/,
	/^dist\/icons\/.*\.svg$/,
];

function report(title: string, findings: string[]): void {
	console.log(`${findings.length === 0 ? '✔' : '✘'} ${title}: ${findings.length} finding(s)`);
	for (const finding of findings) console.log(`    ${finding.replaceAll('\n', '\n    ')}`);
	if (findings.length > 0) process.exitCode = 1;
}

async function scan(title: string, folder: string, patterns: string[]): Promise<void> {
	const looked = globSync(patterns, { cwd: folder, exclude: (name) => name === 'node_modules' }).length;
	const { passed, message, details } = await analyzePackage(folder, patterns);
	const findings = passed ? [] : [[message, details].filter(Boolean).join('\n')];
	if (looked < 2) findings.push(`only ${looked} file(s) match ${patterns.join(', ')}`);
	report(`${title}, ${looked} files`, findings);
}

const root = projectRoot();
const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-verify-'));
try {
	execFileSync('tar', ['-xzf', await packFolder(root, folder)], { cwd: folder, stdio: 'inherit' });
	const packed = join(folder, 'package');
	const files = readdirSync(packed, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) =>
			join(parentPath, name)
				.slice(packed.length + 1)
				.replaceAll('\\', '/'),
		);
	await scan("n8n's scan of the source", root, SOURCE_FILE_PATTERNS);
	await scan("n8n's scan of the packed package", packed, PACKAGE_FILE_PATTERNS);
	report(`The packed package, ${files.length} files`, [
		...files.filter((file) => !CONTENTS.some((kind) => kind.test(file))),
		...files.filter((file) => readFileSync(join(packed, file), 'utf8').includes(root)),
	]);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
