import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node24 } from '../../../dev/node24.ts';
import { HELP, readArguments } from '../../../dev/demo/options';

const ROOT = join(__dirname, '..', '..', '..');

const NOBODY = 65_534;
const NODE = `node-linux-${process.arch}`;
/** Before Node 24, whichever runs the tests. */
const OLD_NODE = "Object.defineProperty(process.versions, 'node', { value: '20.15.0' })";
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;
const TOOLCHAIN = { [NODE]: `file:${NODE}` };

interface Ended {
	code: number | null;
	stdout: string;
	stderr: string;
}

/**
 * A small project around the real set-up script: its Node 24 is a folder of its own, so that it installs without a network. The
 * registry is an address that refuses connections.
 */
class Clone {
	readonly folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-set-up-'));

	constructor() {
		mkdirSync(join(this.folder, 'scripts'));
		for (const file of ['bootstrap.mjs', 'obstacles.mjs'])
			copyFileSync(join(ROOT, 'scripts', file), join(this.folder, 'scripts', file));
		const program = join(this.folder, NODE, 'bin', 'node');
		mkdirSync(join(this.folder, NODE, 'bin'), { recursive: true });
		writeFileSync(program, `#!/bin/sh\nexec "${node24()}" "$@"\n`);
		chmodSync(program, 0o755);
		this.write(`${NODE}/package.json`, { name: NODE, version: '24.0.0', bin: { node: 'bin/node' } });
		this.require(TOOLCHAIN);
	}

	/** Runs `.ci/run` as a plain user, with a stand-in of what it runs at its end. @returns what it printed, and its exit code */
	async ci(tests: string): Promise<Ended> {
		mkdirSync(join(this.folder, '.ci'));
		copyFileSync(join(ROOT, '.ci', 'run'), join(this.folder, '.ci', 'run'));
		this.require(TOOLCHAIN, '', { 'test:all': tests });
		const isRoot = process.getuid?.() === 0;
		if (isRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, this.folder]);
		return await this.spawn('bash', ['.ci/run'], { HOME: this.folder }, isRoot ? NOBODY : undefined).ended;
	}

	/** @param folder whose package.json asks for them, with a slash; the clone's own unless given */
	require(dependencies: Record<string, string>, folder = '', scripts: Record<string, string> = {}): void {
		const named = { name: 'clone', version: '1.0.0', dependencies };
		this.write(`${folder}package.json`, { ...named, private: true, scripts });
		this.lock(dependencies, folder);
	}

	lock(dependencies: Record<string, string>, folder = ''): void {
		this.write(`${folder}package-lock.json`, {
			...{ name: 'clone', version: '1.0.0', lockfileVersion: 3, requires: true },
			packages: {
				'': { name: 'clone', version: '1.0.0', dependencies },
				...Object.fromEntries(Object.entries(dependencies).flatMap((entry) => lockedAs(...entry))),
			},
		});
	}

	modules(file: string): string {
		return join(this.folder, 'node_modules', file);
	}

	/** @param pretended a program that runs before the set-up, in its process */
	start(args: string[], pretended = ''): { child: ChildProcess; ended: Promise<Ended> } {
		const NODE_OPTIONS = pretended && `--import=data:text/javascript,${encodeURIComponent(pretended)}`;
		return this.spawn(process.execPath, [join('scripts', 'bootstrap.mjs'), ...args], { NODE_OPTIONS });
	}

	private spawn(command: string, args: string[], env: NodeJS.ProcessEnv, user?: number) {
		const child = spawn(command, args, {
			cwd: this.folder,
			...{ uid: user, gid: user },
			env: {
				...process.env,
				npm_config_registry: 'http://127.0.0.1:9',
				npm_config_fetch_retries: '0',
				npm_config_cache: join(this.folder, 'npm-cache'),
				...env,
			},
		});
		const ended: Ended = { code: null, stdout: '', stderr: '' };
		child.stdout.on('data', (chunk: Buffer) => (ended.stdout += chunk.toString()));
		child.stderr.on('data', (chunk: Buffer) => (ended.stderr += chunk.toString()));
		return {
			child,
			ended: new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ ...ended, code }))),
		};
	}

	run(...args: string[]): Promise<Ended> {
		return this.start(args).ended;
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}

	private write(file: string, content: unknown): void {
		writeFileSync(join(this.folder, file), `${JSON.stringify(content, null, 2)}\n`);
	}
}

