import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { packFolder } from '../dev/package.ts';
import { projectRoot } from '../dev/paths.ts';
import { checkPackage, filesBelow } from './packageChecks.ts';

/** What n8n's scan reads of a published package. */
const PACKAGE_FILE_PATTERNS = ['**/*.js', 'package.json'];
/** The only modules that a package can import in n8n's nodes folder. */
const HOST_MODULES = ['n8n-workflow', 'luxon', 'lodash', 'zod'];

/** Prints what was checked and found. @returns the number of findings */
function report(title: string, lookedAt: string, findings: string[]): number {
	console.log(`${findings.length === 0 ? '✔' : '✘'} ${title}: ${lookedAt}, ${findings.length} finding(s)`);
	for (const finding of findings) console.log(`    ${finding.replaceAll('\n', '\n    ')}`);
	return findings.length;
}

async function scan(title: string, folder: string, patterns: string[]): Promise<number> {
	const looked = globSync(patterns, { cwd: folder, exclude: (name) => name === 'node_modules' }).length;
	const { passed, message, details } = await analyzePackage(folder, patterns);
	const findings = passed ? [] : [[message, details].filter(Boolean).join('\n')];
	if (looked < 2) findings.push(`only ${looked} file(s) match ${patterns.join(', ')}`);
	return report(title, `${looked} files (${patterns.join(', ')})`, findings);
}

/** Loads every registered class as n8n does, with only the modules that n8n provides. @returns the failures */
function load(folder: string, packageFolder: string): string[] {
	mkdirSync(join(folder, 'node_modules'));
	for (const name of HOST_MODULES) {
		symlinkSync(join(projectRoot(), 'node_modules', name), join(folder, 'node_modules', name), 'junction');
	}
	const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	return [...manifest.n8n.nodes, ...manifest.n8n.credentials].flatMap((path) => {
		const className = path.replace(/^.*\//, '').replace(/\..*$/, '');
		const program = `const made = new (require(process.argv[1])[process.argv[2]])(); if (!(made.description ?? made).name) throw new Error('it has no name');`;
		try {
			execFileSync(process.execPath, ['--eval', program, join(packageFolder, path), className], {
				stdio: 'pipe',
			});
			return [];
		} catch (error) {
			const printed = String((error as { stderr?: Buffer }).stderr);
			return [`${path}: cannot be loaded as ${className}: ${/^.*Error: .*$/m.exec(printed)?.[0] ?? printed}`];
		}
	});
}

const root = projectRoot();
const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-verify-'));
try {
	execFileSync('tar', ['-xzf', await packFolder(root, folder)], { cwd: folder, stdio: 'inherit' });
	const packageFolder = join(folder, 'package');
	const files = filesBelow(packageFolder);
	const bytes = files.reduce((sum, file) => sum + statSync(join(packageFolder, file)).size, 0);
	const findings = [
		await scan("n8n's scan of the source", root, SOURCE_FILE_PATTERNS),
		await scan("n8n's scan of the packed package", packageFolder, PACKAGE_FILE_PATTERNS),
		report(
			'The packed package',
			`${files.length} files, ${(bytes / 1024).toFixed(0)} kB`,
			checkPackage(packageFolder, [root]),
		),
		report('Loading it as n8n does', `with ${HOST_MODULES.join(', ')} only`, load(folder, packageFolder)),
	];
	process.exitCode = findings.some((count) => count > 0) ? 1 : 0;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
