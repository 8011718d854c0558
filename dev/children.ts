// Instead of execa, which only ends the process it started: processes that n8n starts would live on.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

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
	private stopping = false;
	private hasEnded = false;

	constructor({ name, command, args, cwd, env, logFile, toLog = (line) => line, onLine }: ChildOptions) {
		this.name = name;
		const log = logFile === undefined ? undefined : createWriteStream(logFile);
		if (log) this.watchers.add((line) => log.write(`${toLog(line)}\n`));
		if (onLine) this.watchers.add(onLine);
		const detached = process.platform !== 'win32';
		this.process = spawn(command, args, { cwd, env, stdio: 'pipe', detached, windowsHide: true });
		Child.living.add(this);
		this.process.stdin?.on('error', () => undefined);
		const reading = [this.process.stdout, this.process.stderr].flatMap((input) =>
			input
				? [
						once(
							createInterface({ input }).on('line', (line) => this.take(line)),
							'close',
						),
					]
				: [],
		);
		this.exited = new Promise<Exit>((resolve) => {
			this.process.once('error', (error) => {
				this.take(error.message);
				resolve({ code: null, signal: null });
			});
			this.process.once(
				'close',
				(code, signal) => void Promise.all(reading).then(() => resolve({ code, signal })),
			);
		}).finally(() => {
			this.hasEnded = true;
			Child.living.delete(this);
			log?.end();
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
		return this.hasEnded && !this.stopping;
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
	async waitForLine(pattern: RegExp, timeoutMs: number): Promise<string> {
		let watcher = (_line: string): void => undefined;
		let timer: NodeJS.Timeout | undefined;
		const found = new Promise<string>((resolve, reject) => {
			watcher = (line) => void (pattern.test(line) && resolve(line));
			const late = `${this.name} was not ready after ${timeoutMs / 1000} s.`;
			timer = setTimeout(() => reject(new Error(`${late} It last printed:\n${this.tail}`)), timeoutMs);
			void this.exited.then((exit) => reject(new Error(this.describeExit(exit))));
		});
		this.lines.forEach(watcher);
		this.watchers.add(watcher);
		return await found.finally(() => {
			clearTimeout(timer);
			this.watchers.delete(watcher);
		});
	}

	/** One message about how the process ended, with the last lines it printed. */
	describeExit({ code, signal }: Exit): string {
		const how = signal ? `by ${signal}` : `with exit code ${code ?? 'unknown'}`;
		return `${this.name} ended ${how}. It last printed:\n${this.tail}`;
	}

	/** Asks the process and all it started to end, kills them after 40 s, and returns when they are gone. */
	async stop(): Promise<void> {
		const insist = setTimeout(() => this.signal('SIGKILL'), STOP_AFTER_MS);
		await this.end('SIGTERM');
		clearTimeout(insist);
	}

	/** Ends the process and all it started at once, as a crash of the machine would, and returns when it is gone. */
	async kill(): Promise<void> {
		await this.end('SIGKILL');
	}

	private async end(signal: NodeJS.Signals): Promise<void> {
		this.stopping = true;
		if (!this.hasEnded) this.signal(signal);
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

	private take(line: string): void {
		this.lines.push(line);
		if (this.lines.length > TAIL_LINES) this.lines.shift();
		for (const watcher of this.watchers) watcher(line);
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
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.on(signal, () => void stopAll().finally(() => process.exit(code)));
}
