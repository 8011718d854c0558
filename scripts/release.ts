// npm run release [-- --tag vX.Y.Z]: everything that a release does but the upload, into .cache/release/: n8n's scan, the
// tarball, its SBOM, the release notes, an installation in a clean n8n. Lists what blocks the release and exits with 1.
// The upload is the Publish workflow's alone, which a tag starts.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readCommandLine } from '../dev/commandLine.ts';
import { buildPackage, npmCommand } from '../dev/package.ts';
import { projectRoot } from '../dev/paths.ts';
import manifest from '../package.json' with { type: 'json' };

const USAGE =
	'npm run release [-- --tag vX.Y.Z]: all that a release does but the upload, into .cache/release/; the tag has to name the version in package.json';

/** What only an owner can fill in, in package.json; `npm run generate` writes the repository wherever else it stands. */
const PLACEHOLDERS = {
	'an e-mail address that somebody reads': [
		manifest.author.email,
		'maintainers@n8n-nodes-hospitality-booking.example',
	],
	'the repository that publishes': [
		manifest.repository.url,
		'git+https://github.com/n8n-nodes-hospitality-booking/n8n-nodes-hospitality-booking.git',
	],
};

const root = projectRoot();
const folder = join(root, '.cache', 'release');
const findings: string[] = [];

/** Runs a command as a step. @param finding what blocks the release where it fails */
function check(finding: string, { command, args }: { command: string; args: string[] }): void {
	console.log(`\n━━ ${args.join(' ')}`);
	if (spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status !== 0) {
		findings.push(finding);
	}
}

function read(command: string, args: string[]): string {
	return spawnSync(command, args, { cwd: root, encoding: 'utf8' }).stdout.trim();
}

const { values } = readCommandLine(USAGE, { tag: { type: 'string' } });
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

if (values.tag !== undefined && values.tag !== `v${manifest.version}`) {
	findings.push(`The tag is ${values.tag}, the version in package.json ${manifest.version}`);
}
for (const [what, [entered, placeholder]] of Object.entries(PLACEHOLDERS)) {
	if (entered === placeholder) {
		findings.push(`Enter ${what} in package.json, then \`npm run generate\`: ${placeholder}`);
	}
}
const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
const [, notes = ''] =
	sections.find((text) => text.startsWith(`[${manifest.version}]`))?.split(/\n(.*)/s) ?? [];
if (notes.trim() === '') findings.push(`CHANGELOG.md has no section for ${manifest.version}`);
writeFileSync(join(folder, 'notes.md'), `${notes.trim()}\n`);

const tarball = await buildPackage();
copyFileSync(tarball, join(folder, basename(tarball)));
const sbomOf = '--sbom-format=cyclonedx --package-lock-only --omit=dev --omit=optional --omit=peer';
const npm = npmCommand(['sbom', ...sbomOf.split(' ')]);
const sbom = JSON.parse(read(npm.command, npm.args)) as {
	metadata: { component: { name: string } };
	components: unknown[];
};
// npm writes the name of the folder.
sbom.metadata.component.name = manifest.name;
const { length: dependencies } = sbom.components;
if (dependencies > 0) {
	findings.push(`SBOM: ${dependencies} run-time components, and there may be none`);
}
writeFileSync(join(folder, 'sbom.cdx.json'), JSON.stringify(sbom, null, 2));
check('The scan found something', npmCommand(['run', '--silent', 'verify']));
check('A clean n8n does not have the nodes as they should be after the installation', {
	command: process.execPath,
	args: ['scripts/test.ts', 'e2e', '--files', 'package'],
});
const changed = read('git', ['status', '--porcelain', '--untracked-files=no']);
if (changed !== '') findings.push(`Not committed:\n${changed}`);

console.log(findings.length === 0 ? `\n━━ Ready: ${folder}` : '\n━━ What blocks the release');
for (const finding of findings) console.log(finding);
process.exitCode = findings.length === 0 ? 0 : 1;
