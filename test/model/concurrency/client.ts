import sortedLastIndexBy from 'lodash/sortedLastIndexBy.js';
import type { Limiter, Slot } from '../../../nodes/shared/http/limiter.ts';

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

const FIRST_RETRY_MS = 500;

/** What a client has come to. */
export type Client = ReturnType<typeof startClient>;

/** One process that works through items: each call costs it time of its own, one after the other, as n8n does. */
export function startClient(
	clock: Clock,
	limiter: Limiter,
	send: (respond: (response: Response) => void) => void,
	/** Milliseconds that a call costs the client itself, and what it is held up by besides. */
	{ items, ownMs, stalls }: { items: number; ownMs: number; stalls: () => number },
) {
	const result = {
		/** Items that are not done. */
		left: items,
		/** When the last item was done. */
		ms: 0,
		mostInFlight: 0,
		/** Calls started while a pause was announced. */
		startedInPause: 0,
	};
	const queue = Array.from({ length: items }, () => ({ retries: 0 }));
	let inFlight = 0;
	let busyUntil = 0;
	let pausedUntil = 0;
	let wakesAt = 0;

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
		result.mostInFlight = Math.max(result.mostInFlight, ++inFlight);
		if (clock.now < pausedUntil) result.startedInPause++;
		const respond = (response: Response) => clock.at(worked(), () => receive(response, item, slot));
		clock.at(worked(), () => send(respond));
	};
	const receive = ({ status, retryAfter }: Response, item: { retries: number }, slot: Slot) => {
		inFlight--;
		const again = () => queue.unshift(item);
		if (status === 429) {
			const pauseMs = retryAfter && retryAfter * 1000;
			pausedUntil = Math.max(pausedUntil, clock.now + (pauseMs ?? 0));
			limiter.release(slot, { kind: 'throttled', pauseMs }, clock.now);
			again();
		} else if (status > 500) {
			limiter.release(slot, { kind: 'failed' }, clock.now);
			clock.at(clock.now + FIRST_RETRY_MS * 2 ** ++item.retries, () => (again(), pump()));
		} else {
			limiter.release(slot, { kind: 'responded' }, clock.now);
			result.left--;
			result.ms = clock.now;
		}
		pump();
	};
	clock.at(0, pump);
	return result;
}
