import { join } from 'node:path';
import kebabCase from 'lodash/kebabCase.js';
import pick from 'lodash/pick.js';
import { MEANT_STATUSES, type SandboxInfo } from '../sandbox/info.ts';
import type { SandboxOptions as CommandLine } from '../sandbox/options.ts';
import { Child, type Exit } from './children.ts';
import { node24, projectRoot } from './paths.ts';

const READY_MS = 60_000;

/** A sandbox in a process of its own. */
export interface Sandbox {
	info: SandboxInfo;
	child: Child;
	/** Calls the control interface, e.g. `control('POST', '/bookings', { count: 3 })`; rejects unless the response is 2xx. */
	control: <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>;
	/** Ends it and waits until it has ended. */
	stop: () => Promise<Exit>;
}

/** Its command-line options; by default it takes a free port. */
export interface SandboxOptions extends Partial<Omit<CommandLine, 'json' | 'exitWithParent'>> {
	logFile?: string;
}

/** The data of a `hospitalityBookingApi` credential for a sandbox. */
export function bookingCredential(info: Partial<SandboxInfo>): Record<string, string> {
	const account = pick(info, ['baseUrl', 'authUrl', 'clientId', 'clientSecret', 'system']);
	return { ...account, timeZone: 'UTC', ...MEANT_STATUSES };
}

/** The data of a `hospitalityPaymentApi` credential for a sandbox. */
export function paymentCredential({
	payUrl,
	paymentCustomerId,
	paymentPassword,
}: Pick<SandboxInfo, 'payUrl' | 'paymentCustomerId' | 'paymentPassword'>): Record<string, string> {
	return { payUrl, customerId: paymentCustomerId, password: paymentPassword, carriedAs: 'bearer' };
}

/** Starts the sandbox as a process of its own and returns when it responds. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { logFile, links, ...own } = options;
	const child = new Child({
		name: 'The sandbox',
		command: node24(),
		args: [
			join(projectRoot(), 'sandbox', 'main.ts'),
			...argumentsOf({ json: true, exitWithParent: true, ...own, ...links, port: own.port ?? 0 }),
		],
		cwd: projectRoot(),
		env: process.env,
		logFile,
	});
	const info = JSON.parse(await child.waitForLine(/^\{.*"clientSecret"/, READY_MS)) as SandboxInfo;
	return {
		info,
		child,
		stop: async () => {
			await child.stop();
			return await child.exited;
		},
		control: async (method, path, body) => await callControl(info, method, path, body),
	};
}

/** `{ live: true, liveInterval: 10 }` is `--live --live-interval 10`. */
function argumentsOf(options: Record<string, string | number | boolean | undefined>): string[] {
	return Object.entries(options).flatMap(([name, value]) => {
		if (value === undefined || value === false) return [];
		// lodash would split n8n.
		const option = `--${name === 'n8n' ? name : kebabCase(name)}`;
		return value === true ? [option] : [option, String(value)];
	});
}

/** Calls a sandbox's control interface and returns the parsed response. */
export async function callControl<T = unknown>(
	{ controlUrl }: SandboxInfo,
	method: string,
	path: string,
	body?: unknown,
): Promise<T> {
	// A kept connection may be closed by the sandbox at the moment in which a busy machine uses it again.
	const headers = {
		connection: 'close',
		...(body === undefined ? {} : { 'content-type': 'application/json' }),
	};
	const response = await fetch(`${controlUrl}${path}`, {
		method,
		headers,
		body: JSON.stringify(body),
	});
	const text = await response.text();
	if (!response.ok) {
		throw new Error(`The sandbox answered ${response.status} to ${method} ${path}: ${text}`);
	}
	return (text === '' ? undefined : JSON.parse(text)) as T;
}
