// npm run release [-- --tag vX.Y.Z]: everything that a release does but the upload, into .cache/release/: n8n's scan, the
// tarball, its SBOM, the release notes, an installation in a clean n8n. Lists what blocks the release and exits with 1.
// The upload is the Publish workflow's alone, which a tag starts.
import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../dev/commandLine.ts';
import { npmCommand } from '../dev/npm.ts';
import { packFolder } from '../dev/package.ts';
import { projectRoot } from '../dev/paths.ts';
import manifest from '../package.json' with { type: 'json' };

const USAGE =
	'npm run release [-- --tag vX.Y.Z]: all that a release does but the upload, into .cache/release/; the tag has to name the version in package.json';

/** What only an owner can fill in, as it stands in package.json and everywhere else. */
const PLACEHOLDERS = {
	'an e-mail address that somebody reads': 'maintainers@n8n-nodes-hospitality-booking.example',
	'the repository that publishes': 'github.com/n8n-nodes-hospitality-booking/n8n-nodes-hospitality-booking',
};

const root = projectRoot();
const folder = join(root, '.cache', 'release');
const findings: string[] = [];

function step(what: string): void {
	console.log(`\n━━ ${what}`);
}

/** Runs a command as a step. @param finding what blocks the release where it fails */
function check(what: string, finding: string, command: string, args: string[]): void {
	step(what);
	if (spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status !== 0) findings.push(finding);
}

function read(command: string, args: string[]): string {
	return execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim();
}

/** The changelog's section of a version, without its heading; undefined if it is missing or empty. */
function changelogSection(version: string): string | undefined {
	const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
	const section = sections.find((text) => text.startsWith(`[${version}]`)) ?? '';
	return section.slice(section.indexOf('\n')).trim() || undefined;
}

/** Writes the SBOM of what is installed with the tarball, in which there may be nothing. */
function writeSbom(): void {
	const omitted = ['dev', 'optional', 'peer'].map((type) => `--omit=${type}`);
	const npm = npmCommand(['sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...omitted]);
	const sbom = JSON.parse(read(npm.command, npm.args)) as {
		metadata: { component: { name: string } };
		components: unknown[];
	};
	// npm writes the name of the folder.
	sbom.metadata.component.name = manifest.name;
	writeFileSync(join(folder, 'sbom.cdx.json'), JSON.stringify(sbom, null, 2));
	if (sbom.components.length > 0) findings.push(`SBOM: ${sbom.components.length} run-time components`);
}

const { values } = readCommandLine(USAGE, { tag: { type: 'string' } });
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

step('Version, owner and changelog');
if (values.tag !== undefined && values.tag !== `v${manifest.version}`)
	findings.push(`The tag is ${values.tag}, the version in package.json ${manifest.version}`);
for (const [what, text] of Object.entries(PLACEHOLDERS)) {
	const { stdout } = spawnSync('git', ['grep', '-l', '--fixed-strings', text, '--', ':!scripts/release.ts'], {
		cwd: root,
		encoding: 'utf8',
	});
	const command = `git grep -l '${text}' | xargs sed -i 's#${text}#…#g'`;
	if (stdout !== '') findings.push(`Put ${what} in the place of ${text} (${command}), in:\n${stdout.trim()}`);
}
const notes = changelogSection(manifest.version);
if (notes === undefined) findings.push(`CHANGELOG.md has no section for ${manifest.version}`);
writeFileSync(join(folder, 'notes.md'), `${notes ?? ''}\n`);

const verify = npmCommand(['run', '--silent', 'verify']);
check("Build and n8n's scan", 'The scan found something', verify.command, verify.args);
const tarball = await packFolder(root, folder);
writeSbom();
check(
	'Installation in a clean n8n',
	'A clean n8n does not have the nodes as they should be after the installation',
	process.execPath,
	['scripts/test.ts', 'e2e', '--files', 'package'],
);

step('What the provenance statement will say');
const sha512 = hash('sha512', readFileSync(tarball));
console.log(`Subject     ${manifest.name}@${manifest.version}, sha512 ${sha512}`);
console.log(`Repository  ${manifest.repository.url}`);
console.log(`Commit      ${read('git', ['rev-parse', 'HEAD'])}`);
console.log('Workflow    .github/workflows/publish.yml, environment npm');
const changed = read('git', ['status', '--porcelain', '--untracked-files=no']);
if (changed !== '') findings.push(`Not committed:\n${changed}`);

step(findings.length === 0 ? `Ready: ${tarball}` : 'What blocks the release');
for (const finding of findings) console.log(finding);
process.exitCode = findings.length === 0 ? 0 : 1;