/** What a lock file says of a dependency: a folder, or a version of which only the checksum is known. */
function lockedAs(name: string, wanted: string): Array<[path: string, entry: object]> {
	const path = `node_modules/${name}`;
	if (!wanted.startsWith('file:'))
		return [[path, { version: wanted, integrity: `sha512-${'A'.repeat(86)}==` }]];
	const resolved = wanted.replace('file:', '');
	return [
		[path, { resolved, link: true }],
		[resolved, { name: NODE, version: '24.0.0', bin: { node: 'bin/node' } }],
	];
}

let clone: Clone;

beforeEach(() => (clone = new Clone()));
afterEach(() => clone.remove());

describeOnLinux('setting up a fresh clone', () => {
	it('installs, then runs the command with the toolchain first on the PATH and its exit code', async () => {
		const program = "console.log(process.env.PATH.split(require('path').delimiter)[0]); process.exit(7)";
		const { code, stdout, stderr } = await clone.start(['--', 'node', '-e', program], OLD_NODE).ended;
		expect(stderr).toContain('[set-up] Installing the toolchain');
		expect(stdout.trim()).toBe(clone.modules(join(NODE, 'bin')));
		expect(code).toBe(7);
	});

	it('installs nothing on the next run, and again when what is wanted has changed', async () => {
		await clone.run();
		const second = await clone.run();
		expect(second).toEqual({ code: 0, stdout: '', stderr: '' });
		clone.require({ ...TOOLCHAIN, other: `file:${NODE}` });
		const third = await clone.run();
		expect(third.stderr).toContain('[set-up] Installing the toolchain');
		expect(third.code).toBe(0);
	});

	it('installs nothing after npm ci, and again when what is wanted has changed', async () => {
		execFileSync('npm', ['ci', '--offline', '--ignore-scripts'], { cwd: clone.folder, stdio: 'ignore' });
		await expect(clone.run()).resolves.toEqual({ code: 0, stdout: '', stderr: '' });
		clone.require({ ...TOOLCHAIN, other: `file:${NODE}` });
		const changed = await clone.run();
		expect(changed.stderr).toContain('[set-up] Installing the toolchain');
	});

	it('installs nothing that the lock file does not name', async () => {
		clone.require({ ...TOOLCHAIN, other: `file:${NODE}` });
		clone.lock(TOOLCHAIN);
		const { code, stderr } = await clone.run();
		expect(stderr).toContain('package.json and package-lock.json differ');
		expect(code).toBe(1);
	});

	it('installs n8n beside its place, and moves it there only once it is whole', async () => {
		mkdirSync(join(clone.folder, 'dev'));
		clone.require({}, 'dev/');
		const { code, stderr } = await clone.run('demo', '--', 'node', '--version');
		expect(stderr).toContain('[set-up] Installing n8n and the mail inbox');
		expect(stderr).toContain('does not load');
		expect(code).toBe(1);
		expect(existsSync(join(clone.folder, 'dev', 'node_modules'))).toBe(false);
	});

	it('takes over the lock of a set-up that is gone', async () => {
		const gone = spawn(process.execPath, ['-e', '']);
		await new Promise((resolve) => gone.once('exit', resolve));
		mkdirSync(join(clone.folder, '.cache'));
		writeFileSync(join(clone.folder, '.cache', 'set-up.lock'), String(gone.pid));
		await expect(clone.run()).resolves.toMatchObject({ code: 0 });
	});

	it('lets two at once install one after the other', async () => {
		const [first, second] = await Promise.all([clone.run(), clone.run()]);
		expect([first.code, second.code]).toEqual([0, 0]);
		const installed = [first, second].filter(({ stderr }) => stderr.includes('Installing the toolchain'));
		expect(installed).toHaveLength(1);
		expect(statSync(clone.modules('.set-up')).isFile()).toBe(true);
	});

	it.each([
		['the toolchain', { ...TOOLCHAIN, other: '24.0.0' }, ''],
		['n8n and the mail inbox', { n8n: '2.41.1' }, 'dev/'],
	])(
		'says that it was installing %s, and what to do, when there is no network',
		async (what, wanted, folder) => {
			mkdirSync(join(clone.folder, 'dev'));
			clone.require(wanted, folder);
			const { code, stderr } = await clone.run('demo', '--', 'node', '--version');
			expect(stderr).toContain(`No network: npm could not reach its registry while installing ${what}`);
			expect(stderr).toContain('run the same command again');
			expect(stderr).not.toContain('    at ');
			expect(code).toBe(1);
		},
	);

	it('hands SIGTERM on to the command and waits for it', async () => {
		await clone.run();
		const file = join(clone.folder, 'stopped');
		const program = `process.on('SIGTERM', () => { require('fs').writeFileSync(${JSON.stringify(file)}, 'yes'); process.exit(3); }); console.log('up'); setInterval(() => {}, 1000)`;
		const { child, ended } = clone.start(['--', 'node', '-e', program]);
		await new Promise((resolve) => child.stdout?.once('data', resolve));
		child.kill('SIGTERM');
		await expect(ended).resolves.toMatchObject({ code: 3 });
		expect(readFileSync(file, 'utf8')).toBe('yes');
	});
});

