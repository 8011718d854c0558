import { type NodeApiError, NodeOperationError } from 'n8n-workflow';

import { CallError, noDataFault } from '../../shared/errors/callFault';
import { withHelp } from '../../shared/errors/help';
import { type ErrorContext, toNodeError } from '../../shared/errors/nodeErrors';
import { StateError } from '../state/stored';
import { PollError } from './poll';

/** What ended a poll, as the error that a person reads in n8n's list of executions or on publishing. */
export function toPollError(context: ErrorContext, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof StateError) {
		const { message, hint } = error;
		return describe(context, `The trigger's stored state ${message}`, `Nothing was changed. ${hint}.`);
	}
	if (!(error instanceof PollError)) return toNodeError(context, error);
	const { reason } = error;
	if (reason === 'no list')
		return toNodeError(context, new CallError(noDataFault(200, 'something that is not a list')));
	if (reason === 'notices')
		return describe(
			context,
			`Please check: ${error.notices.join('; ')}`,
			"The trigger goes on: everything else has been emitted. You won't be warned again.",
		);
	// Nothing is kept of it, so the person has to act; n8n shows the message only.
	const cause = toPollError(context, error.cause);
	cause.message = `${cause.message}. Publish the workflow again in a moment`;
	return cause;
}

function describe({ node, action }: ErrorContext, message: string, description: string): NodeOperationError {
	return new NodeOperationError(node, `${message} – ${action}`, {
		description: withHelp(description, 'trigger'),
	});
}
