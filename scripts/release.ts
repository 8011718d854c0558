// npm run release -- --dry-run [--tag vX.Y.Z]: everything a release does but the upload, into .cache/release/: n8n's
// scan, the tarball, its SBOM, the release notes, an installation in a clean n8n. Lists what blocks the release and exits
// with 1. The upload itself is the Publish workflow's, which a tag starts.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptRelease, unpack } from '../compat/releases.ts';
import { readCommandLine } from '../harness/commandLine.ts';
import { npmCommand } from '../harness/npm.ts';
import { packFolder } from '../harness/package.ts';
import { projectRoot } from '../harness/paths.ts';
import { filesBelow } from './packageChecks.ts';
import {
	changelogSection,
	keptFindings,
	type PackedFiles,
	placeholders,
	type ReleaseManifest,
	type Sbom,
	sbomFindings,
} from './releaseChecks.ts';

const USAGE = `npm run release -- --dry-run [--tag vX.Y.Z]

  --dry-run   all that a release does but the upload, into .cache/release/
  --tag NAME  the tag that is being released: it has to name the version in package.json`;

const SANDBOX = 'hospitality-booking-sandbox.tgz';

const root = projectRoot();
const folder = join(root, '.cache', 'release');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as ReleaseManifest;
const findings: string[] = [];

function step(what: string): void {
	console.log(`\n━━ ${what}`);
}

function run(command: string, args: string[]): void {
	execFileSync(command, args, { cwd: root, stdio: 'inherit' });
}

function npmRun(script: string): void {
	const { command, args } = npmCommand(['run', '--silent', script]);
	run(command, args);
}

function jest(...tests: string[]): void {
	run(process.execPath, [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...tests]);
}

function git(...args: string[]): string {
	return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

/** Writes the SBOM of what is installed with the tarball. */
function writeSbom(): void {
	const file = join(folder, 'sbom.cdx.json');
	const cli = join(root, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js');
	const options = ['--package-lock-only', '--omit', 'dev', '--omit', 'optional', '--omit', 'peer'];
	run(process.execPath, [cli, ...options, '--output-reproducible', '--output-file', file]);
	findings.push(...sbomFindings(JSON.parse(readFileSync(file, 'utf8')) as Sbom, manifest));
}

/** Hashes of a tarball's files, by path. */
function packedFiles(file: string): PackedFiles {
	const unpacked = unpack(file);
	const markOf = (path: string) => hash('sha256', readFileSync(join(unpacked, path)));
	return Object.fromEntries(filesBelow(unpacked).map((path) => [path, markOf(path)]));
}

const { values } = readCommandLine(USAGE, { 'dry-run': { type: 'boolean' }, tag: { type: 'string' } });
const tag = `v${manifest.version}`;
if (!values['dry-run']) {
	console.error(
		`A release is uploaded by the Publish workflow alone. Check it with "npm run release -- --dry-run", then push the tag: git tag ${tag} && git push origin ${tag}`,
	);
	process.exit(1);
}

step('Version, author, repository and changelog');
findings.push(...placeholders(manifest));
if (values.tag !== undefined && values.tag !== tag)
	findings.push(`The tag is ${values.tag}, the version in package.json ${manifest.version}`);
const notes = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), manifest.version);
if (notes === undefined) findings.push(`CHANGELOG.md has no section for ${manifest.version}`);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'notes.md'), `${notes ?? ''}\n`);

step("Build, n8n's scan, tarball");
npmRun('verify');
const tarball = await packFolder(root, folder);

step('The sandbox as a package of its own');
npmRun('pack-sandbox');
cpSync(join(root, '.cache', 'sandbox', SANDBOX), join(folder, SANDBOX));

step('Results of this build on the other versions of n8n');
try {
	jest('test/release');
} catch {
	findings.push('compat/results is not about this build: run npm run test:compat and npm run docs');
}

step('What workflows have stored since the first release');
try {
	jest('test/unit/upgrade');
} catch {
	findings.push('Stored workflows or states would be read differently: see docs/upgrading.md');
}
const kept = keptRelease(manifest.version).tarball;
findings.push(...keptFindings(existsSync(kept) ? packedFiles(kept) : undefined, packedFiles(tarball)));

step('SBOM of what the tarball brings along');
writeSbom();

step('Installation in a clean n8n');
try {
	jest('--config', 'test/e2e/jest.config.js', 'test/e2e/package');
} catch {
	findings.push('A clean n8n does not have the nodes as they should be after the installation');
}

step('What the provenance statement will say');
const sha512 = hash('sha512', readFileSync(tarball));
console.log(`Subject     ${manifest.name}@${manifest.version}, sha512 ${sha512}`);
console.log(`Repository  ${manifest.repository.url}`);
console.log(`Commit      ${git('rev-parse', 'HEAD')}`);
console.log('Workflow    .github/workflows/publish.yml, environment npm');
const changed = git('status', '--porcelain', '--untracked-files=no');
if (changed !== '') findings.push(`Not committed:\n${changed}`);

step(findings.length === 0 ? `Ready: ${tarball}` : 'In the way of a release');
for (const finding of findings) console.log(finding);
process.exitCode = findings.length === 0 ? 0 : 1;
