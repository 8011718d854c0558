import type { Faker } from '@faker-js/faker';
import { createFaker } from '../seed/random.ts';

/** The fault itself. */
export type Fault =
	| {
			kind: 'status';
			status: number;
			headers?: Record<string, string>;
			/** Text is sent unchanged, everything else as JSON. */
			body?: unknown;
			contentType?: string;
	  }
	| { kind: 'delay'; ms: number }
	| { kind: 'cut' }
	| { kind: 'cutMidBody' }
	| { kind: 'malformed' }
	| { kind: 'html'; status?: number }
	| { kind: 'empty'; status?: number }
	| { kind: 'rateLimit'; status?: 429 | 503; retryAfter?: 'seconds' | 'date' | 'none'; seconds?: number };

/** Which requests a fault affects, how often, and when. */
export interface FaultRule {
	method?: string;
	/** Part of the address, or `/a regular expression/`. */
	path?: string;
	/** 0 to 1, default 1. */
	probability?: number;
	/** How many requests it affects; all by default. */
	times?: number;
	/** The operation acts first, then its response is lost. */
	after?: boolean;
	fault: Fault;
}

interface ActiveRule extends FaultRule {
	id: string;
	matches: (address: string) => boolean;
	left: number;
}

function matcher(path: string | undefined): (address: string) => boolean {
	if (path === undefined) return () => true;
	const expression = /^\/(.+)\/$/.exec(path)?.[1];
	if (expression === undefined) return (address) => address.includes(path);
	const pattern = new RegExp(expression);
	return (address) => pattern.test(address);
}

/** The faults set by the control interface. */
export class Faults {
	private rules: ActiveRule[] = [];
	private count = 0;
	private readonly faker: Faker;

	constructor(seed: number) {
		this.faker = createFaker(seed);
	}

	/** Adds a rule and returns its id. Throws a SyntaxError for an invalid regular expression. */
	add(rule: FaultRule): string {
		const id = String(++this.count);
		this.rules.push({ ...rule, id, matches: matcher(rule.path), left: rule.times ?? Infinity });
		return id;
	}

	/** Removes a rule. Returns whether there was one. */
	remove(id: string): boolean {
		const before = this.rules.length;
		this.rules = this.rules.filter((rule) => rule.id !== id);
		return this.rules.length < before;
	}

	clear(): void {
		this.rules = [];
	}

	/** The first rule that affects a request, counted as used; the address is the path with its query. */
	meet(method: string, address: string): FaultRule | undefined {
		const rule = this.rules.find(
			(candidate) =>
				candidate.left > 0 &&
				(candidate.method === undefined || candidate.method.toUpperCase() === method) &&
				candidate.matches(address) &&
				this.faker.number.float() < (candidate.probability ?? 1),
		);
		if (!rule) return undefined;
		rule.left--;
		return rule;
	}
}

/**
 * The fault that a single request asks for with `Prefer: code=429`, to try how a workflow reacts.
 *
 * @returns undefined for any other preference
 */
export function preferredFault(prefer: string | string[] | undefined): Fault | undefined {
	const code = Number(/\bcode=([1-5]\d\d)\b/.exec(String(prefer))?.[1]);
	if (Number.isNaN(code) || code < 300) return undefined;
	if (code === 429 || code === 503) return { kind: 'rateLimit', status: code };
	return {
		kind: 'status',
		status: code,
		body: { title: `As asked for by Prefer: code=${code}`, status: code },
	};
}
