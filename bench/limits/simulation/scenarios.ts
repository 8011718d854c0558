import type { ServiceRules } from './services.ts';

/** A service, the work on it, and what a good client reaches there. */
export interface Scenario {
	name: string;
	items: number;
	rules: ServiceRules;
	/** Whether the client's own machine is busy: three in 100 steps of its work takes 20 to 80 ms longer. */
	busy?: true;
	/** What a call costs the client itself, in milliseconds; `OWN_MS` unless set. */
	ownMs?: number;
	/** Processes that share the limit, each with as many items; 1 unless set. */
	clients?: number;
	/** Least time the service needs for all items, in milliseconds. */
	leastMs: number;
	/** What is to be reached: time as a multiple of the least, most calls at once, part of the calls that is refused. */
	most: { time: number; atOnce?: number; refused?: number };
}

/** What a call costs the client itself on a quick machine, in milliseconds. */
export const OWN_MS = 0.8;
/** The same where several processes share few slow cores. */
const SLOW_OWN_MS = 4;
/** What the stalls of a busy machine add to it. */
const STALLS_MS = 3;

const ITEMS = 1000;
const MOST_AT_ONCE = 200;

const steady = (ms: number) => () => ms;
const jittered = (ms: number) => (_now: number, random: () => number) => ms * (0.8 + 0.4 * random());
/** No shorter than `ms`; every tenth three times as long. */
const longTailed = (ms: number) => (_now: number, random: () => number) =>
	ms * (1 + 0.5 * random() ** 2) * (random() < 0.1 ? 3 : 1);

/** Where the service shares the busy machine: quick for 0.4 of 2 s, else its answers come late by 100 ms on average. */
const contended = (ms: number) => (now: number, random: () => number) =>
	ms + (now % 2000 < 400 ? 0 : -100 * Math.log(1 - random()));

/** The mean of it for 100 ms. */
const CONTENDED_MS = 180;

const unlimited = (ms: number) => (ITEMS / MOST_AT_ONCE) * ms;
const served = (at: number, ms: number) => (ITEMS / at) * ms;
const paced = (perSecond: number, burst: number, ms: number) => ((ITEMS - burst) / perSecond) * 1000 + ms;

