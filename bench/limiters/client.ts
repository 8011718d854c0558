import sortedLastIndexBy from 'lodash/sortedLastIndexBy.js';

/** Virtual time in milliseconds: what is due runs in order, at once. */
export class Clock {
	now = 0;
	private readonly due: Array<{ at: number; run: () => void }> = [];

	/** Runs something at a time; now where that is past. */
	at(time: number, run: () => void): void {
		const entry = { at: Math.max(time, this.now), run };
		this.due.splice(sortedLastIndexBy(this.due, entry, 'at'), 0, entry);
	}

	/** @returns whether anything was due up to `until` */
	step(until: number): boolean {
		if ((this.due[0]?.at ?? Number.POSITIVE_INFINITY) > until) return false;
		const next = this.due.shift();
		this.now = next?.at ?? until;
		next?.run();
		return true;
	}
}

/** What came back for a call: a status and, in seconds, `Retry-After`. */
export interface Response {
	status: number;
	retryAfter?: number;
}

export type CallEnd =
	{ kind: 'responded' } | { kind: 'failed' } | { kind: 'throttled'; status: number; pauseMs?: number };

/** What a client asks before each call, and tells after it: this package's limiter and the published ones alike. */
export interface Limiter<Slot = unknown> {
	/** When the next call may start, unless one ends before; infinite: not before. */
	nextStart(now: number): number;
	acquire(now: number): Slot;
	release(slot: Slot, end: CallEnd, now: number): void;
}

const MAX_RETRIES = 3;
const FIRST_RETRY_MS = 500;

interface Work {
	items: number;
	/** What a call costs the client itself, in milliseconds. */
	ownMs: number;
	/** What it is held up by besides. */
	stalls: () => number;
}

/** One process that works through items: each call costs it time of its own, one after the other, as n8n does. */
export class Client {
	/** When the last item was done. */
	ms = 0;
	calls = 0;
	throttled = 0;
	/** Items that a fault ended after three retries. */
	failed = 0;
	mostInFlight = 0;
	/** Calls started while a pause was announced. */
	startedInPause = 0;
	private readonly clock: Clock;
	private readonly limiter: Limiter;
	private readonly send: (respond: (response: Response) => void) => void;
	private readonly work: Work;
	private readonly queue: Array<{ retries: number }>;
	private left: number;
	private inFlight = 0;
	private busyUntil = 0;
	private pausedUntil = 0;
	private wakesAt = 0;

	constructor(clock: Clock, limiter: Limiter, send: Client['send'], work: Work) {
		this.clock = clock;
		this.limiter = limiter;
		this.send = send;
		this.work = work;
		this.left = work.items;
		this.queue = Array.from({ length: work.items }, () => ({ retries: 0 }));
		clock.at(0, () => this.pump());
	}

	get isDone(): boolean {
		return this.left === 0;
	}

	private pump(): void {
		for (let [item] = this.queue; item; [item] = this.queue) {
			const at = this.limiter.nextStart(this.clock.now);
			if (at > this.clock.now) return this.wake(at);
			this.queue.shift();
			this.call(item);
		}
	}

	/** Timers come late: by up to a millisecond, and by what the thread is busy with. */
	private wake(at: number): void {
		const time = Math.ceil(at + 1e-6);
		if (time === Infinity || (this.wakesAt <= time && this.wakesAt > this.clock.now)) return;
		this.wakesAt = time;
		this.clock.at(time, () => this.clock.at(this.busyUntil, () => this.pump()));
	}

	private call(item: { retries: number }): void {
		const { clock } = this;
		const slot = this.limiter.acquire(clock.now);
		this.calls++;
		this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
		if (clock.now < this.pausedUntil) this.startedInPause++;
		const receive = (response: Response) => clock.at(this.worked(), () => this.receive(response, item, slot));
		clock.at(this.worked(), () => this.send(receive));
	}

	/** One thread does half of a call's own work before it leaves, half with its response. @returns when it is done */
	private worked(): number {
		this.busyUntil = Math.max(this.clock.now, this.busyUntil) + this.work.ownMs / 2 + this.work.stalls();
		return this.busyUntil;
	}

	private receive({ status, retryAfter }: Response, item: { retries: number }, slot: unknown): void {
		const { now } = this.clock;
		this.inFlight--;
		if (status === 429) {
			this.throttled++;
			const pauseMs = retryAfter === undefined ? undefined : retryAfter * 1000;
			this.pausedUntil = Math.max(this.pausedUntil, now + (pauseMs ?? 0));
			this.limiter.release(slot, { kind: 'throttled', status, ...(pauseMs ? { pauseMs } : {}) }, now);
			this.queue.unshift(item);
		} else {
			const isFault = status > 500;
			this.limiter.release(slot, { kind: isFault ? 'failed' : 'responded' }, now);
			if (isFault && item.retries < MAX_RETRIES) this.retry(item);
			else this.done(isFault);
		}
		this.pump();
	}

	private retry(item: { retries: number }): void {
		this.clock.at(this.clock.now + FIRST_RETRY_MS * 2 ** ++item.retries, () => {
			this.queue.unshift(item);
			this.pump();
		});
	}

	private done(hasFailed: boolean): void {
		if (hasFailed) this.failed++;
		this.left--;
		this.ms = this.clock.now;
	}
}
