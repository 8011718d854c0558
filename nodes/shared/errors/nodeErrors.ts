import {
	type Failure,
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { InvalidValueError } from '../values/invalidValue';
import { type PlainText, joined, plainText } from '../values/plainText';
import { CallError, type CallFailure, isTransientCause } from './failure';
import { ExplainedError } from './explainedError';
import { n8nFailureOf, outcomeOf } from './failureTable';
import { type ServiceMessage, listFields, says } from './serviceMessage';
import { type WordsContext, failureWords } from './words';

export type NodeError = NodeApiError | NodeOperationError;

/** Where an error happened. */
export interface ErrorContext extends WordsContext {
	node: INode;
	/** The operation's action, e.g. `Cancel web booking`. */
	action: string;
	/** Input item, from 0; undefined for polls and list searches. */
	itemIndex?: number;
}

/** A failed call: whether it was meant to change something, and what, in the words of the form: `'Web Booking' 3f25…`. */
type FailedCall = { isChange?: boolean; record?: string };

/**
 * Turns anything thrown into a readable error with operation and item.
 *
 * @param error anything thrown; n8n's own errors are passed on, without markup
 * @param call of a call to the service
 */
export function toNodeError(
	context: ErrorContext,
	error: unknown,
	call: FailedCall = {},
): NodeError {
	if (isNodeError(error)) return withoutMarkup(error, context.node);
	if (error instanceof CallError) return callError(context, error.failure, call);
	const cause = error instanceof Error ? error : new Error(String(error));
	const { description, failure } = explain(cause);
	const message = withPlace(context, plainText(cause.message));
	const options = { description: sentence(description), itemIndex: context.itemIndex };
	const made = new NodeOperationError(context.node, new Error(message), options);
	return declare(worded(made, message, context.node), failure);
}

function withoutMarkup(error: NodeError, node: INode): NodeError {
	const { message, messages, description } = error;
	if (description) error.description = plainText(description);
	return Object.assign(worded(error, plainText(message), node), { messages });
}

/** By its name: what n8n throws is of n8n's own copy of n8n-workflow, and npm may put another one beside this package. */
export function isNodeError(error: unknown): error is NodeError {
	return error instanceof Error && /^Node(Api|Operation)Error$/.test(error.name);
}

/** How to fix what was thrown and, where it tells, why it was thrown in n8n's terms. */
function explain(cause: Error): { description: PlainText; failure?: Failure } {
	if (cause instanceof ExplainedError) return cause;
	if (!(cause instanceof InvalidValueError) && !isExpressionError(cause))
		return { description: plainText('If it happens again, please report it with the workflow') };
	const said = 'description' in cause && cause.description ? String(cause.description) : '';
	return {
		description: plainText(said || 'Check the expressions of this item'),
		failure: { cause: 'configuration-invalid' },
	};
}

/** Whether n8n could not evaluate an expression: by its name or words, or as an error that n8n itself takes for a person's. */
function isExpressionError(cause: Error): boolean {
	const isPersons = 'level' in cause && /^(?:info|warning)$/.test(String(cause.level));
	return isPersons || [cause.name, cause.message].some((text) => text.startsWith('Expression'));
}

/**
 * What went wrong with a call: what happened, then the service's own words, the fields it names, and how to fix it. Where
 * a change may have been made, it says so and what to look at.
 */
function callError(
	context: ErrorContext,
	failure: CallFailure,
	{ isChange = false, record }: FailedCall,
): NodeApiError {
	const { text = '', fields = [] } = failure.said ?? {};
	const [happened, hint] = failureWords(failure, context);
	const isLost = isChange && outcomeOf(failure).mayHaveActed;
	const check = `Look ${record ? `at ${record} ` : ''}in the service before you repeat the call`;
	const error = apiError(
		context,
		isLost ? `${happened}. The change may have been made` : happened,
		[says(text, listFields(fields)), isLost ? check : hint],
		{ status: 'status' in failure ? failure.status : 0, fields, text },
	);
	if (failure.kind === 'body' && failure.reason === 'size') tooLarge.add(error);
	return declare(error, n8nFailureOf(failure));
}

const tooLarge = new WeakSet<object>();

/** Whether a call failed because its response is too large: less may be asked for. */
export function isTooLarge(error: unknown): boolean {
	return typeof error === 'object' && error !== null && tooLarge.has(error);
}

/** Whether an error passes by itself, in n8n's own terms. */
export function isTransient(error: unknown): boolean {
	return isTransientCause((error as Partial<NodeError>).failure?.cause);
}

/** Sets `failure`, which n8n reads from 2.41 on; older versions ignore it. */
function declare<E extends NodeError>(error: E, failure: Failure | undefined): E {
	if (failure) error.failure = failure;
	return error;
}

/**
 * The error that a person reads, for what the service rejected or could not do.
 *
 * @param sentences below the message; empty ones are left out
 * @param details also found in the error output
 */
export function apiError(
	context: ErrorContext,
	happened: string,
	sentences: readonly string[],
	details: ServiceMessage & { status: number; [more: string]: unknown },
): NodeApiError {
	const message = withPlace(context, plainText(happened));
	const error = new NodeApiError(context.node, { message, ...details } as unknown as JsonObject, {
		message,
		description: sentence(plainText(joined(sentences))),
		httpCode: details.status > 0 ? String(details.status) : undefined,
		itemIndex: context.itemIndex,
	});
	error.context.service = details;
	return worded(error, message, context.node);
}

/**
 * n8n's errors replace a message in which they find the name of a system error, e.g. `EACCES` in `remoteaccess`. To an agent
 * n8n gives the message alone: its tool's has everything in it.
 */
function worded<E extends NodeError>(error: E, message: string, node: INode): E {
	const description = error.description ?? '';
	const isWhole = !isTool(node) || message.includes(description);
	return Object.assign(error, {
		message: isWhole ? message : joined([message, description]),
		messages: [],
	});
}

/** @returns whether a node runs as a tool of an AI agent: n8n makes a type of its own for that */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

function sentence(text: PlainText): string {
	return /[.?!…]$/.test(text) ? text : `${text}.`;
}

function withPlace({ action, itemIndex }: ErrorContext, happened: PlainText): string {
	return `${happened} – ${action}${itemIndex === undefined ? '' : ` [item ${itemIndex}]`}`;
}
