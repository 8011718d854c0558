import type { Clock } from './clock.ts';
import type { Answer, SimulatedService } from './services.ts';

/** What a client asks before each call, and tells after it: `Limiter` and the published algorithms alike. */
export interface Limiter<Call = unknown> {
	/** When the next call may start, unless one ends before; infinite: not before. */
	nextStart(now: number): number;
	acquire(now: number): Call;
	release(
		call: Call,
		end: { kind: 'responded' | 'failed' } | { kind: 'throttled'; status: number; pauseMs?: number },
		now: number,
	): void;
}

export interface Result {
	/** From the first start to the last answer. */
	ms: number;
	calls: number;
	refused: number;
	/** Items that a fault ended after three repeats. */
	failed: number;
	mostAtOnce: number;
	/** Calls started while a pause was announced. */
	startedInPause: number;
}

const MAX_REPEATS = 3;
const REPEATED_STATUSES = [502, 503, 504];
const FIRST_REPEAT_MS = 500;

/** One process that works through items: each start costs it time of its own, one after the other, as n8n does. */
export class Client {
	readonly result: Result = { ms: 0, calls: 0, refused: 0, failed: 0, mostAtOnce: 0, startedInPause: 0 };
	private readonly queue: Array<{ repeats: number }>;
	private left: number;
	private busyUntil = 0;
	private underWay = 0;
	private pausedUntil = Number.NEGATIVE_INFINITY;
	private wakesAt: number | undefined;

	constructor(
		clock: Clock,
		limiter: Limiter,
		service: SimulatedService,
		{ items, ownMs = 0, stalls = noStalls }: { items: number; ownMs?: number; stalls?: () => number },
	) {
		this.clock = clock;
		this.limiter = limiter;
		this.service = service;
		this.ownMs = ownMs;
		this.stalls = stalls;
		this.left = items;
		this.queue = Array.from({ length: items }, () => ({ repeats: 0 }));
		clock.at(clock.now, () => this.pump());
	}

	private readonly clock: Clock;
	private readonly limiter: Limiter;
	private readonly service: SimulatedService;
	private readonly ownMs: number;
	private readonly stalls: () => number;

	get isDone(): boolean {
		return this.left === 0;
	}

	private pump(): void {
		const { clock, limiter } = this;
		while (this.queue.length > 0) {
			const at = limiter.nextStart(clock.now);
			if (at > clock.now) return this.wake(at);
			this.call();
		}
	}

	/** Timers come late: by up to a millisecond, and by what the thread is busy with. */
	private wake(at: number): void {
		if (at === Number.POSITIVE_INFINITY) return;
		const time = Math.ceil(at + 1e-6);
		if (this.wakesAt !== undefined && this.wakesAt <= time && this.wakesAt > this.clock.now) return;
		this.wakesAt = time;
		this.clock.at(time, () => this.clock.at(this.busyUntil, () => this.pump()));
	}

	private call(): void {
		const { clock, limiter, service, result } = this;
		const item = this.queue.shift() ?? { repeats: 0 };
		const call = limiter.acquire(clock.now);
		result.calls++;
		result.mostAtOnce = Math.max(result.mostAtOnce, ++this.underWay);
		if (clock.now < this.pausedUntil) result.startedInPause++;
		clock.at(this.work(), () =>
			service.receive((answer) => clock.at(this.work(), () => this.receive(answer, item, call))),
		);
	}

	/** One thread does half of a call's own work before it leaves, half when its answer is there. @returns when it is done */
	private work(): number {
		const ms = this.ownMs / 2 + this.stalls();
		this.busyUntil = Math.max(this.clock.now, this.busyUntil) + ms;
		return this.busyUntil;
	}

	private receive({ status, retryAfter }: Answer, item: { repeats: number }, call: unknown): void {
		const { clock, limiter, result } = this;
		this.underWay--;
		if (status === 429) {
			result.refused++;
			const pauseMs = retryAfter === undefined ? undefined : retryAfter * 1000;
			if (pauseMs !== undefined) this.pausedUntil = Math.max(this.pausedUntil, clock.now + pauseMs);
			limiter.release(call, { kind: 'throttled', status, pauseMs }, clock.now);
			this.queue.unshift(item);
		} else if (REPEATED_STATUSES.includes(status)) {
			limiter.release(call, { kind: 'failed' }, clock.now);
			this.repeat(item);
		} else {
			limiter.release(call, { kind: 'responded' }, clock.now);
			this.done();
		}
		this.pump();
	}

	private repeat(item: { repeats: number }): void {
		if (item.repeats++ >= MAX_REPEATS) {
			this.result.failed++;
			return this.done();
		}
		this.clock.at(this.clock.now + FIRST_REPEAT_MS * 2 ** item.repeats, () => {
			this.queue.unshift(item);
			this.pump();
		});
	}

	private done(): void {
		this.left--;
		this.result.ms = this.clock.now;
	}
}

function noStalls(): number {
	return 0;
}
