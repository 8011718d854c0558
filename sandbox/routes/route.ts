import type { Service, State } from '../state/state.ts';

/** A route's input: a request that matches the contract, with date-times in UTC, and its system. */
export interface Call {
	path: Record<string, string | number>;
	query: Record<string, unknown>;
	body: unknown;
	state: State;
	service: Service;
	paymentTokens: Set<string>;
}

/** The response of a route; date-times are in UTC. */
export interface Answer {
	status: number;
	/** undefined sends no body. */
	body?: unknown;
	headers?: Record<string, string>;
}

/** A 200 with a body. */
export function ok(body: unknown): Answer {
	return { status: 200, body };
}

/** One operation of the service. Throws a ServiceError to reject a request. */
export type Route = (call: Call) => Answer;
