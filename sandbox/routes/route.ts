import type { Answer } from '../http/answer.ts';
import type { ServiceRequest } from '../http/requestReader.ts';
import type { PaymentTokens } from '../paymentTokens.ts';
import type { Service, State } from '../state/state.ts';

/** A route's input: the checked request and its system. */
export interface Call extends ServiceRequest {
	state: State;
	service: Service;
	paymentTokens: PaymentTokens;
}

/** One operation of the service. Throws a ServiceError to reject a request. */
export type Route = (call: Call) => Answer;
