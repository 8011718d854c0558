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

/** What a client's work has come to. */
export interface Result {
	/** Items that are not done. */
	left: number;
	/** When the last item was done. */
	ms: number;
	calls: number;
	throttled: number;
	/** Items that a fault ended after three retries. */
	failed: number;
	mostInFlight: number;
	/** Calls started while a pause was announced. */
	startedInPause: number;
}

/** One process that works through items: each call costs it time of its own, one after the other, as n8n does. */
export function startClient(
	clock: Clock,
	limiter: Limiter,
	send: (respond: (response: Response) => void) => void,
	{ items, ownMs, stalls }: Work,
): Result {
	const result = {
		left: items,
		ms: 0,
		calls: 0,
		throttled: 0,
		failed: 0,
		mostInFlight: 0,
		startedInPause: 0,
	};
	const queue = Array.from({ length: items }, () => ({ retries: 0 }));
	let [inFlight, busyUntil, pausedUntil, wakesAt] = [0, 0, 0, 0];

	const pump = () => {
		for (let [item] = queue; item; [item] = queue) {
			const at = limiter.nextStart(clock.now);
			if (at > clock.now) return wake(at);
			queue.shift();
			call(item);
		}
	};
	/** Timers come late: by up to a millisecond, and by what the thread is busy with. */
	const wake = (at: number) => {
		const time = Math.ceil(at + 1e-6);
		if (time === Infinity || (wakesAt <= time && wakesAt > clock.now)) return;
		wakesAt = time;
		clock.at(time, () => clock.at(busyUntil, pump));
	};
	/** One thread does half of a call's own work before it leaves, half with its response. @returns when it is done */
	const worked = () => (busyUntil = Math.max(clock.now, busyUntil) + ownMs / 2 + stalls());
	const call = (item: { retries: number }) => {
		const slot = limiter.acquire(clock.now);
		result.calls++;
		result.mostInFlight = Math.max(result.mostInFlight, ++inFlight);
		if (clock.now < pausedUntil) result.startedInPause++;
		const respond = (response: Response) => clock.at(worked(), () => receive(response, item, slot));
		clock.at(worked(), () => send(respond));
	};
	const receive = ({ status, retryAfter }: Response, item: { retries: number }, slot: unknown) => {
		inFlight--;
		const isFault = status > 500;
		if (status === 429) {
			const pauseMs = retryAfter === undefined ? undefined : retryAfter * 1000;
			pausedUntil = Math.max(pausedUntil, clock.now + (pauseMs ?? 0));
			limiter.release(slot, { kind: 'throttled', status, ...(pauseMs ? { pauseMs } : {}) }, clock.now);
			result.throttled++;
			queue.unshift(item);
		} else {
			limiter.release(slot, { kind: isFault ? 'failed' : 'responded' }, clock.now);
			if (isFault && item.retries < MAX_RETRIES) retry(item);
			else done(isFault);
		}
		pump();
	};
	const retry = (item: { retries: number }) => {
		clock.at(clock.now + FIRST_RETRY_MS * 2 ** ++item.retries, () => {
			queue.unshift(item);
			pump();
		});
	};
	const done = (hasFailed: boolean) => {
		if (hasFailed) result.failed++;
		result.left--;
		result.ms = clock.now;
	};
	clock.at(0, pump);
	return result;
}
