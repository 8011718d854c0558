import { sleep } from 'n8n-workflow';

import { type AttemptEnd, CallController, type StartedCall } from './controller';

/** The service asked for a pause that is longer than the call may wait. */
export class LongPauseError extends Error {
	override name = 'LongPauseError';
	readonly pauseMs: number;

	/** @param pauseMs what is left of the pause */
	constructor(pauseMs: number) {
		super('The service asked for a pause that is longer than the call may wait');
		this.pauseMs = pauseMs;
	}
}

/** How long a call may wait for its turn. */
export interface Patience {
	/** Milliseconds since 1970: a pause that ends later is not waited for. */
	giveUpAt: number;
	/** Ends the waiting at once. */
	signal?: AbortSignal;
	/** Whether the call goes before those that have not been tried. */
	isRepeat: boolean;
}

interface Waiter {
	giveUpAt: number;
	admit: (call: StartedCall) => void;
	refuse: (reason: unknown) => void;
}

/** So many calls may wait for their turn before the next item is prepared. */
const PREPARED_AHEAD = 2;

/** Made once: an error of its own for each alarm would cost more than the alarm. */
const NOT_NEEDED = new Error('The alarm is not needed any more');

/** Lets the calls of one account start when its controller allows it: those of all nodes and runs of this process. */
export class Gate {
	private readonly controller = new CallController(performance.now());
	private readonly waiting: Waiter[] = [];
	private readonly turns: Array<(called: undefined) => void> = [];
	private alarm: { at: number; off: AbortController } | undefined;
	private underWay = 0;

	/** Whether nothing of the account is under way or waiting. */
	get isIdle(): boolean {
		return this.underWay === 0 && this.waiting.length === 0;
	}

	/**
	 * Waits until few calls wait for their turn: preparing more would only cost memory.
	 *
	 * @throws the reason of the signal once that is aborted
	 */
	async turn(signal?: AbortSignal): Promise<void> {
		if (this.waiting.length < PREPARED_AHEAD) return;
		await abortable<undefined>(signal, (resolve) => {
			this.turns.push(resolve);
			return () => remove(this.turns, resolve);
		});
	}

	/**
	 * Waits until a call may start. Its end must be told by `leave`.
	 *
	 * @throws LongPauseError; the reason of the signal once that is aborted
	 */
	async enter({ giveUpAt, signal, isRepeat }: Patience): Promise<StartedCall> {
		signal?.throwIfAborted();
		const now = performance.now();
		// To listen to the signal takes the longer the more calls are under way: not for a call that need not wait.
		if (this.waiting.length === 0 && this.controller.nextStart(now) === now) {
			const call = this.start(now);
			this.callNext();
			return call;
		}
		return await abortable<StartedCall>(signal, (admit, refuse) => {
			const waiter = { giveUpAt, admit, refuse };
			if (isRepeat) this.waiting.unshift(waiter);
			else this.waiting.push(waiter);
			this.admit();
			return () => {
				remove(this.waiting, waiter);
				this.admit();
			};
		});
	}

	/** Gives the place of a call back. */
	leave(call: StartedCall, end: AttemptEnd): void {
		this.underWay--;
		this.controller.end(call, end, performance.now(), performance.eventLoopUtilization().active);
		this.admit();
	}

	private admit(): void {
		this.turnAway();
		for (let [first] = this.waiting; first; [first] = this.waiting) {
			const now = performance.now();
			const at = this.controller.nextStart(now);
			if (at === undefined) return;
			if (at > now) return this.wakeAt(at);
			this.waiting.shift();
			first.admit(this.start(now));
			this.callNext();
		}
		this.silence();
		this.callNext();
	}

	private start(now: number): StartedCall {
		this.underWay++;
		return this.controller.start(now);
	}

	/** Those that the pause outlasts. */
	private turnAway(): void {
		const pauseMs = this.controller.pauseEnds - performance.now();
		if (!(pauseMs > 0)) return;
		const until = Date.now() + pauseMs;
		for (const waiter of this.waiting.filter(({ giveUpAt }) => giveUpAt < until)) {
			remove(this.waiting, waiter);
			waiter.refuse(new LongPauseError(pauseMs));
		}
	}

	private callNext(): void {
		if (this.waiting.length < PREPARED_AHEAD) this.turns.shift()?.(undefined);
	}

	private wakeAt(at: number): void {
		if (this.alarm && this.alarm.at <= at) return;
		this.silence();
		const alarm = { at, off: new AbortController() };
		this.alarm = alarm;
		void sleep(Math.max(0, Math.ceil(at - performance.now())), alarm.off.signal).then(
			() => {
				if (this.alarm === alarm) this.alarm = undefined;
				this.admit();
			},
			() => undefined,
		);
	}

	private silence(): void {
		this.alarm?.off.abort(NOT_NEEDED);
		this.alarm = undefined;
	}
}

/** A promise that the signal rejects. @param start returns what to undo in that case */
async function abortable<T>(
	signal: AbortSignal | undefined,
	start: (resolve: (value: T) => void, reject: (reason: unknown) => void) => () => void,
): Promise<T> {
	signal?.throwIfAborted();
	let stop: (() => void) | undefined;
	try {
		return await new Promise<T>((resolve, reject) => {
			const undo = start(resolve, reject);
			stop = () => {
				undo();
				reject(signal?.reason);
			};
			signal?.addEventListener('abort', stop, { once: true });
		});
	} finally {
		if (stop) signal?.removeEventListener('abort', stop);
	}
}

function remove<T>(list: T[], entry: T): void {
	const index = list.indexOf(entry);
	if (index >= 0) list.splice(index, 1);
}
