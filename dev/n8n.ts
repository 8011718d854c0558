import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Child } from './children.ts';
import { N8nClient } from './n8nClient.ts';
import { defaultN8n, type N8nInstall } from './n8nVersions.ts';
import { node24, projectRoot } from './paths.ts';
import { freePort } from './ports.ts';

const READY_MS = 180_000;

/** Turns off what n8n would ask of the internet or of the person. */
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
};

export interface N8nOptions {
	/** Folder that holds n8n's data (`.n8n` is made in it) and survives restarts. */
	home: string;
	/** The n8n to run; by default that of dev/. */
	n8n?: N8nInstall;
	/** Port of 127.0.0.1; by default the system chooses. */
	port?: number;
	/** The packed package to install as a user does; by default the home stays as it is. */
	tarball?: string;
	/** More environment variables for n8n. */
	env?: Record<string, string>;
	/** File that receives all that n8n prints. */
	logFile?: string;
}

/** A running n8n. */
export interface N8n {
	/** e.g. `http://127.0.0.1:5678` */
	url: string;
	child: Child;
	/** A client that has not signed in yet. */
	client: N8nClient;
	stop(): Promise<void>;
}

/** Unpacks a packed package into a home of n8n, as n8n itself does; there is nothing else to install, as it has no dependencies. */
export function installPackage(home: string, tarball: string): void {
	const folder = join(home, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-hospitality-booking');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components', '1']);
}

/** A program of an installed module that ends with us, as `command` and `args` of a child process. */
export function moduleCommand(path: string, args: string[], folder = join(projectRoot(), 'dev')) {
	const ending = pathToFileURL(join(projectRoot(), 'dev', 'exitWithParent.ts')).href;
	const program = join(folder, 'node_modules', path);
	return { command: node24(), args: ['--import', ending, program, ...args] };
}

/** The environment of a process of n8n: ours without npm's, jest's and n8n's own settings, and what the options say. */
export function environment(
	options: N8nOptions,
	port: number,
	brokerPort: number,
): NodeJS.ProcessEnv {
	const own = Object.entries(process.env).filter(
		([name]) => !/^(npm_|N8N_|NODE_OPTIONS$|JEST_)/i.test(name),
	);
	return {
		...Object.fromEntries(own),
		...QUIET,
		NODE_ENV: 'production',
		// The default of n8n 2. With that of n8n 1, one, a request sometimes fails while an execution is saved.
		DB_SQLITE_POOL_SIZE: '3',
		N8N_USER_FOLDER: options.home,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		...options.env,
	};
}

/**
 * Starts real n8n on 127.0.0.1 with a home of its own and returns when its editor can be opened.
 *
 * @throws when it is not ready after three minutes or ends before; the message carries its last lines
 */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const port = options.port ?? (await freePort());
	mkdirSync(options.home, { recursive: true });
	if (options.tarball) installPackage(options.home, options.tarball);
	const { folder } = options.n8n ?? defaultN8n();
	const child = new Child({
		name: 'n8n',
		...moduleCommand('n8n/bin/n8n', ['start'], folder),
		cwd: options.home,
		env: environment(options, port, await freePort()),
		logFile: options.logFile,
	});
	try {
		await child.waitForLine(/Editor is now accessible/, READY_MS);
	} catch (error) {
		await child.stop();
		throw error;
	}
	const url = `http://127.0.0.1:${port}`;
	return { url, child, client: new N8nClient(url), stop: () => child.stop() };
}
