import { randomUUID } from 'node:crypto';
import { ACCOUNT } from '../info.ts';
import { notFound } from '../http/serviceError.ts';
import type { Subscription } from '../state/records.ts';
import { ok, type Call, type Route } from './route.ts';

/**
 * For wrong credentials the response is `IsAuthenticated: false` without a token: the API documents this field, but no
 * errors of this operation.
 */
const authenticate: Route = ({ body, paymentTokens }) => {
	const { CustomerId, Password } = body as { CustomerId?: string; Password?: string };
	const headers = { location: '/v1/authentication' };
	if (CustomerId !== ACCOUNT.paymentCustomerId || Password !== ACCOUNT.paymentPassword) {
		return { status: 201, headers, body: { IsAuthenticated: false } };
	}
	const AuthenticationToken = randomUUID();
	paymentTokens.add(AuthenticationToken);
	return {
		status: 201,
		headers,
		body: {
			AuthenticationToken,
			IsAuthenticated: true,
			CustomerName: 'Harbour House',
			CustomerNumber: '4711',
			Msisdn: '+46700000000',
		},
	};
};

function find({ state, body }: Call): Subscription {
	const { Id } = body as { Id?: string };
	const subscription = state.records.subscriptions.get(Id ?? '');
	if (!subscription) throw notFound(`The subscription plan ${Id ?? ''}`);
	return subscription;
}

const get: Route = (call) => {
	const { BuyerId, PlanId, ...read } = find(call);
	return ok(read);
};

const cancel: Route = (call) => {
	const canceled = { ...find(call), Status: 'Canceled' };
	return { status: 201, body: call.state.records.subscriptions.put(canceled) };
};

export const payment: Record<string, Route> = {
	'customer.authenticate': authenticate,
	'subscription.get': get,
	'subscription.cancel': cancel,
};
