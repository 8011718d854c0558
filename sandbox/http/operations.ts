import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation, Schema } from '../../contract/model.ts';
import { readOperations } from '../../contract/model.ts';
import { article } from '../routes/article.ts';
import { checkoutBooking } from '../routes/checkoutBooking.ts';
import { contact } from '../routes/contact.ts';
import { customer } from '../routes/customer.ts';
import { payment } from '../routes/payment.ts';
import { registers } from '../routes/registers.ts';
import type { Answer, Call, Route } from '../routes/route.ts';
import { survey } from '../routes/survey.ts';
import { webBooking } from '../routes/webBooking.ts';
import type { Sandbox } from '../sandbox.ts';
import type { State } from '../state/state.ts';
import { createDateMapper } from './dates.ts';
import { invalid, ServiceError } from './serviceError.ts';
import {
	bodySchema,
	notByContract,
	parametersSchema,
	requestSchema,
	validatorCompiler,
} from './validation.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** The bytes of a JSON body as received; undefined if there was none. */
		rawBody?: Buffer;
	}
	interface FastifyContextConfig {
		/** The operation of the contract that a route serves. */
		operation?: Operation;
	}
}

/** Every operation of the contract except the token endpoint, by operationId. */
const routes: Record<string, Route> = {
	...webBooking,
	...checkoutBooking,
	...contact,
	...customer,
	...survey,
	...registers,
	...article,
	...payment,
};

/** Where the payment service lives below the sandbox's address. */
export const PAY_PREFIX = '/pay';

function fastifyPath({ path, service }: Operation): string {
	return (service === 'pay' ? PAY_PREFIX : '') + path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Serves every operation of the contract except the token endpoint. */
export function serveOperations(app: FastifyInstance, sandbox: Sandbox): void {
	app.setValidatorCompiler(validatorCompiler(sandbox.contract));
	app.setSchemaErrorFormatter(notByContract);
	for (const operation of readOperations(sandbox.contract)) {
		if (operation.service === 'auth') continue;
		const route = routes[operation.id];
		if (!route) throw new Error(`The sandbox has no route for ${operation.id}`);
		serveOperation(app, sandbox, operation, route);
	}
}

function serveOperation(
	app: FastifyInstance,
	sandbox: Sandbox,
	operation: Operation,
	route: Route,
): void {
	const { contract, service, paymentTokens } = sandbox;
	const queryDates = createDateMapper(contract, parametersSchema(operation, 'query'));
	const bodyDates = createDateMapper(contract, bodySchema(operation) ?? {});
	const write = answerWriter(sandbox, operation);
	const toUtc = (text: string, field: string) => {
		const instant = service.clock.read(text, field);
		if (Number.isNaN(instant)) throw invalid(field, 'Format', 'must be a date-time that exists');
		return new Date(instant).toISOString();
	};
	app.route({
		method: operation.method,
		url: fastifyPath(operation),
		config: { operation },
		schema: requestSchema(operation),
		preValidation: async (request) => authorize(sandbox, operation, request),
		handler: async (request, reply) => {
			if (operation.service === 'pay') checkPaymentHeaders(request);
			const call = {
				path: request.params as Call['path'],
				query: queryDates(request.query, toUtc) as Call['query'],
				body: bodyDates(request.body, toUtc),
				state: systemOf(sandbox, operation, request),
			};
			return write(reply, route({ ...call, service, paymentTokens }));
		},
	});
}

async function authorize(
	{ tokens, paymentTokens }: Sandbox,
	operation: Operation,
	request: FastifyRequest,
) {
	const authorization = request.headers.authorization;
	const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
	if (operation.service === 'pay') {
		if (authorization !== undefined && !(token && paymentTokens.has(token))) {
			throw new ServiceError(401, 'The AuthenticationToken is not known');
		}
		return;
	}
	if (!token) {
		throw new ServiceError(401, 'The header Authorization: Bearer <ACCESS_TOKEN> is required');
	}
	if (!(await tokens().accepts(token))) {
		throw new ServiceError(401, 'The access token is expired or not known');
	}
}

function systemOf(
	{ service, mainState }: Sandbox,
	operation: Operation,
	request: FastifyRequest,
): State {
	if (!operation.parameters.some(({ name }) => name === 'system')) return mainState;
	const system = String(request.headers['system']);
	const state = service.systems.get(system);
	if (!state) throw invalid('system', 'NotFound', `must be a system that exists, not "${system}"`);
	return state;
}

/** What the payment service can check by `Date` and `Digest` (@see contract/openapi.yaml subscription.get). */
function checkPaymentHeaders({ headers, rawBody }: FastifyRequest): void {
	const date = new Date(String(headers['date']));
	if (date.toUTCString() !== headers['date']) {
		throw invalid('Date', 'Format', 'must be an HTTP date');
	}
	const digest = createHash('sha256')
		.update(rawBody ?? Buffer.alloc(0))
		.digest('base64');
	if (headers['digest'] !== `SHA-256=${digest}`) {
		throw invalid(
			'Digest',
			'Mismatch',
			'must be SHA-256= and the base64 of the SHA-256 of the request body',
		);
	}
}

function successSchema({ responses }: Operation): Schema | undefined {
	const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
	return response?.content?.['application/json']?.schema;
}

/** A function that sends a response, with date-times in the service's own form. */
function answerWriter({ contract, service }: Sandbox, operation: Operation) {
	const schema = successSchema(operation);
	const dates = schema && createDateMapper(contract, schema);
	const isPlain = () => service.clock.settings.offset === 'Z';
	const change = (text: string, field: string) => service.clock.write(text, field);
	return (reply: FastifyReply, { status, body, headers }: Answer): FastifyReply => {
		reply.code(status).headers(headers ?? {});
		if (body === undefined) return reply.send();
		reply.type('application/json; charset=utf-8');
		return reply.send(JSON.stringify(isPlain() || !dates ? body : dates(body, change)));
	};
}
