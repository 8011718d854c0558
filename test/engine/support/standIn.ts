import type { ServerResponse } from 'node:http';
import mapValues from 'lodash/mapValues';
import type { INodeParameters } from 'n8n-workflow';
import { type Engine, type Run, createEngine } from './engine';
import {
	type Received,
	type TestServer,
	credentialsAt,
	sendJson,
	tokenFor,
	useServer,
} from './server';

/** A server that stands in for both services, and an engine that is to call it. */
export interface StandIn {
	server: TestServer;
	engine: Engine;
	/** Gives the response to each call. Requests for a token are answered, but for those with a header `X-Item`. */
	respond(response: ServerResponse, request: Received): void;
}

/** Tells the call of 'Authenticate' from a request for a token. */
const AS_ITEM = { extraHeaders: { entry: [{ name: 'X-Item', value: '1' }] } };

/** For a test file: a stand-in whose calls are answered by what each test sets as `respond`. */
export function useStandIn(): StandIn {
	const here = {} as StandIn;
	here.server = useServer((request, response) => {
		const token = tokenFor(request);
		if (token && request.headers['x-item'] === undefined) sendJson(response, token);
		else here.respond(response, request);
	});
	beforeAll(async () => {
		const credentials = credentialsAt(here.server.url);
		here.engine = await createEngine(mapValues(credentials, (data) => ({ ...data, ...AS_ITEM })));
	});
	return here;
}

const caller =
	(node: string, call: INodeParameters) =>
	async ({ engine }: Pick<StandIn, 'engine'>, parameters: INodeParameters = {}): Promise<Run> =>
		await engine.execute({ node, parameters: { ...call, ...parameters } });

/** One call of each kind: a list, a change, and a GET with a body to the other service. */
export const getCustomers = caller('hospitalityBooking', {
	resource: 'customer',
	operation: 'getAll',
	returnAll: true,
	output: 'raw',
});
export const cancelBooking = caller('hospitalityBooking', {
	resource: 'webBooking',
	operation: 'cancel',
	webBookingId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
});
export const getSubscription = caller('hospitalityPayment', {
	resource: 'subscription',
	operation: 'get',
	id: 'plan-1001',
});

/** What a person reads of an error. */
export const shown = ({ error }: Run) =>
	`${String(error?.message)} | ${String(error?.description)}`;
