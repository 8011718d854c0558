import { join } from 'node:path';
import { Child } from './children.ts';
import { projectRoot } from './paths.ts';

const READY_MS = 60_000;

/** Where the sandbox is and who may use it, as it prints itself. */
export interface SandboxFacts {
	url: string;
	baseUrl: string;
	authUrl: string;
	payUrl: string;
	clientId: string;
	clientSecret: string;
	system: string;
	paymentCustomerId: string;
	paymentPassword: string;
	companyId: number;
	brandId: number;
	/** Only where it was started with `control`. */
	controlUrl?: string;
}

export interface Sandbox extends SandboxFacts {
	child: Child;
	/** Calls the control endpoint, e.g. `control('GET', 'stats')`, and returns its parsed answer. */
	control(method: string, path: string, body?: unknown): Promise<unknown>;
	stop(): Promise<void>;
}

export interface SandboxOptions {
	/** 0 or none: the system's choice. */
	port?: number;
	/** Bookings arrive, change and are cancelled by themselves. */
	live?: boolean;
	/** Milliseconds between two live events. */
	liveInterval?: number;
	/** Serves the control endpoint. */
	control?: boolean;
	/** File in which the sandbox keeps its state between runs. */
	data?: string;
	logFile?: string;
}

/** The data of a `hospitalityBookingApi` credential for a sandbox. */
export function bookingCredential(sandbox: SandboxFacts): Record<string, string> {
	return {
		baseUrl: sandbox.baseUrl,
		authUrl: sandbox.authUrl,
		clientId: sandbox.clientId,
		clientSecret: sandbox.clientSecret,
		system: sandbox.system,
		timeZone: 'UTC',
	};
}

/** Starts the sandbox as a process of its own and returns when it answers. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
	const child = new Child({
		name: 'The sandbox',
		command: process.execPath,
		args: [
			join(projectRoot(), 'sandbox', 'main.ts'),
			'--json',
			'--exit-with-parent',
			'--port',
			String(options.port ?? 0),
			...(options.live ? ['--live'] : []),
			...(options.liveInterval ? ['--live-interval', String(options.liveInterval)] : []),
			...(options.control ? ['--control'] : []),
			...(options.data ? ['--data', options.data] : []),
		],
		cwd: projectRoot(),
		env: process.env,
		logFile: options.logFile,
	});
	const facts = JSON.parse(await child.waitForLine(/^\{.*"clientSecret"/, READY_MS)) as SandboxFacts;
	return {
		...facts,
		child,
		stop: () => child.stop(),
		control: async (method, path, body) => {
			const response = await fetch(`${facts.controlUrl}/${path}`, {
				method,
				...(body === undefined
					? {}
					: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
			});
			const text = await response.text();
			if (!response.ok)
				throw new Error(`The sandbox answered ${response.status} to ${method} ${path}: ${text}`);
			return text === '' ? undefined : JSON.parse(text);
		},
	};
}
