import {
	ExpressionError,
	type Failure,
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { InvalidValueError } from '../values/invalidValue';
import { mask } from './serviceMessage';
import { TokenError } from './tokenError';
import type { WordsContext } from './words';

/** What an error needs to say where it happened. */
export interface ErrorContext extends WordsContext {
	node: INode;
	/** The operation's action, e.g. `Cancel web booking`. */
	action: string;
	/** Input item, from 0; undefined for polls and list searches. */
	itemIndex?: number;
}

/** What n8n's expression engine says of a value that it cannot hand over. */
const UNEVALUATED = 'Expression evaluation failed';

/**
 * Turns whatever went wrong for an item into an error a person can read, with the item in it.
 *
 * @param error anything thrown; n8n's own errors are passed on as they are
 */
export function toNodeError(place: ErrorContext, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const cause = error instanceof Error ? error : new Error(String(error));
	const description = descriptionOf(cause);
	const nodeError = new NodeOperationError(place.node, new Error(at(place, mask(cause.message))), {
		description,
		itemIndex: place.itemIndex,
	});
	return declare(nodeError, failureOf(cause));
}

function descriptionOf(cause: Error): string {
	if (cause instanceof InvalidValueError || cause instanceof TokenError || cause instanceof ExpressionError)
		return cause.description ?? '';
	return cause.message.startsWith(UNEVALUATED)
		? 'Check the expressions of this item: a function or a symbol, for example, cannot be used as a parameter value'
		: 'If it happens again, please report it with the workflow';
}

/** As {@link toNodeError} declares it; undefined where the error does not tell. */
function failureOf(error: Error): Failure | undefined {
	if (error instanceof InvalidValueError || error instanceof ExpressionError)
		return { cause: 'configuration-invalid' };
	return error instanceof TokenError ? error.failure : undefined;
}

/** Sets `failure`, which n8n reads from 2.41 on; older versions have no such field and leave it alone. */
export function declare<E extends NodeApiError | NodeOperationError>(
	error: E,
	failure: Failure | undefined,
): E {
	if (failure) error.failure = failure;
	return error;
}

/**
 * What the service refused or could not do, as the error a person reads.
 *
 * @param details also found in the error output
 */
export function apiError(
	place: ErrorContext,
	happened: string,
	description: string,
	details: { status: number; fields: object[]; text: string; [more: string]: unknown },
): NodeApiError {
	const message = at(place, happened);
	const error = new NodeApiError(place.node, { message, ...details } as unknown as JsonObject, {
		message,
		description,
		httpCode: details.status > 0 ? String(details.status) : undefined,
		itemIndex: place.itemIndex,
	});
	error.context.service = details;
	return error;
}

function at({ action, itemIndex }: ErrorContext, happened: string): string {
	return `${happened} – ${action}${itemIndex === undefined ? '' : ` [item ${itemIndex}]`}`;
}
