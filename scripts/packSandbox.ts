// npm run pack-sandbox: packs the sandbox as a package of its own, .cache/sandbox/hospitality-booking-sandbox.tgz. npx runs it
// from an address, without this repository; a release includes it.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packFolder } from '../dev/package.ts';
import { projectRoot } from '../dev/paths.ts';

const NAME = 'hospitality-booking-sandbox';

// It has no types.
const { compare, minVersion, satisfies } = createRequire(import.meta.url)('semver') as {
	compare(one: string, other: string): number;
	minVersion(range: string): { version: string } | null;
	satisfies(version: string, range: string): boolean;
};

const root = projectRoot();
const folder = join(root, '.cache', 'sandbox');
const target = join(folder, 'package');
const { version, license, devDependencies } = JSON.parse(
	readFileSync(join(root, 'package.json'), 'utf8'),
) as {
	version: string;
	license: string;
	devDependencies: Record<string, string>;
};

/** The packages that the compiled sandbox imports, in the tested versions. */
function dependencies(): Record<string, string> {
	const files = globSync('{sandbox,contract}/**/*.js', { cwd: target });
	const anImport = /^(?:import|\} from) .*?'((?:@[^/']+\/)?[^'./:]+)(?:\/[^']*)?';$/gm;
	const names = files.flatMap((file) =>
		[...readFileSync(join(target, file), 'utf8').matchAll(anImport)].map(([, name = '']) => name),
	);
	return Object.fromEntries(
		[...new Set(names)].sort().map((name) => {
			const wanted = devDependencies[name];
			if (wanted === undefined)
				throw new Error(`The sandbox imports ${name}, which package.json does not name.`);
			return [name, wanted];
		}),
	);
}

/** The lowest Node version that these packages and all their dependencies support, according to the lock file. */
function leastNode(names: string[]): string {
	const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, { dependencies?: Record<string, string>; engines?: { node?: string } }>;
	};
	const known = new Set(names);
	// Iterating a set includes what is added meanwhile.
	for (const name of known)
		for (const one of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) known.add(one);
	const wanted = [...known].flatMap((name) => packages[`node_modules/${name}`]?.engines?.node ?? []);
	const least = wanted
		.flatMap((range) => range.split('||').flatMap((part) => minVersion(part)?.version ?? []))
		.sort(compare)
		.find((one) => wanted.every((range) => satisfies(one, range)));
	if (least === undefined) throw new Error(`No Node is taken by all: ${wanted.join(', ')}.`);
	return least;
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, 'sandbox', 'tsconfig.pack.json'), '--outDir', target], {
	stdio: 'inherit',
});
for (const file of ['contract/openapi.yaml', 'sandbox/page/assets', 'LICENSE'])
	cpSync(join(root, file), join(target, file), { recursive: true });
writeFileSync(join(target, 'start.js'), "#!/usr/bin/env node\nimport './sandbox/main.js';\n");
const needed = dependencies();
const manifest = {
	name: NAME,
	version,
	description: 'A stand-in of the hospitality booking service on your own machine',
	license,
	private: true,
	type: 'module',
	bin: { [NAME]: 'start.js' },
	engines: { node: `>=${leastNode(Object.keys(needed))}` },
	dependencies: needed,
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const tarball = join(folder, `${NAME}.tgz`);
renameSync(await packFolder(target, folder), tarball);
console.log(tarball);
