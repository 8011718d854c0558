import { quantile } from '../../../bench/report.ts';
import type { Limiter } from '../../../nodes/shared/http/limiter.ts';
import { type Client, Clock, type Response, startClient } from './client.ts';

type Random = () => number;

/** What a service does. Limits are those at a count of calls accepted so far, as they may change half way. */
export interface Rules {
	latency: (random: Random) => number;
	/** Calls served at once; the rest wait. */
	served?: (total: number) => number;
	/** Calls at once above which it responds 429. */
	accepted?: (total: number) => number;
	/** Calls a second above which it responds 429: a bucket, or so many in each second of the clock. */
	rate?: { perSecond: (total: number) => number; isWindow: boolean; burst: number };
	/** Seconds in `Retry-After` of a 429. */
	retryAfter?: number;
	refusalMs: number;
	hasFaults?: boolean;
}

/** A service, the work on it, and the least time that it takes. */
type Drawn = ReturnType<typeof draw>;
/** How a run has ended. */
export type Outcome = ReturnType<typeof simulate>;

const FAULTS = 0.01;
const FAULT_STATUSES = [500, 502, 503, 504];
const MAX_CALLS = 200;
/** What a call costs a client on a quick machine, and on a busy one, where stalls come on top. */
const OWN_MS = 0.8;
const BUSY_OWN_MS = 4;
const STALLS = 0.03;
const STALL_MS = 50;
const STALLS_MS = 3;
const unlimited = () => Number.POSITIVE_INFINITY;

/** The most that this package's limiter may come to. */
export const TARGETS = [
	{ what: 'median of the least time', of: 'median', most: 1.28 },
	{ what: 'p95 of the least time', of: 'p95', most: 5.1 },
	{ what: 'in flight over what is served, p95', of: 'over', most: 5.5 },
	{ what: 'runs without an end', of: 'endless', most: 0 },
] as const;

/** Draws a service: the same seed, the same service. */
export function draw(seed: number) {
	const random = seeded(seed * 7919 + 17);
	for (let skipped = 0; skipped < 5; skipped++) random();
	const log = (low: number, high: number) => low * (high / low) ** random();
	const whole = (low: number, high: number) => Math.round(log(low, high));
	const isLongTailed = random() < 0.3;
	const base = log(5, 600);
	const latency = isLongTailed
		? (next: Random) => base * (1 + 0.5 * next() ** 2) * (next() < 0.1 ? 3 : 1)
		: (next: Random) => base * (0.8 + 0.4 * next());
	const mean = isLongTailed ? base * (1 + 0.5 / 3) * 1.2 : base;
	const items = 2 * whole(50, 1500);
	const refusalMs = log(1, Math.min(50, base));
	const sort = random();
	const limit = whole(3, 150);
	const perSecond = whole(10, 500);
	const burst = Math.max(1, whole(1, 2 * perSecond));
	const isWindow = random() < 0.35;
	const pause = [undefined, 1, 2, 5][Math.floor(random() * 4)];
	const factor = random() < 0.5 ? log(0.2, 0.6) : log(1.7, 5);
	const changes = random() < 0.2;
	const halves = (value: number, least: number) => (total: number) =>
		changes && total >= items / 2 ? Math.max(least, Math.round(value * factor)) : value;

	const rules: Rules = { latency, refusalMs };
	if (sort >= 0.6) {
		rules.rate = { perSecond: halves(perSecond, 5), isWindow, burst };
		rules.retryAfter = pause;
	} else if (sort >= 0.38) {
		rules.accepted = halves(limit, 3);
		rules.retryAfter = random() < 0.25 ? (pause ?? 1) : undefined;
	} else if (sort >= 0.18) {
		rules.served = halves(limit, 3);
	}
	rules.hasFaults = random() < 0.15;
	const clients = random() < 0.12 ? 2 : 1;
	const isBusy = random() < 0.15;
	const leastMs = Math.max(
		(items / clients) * (isBusy ? BUSY_OWN_MS + STALLS_MS : OWN_MS) + mean,
		leastFor(rules, items, mean, clients),
		rules.hasFaults ? 1000 + 2 * mean : 0,
	);
	const atOnce = (total: number) => servedAtOnce(rules, total, clients);
	/** The most calls that are served or accepted at once. */
	const level = (rules.served ?? rules.accepted) ? Math.max(atOnce(0), atOnce(items)) : Number.NaN;
	return { items, clients, isBusy, rules, leastMs, level };
}

