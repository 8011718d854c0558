import { join } from 'node:path';
import type { SandboxInfo } from '../sandbox/info.ts';
import type { DemoLinks } from '../sandbox/options.ts';
import { Child } from './children.ts';
import { projectRoot } from './paths.ts';

const READY_MS = 60_000;

export interface Sandbox extends SandboxInfo {
	child: Child;
	/** Calls the control endpoint, e.g. `control('GET', 'stats')`, and returns its parsed answer. */
	control(method: string, path: string, body?: unknown): Promise<unknown>;
	/** Reads a list from the service itself with a token of its own, e.g. `/api/booking/v1/booking/customers`. */
	read(path: string): Promise<unknown>;
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
	/** Other parts of a demo for the start page to link to. */
	links?: DemoLinks;
	logFile?: string;
}

/** The data of a `hospitalityBookingApi` credential for a sandbox. */
export function bookingCredential(sandbox: SandboxInfo): Record<string, string> {
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
			...(options.links?.n8n ? ['--n8n', options.links.n8n] : []),
			...(options.links?.signIn ? ['--sign-in', options.links.signIn] : []),
			...(options.links?.inbox ? ['--inbox', options.links.inbox] : []),
		],
		cwd: projectRoot(),
		env: process.env,
		logFile: options.logFile,
		toLog: (line) => line.replace(/("(?:clientSecret|paymentPassword)":")[^"]+/g, '$1…'),
	});
	const facts = JSON.parse(await child.waitForLine(/^\{.*"clientSecret"/, READY_MS)) as SandboxInfo;
	return {
		...facts,
		child,
		stop: () => child.stop(),
		control: (method, path, body) => callControl(facts, method, path, body),
		read: (path) => readService(facts, path),
	};
}

/** Calls a sandbox's control endpoint and returns the parsed answer. */
export async function callControl(
	{ controlUrl }: SandboxInfo,
	method: string,
	path: string,
	body?: unknown,
): Promise<unknown> {
	const response = await fetch(`${controlUrl}/${path}`, {
		method,
		...(body === undefined
			? {}
			: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
	});
	return await parsed(response, `${method} ${path}`);
}

/** Reads from the service as any other client would, without this package: what it answers is what is right. */
async function readService(facts: SandboxInfo, path: string): Promise<unknown> {
	const token = (await parsed(
		await fetch(`${facts.authUrl}/connect/token`, {
			method: 'POST',
			body: new URLSearchParams({
				grant_type: 'client_credentials',
				client_id: facts.clientId,
				client_secret: facts.clientSecret,
				scope: 'publicAPI',
			}),
		}),
		'the token request',
	)) as { access_token: string };
	const headers = { authorization: `Bearer ${token.access_token}`, system: facts.system };
	return await parsed(await fetch(`${facts.baseUrl}${path}`, { headers }), path);
}

async function parsed(response: Response, what: string): Promise<unknown> {
	const text = await response.text();
	if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${what}: ${text}`);
	return text === '' ? undefined : JSON.parse(text);
}
