// Instead of execa, which only ends the process it started: processes that n8n starts would live on.
import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';

const TAIL_LINES = 40;
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
	/** The part of a line that goes into the file; by default all of it. */
	toLog?: (line: string) => string;
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
	private readonly watchers = new Set<(line: string) => void>();
	private readonly log: WriteStream | undefined;
	private readonly toLog: (line: string) => string;
	private stopping = false;
	private end: Exit | undefined;

	constructor(options: ChildOptions) {
		this.name = options.name;
		this.log = options.logFile ? createWriteStream(options.logFile) : undefined;
		this.toLog = options.toLog ?? ((line) => line);
		if (options.onLine) this.watchers.add(options.onLine);
		this.process = spawn(options.command, options.args, {
			cwd: options.cwd,
			env: options.env,
			stdio: ['pipe', 'pipe', 'pipe'],
			detached: process.platform !== 'win32',
			windowsHide: true,
		});
		Child.living.add(this);
		this.read(this.process.stdout);
		this.read(this.process.stderr);
		this.process.stdin?.on('error', () => undefined);
		this.exited = new Promise((resolve) => {
			const finish = (exit: Exit) => {
				if (this.end) return;
				this.end = exit;
				Child.living.delete(this);
				this.log?.end();
				resolve(exit);
			};
			this.process.once('error', (error) => {
				this.take(error.message);
				finish({ code: null, signal: null });
			});
			this.process.once('close', (code, signal) => finish({ code, signal }));
		});
	}

	/** Every child of this process that has not ended, the one started last first. */
	static all(): Child[] {
		return [...Child.living].reverse();
	}

	get pid(): number | undefined {
		return this.process.pid;
	}

	/** Whether the process has ended without having been asked to. */
	get failed(): boolean {
		return this.end !== undefined && !this.stopping;
	}

	/** The last lines the process printed. */
	get tail(): string {
		return this.lines.join('\n');
	}

	/**
	 * The first line that matches, among those already printed or to come.
	 *
	 * @throws when the process ends first or `timeoutMs` passes; the message carries the last lines printed
	 */
	waitForLine(pattern: RegExp, timeoutMs: number): Promise<string> {
		const found = this.lines.find((line) => pattern.test(line));
		if (found !== undefined) return Promise.resolve(found);
		return new Promise((resolve, reject) => {
			const settle = (act: () => void) => {
				clearTimeout(timer);
				this.watchers.delete(watcher);
				act();
			};
			const watcher = (line: string) => {
				if (pattern.test(line)) settle(() => resolve(line));
			};
			const timer = setTimeout(
				() =>
					settle(() =>
						reject(new Error(`${this.name} was not ready after ${timeoutMs / 1000} s. ${this.lastWords()}`)),
					),
				timeoutMs,
			);
			this.watchers.add(watcher);
			void this.exited.then((exit) => settle(() => reject(new Error(this.describeExit(exit)))));
		});
	}

	/** One message about how the process ended, with the last lines it printed. */
	describeExit(exit: Exit): string {
		const how = exit.signal ? `by ${exit.signal}` : `with exit code ${exit.code ?? 'unknown'}`;
		return `${this.name} ended ${how}. ${this.lastWords()}`;
	}

	/** Asks the process and all it started to end, kills them after 40 s, and returns when they are gone. */
	async stop(): Promise<void> {
		this.stopping = true;
		if (this.end) return;
		this.signal('SIGTERM');
		const insist = setTimeout(() => this.signal('SIGKILL'), STOP_AFTER_MS);
		await this.exited;
		clearTimeout(insist);
	}

	/** Ends the process and all it started at once, as a crash of the machine would, and returns when it is gone. */
	async kill(): Promise<void> {
		this.stopping = true;
		if (this.end) return;
		this.signal('SIGKILL');
		await this.exited;
	}

	private signal(signal: NodeJS.Signals): void {
		const { pid } = this.process;
		if (pid === undefined) return;
		if (process.platform === 'win32') {
			spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
			return;
		}
		try {
			process.kill(-pid, signal);
		} catch {
			this.process.kill(signal);
		}
	}

	private lastWords(): string {
		return this.lines.length === 0 ? 'It printed nothing.' : `It last printed:\n${this.tail}`;
	}

	private read(stream: NodeJS.ReadableStream | null): void {
		let rest = '';
		stream?.setEncoding('utf8');
		stream?.on('data', (chunk: string) => {
			const parts = (rest + chunk).split(/\r?\n/);
			rest = parts.pop() ?? '';
			for (const line of parts) this.take(line);
		});
		stream?.on('end', () => {
			if (rest !== '') this.take(rest);
		});
	}

	private take(line: string): void {
		this.lines.push(line);
		if (this.lines.length > TAIL_LINES) this.lines.shift();
		this.log?.write(`${this.toLog(line)}\n`);
		for (const watcher of this.watchers) watcher(line);
	}
}

/**
 * Runs a command to its end.
 *
 * @returns what it printed
 * @throws when it does not end with 0; the message carries the last lines it printed
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
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.on(signal, () => void stopAll().finally(() => process.exit(code)));
}