describeOnLinux('.ci/run, as a plain user', () => {
	it.each([
		['a test fails', 'echo 2 passed, 1 failed; exit 1', '2 passed, 1 failed'],
		['what runs the tests dies', 'kill -9 $$', '0 passed, 1 failed'],
	])('ends with the line of what passed and failed where %s', async (_, tests, line) => {
		const { code, stdout } = await clone.ci(tests);
		expect(stdout.trim().split('\n').at(-1)).toBe(line);
		expect(code).not.toBe(0);
	});
});

/** A program that listens on a port of its own. */
async function occupy(): Promise<{ server: Server; port: number }> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { server, port: (server.address() as { port: number }).port };
}

describeOnLinux('says what cannot work before anything is installed', () => {
	/** What is said of a command; nothing has been installed for it, nor begun. */
	async function obstacle(args: string[], pretended?: string): Promise<string> {
		const { code, stdout, stderr } = await clone.start(args, pretended).ended;
		expect([code, stdout]).toEqual([1, '']);
		expect(stderr).not.toMatch(/\[set-up\]|^ {4}at /m);
		expect(existsSync(clone.modules('.'))).toBe(false);
		return stderr.trim();
	}

	it.each([
		['npm run demo', 'dev/demo/start.ts', 'sandbox-port', 'the sandbox'],
		['npm run demo', 'dev/demo/start.ts', 'port', 'n8n'],
		['npm run dev', 'scripts/dev.ts', 'smtp-port', "the inbox's mail server"],
		['npm run sandbox', 'sandbox/main.ts', 'port', 'the sandbox'],
	])('%s (%s): the port of --%s is taken', async (command, script, option, what) => {
		const { server, port } = await occupy();
		const others = [...HELP.matchAll(/--(\S*port) N/g)].flatMap(([, name = '']) => [`--${name}=0`]);
		const said = await obstacle(['--', 'node', script, ...others, `--${option}`, String(port)]);
		server.close();
		expect(said).toContain(`Port ${port}, meant for ${what}, is taken by another program.`);
		const [, other] = new RegExp(`\n${command} -- .*--${option} (\\d+)`).exec(said) ?? [];
		expect(Number(other)).toBeGreaterThan(port);
	});

	it('knows the ports that the demo listens on unless told otherwise', () => {
		const source = readFileSync(join(ROOT, 'scripts', 'obstacles.mjs'), 'utf8');
		const known = [...source.matchAll(/^\t'?([\w-]+)'?: \[(\d+), /gm)].map(([, , port]) => Number(port));
		expect(known).toEqual(Object.values(readArguments([]).ports));
	});

	it('Node is too old', async () => {
		const old = "Object.defineProperty(process.versions, 'node', { value: '18.14.2' })";
		expect(await obstacle(['--', 'node', '--version'], old)).toBe(
			'Node 20 or later is needed; this is Node 18.14.2. See https://nodejs.org.',
		);
	});

	it('the disk has no room for all that the command installs', async () => {
		const full =
			"import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; fs.statfsSync = () => ({ bavail: 2000, bsize: 1e6 }); syncBuiltinESMExports();";
		mkdirSync(join(clone.folder, 'dev'));
		expect(await obstacle(['--', 'node', 'dev/demo/start.ts', '--smoke'], full)).toMatch(
			/^No room: installing the toolchain .* and n8n .* takes up to 5500 MB; this disk has 2000 MB left\./,
		);
	});

	it('the folder belongs to somebody else', async () => {
		chmodSync(clone.folder, 0o555);
		// Root may write everywhere.
		const anybody = 'if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }';
		expect(await obstacle(['--', 'node', '--version'], anybody)).toContain(
			`No permission to write to ${join(clone.folder, '.cache')}. Make the folder yours`,
		);
	});
});
