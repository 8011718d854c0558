import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { run } from './children.ts';
import { projectRoot } from './paths.ts';

/** The npm that runs this process, otherwise the one on the PATH, as `command` and `args` of a child process. */
export function npmCommand(args: string[]): { command: string; args: string[] } {
	const cli = process.env.npm_execpath;
	return cli?.endsWith('npm-cli.js')
		? { command: process.execPath, args: [cli, ...args] }
		: { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args };
}

/** Everything that the built package is made of: folders, and files of the root. */
const FOLDERS = ['credentials', 'nodes', 'icons', 'contract', 'scripts'];
const FILES = /^(gulpfile\..*|package\.json|tsconfig.*\.json|.*\.md|LICENSE)$/;

function fingerprint(root: string): string {
	const hash = createHash('sha256');
	const inFolders = FOLDERS.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
			join(folder, file),
		),
	);
	for (const file of [
		...inFolders,
		...readdirSync(root).filter((name) => FILES.test(name)),
	].sort()) {
		if (statSync(join(root, file)).isFile()) {
			hash.update(`${file}\0`).update(readFileSync(join(root, file)));
		}
	}
	return hash.digest('hex');
}

/**
 * Builds the package and packs it as `npm publish` would, unless the sources are unchanged since the last time.
 *
 * @returns the path of the tarball
 * @throws when the build fails; the message carries its last lines
 */
export async function buildPackage(): Promise<string> {
	const root = projectRoot();
	const folder = join(root, '.cache', 'package');
	const record = join(folder, 'built-from');
	const sources = fingerprint(root);
	const [built, tarball = ''] = existsSync(record) ? readFileSync(record, 'utf8').split('\n') : [];
	if (sources === built && existsSync(tarball)) return tarball;
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	await run({
		name: 'npm run build',
		...npmCommand(['run', 'build']),
		cwd: root,
		env: process.env,
	});
	const pack = npmCommand(['pack', '--silent', '--pack-destination', folder]);
	const printed = await run({ name: 'npm pack', ...pack, cwd: root, env: process.env });
	const packed = printed.split('\n').findLast((line) => line.endsWith('.tgz'));
	if (packed === undefined) throw new Error(`npm pack named no tarball. It printed:\n${printed}`);
	writeFileSync(record, `${sources}\n${join(folder, packed)}`);
	return join(folder, packed);
}
