import type { Answer } from '../http/answer.ts';
import type { ServiceRequest } from '../http/requestReader.ts';
import type { PaymentTokens } from '../paymentTokens.ts';
import type { Service, State } from '../state/state.ts';

/** What a route works with: the checked request and the system it is for. */
export interface Call extends ServiceRequest {
	state: State;
	service: Service;
	paymentTokens: PaymentTokens;
}

/** One operation of the service. Throws a ServiceError to refuse. */
export type Route = (call: Call) => Answer;
