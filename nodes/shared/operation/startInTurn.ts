import { sleep } from 'n8n-workflow';
import noop from 'lodash/noop';

import type { CallQueue } from '../http/concurrency/callQueue';

interface Rules {
	account: { queue: Pick<CallQueue, 'ready'> };
	signal?: AbortSignal;
	/** Once it is over, no further task starts. */
	progress: { isOver: boolean };
}

export interface Pace {
	/** Most tasks under way when this one starts, itself included. */
	callsAtOnce: number;
	/** Tasks to start together before the next pause. */
	batchSize: number;
	/** The pause in milliseconds; 0 for none. */
	batchInterval: number;
}

/**
 * Starts tasks in their order, each when the account's queue is ready for the next and fewer than its pace allows are under way.
 *
 * @param paceOf how a task goes out; undefined for one that need not wait
 * @param execute must not reject
 * @returns when all that were started have ended; after the signal no further one starts
 */
export async function startInTurn<T>(
	tasks: Iterable<T>,
	{ account: { queue }, signal, progress }: Rules,
	paceOf: (task: T) => Pace | undefined,
	execute: (task: T) => Promise<void>,
): Promise<void> {
	const running = new Set<Promise<void>>();
	let freed: (() => void) | undefined;
	const start = (task: T) => {
		const ended = execute(task).then(() => {
			running.delete(ended);
			freed?.();
		});
		running.add(ended);
	};
	let index = 0;
	for (const task of tasks) {
		const { callsAtOnce = Infinity, batchSize = 1, batchInterval = 0 } = paceOf(task) ?? {};
		while (running.size >= callsAtOnce) await new Promise<void>((resolve) => (freed = resolve));
		const isPaused = batchInterval > 0 && index > 0 && index % batchSize === 0;
		index++;
		try {
			if (isPaused) await sleep(batchInterval, signal);
			await queue.ready(signal);
		} catch {
			// Both reject only once the execution is cancelled.
			break;
		}
		if (progress.isOver || signal?.aborted) break;
		start(task);
	}
	await Promise.all(running);
}

/** Keeps changes of the same record one after the other; those of different records go on in parallel. */
export class RecordOrder {
	/** The end of the last change of each record. */
	private readonly last = new Map<string, Promise<void>>();

	/**
	 * Does work after all earlier work on the same records has ended, well or not.
	 *
	 * @param records what the work changes; none: it starts at once
	 */
	async run<T>(records: readonly string[], work: () => Promise<T>): Promise<T> {
		const earlier = records.flatMap((record) => this.last.get(record) ?? []);
		const done = earlier.length > 0 ? Promise.all(earlier).then(work) : work();
		const ended = done.then(noop, noop);
		for (const record of records) this.last.set(record, ended);
		return await done;
	}
}
