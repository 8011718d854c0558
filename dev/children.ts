// Instead of execa, which only ends the process it started: processes that n8n starts would live on.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import attempt from 'lodash/attempt.js';
import { eventually } from './eventually.ts';

const KEPT_LINES = 200;
const SHOWN_LINES = 40;
/** n8n gives running executions 30 s. */
const STOP_AFTER_MS = 40_000;

/** How a child process ended: by itself with a code, or by a signal. */
export interface Exit {
	code: number | null;
	signal: NodeJS.Signals | null;
}

export interface ChildOptions {
	/** Its name for people, as in "n8n stopped". */
	name: string;
	command: string;
	args: string[];
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	/** File that receives everything the process prints. */
	logFile?: string;
	/** Told each line that the process prints. */
	onLine?: (line: string) => void;
}

/**
 * A child process in a process group of its own: whatever it starts is stopped with it.
 * Its standard input is a pipe that stays open as long as we live.
 */
export class Child {
	private static readonly living = new Set<Child>();
	readonly name: string;
	/** Settles once, when the process has ended. */
	readonly exited: Promise<Exit>;
	private readonly process: ChildProcess;
	private readonly lines: string[] = [];
	private isStopping = false;
	private end: Exit | undefined;

	constructor({ name, command, args, cwd, env, logFile, onLine }: ChildOptions) {
		this.name = name;
		if (logFile !== undefined) rmSync(logFile, { force: true });
		const take = (line: string) => {
			if (this.lines.push(line) > KEPT_LINES) this.lines.shift();
			if (logFile !== undefined) appendFileSync(logFile, `${line}\n`);
			onLine?.(line);
		};
		const detached = process.platform !== 'win32';
		const child = spawn(command, args, { cwd, env, detached, windowsHide: true });
		for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', take);
		child.stdin.on('error', () => undefined);
		this.process = child;
		Child.living.add(this);
		const failed = (error: Error): [null, null] => (take(error.message), [null, null]);
		this.exited = once(child, 'close')
			.catch(failed)
			.then(([code, signal]) => {
				Child.living.delete(this);
				return (this.end = { code, signal } as Exit);
			});
	}

	/** Every child of this process that has not ended, the one started last first. */
	static all(): Child[] {
		return [...Child.living].reverse();
	}

	/** Whether the process has ended without having been asked to. */
	get failed(): boolean {
		return this.end !== undefined && !this.isStopping;
	}

	/** The last lines the process printed. */
	get tail(): string {
		return this.lines.slice(-SHOWN_LINES).join('\n');
	}

	/**
	 * The first of the last lines that matches, printed already or yet to come.
	 *
	 * @throws when the process ends first or `withinMs` passes; the message carries the last lines printed
	 */
	async waitForLine(pattern: RegExp, withinMs: number): Promise<string> {
		const look = () => this.lines.find((line) => pattern.test(line)) ?? this.end;
		const found = await eventually(`${this.name} is ready`, look, withinMs, 50).catch(
			(late: Error) => {
				throw new Error(`${late.message} It last printed:\n${this.tail}`);
			},
		);
		if (typeof found === 'string') return found;
		throw new Error(this.describeExit(found));
	}

	/** One message about how the process ended, with the last lines it printed. */
	describeExit({ code, signal }: Exit): string {
		const how = signal ? `by ${signal}` : `with exit code ${code ?? 'unknown'}`;
		return `${this.name} ended ${how}. It last printed:\n${this.tail}`;
	}

	/** Asks the process and all it started to end, kills them after 40 s, and returns when they are gone. */
	async stop(): Promise<void> {
		const insist = setTimeout(() => this.signal('SIGKILL'), STOP_AFTER_MS);
		this.signal('SIGTERM');
		await this.exited;
		clearTimeout(insist);
	}

	/** Ends the process and all it started at once, as a crash of the machine would, and returns when it is gone. */
	async kill(): Promise<void> {
		this.signal('SIGKILL');
		await this.exited;
	}

	private signal(signal: NodeJS.Signals): void {
		const { pid } = this.process;
		this.isStopping = true;
		if (pid === undefined || this.end) return;
		if (process.platform === 'win32') spawn('taskkill', ['/pid', String(pid), '/t', '/f']);
		// It may be gone, and not have told yet.
		else attempt(() => process.kill(-pid, signal));
	}
}

/**
 * Runs a command to its end.
 *
 * @returns the last lines that it printed
 * @throws when it does not end with 0; the message carries them
 */
export async function run(options: ChildOptions): Promise<string> {
	const child = new Child(options);
	const exit = await child.exited;
	if (exit.code !== 0) throw new Error(child.describeExit(exit));
	return child.tail;
}

/** Stops every child that this process has started and that still runs, the one started last first. */
export async function stopAll(): Promise<void> {
	for (const child of Child.all()) await child.stop();
}

/** Stops every child and exits with this code where this process is told to end. */
export function stopOnSignals(code: number): void {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void stopAll().finally(() => process.exit(code)));
	}
}
