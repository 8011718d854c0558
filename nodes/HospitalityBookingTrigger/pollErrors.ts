import type { NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type ErrorContext, toNodeError } from '../shared/errors/nodeErrors';
import { unreadableResponseError } from '../shared/errors/callErrors';
import { BusyError, FirstPollError, NoListError, SkippedError } from './poll';

/** What went wrong in a poll, as the error that a person reads in n8n's list of executions or on publishing. */
export function toPollError(place: ErrorContext, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NoListError)
		return unreadableResponseError(place, 200, 'something that is not a list');
	if (error instanceof SkippedError) return skippedError(place, error);
	if (error instanceof BusyError) return busyError(place, error);
	if (error instanceof FirstPollError) return publishAgain(toPollError(place, error.cause));
	return toNodeError(place, error);
}

/** Nothing is kept of it, so the person has to act; n8n shows the message only. */
function publishAgain<E extends Error>(error: E): E {
	error.message = `${error.message}. Publish the workflow again in a moment`;
	return error;
}

function skippedError({ node, action }: ErrorContext, { reasons }: SkippedError): NodeOperationError {
	return new NodeOperationError(node, `Left out: ${reasons.join('; ')} – ${action}`, {
		description:
			'The trigger cannot follow such a record. Correct it in the service. Everything else has been emitted; this is said once.',
	});
}

/** n8n waits before the next poll, where it would take "nothing new" for a sign that all is well. */
function busyError({ node, action }: ErrorContext, { failure }: BusyError): NodeOperationError {
	const error = new NodeOperationError(node, `The poll before is still waiting for the service – ${action}`, {
		description: 'Nothing is lost: the next poll asks again. Poll less often if this happens a lot.',
	});
	error.failure = failure;
	return error;
}
