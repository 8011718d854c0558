import type { IDataObject, IExecuteFunctions, IExecutePaginationFunctions, INode } from 'n8n-workflow';
import once from 'lodash/once';

import { openAccount } from '../auth/account';
import type { ErrorContext } from '../errors/nodeErrors';
import { checkTimeZone } from '../values/dateTime';
import { isRecord } from '../values/record';
import type { Field } from './fields';
import { filledIn } from './formValues';
import type { ItemContext, Operation, Run, Service } from './operation';
import { createParameterReader } from './parameters';
import { RunHints, RunProgress } from './runProgress';
import { RecordOrder } from './startInTurn';

/** n8n's functions for all items or, where the node is a tool of an AI agent, for one. */
export type RunContext = IExecuteFunctions | IExecutePaginationFunctions;

/** n8n's own check of a value is skipped: it names a parameter as the workflow does, not as the form does. */
export const UNCHECKED = { skipValidation: true };

/** @throws what n8n says when the credential cannot be read; InvalidValueError for its Time Zone */
export async function openRun(context: RunContext, service: Service, operation: Operation): Promise<Run> {
	const account = await openAccount(context, service.credential);
	const { timeZone: zone } = account.credentials;
	const timeZone = takesTimes(operation) ? checkTimeZone(zone, context.getTimezone()) : 'UTC';
	const node = context.getNode();
	const input = context.getInputData();
	const inputOf = (itemIndex: number) => (Array.isArray(input) ? input[itemIndex] : input)?.json;
	const parametersOf = createParameterReader(node.parameters, inputOf, (name, itemIndex) =>
		'getItemIndex' in context
			? context.getNodeParameter(name, '', UNCHECKED)
			: context.getNodeParameter(name, itemIndex, '', UNCHECKED),
	);
	const signal = context.getExecutionCancelSignal();
	const itemIndexes = itemIndexesOf(context);
	const counted = operation.executeBatch ? 'items' : 'calls';
	return {
		operation,
		account,
		startedAt: Date.now(),
		signal,
		itemIndexes,
		order: new RecordOrder(),
		progress: new RunProgress(itemIndexes, counted, context.continueOnFail()),
		hints: new RunHints(account.queue),
		openItem(itemIndex) {
			const errorContext = errorContextOf(node, service, operation, itemIndex);
			const readParameter = parametersOf(itemIndex);
			const read = (name: string) => {
				const value = filledIn(readParameter(name));
				return isAutoMapped(value) ? { ...value, value: inputOf(itemIndex) ?? {} } : value;
			};
			const readOptions = once(() => read('options'));
			return {
				...errorContext,
				account,
				signal,
				timeZone,
				get options() {
					const options = readOptions();
					return isRecord(options) ? (options as IDataObject) : {};
				},
				read,
				call: async (request) => await account.call(request, errorContext),
			};
		},
	};
}

/** @returns from 0; of a tool the one that n8n runs */
export function itemIndexesOf(context: RunContext): number[] {
	return 'getItemIndex' in context ? [context.getItemIndex()] : [...context.getInputData().keys()];
}

/** @returns what errors of an item need to say where they happened */
export function errorContextOf(
	node: INode,
	{ addressField, statusWords }: Service,
	operation: Operation,
	itemIndex: number,
): ErrorContext & Pick<ItemContext, 'itemIndex'> {
	const words = { ...statusWords, ...operation.statusWords };
	const { action, narrowedBy } = operation;
	return { node, action, itemIndex, addressField, statusWords: words, inRun: true, narrowedBy };
}

/** A resource mapper that maps automatically takes its values from the input item. */
function isAutoMapped(value: unknown): value is Record<string, unknown> {
	return isRecord(value) && value.mappingMode === 'autoMapInputData';
}

/** Only then does the credential's Time Zone count. */
function takesTimes({ query = [], body, parameters = [] }: Operation): boolean {
	const fields = [...query, ...(body?.sections ?? [])].flatMap((part) => part.fields);
	return fields.some(hasTime) || parameters.some(({ type }) => type === 'dateTime');
}

function hasTime({ property, entries = [] }: Field): boolean {
	return property.type === 'dateTime' || entries.some(hasTime);
}
