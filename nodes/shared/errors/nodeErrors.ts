import {
	type Failure,
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { asText } from '../values/asText';
import { InvalidValueError } from '../values/invalidValue';
import { joined, plainText } from '../values/plainText';
import { CallError, type CallFailure, isTransientCause } from './failure';
import { ExplainedError } from './explainedError';
import { type WordsContext, failureWords, n8nFailureOf, outcomeOf } from './failureTable';
import { type SafeText, redacted } from './secrets';
import { type ServiceMessage, listFields, serviceSays } from './serviceMessage';

export type NodeError = NodeApiError | NodeOperationError;

/** Where an error happened. */
export interface ErrorContext extends WordsContext {
	node: INode;
	/** The operation's action, e.g. `Cancel booking and notify guest`. */
	action: string;
	/** Input item, from 0; undefined for polls and list searches. */
	itemIndex?: number;
	/** Of the account, once it is open: no text may show them. */
	secrets?: () => readonly string[];
}

interface FailedCall {
	/** Whether it was meant to change something. */
	isChange?: boolean;
	/** The record that it was meant to change, in the words of the form: `'Booking Number or GUID' 3f25…`. */
	record?: string;
}

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
	if (isNodeError(error)) return withoutMarkup(error, context);
	if (error instanceof CallError) return callError(context, error.failure, call);
	const cause = error instanceof Error ? error : new Error(asText(error));
	const explained = explain(cause);
	const message = messageOf(context, cause.message);
	const description = descriptionOf(context, explained.description);
	const options = { description, itemIndex: context.itemIndex };
	const made = new NodeOperationError(context.node, new Error(message), options);
	if (explained.failure) made.failure = explained.failure;
	return worded(made, message, context.node);
}

function withoutMarkup(error: NodeError, context: ErrorContext): NodeError {
	const { messages } = error;
	const message = safe(context, error.message);
	if (error.description) error.description = safe(context, error.description);
	worded(error, message, context.node);
	error.messages = messages;
	return error;
}

/** By its name: what n8n throws is of n8n's own copy of n8n-workflow, and npm may put another one beside this package. */
export function isNodeError(error: unknown): error is NodeError {
	return error instanceof Error && /^Node(Api|Operation)Error$/.test(error.name);
}

interface Explanation {
	/** How to fix it. */
	description: string;
	/** Why it was thrown, in n8n's terms; undefined where nobody knows. */
	failure?: Failure;
}

function explain(cause: Error): Explanation {
	if (cause instanceof ExplainedError) return cause;
	const failure: Failure = { cause: 'configuration-invalid' };
	if (cause instanceof InvalidValueError) return { description: cause.description, failure };
	if (!isExpressionError(cause)) {
		return { description: 'If it happens again, please report it with the workflow' };
	}
	const said = 'description' in cause ? cause.description : '';
	return { description: asText(said || 'Check the expressions of this item'), failure };
}

/** Whether n8n could not evaluate an expression: by its name or words, or as an error that n8n itself takes for a person's. */
function isExpressionError(cause: Error): boolean {
	const level = 'level' in cause ? cause.level : undefined;
	if (level === 'info' || level === 'warning') return true;
	return cause.name.startsWith('Expression') || cause.message.startsWith('Expression');
}

/**
 * Says what happened to a call, then the service's own words, the fields that it names, and how to fix it. Where a change
 * may have been made, it says so and what to look at.
 */
function callError(context: ErrorContext, failure: CallFailure, call: FailedCall): NodeApiError {
	const { text = '', fields = [] } = failure.said ?? {};
	let [happened, hint] = failureWords(failure, context);
	const { mayHaveActed } = outcomeOf(failure);
	if (call.isChange && mayHaveActed) {
		const isSaid = happened.includes('may have been made');
		if (!isSaid) happened += '. The change may have been made';
		const place = call.record ? `at ${call.record} ` : '';
		hint = `Look ${place}in the service before you repeat the call`;
	}
	const status = 'status' in failure ? failure.status : 0;
	const said = serviceSays(text, listFields(fields));
	const error = apiError(context, happened, [said, hint], { status, fields, text });
	if (failure.kind === 'body' && failure.reason === 'size') tooLarge.add(error);
	const n8nFailure = n8nFailureOf(failure);
	if (n8nFailure) error.failure = n8nFailure;
	return error;
}

/** Errors of responses that are too large. */
const tooLarge = new WeakSet<NodeError>();

/** Whether a call failed because its response is too large: less may be asked for. */
export function isTooLarge(error: unknown): boolean {
	return isNodeError(error) && tooLarge.has(error);
}

/** Whether an error passes by itself, in n8n's own terms. */
export function isTransient(error: unknown): boolean {
	return isTransientCause((error as Partial<NodeError>).failure?.cause);
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
	const { status } = details;
	const message = messageOf(context, happened);
	const response = { message, ...details } as unknown as JsonObject;
	const error = new NodeApiError(context.node, response, {
		message,
		description: descriptionOf(context, joined(sentences)),
		httpCode: status > 0 ? String(status) : undefined,
		itemIndex: context.itemIndex,
	});
	error.context.service = details;
	return worded(error, message, context.node);
}

/**
 * n8n's errors replace a message in which they find the name of a system error, e.g. `EACCES` in `remoteaccess`. To an agent
 * n8n gives the message alone: its tool's has everything in it.
 */
function worded<E extends NodeError>(error: E, message: SafeText, node: INode): E {
	const { description } = error;
	error.message = message;
	error.messages = [];
	if (isTool(node) && description && !message.includes(description)) {
		error.message = joined([message, description]);
	}
	return error;
}

/** @returns whether a node runs as a tool of an AI agent: n8n makes a type of its own for that */
export function isTool(node: Pick<INode, 'type'>): boolean {
	return node.type.endsWith('Tool');
}

/** A last limit: the parts of a message were shortened before, by `plainText` and `redacted`. */
const MOST_OF_ERROR_TEXT = 4_000;

function safe(context: ErrorContext, text: string): SafeText {
	const secrets = context.secrets?.() ?? [];
	return redacted(text, secrets, MOST_OF_ERROR_TEXT);
}

/** @returns a description that ends like a sentence */
function descriptionOf(context: ErrorContext, hint: string): string {
	const text = safe(context, hint);
	const isSentence = /[.?!…]$/.test(text);
	return isSentence ? text : `${text}.`;
}

/** @returns what happened, with operation and item */
function messageOf(context: ErrorContext, happened: string): SafeText {
	let message = `${plainText(happened)} – ${context.action}`;
	if (context.itemIndex !== undefined) message += ` [item ${context.itemIndex}]`;
	return safe(context, message);
}

/** @returns the message of an error without operation and item */
export function messageWithoutPlace(error: NodeError): string {
	const { message } = error;
	const end = message.lastIndexOf(' – ');
	return end < 0 ? message : message.slice(0, end);
}
