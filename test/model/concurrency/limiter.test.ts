import fc from 'fast-check';

import { Client } from '../../../bench/limits/simulation/client.ts';
import { Clock } from '../../../bench/limits/simulation/clock.ts';
import { seeded } from '../../../bench/limits/simulation/run.ts';
import { type ServiceRules, createService } from '../../../bench/limits/simulation/services.ts';
import { Limiter, MAX_WINDOW } from '../../../nodes/shared/http/concurrency/limiter';

/** Services of all kinds, with limits that they may change every second. */
const anyRules: fc.Arbitrary<ServiceRules> = fc
	.record({
		latencies: fc.array(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 8 }),
		served: fc.option(fc.integer({ min: 1, max: 200 })),
		accepted: fc.option(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 })),
		rate: fc.option(
			fc.record({
				perSecond: fc.integer({ min: 1, max: 500 }),
				burst: fc.integer({ min: 1, max: 500 }),
				kind: fc.constantFrom('bucket' as const, 'window' as const),
				retryAfter: fc.boolean(),
			}),
		),
		faults: fc.option(
			fc.record({ part: fc.double({ min: 0, max: 0.5, noNaN: true }), statuses: fc.constant([500, 503]) }),
		),
	})
	.map(({ latencies, served, accepted, rate, faults }) => {
		const nowOf = (values: readonly number[], now: number) => values[Math.floor(now / 1000) % values.length];
		return {
			latency: (now: number) => nowOf(latencies, now) ?? 0,
			...(served === null ? {} : { served: () => served }),
			...(accepted === null ? {} : { accepted: (now: number) => nowOf(accepted, now) ?? 1 }),
			...(rate === null ? {} : { rate }),
			...(faults === null ? {} : { faults }),
		};
	});

describe('whatever the service does', () => {
	it('every call ends, at most 200 run at once, and no pause is broken', () => {
		fc.assert(
			fc.property(anyRules, fc.integer({ min: 1, max: 150 }), fc.integer(), (rules, items, seed) => {
				const clock = new Clock();
				const service = createService(clock, rules, seeded(seed));
				const client = new Client(clock, new Limiter(), service, { items });
				while (!client.isDone && clock.step());
				const { mostAtOnce, startedInPause } = client.result;
				return client.isDone && mostAtOnce <= MAX_WINDOW && startedInPause === 0;
			}),
			{ numRuns: 100 },
		);
	});

	it('no more calls start than end, whatever order the ends come in', () => {
		const anyEnd = fc.constantFrom(
			{ kind: 'responded' } as const,
			{ kind: 'throttled', status: 429 } as const,
			{ kind: 'throttled', status: 429, pauseMs: 700 } as const,
			{ kind: 'failed' } as const,
			{ kind: 'cancelled' } as const,
		);
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.boolean(), fc.nat(5000), fc.nat(300), anyEnd), { maxLength: 400 }),
				(steps) => {
					const limiter = new Limiter();
					const calls: Array<ReturnType<Limiter['acquire']>> = [];
					let now = 0;
					for (const [starts, which, ms, end] of steps) {
						now += ms;
						const at = limiter.nextStart(now);
						const [call] = calls.splice(which % Math.max(1, calls.length), 1);
						if (call) limiter.release(call, end, now);
						if (starts && at === now) calls.push(limiter.acquire(now));
						if (calls.length > MAX_WINDOW) return false;
					}
					for (const call of calls) limiter.release(call, { kind: 'cancelled' }, now);
					const next = limiter.nextStart(now);
					return next >= now && Number.isFinite(next);
				},
			),
			{ numRuns: 200 },
		);
	});
});
