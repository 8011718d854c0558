import type { Faker } from '@faker-js/faker';
import { createFaker } from '../seed/random.ts';

/** What goes wrong. */
export type Fault =
	| {
			kind: 'status';
			status: number;
			headers?: Record<string, string>;
			/** Text is sent as it is, everything else as JSON. */
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

/** Which requests a fault meets, how often, and when. */
export interface FaultRule {
	method?: string;
	/** Part of the address, or `/a regular expression/`. */
	path?: string;
	/** 0 to 1, default 1. */
	probability?: number;
	/** How many requests it meets; default all. */
	times?: number;
	/** The operation acts first, then its answer is lost. */
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

	/** Adds a rule and returns its id. Throws a SyntaxError for a regular expression that is none. */
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

	/** The first rule that meets a request, counted as used; the address is the path with its query. */
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
 * What a single request asks to go wrong, by `Prefer: code=429`, for trying out what a workflow makes of it.
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
