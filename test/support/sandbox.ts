import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { SandboxInfo as PrintedInfo } from '../../sandbox/info.ts';

/** What the sandbox prints when it is ready; see docs/sandbox.md. */
export type SandboxInfo = Required<PrintedInfo>;

/** A sandbox in a process of its own. */
export interface StartedSandbox {
	info: SandboxInfo;
	pid: number;
	/** What it has written to standard error so far. */
	stderr: () => string;
	/** Calls the control interface, e.g. `control('POST', '/bookings', { count: 3 })`; rejects unless it answers 2xx. */
	control: <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>;
	/** Ends it and waits until it has ended. Returns its exit code. */
	stop: () => Promise<number | null>;
}

const ROOT = join(__dirname, '..', '..');

/** The Node 24 of the toolchain where the tests themselves run on an older one. */
export function node24(): string {
	const own = join(ROOT, 'node_modules', '.bin', 'node');
	return Number(process.versions.node.split('.')[0]) < 24 && existsSync(own) ? own : process.execPath;
}

/** Starts `sandbox/main.ts` with the control interface on a free port. Rejects with its output when it ends early. */
export async function startSandbox(args: string[] = [], nodeArgs: string[] = []): Promise<StartedSandbox> {
	const child = spawn(
		node24(),
		[
			...nodeArgs,
			join(ROOT, 'sandbox', 'main.ts'),
			'--json',
			'--control',
			'--port',
			'0',
			'--exit-with-parent',
			...args,
		],
		{ cwd: ROOT, stdio: ['pipe', 'pipe', 'pipe'] },
	);
	let errors = '';
	child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
	const exited = once(child, 'exit') as Promise<[number | null]>;
	const line = await Promise.race([
		once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text)),
		exited.then(([code]) => {
			throw new Error(`The sandbox ended with ${code}:\n${errors}`);
		}),
	]);
	const info = JSON.parse(line) as SandboxInfo;
	const pid = child.pid;
	if (pid === undefined) throw new Error('The sandbox has no process id');
	return {
		info,
		pid,
		stderr: () => errors,
		control: async <T>(method: string, path: string, body?: unknown) => {
			const response = await fetch(info.controlUrl + path, {
				method,
				...(body === undefined
					? {}
					: { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
			});
			const text = await response.text();
			if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
			return (text === '' ? undefined : JSON.parse(text)) as T;
		},
		stop: async () => {
			child.kill('SIGTERM');
			const [code] = await exited;
			return code;
		},
	};
}

/** A `hospitalityPaymentApi` credential as a person fills it in for a sandbox. */
export function paymentCredential({
	payUrl,
	paymentCustomerId,
	paymentPassword,
}: Pick<SandboxInfo, 'payUrl' | 'paymentCustomerId' | 'paymentPassword'>): ICredentialDataDecryptedObject {
	return { payUrl, customerId: paymentCustomerId, password: paymentPassword, carriedAs: 'bearer' };
}
