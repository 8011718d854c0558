import type {
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INode,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';
import attempt from 'lodash/attempt';
import keyBy from 'lodash/keyBy';
import mapValues from 'lodash/mapValues';

import { openAccount } from '../auth/account';
import { type ErrorContext, toNodeError } from '../errors/nodeErrors';
import { readList } from '../http/response';
import { checkTimeZone } from '../values/dateTime';
import { InvalidValueError } from '../values/invalidValue';
import { readNumber } from '../values/number';
import { isRecord } from '../values/record';
import type { Field } from './fields';
import { filledIn, toBoolean } from './formValues';
import type { ItemContext, Operation, Run, Service } from './operation';
import { type ItemSettings, readItemSettings } from './options';
import { recordShaper } from './output';
import { createParameterReader } from './parameters';
import { prepareRequest } from './request';
import { RunHints, RunProgress, failedItem } from './runProgress';
import { RecordOrder, startInTurn } from './startInTurn';

const DEFAULT_LIMIT = 50;

/** n8n's functions for all items or, where the node is a tool of an AI agent, for one. */
type RunContext = IExecuteFunctions | IExecutePaginationFunctions;

/** n8n's own check of a value is skipped: it names a parameter as the workflow does, not as the form does. */
const UNCHECKED = { skipValidation: true };

/**
 * Runs the operations of a node in a workflow. n8n's own engine for declarative nodes evaluates every parameter three
 * times an item, starts the calls of all items at once and drops the item links.
 */
export function customOperations(service: Service): NonNullable<INodeType['customOperations']> {
	const executor = (operation: Operation) =>
		async function (this: IExecuteFunctions) {
			return [await executeOperation(this, service, operation)];
		};
	return mapValues(keyBy(service.resources, 'value'), ({ operations }) =>
		mapValues(keyBy(operations, 'value'), executor),
	);
}

/** Runs one item as a tool of an AI agent: there n8n's engine for declarative nodes runs the node. */
export function executeTool(service: Service) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const read = (name: string) => this.getNodeParameter(name, '', UNCHECKED);
		const operation = chosenOperation(service, this.getNode(), read('resource'), read('operation'));
		return await executeOperation(this, service, operation);
	};
}

/**
 * What keeps a run from starting keeps every item from it. Left to n8n, an error with the error output on would send all
 * items out of the success output, unchanged.
 */
async function executeOperation(
	context: RunContext,
	service: Service,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const { executeBatch = executeItems } = operation;
	const node = context.getNode();
	try {
		const run = await openRun(context, service, operation);
		await executeBatch(run);
		if ('addExecutionHints' in context) run.hints.show(context);
		return run.progress.result();
	} catch (error) {
		if (!context.continueOnFail()) throw toNodeError({ node, action: operation.action }, error);
		return itemIndexesOf(context).map((item) =>
			failedItem(toNodeError(errorContextOf(node, service, operation, item), error), { item }),
		);
	}
}

/** An item whose turn it is, with its settings or what is wrong with them. */
interface Turn {
	item: ItemContext;
	settings: ItemSettings | Error;
}

/**
 * One call for each item, as many at once as the account's limiter allows, at most 'Concurrency Limit'. An error stops the run:
 * no further call is made.
 */
async function executeItems(run: Run): Promise<void> {
	const { progress, hints } = run;
	function* turns(): Generator<Turn> {
		for (const itemIndex of run.itemIndexes) {
			const item = run.openItem(itemIndex);
			yield { item, settings: attempt(() => readItemSettings(item)) };
		}
	}
	const paceOf = ({ settings }: Turn) => (settings instanceof Error ? undefined : settings);
	await startInTurn(turns(), run, paceOf, async ({ item, settings }) => {
		const { itemIndex } = item;
		try {
			if (settings instanceof Error) throw settings;
			progress.end([{ itemIndex, records: await executeItem(item, settings, run) }]);
		} catch (reason) {
			const error = toNodeError(item, reason);
			progress.end([{ itemIndex, error }], error);
		}
		hints.note(item.leftOut);
	});
}

/**
 * Life of an item: its parameters become a request, the response becomes records.
 *
 * @returns the records as they come out, at most 'Limit' of them
 * @throws InvalidValueError for a parameter; NodeApiError for what the service refuses
 */
async function executeItem(
	item: ItemContext,
	settings: ItemSettings,
	{ operation, order }: Run,
): Promise<IDataObject[]> {
	const { output, sendAll, postReceive } = operation;
	const limit = output.kind === 'list' ? readLimit(item) : Number.POSITIVE_INFINITY;
	const shape = recordShaper(item.read, output);
	const request = await prepareRequest(item, operation, settings);
	const changed = request.record ? [request.record.toLowerCase()] : [];
	const body = await order.run(changed, async () =>
		sendAll ? await sendAll(item, request, limit) : (await item.call(request)).body,
	);
	const response = postReceive ? postReceive(item, body) : body;
	if (output.kind !== 'record') {
		const records = readList(response) ?? [];
		item.leftOut = Math.max(0, records.length - limit);
		return records.slice(0, limit).map(shape);
	}
	if (response === undefined || response === null) return [{ success: true }];
	return [typeof response === 'string' ? { success: true, response } : shape(response)];
}

function readLimit({ node, read }: ItemContext): number {
	if (toBoolean(read('returnAll') ?? false, 'Return All')) return Number.POSITIVE_INFINITY;
	if ((node.parameters.limit ?? '') === '') return DEFAULT_LIMIT;
	return readNumber(read('limit'), 'Limit', {
		least: 1,
		isWhole: true,
		hint: ", or switch on 'Return All'",
	});
}

function chosenOperation(service: Service, node: INode, resource: unknown, operation: unknown): Operation {
	const found = service.resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found) return found;
	const invalid = new InvalidValueError(
		'Operation',
		`is '${String(operation)}' of '${String(resource)}', which does not exist`,
		'Choose a resource and an operation from the lists',
	);
	throw toNodeError({ node, action: 'Choose operation' }, invalid);
}

/** @throws what n8n says when the credential cannot be read; InvalidValueError for its Time Zone */
async function openRun(context: RunContext, service: Service, operation: Operation): Promise<Run> {
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
			return {
				...errorContext,
				account,
				signal,
				timeZone,
				get options() {
					const options = read('options');
					return isRecord(options) ? (options as IDataObject) : {};
				},
				read,
				call: async (request) => await account.call(request, errorContext),
			};
		},
	};
}

/** @returns from 0; of a tool the one that n8n runs */
function itemIndexesOf(context: RunContext): number[] {
	return 'getItemIndex' in context ? [context.getItemIndex()] : [...context.getInputData().keys()];
}

/** @returns what errors of an item need to say where they happened */
function errorContextOf(
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
