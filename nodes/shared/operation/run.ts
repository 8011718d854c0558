import type { IExecuteFunctions } from 'n8n-workflow';

import { type OpenAccount, openAccount } from '../auth/account';
import type { CallQueue } from '../http/concurrency/callQueue';
import type { CallingContext } from '../http/helpers';
import { checkTimeZone } from '../values/dateTime';
import type { Field } from './fields';
import { type ItemContext, UNCHECKED, createItemContext, errorContextOf } from './itemContext';
import type { Operation, Service } from './operation';
import { createParameterReader } from './parameters';
import { RecordOrder } from './recordOrder';
import { RunHints } from './runHints';
import { RunProgress } from './runProgress';

/** What all items of a run share, and how far it has come. */
export interface Run {
	account: OpenAccount;
	/** Of the account. */
	queue: CallQueue;
	/** Milliseconds since 1970. */
	startedAt: number;
	/** Aborted when the execution is cancelled. */
	signal?: AbortSignal;
	order: RecordOrder;
	progress: RunProgress;
	hints: RunHints;
	isOver(): boolean;
	/** @param itemIndex from 0 */
	openItem(itemIndex: number): ItemContext;
}

/**
 * @param counted what the numbers in the message of a run that stops are of
 * @throws what n8n says when the credential cannot be read; InvalidValueError for its Time Zone
 */
export async function openRun(
	context: IExecuteFunctions,
	service: Service,
	operation: Operation,
	counted: 'calls' | 'items' = 'calls',
): Promise<Run> {
	const account = await openAccount(context, service.credential);
	const { queue } = account;
	const timeZone = readTimeZone(context, account, operation);
	const node = context.getNode();
	const progress = new RunProgress(context.getInputData().length, counted);
	const parametersOf = createParameterReader(context, (name, itemIndex) =>
		context.getNodeParameter(name, itemIndex, '', UNCHECKED),
	);
	return {
		account,
		queue,
		startedAt: Date.now(),
		signal: context.getExecutionCancelSignal(),
		order: new RecordOrder(),
		progress,
		hints: new RunHints(queue),
		isOver: () => progress.hasFailed,
		openItem: (itemIndex) => {
			const errorContext = errorContextOf(node, service, operation, itemIndex);
			return createItemContext(context, account, errorContext, timeZone, parametersOf(itemIndex));
		},
	};
}

/** @returns the credential's Time Zone, or without one the workflow's, where the operation takes dates and times, `UTC` elsewhere */
export function readTimeZone(
	context: CallingContext,
	{ credentials }: OpenAccount,
	{ query = [], body, parameters = [] }: Operation,
): string {
	const fields = [...query, ...(body?.sections ?? [])].flatMap((part) => part.fields);
	const takesTimes = fields.some(hasTime) || parameters.some(({ type }) => type === 'dateTime');
	return takesTimes ? checkTimeZone(credentials.timeZone, context.getTimezone()) : 'UTC';
}

function hasTime({ property, entries = [] }: Field): boolean {
	return property.type === 'dateTime' || entries.some(hasTime);
}
