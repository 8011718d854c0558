import { Client, type Limiter, type Result } from './client.ts';
import { Clock } from './clock.ts';
import { OWN_MS, type Scenario } from './scenarios.ts';
import { createService, type SimulatedService } from './services.ts';

/** What a scenario came to, all clients together. */
export interface Outcome extends Result {
	/** Time as a multiple of the least that the service needs. */
	ratio: number;
	/** Part of the calls that was refused. */
	share: number;
}

const STALLS = 0.03;
const STALL_MS = 50;
/** Virtual time after which a scenario counts as stuck. */
const LONGEST_MS = 600_000;

/**
 * Works through a scenario in virtual time.
 *
 * @param createLimiter makes one for each client
 * @param seed the same seed, the same run
 */
export function simulate(
	{ items, rules, clients = 1, leastMs, busy, ownMs = OWN_MS }: Scenario,
	createLimiter: (now: number) => Limiter,
	seed: number,
): Outcome {
	const clock = new Clock();
	const random = seeded(seed);
	const service: SimulatedService = createService(clock, rules, random);
	const stalls = () => (busy && random() < STALLS ? STALL_MS * (0.4 + 1.2 * random()) : 0);
	const all = Array.from(
		{ length: clients },
		() => new Client(clock, createLimiter(0), service, { items, ownMs, stalls }),
	);
	while (all.some(({ isDone }) => !isDone) && clock.step(LONGEST_MS));
	const results = all.map(({ result }) => result);
	const sum = (of: keyof Result) => results.reduce((total, result) => total + result[of], 0);
	const ms = all.every(({ isDone }) => isDone) ? Math.max(...results.map((result) => result.ms)) : LONGEST_MS;
	return {
		ms,
		ratio: ms / leastMs,
		calls: sum('calls'),
		refused: sum('refused'),
		share: sum('refused') / sum('calls'),
		failed: sum('failed'),
		mostAtOnce: sum('mostAtOnce'),
		startedInPause: sum('startedInPause'),
	};
}

/** Numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
