import type { Clock } from './clock.ts';

/** What came back for a call: a status and, in seconds, `Retry-After`. */
export interface Answer {
	status: number;
	retryAfter?: number;
}

/** A simulated service. */
export interface SimulatedService {
	receive(answer: (answer: Answer) => void): void;
	/** Calls under way at the moment and the most there have been. */
	underWay: number;
	mostUnderWay: number;
}

export interface ServiceRules {
	/** Milliseconds that a call takes, at a time. */
	latency: (now: number, random: () => number) => number;
	/** Calls served at once, at a time and after so many accepted; the rest wait. */
	served?: (now: number, total: number) => number;
	/** Calls accepted at once, at a time and after so many accepted; the rest get 429. */
	accepted?: (now: number, total: number) => number;
	/** Calls a second; what is over gets 429. */
	rate?: RateRule;
	/** Part of the calls that fail for no reason, with a status. */
	faults?: { part: number; statuses: readonly number[] };
}

export interface RateRule {
	perSecond: number;
	/** `bucket`: refilled steadily, holds `burst`. `window`: so many in each second of the clock. */
	kind: 'bucket' | 'window';
	burst?: number;
	/** Whether 429 comes with `Retry-After`, in whole seconds. */
	retryAfter: boolean;
}

const OK = 200;
const TOO_MANY = 429;
/** Time until a refusal is back. */
const REFUSAL_MS = 2;

export function createService(clock: Clock, rules: ServiceRules, random: () => number): SimulatedService {
	const allows = rules.rate ? rateLimit(rules.rate) : () => true;
	const waiting: Array<() => void> = [];
	let beingServed = 0;
	let total = 0;
	const service: SimulatedService = {
		underWay: 0,
		mostUnderWay: 0,
		receive(answer) {
			const { rate, accepted, served = () => Number.POSITIVE_INFINITY, faults } = rules;
			const refuse = (given: Answer) => clock.at(clock.now + REFUSAL_MS, () => answer(given));
			if (accepted && service.underWay >= accepted(clock.now, total)) return refuse({ status: TOO_MANY });
			if (rate && !allows(clock.now)) {
				return refuse({ status: TOO_MANY, ...(rate.retryAfter ? { retryAfter: 1 } : {}) });
			}
			total++;
			service.underWay++;
			service.mostUnderWay = Math.max(service.mostUnderWay, service.underWay);
			const isFaulty = faults && random() < faults.part;
			const status = isFaulty ? (faults.statuses[Math.floor(random() * faults.statuses.length)] ?? OK) : OK;
			const serve = () => {
				beingServed++;
				clock.at(clock.now + rules.latency(clock.now, random), () => {
					beingServed--;
					service.underWay--;
					answer({ status });
					while (waiting.length > 0 && beingServed < served(clock.now, total)) waiting.shift()?.();
				});
			};
			if (beingServed < served(clock.now, total)) serve();
			else waiting.push(serve);
		},
	};
	return service;
}

function rateLimit({ perSecond, kind, burst = perSecond }: RateRule): (now: number) => boolean {
	let left = burst;
	let last = 0;
	return (now) => {
		if (kind === 'window') {
			if (Math.floor(now / 1000) > Math.floor(last / 1000)) left = perSecond;
		} else {
			left = Math.min(burst, left + ((now - last) / 1000) * perSecond);
		}
		last = now;
		if (left < 1) return false;
		left--;
		return true;
	};
}
