import type { CallQueue } from './callQueue';

interface Rules<T> {
	queue: CallQueue;
	/** Most tasks under way when a task starts, itself included. */
	ceilingOf: (task: T) => number;
	signal?: AbortSignal;
	/** Whether no further task is to start. */
	isOver: () => boolean;
	/** Waits before a task, counted from 0, e.g. between batches. */
	pause?: (index: number, task: T) => Promise<void>;
}

/**
 * Starts tasks in their order, each when the account's queue is ready for the next and fewer than its ceiling are under way.
 *
 * @param run must not reject
 * @returns when all that were started have ended; after the signal no further one starts
 */
export async function startInTurn<T>(
	tasks: Iterable<T>,
	{ queue, ceilingOf, signal, isOver, pause }: Rules<T>,
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
		while (running.size >= ceilingOf(task)) await new Promise<void>((resolve) => (freed = resolve));
		const wait = async () => {
			await pause?.(index++, task);
			await queue.ready(signal);
		};
		// Both reject only once the execution is cancelled.
		const hasTurn = await wait().then(
			() => true,
			() => false,
		);
		if (!hasTurn || isOver() || signal?.aborted) break;
		start(task);
	}
	await Promise.all(running);
}
