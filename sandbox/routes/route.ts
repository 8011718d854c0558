import type { Answer } from '../http/answer.ts';
import type { PaymentTokens } from '../paymentTokens.ts';
import type { Service, State } from '../state/state.ts';

/** A route's input: a request that matches the contract, with date-times in UTC, and its system. */
export interface Call {
	path: Record<string, string | number>;
	query: Record<string, unknown>;
	body: unknown;
	state: State;
	service: Service;
	paymentTokens: PaymentTokens;
}

/** One operation of the service. Throws a ServiceError to reject a request. */
export type Route = (call: Call) => Answer;
