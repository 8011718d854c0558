import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import { ServiceError } from './serviceError.ts';

function sendProblem(request: FastifyRequest, reply: FastifyReply, error: ServiceError): FastifyReply {
	return reply
		.code(error.status)
		.type('application/problem+json; charset=utf-8')
		.send(
			JSON.stringify({
				type: 'about:blank',
				title: STATUS_CODES[error.status] ?? 'Error',
				status: error.status,
				detail: error.message,
				instance: request.url.split('?')[0],
				extensions: error.fields.length > 0 ? { errors: error.fields } : {},
			}),
		);
}

/** Batch update answers 400 with an ArticleValidationError and 401, 403, 500 with no body. */
function sendArticleError(reply: FastifyReply, error: ServiceError): FastifyReply {
	reply.code(error.status);
	if (error.status !== 400) return reply.send();
	return reply.type('application/json; charset=utf-8').send(
		JSON.stringify({
			statusCode: 400,
			message: error.message,
			validationErrors: error.fields.map(({ field, errorId }) => ({ field, errorId })),
			entity: 'Article',
		}),
	);
}

/** Answers a refusal in the form that the operation documents; ProblemDetails where it documents none. */
export function sendError(error: FastifyError | ServiceError, request: FastifyRequest, reply: FastifyReply) {
	const refusal =
		error instanceof ServiceError
			? error
			: new ServiceError((error as FastifyError).statusCode ?? 500, error.message, [
					{ field: 'body', errorId: (error as FastifyError).code ?? 'Error', message: error.message },
				]);
	if (refusal.status >= 500) process.stderr.write(`${error.stack ?? error.message}\n`);
	if (refusal.status === 401) reply.header('www-authenticate', 'Bearer error="invalid_token"');
	return request.routeOptions.config.operation?.id === 'article.batchUpdate'
		? sendArticleError(reply, refusal)
		: sendProblem(request, reply, refusal);
}
