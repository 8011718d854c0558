// npm run release -- --dry-run [--tag vX.Y.Z]: everything a release does but the upload, into .cache/release/: n8n's
// scan, the tarball, its SBOM, the release notes, an installation in a clean n8n. Lists what blocks the release and exits
// with 1. The upload itself is the Publish workflow's, which a tag starts.
import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptRelease, unpack } from '../compat/releases.ts';
import { readCommandLine } from '../dev/commandLine.ts';
import { npmCommand } from '../dev/npm.ts';
import { packFolder } from '../dev/package.ts';
import { projectRoot } from '../dev/paths.ts';
import manifest from '../package.json' with { type: 'json' };
import { changelogSection, keptFindings, placeholders } from './releaseChecks.ts';

const USAGE = `npm run release -- --dry-run [--tag vX.Y.Z]

  --dry-run   all that a release does but the upload, into .cache/release/
  --tag NAME  the tag that is being released: it has to name the version in package.json`;

/** The parts of a CycloneDX document that count here. */
interface Sbom {
	metadata: { component: { name: string } };
	components: unknown[];
}

const SANDBOX = 'hospitality-booking-sandbox.tgz';

const root = projectRoot();
const folder = join(root, '.cache', 'release');
const findings: string[] = [];

function step(what: string): void {
	console.log(`\n━━ ${what}`);
}

function npmRun(script: string): void {
	const { command, args } = npmCommand(['run', '--silent', script]);
	execFileSync(command, args, { cwd: root, stdio: 'inherit' });
}

/** Runs tests as a step. @param finding what is in the way of a release where one fails */
function jest(what: string, finding: string, ...tests: string[]): void {
	step(what);
	const args = [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...tests];
	if (spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0) findings.push(finding);
}

function read(command: string, args: string[]): string {
	return execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim();
}

/** Writes the SBOM of what is installed with the tarball, in which there may be nothing. */
function writeSbom(): void {
	const omitted = ['dev', 'optional', 'peer'].map((type) => `--omit=${type}`);
	const npm = npmCommand(['sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...omitted]);
	const sbom = JSON.parse(read(npm.command, npm.args)) as Sbom;
	// npm writes the name of the folder.
	sbom.metadata.component.name = manifest.name;
	writeFileSync(join(folder, 'sbom.cdx.json'), JSON.stringify(sbom, null, 2));
	if (sbom.components.length > 0) findings.push(`SBOM: ${sbom.components.length} run-time components`);
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

jest(
	'Results of this build on the other versions of n8n',
	'compat/results is not about this build: run npm run test:compat and npm run docs',
	'test/release',
);
jest(
	'What workflows have stored since the first release',
	'Stored workflows or states would be read differently: see CONTRIBUTING.md',
	'test/unit/upgrade',
);
const kept = keptRelease(manifest.version).tarball;
findings.push(...keptFindings(existsSync(kept) ? unpack(kept) : undefined, unpack(tarball)));

step('SBOM of what the tarball brings along');
writeSbom();

jest(
	'Installation in a clean n8n',
	'A clean n8n does not have the nodes as they should be after the installation',
	...['--config', 'test/e2e/jest.config.js', 'test/e2e/package'],
);

step('What the provenance statement will say');
const sha512 = hash('sha512', readFileSync(tarball));
console.log(`Subject     ${manifest.name}@${manifest.version}, sha512 ${sha512}`);
console.log(`Repository  ${manifest.repository.url}`);
console.log(`Commit      ${read('git', ['rev-parse', 'HEAD'])}`);
console.log('Workflow    .github/workflows/publish.yml, environment npm');
const changed = read('git', ['status', '--porcelain', '--untracked-files=no']);
if (changed !== '') findings.push(`Not committed:\n${changed}`);

step(findings.length === 0 ? `Ready: ${tarball}` : 'In the way of a release');
for (const finding of findings) console.log(finding);
process.exitCode = findings.length === 0 ? 0 : 1;
