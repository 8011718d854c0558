import { sleep } from 'n8n-workflow';

import type { CallQueue } from '../http/concurrency/callQueue';

interface Rules<T> {
	queue: Pick<CallQueue, 'ready'>;
	signal?: AbortSignal;
	/** Whether no further task is to start. */
	isOver: () => boolean;
	/** How a task goes out; undefined for one that need not wait. */
	paceOf: (task: T) => Pace | undefined;
}

/** How fast tasks go out. */
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
 * @param run must not reject
 * @returns when all that were started have ended; after the signal no further one starts
 */
export async function startInTurn<T>(
	tasks: Iterable<T>,
	{ queue, signal, isOver, paceOf }: Rules<T>,
	run: (task: T) => Promise<void>,
): Promise<void> {
	const running = new Set<Promise<void>>();
	let freed: (() => void) | undefined;
	const start = (task: T) => {
		const ended = run(task).then(() => {
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
		if (isOver() || signal?.aborted) break;
		start(task);
	}
	await Promise.all(running);
}
