import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import { ServiceError } from './serviceError.ts';

const NOT_SHOWN = /body: not shown/i;

function sendProblem(
	request: FastifyRequest,
	reply: FastifyReply,
	error: ServiceError,
): FastifyReply {
	return reply
		.code(error.status)
		.type('application/json; charset=utf-8')
		.send(
			JSON.stringify({
				type: 'about:blank',
				title: STATUS_CODES[error.status] ?? 'Error',
				status: error.status,
				detail: error.fields.length > 0 ? 'The request is not valid' : error.message,
				instance: request.url.split('?')[0],
				extensions: error.fields.length > 0 ? { errors: error.fields } : {},
			}),
		);
}

function sendArticleError(reply: FastifyReply, error: ServiceError): FastifyReply {
	return reply
		.code(400)
		.type('application/json; charset=utf-8')
		.send(
			JSON.stringify({
				statusCode: 400,
				message: error.message,
				validationErrors: error.fields.map(({ field, errorId }) => ({ field, errorId })),
				entity: 'Article',
			}),
		);
}

/** Sends a rejection in the form that the operation documents; ProblemDetails if it documents none. */
export function sendError(
	error: FastifyError | ServiceError,
	request: FastifyRequest,
	reply: FastifyReply,
) {
	const refusal =
		error instanceof ServiceError
			? error
			: new ServiceError((error as FastifyError).statusCode ?? 500, error.message, [
					{
						field: 'body',
						errorId: (error as FastifyError).code ?? 'Error',
						message: error.message,
					},
				]);
	if (refusal.status >= 500) process.stderr.write(`${error.stack ?? error.message}\n`);
	if (refusal.status === 401) reply.header('www-authenticate', 'Bearer error="invalid_token"');
	const operation = request.routeOptions.config.operation;
	const response = operation?.responses[String(refusal.status)];
	if (response && !response.content && !NOT_SHOWN.test(response.description ?? '')) {
		return reply.code(refusal.status).send();
	}
	return operation?.id === 'article.batchUpdate' && refusal.status === 400
		? sendArticleError(reply, refusal)
		: sendProblem(request, reply, refusal);
}