/** Works through a drawn service in virtual time. The same seed, the same run. */
export function simulate(service: Drawn, createLimiter: () => Limiter, seed: number) {
	const { items, clients: count, isBusy, rules, leastMs, level } = service;
	const clock = new Clock();
	const random = seeded(seed);
	const send = createService(clock, rules, random);
	const stalls = () => (isBusy && random() < STALLS ? STALL_MS * (0.4 + 1.2 * random()) : 0);
	const work = { items: items / count, ownMs: isBusy ? BUSY_OWN_MS : OWN_MS, stalls };
	const clients = Array.from({ length: count }, () =>
		startClient(clock, createLimiter(), send, work),
	);
	const longestMs = 20 * leastMs + 60_000;
	while (clients.some(({ left }) => left > 0) && clock.step(longestMs));
	const sum = (of: (client: Client) => number) =>
		clients.reduce((total, client) => total + of(client), 0);
	const hasEnded = clients.every(({ left }) => left === 0);
	return {
		service,
		/** Time as a multiple of the least. */
		ratio: (hasEnded ? Math.max(...clients.map(({ ms }) => ms)) : longestMs) / leastMs,
		/** Most in flight over what is served at once. */
		over: sum(({ mostInFlight }) => mostInFlight) / level,
		hasEnded,
		startedInPause: sum(({ startedInPause }) => startedInPause),
	};
}

/** What many runs have come to. */
export function summarize(outcomes: readonly Outcome[]) {
	const at = (part: number, of: (outcome: Outcome) => number) =>
		quantile(outcomes.map(of).filter(Number.isFinite), part);
	return {
		median: at(0.5, ({ ratio }) => ratio),
		p95: at(0.95, ({ ratio }) => ratio),
		over: at(0.95, ({ over }) => over),
		/** How many have not ended. */
		endless: outcomes.filter(({ hasEnded }) => !hasEnded).length,
	};
}

/** @returns what a call to a service comes to; it responds at a time of the clock */
export function createService(clock: Clock, rules: Rules, random: Random) {
	const {
		latency,
		served = unlimited,
		accepted = unlimited,
		rate,
		retryAfter,
		refusalMs,
		hasFaults,
	} = rules;
	const allows = rate ? createRate(rate) : () => true;
	const waiting: Array<() => void> = [];
	let inFlight = 0;
	let beingServed = 0;
	let total = 0;
	return (respond: (response: Response) => void) => {
		if (inFlight >= accepted(total) || !allows(clock.now, total)) {
			clock.at(clock.now + refusalMs, () => respond({ status: 429, retryAfter }));
			return;
		}
		total++;
		inFlight++;
		const isFault = hasFaults && random() < FAULTS;
		const status = isFault ? (FAULT_STATUSES[Math.floor(random() * 4)] ?? 500) : 200;
		const serve = () => {
			beingServed++;
			clock.at(clock.now + latency(random), () => {
				beingServed--;
				inFlight--;
				respond({ status });
				while (waiting.length > 0 && beingServed < served(total)) waiting.shift()?.();
			});
		};
		if (beingServed < served(total)) serve();
		else waiting.push(serve);
	};
}

function createRate({ perSecond, isWindow, burst }: NonNullable<Rules['rate']>) {
	let left = isWindow ? perSecond(0) : burst;
	let last = 0;
	return (now: number, total: number) => {
		if (!isWindow) left = Math.min(burst, left + ((now - last) / 1000) * perSecond(total));
		else if (Math.floor(now / 1000) > Math.floor(last / 1000)) left = perSecond(total);
		last = now;
		if (left < 1) return false;
		left--;
		return true;
	};
}

/** Calls that are served or accepted at once, as far as clients make so many. */
function servedAtOnce({ served, accepted }: Rules, total: number, clients: number): number {
	return Math.min(MAX_CALLS * clients, (served ?? accepted ?? unlimited)(total));
}

/** The least milliseconds that the limits of a service leave for so many calls, each of which takes it so long. */
export function leastFor(rules: Rules, items: number, callMs: number, clients = 1): number {
	const half = (items / 2) * callMs;
	const halves =
		half / servedAtOnce(rules, 0, clients) + half / servedAtOnce(rules, items, clients);
	if (!rules.rate) return halves;
	const { perSecond, isWindow, burst } = rules.rate;
	let now = 0;
	let left = isWindow ? perSecond(0) : burst;
	for (let item = 0; item < items; item++, left--) {
		if (left >= 1) continue;
		now = isWindow
			? (Math.floor(now / 1000) + 1) * 1000
			: now + ((1 - left) / perSecond(item)) * 1000;
		left = isWindow ? perSecond(item) : 1;
	}
	return Math.max(halves, now + callMs);
}

/** Numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): Random {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
