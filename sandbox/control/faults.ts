import type { Faker } from '@faker-js/faker';
import { z } from 'zod';
import { createFaker } from '../seed/words.ts';

const fault = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('status'),
		status: z.number().int().min(100).max(599),
		headers: z.record(z.string()).optional(),
		/** Text is sent unchanged, everything else as JSON. */
		body: z.unknown().optional(),
		contentType: z.string().optional(),
	}),
	z.object({ kind: z.literal('delay'), ms: z.number().min(0) }),
	z.object({ kind: z.literal('cut') }),
	z.object({ kind: z.literal('cutMidBody') }),
	z.object({ kind: z.literal('malformed') }),
	z.object({ kind: z.literal('html'), status: z.number().int().optional() }),
	z.object({ kind: z.literal('empty'), status: z.number().int().optional() }),
	z.object({
		kind: z.literal('rateLimit'),
		status: z.union([z.literal(429), z.literal(503)]).optional(),
		retryAfter: z.enum(['seconds', 'date', 'none']).optional(),
		seconds: z.number().int().min(0).optional(),
	}),
]);

/** Which requests a fault affects, how often, and when. */
export const faultRule = z
	.object({
		method: z.string().optional(),
		/** Part of the address, or `/a regular expression/`. */
		path: z.string().optional(),
		probability: z.number().min(0).max(1).optional(),
		/** How many requests it affects; all by default. */
		times: z.number().int().min(1).optional(),
		/** The operation acts first, then its response is lost. */
		after: z.boolean().optional(),
		fault,
	})
	.strict();

/** The fault itself. */
export type Fault = z.infer<typeof fault>;
export type FaultRule = z.infer<typeof faultRule>;

interface ActiveRule extends FaultRule {
	id: string;
	matches: (address: string) => boolean;
	left: number;
}

function matcher(path = ''): (address: string) => boolean {
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
		if (rule) rule.left--;
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
	const title = `As asked for by Prefer: code=${code}`;
	return { kind: 'status', status: code, body: { title, status: code } };
}