export const SCENARIOS: readonly Scenario[] = [
	...[20, 100, 300].map((ms) => ({
		name: `no limit, ${ms} ms`,
		items: ITEMS,
		rules: { latency: jittered(ms) },
		leastMs: Math.max(unlimited(ms), ITEMS * OWN_MS),
		most: { time: 2.6 },
	})),
	...[2, 20, 100].map((ms) => ({
		name: `no limit, ${ms} ms, busy machine`,
		items: ITEMS,
		busy: true as const,
		rules: { latency: jittered(ms) },
		leastMs: ITEMS * (OWN_MS + STALLS_MS),
		most: { time: 2 },
	})),
	{
		name: 'no limit, 50 to 225 ms',
		items: ITEMS,
		rules: { latency: longTailed(50) },
		leastMs: ITEMS * OWN_MS,
		most: { time: 2.6 },
	},
	{
		name: '20 served at once, 100 ms',
		items: ITEMS,
		rules: { latency: jittered(100), served: () => 20 },
		leastMs: served(20, 100),
		most: { time: 1.3, atOnce: 60 },
	},
	{
		name: '4 served at once, 100 ms',
		items: 200,
		rules: { latency: jittered(100), served: () => 4 },
		leastMs: (200 / 4) * 100,
		most: { time: 1.3, atOnce: 30 },
	},
	{
		name: '429 above 30 at once, 100 ms',
		items: ITEMS,
		rules: { latency: jittered(100), accepted: () => 30 },
		leastMs: served(30, 100),
		most: { time: 1.5, refused: 0.05 },
	},
	{
		name: '429 above 5 at once, 20 ms',
		items: ITEMS,
		rules: { latency: jittered(20), accepted: () => 5 },
		leastMs: served(5, 20),
		most: { time: 1.5, refused: 0.05 },
	},
	...([true, false] as const).flatMap((retryAfter) => {
		const name = retryAfter ? ', Retry-After' : '';
		return [
			{
				name: `bucket of 100, 100 a second${name}`,
				items: ITEMS,
				rules: { latency: jittered(100), rate: { kind: 'bucket' as const, perSecond: 100, retryAfter } },
				leastMs: paced(100, 100, 100),
				most: { time: 1.2 },
			},
			{
				name: `bucket of 10, 100 a second${name}`,
				items: ITEMS,
				rules: {
					latency: jittered(100),
					rate: { kind: 'bucket' as const, perSecond: 100, burst: 10, retryAfter },
				},
				leastMs: paced(100, 10, 100),
				most: { time: retryAfter ? 2 : 1.2 },
			},
			{
				name: `100 each second of the clock${name}`,
				items: ITEMS,
				rules: { latency: jittered(100), rate: { kind: 'window' as const, perSecond: 100, retryAfter } },
				leastMs: paced(100, 100, 100),
				most: { time: 1.2 },
			},
			{
				name: `bucket of 100, 100 a second, 5 ms${name}`,
				items: ITEMS,
				rules: { latency: jittered(5), rate: { kind: 'bucket' as const, perSecond: 100, retryAfter } },
				leastMs: paced(100, 100, 5),
				most: { time: 1.2 },
			},
		];
	}),
	{
		name: '429 above 100, above 20 half way',
		items: ITEMS,
		rules: { latency: jittered(100), accepted: (_now, total) => (total < ITEMS / 2 ? 100 : 20) },
		leastMs: served(100, 100) / 2 + served(20, 100) / 2,
		most: { time: 1.4 },
	},
	{
		name: '100 served at once, 20 half way',
		items: ITEMS,
		rules: { latency: jittered(100), served: (_now, total) => (total < ITEMS / 2 ? 100 : 20) },
		leastMs: served(100, 100) / 2 + served(20, 100) / 2,
		most: { time: 1.4 },
	},
	{
		name: '429 above 100; 20 from 2 to 4 s',
		items: 5 * ITEMS,
		rules: { latency: jittered(100), accepted: (now) => (now > 2000 && now < 4000 ? 20 : 100) },
		leastMs: 2000 + 2000 + (5 * ITEMS - 2000 - 400),
		most: { time: 1.6 },
	},
	{
		name: 'latency 100 to 400 ms within 5 s',
		items: 5 * ITEMS,
		rules: { latency: (now) => 100 + Math.min(300, (now / 5000) * 300) },
		leastMs: 5 * ITEMS * 1.2,
		most: { time: 2.2 },
	},
	{
		name: 'latency 50 ms, spikes of 1 s each 3 s',
		items: 3 * ITEMS,
		rules: { latency: (now) => (now % 3000 > 2700 ? 1000 : 50) },
		leastMs: 3 * ITEMS * OWN_MS,
		most: { time: 2.5 },
	},
	{
		name: 'slow start: 2 s to 100 ms within 5 s',
		items: ITEMS,
		rules: { latency: (now) => Math.max(100, 2000 - (now / 5000) * 1900) },
		leastMs: 3000,
		most: { time: 2 },
	},
	{
		name: '1% faults, no limit, 100 ms',
		items: ITEMS,
		rules: { latency: jittered(100), faults: { part: 0.01, statuses: [500, 502, 503, 504] } },
		leastMs: ITEMS * OWN_MS + 1000,
		most: { time: 1.8 },
	},
	...(
		[
			['no limit, 100 ms', {}, 0, {}],
			['20 served at once, 100 ms', { served: () => 20 }, served(20, CONTENDED_MS), { atOnce: 100 }],
			['429 above 30 at once, 100 ms', { accepted: () => 30 }, served(30, CONTENDED_MS), { refused: 0.05 }],
			[
				'429 above 100, above 20 half way',
				{ accepted: (_now: number, total: number) => (total < ITEMS / 2 ? 100 : 20) },
				(ITEMS / 2) * (SLOW_OWN_MS + STALLS_MS) + served(20, CONTENDED_MS) / 2,
				{},
			],
		] as const
	).map(([name, rules, leastMs, most]) => ({
		name: `${name}, slow and busy machine`,
		items: ITEMS,
		busy: true as const,
		ownMs: SLOW_OWN_MS,
		rules: { latency: contended(100), ...rules },
		leastMs: Math.max(leastMs, ITEMS * (SLOW_OWN_MS + STALLS_MS)),
		most: { time: 1.9, ...most },
	})),
	{
		name: 'two clients, 429 above 30, 100 ms',
		items: ITEMS / 2,
		clients: 2,
		rules: { latency: jittered(100), accepted: () => 30 },
		leastMs: served(30, 100),
		most: { time: 1.6, refused: 0.08 },
	},
	{
		name: 'two clients, 100 a second',
		items: ITEMS / 2,
		clients: 2,
		rules: { latency: jittered(100), rate: { kind: 'bucket', perSecond: 100, retryAfter: false } },
		leastMs: paced(100, 100, 100),
		most: { time: 1.5 },
	},
	{
		name: '20 a second, 10 s of nothing but 429 first',
		items: 100,
		rules: {
			latency: steady(50),
			accepted: (now) => (now < 10_000 ? 0 : 1000),
			rate: { kind: 'bucket', perSecond: 20, burst: 1, retryAfter: false },
		},
		leastMs: 15_000,
		most: { time: 1.6 },
	},
];
