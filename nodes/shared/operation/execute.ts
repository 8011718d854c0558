import {
	type DeclarativeRestApiSettings,
	type IDataObject,
	type IExecuteFunctions,
	type IExecutePaginationFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	sleep,
} from 'n8n-workflow';
import pLimit from 'p-limit';

import { checkValue, fillPath } from '../values/address';
import { readBody, readOpen } from './body';
import { type ErrorContext, toNodeError, unreadableResponseError } from '../errors/nodeErrors';
import { type Field, type WireContext, toList, toObject, withoutEmpty } from './fields';
import { InvalidValueError } from '../values/invalidValue';
import { type ItemContext, createItemContext, readCallsAtOnce } from './itemContext';
import { readRequestOptions } from '../http/requestOptions';
import { type Operation, type QueryPart, type Service, findOperation } from './operation';
import { applyOptions } from './options';
import { type OutputMode, shapeRecord } from '../booking/recordShape';
import { createParameterReader } from './parameters';
import { isRecord } from '../values/record';
import { checkTimeZone } from '../values/dateTime';
import { readRunCredentials } from '../auth/runCredentials';
import type { ServiceRequest } from '../http/send';
import type { CallingContext } from '../auth/runCredentials';

/**
 * Runs the operations of a node in a workflow. n8n's own engine for declarative nodes evaluates every parameter three
 * times an item, starts all items' calls at once and drops the item links; this reads each parameter once, keeps to
 * 'Calls at Once', and links each item.
 */
export function customOperations(service: Service): NonNullable<INodeType['customOperations']> {
	return Object.fromEntries(
		service.resources.map((resource) => [
			resource.value,
			Object.fromEntries(
				resource.operations.map((operation) => [
					operation.value,
					async function (this: IExecuteFunctions) {
						return operation.executeBatch
							? await operation.executeBatch(this, service, operation)
							: await runItems(this, service, operation);
					},
				]),
			),
		]),
	);
}

/** n8n's own check names a parameter as the workflow does, not as the form does; ours does the same and better. */
export const UNCHECKED = { skipValidation: true };

/** Runs one item where n8n's engine for declarative nodes is in charge: as a tool of an AI agent. */
export function runRoutedItem(service: Service) {
	return async function (
		this: IExecutePaginationFunctions,
		{ options: { timeout, proxy, skipSslCertificateValidation } }: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const itemIndex = this.getItemIndex();
		const readRaw = (name: string) => this.getNodeParameter(name, '', UNCHECKED);
		const operation = chosenOperation(service, this.getNode(), readRaw('resource'), readRaw('operation'));
		const place = placeOf(this.getNode(), service, operation, itemIndex);
		const network = { timeout, proxy, skipSslCertificateValidation: skipSslCertificateValidation === true };
		return await linked(this, place, async () => {
			const wire = await readTimeZone(this, service, operation);
			const run = createItemContext(this, place, wire, readRaw);
			return await runItem(run, service, operation, network);
		});
	};
}

function chosenOperation(service: Service, node: INode, resource: unknown, operation: unknown): Operation {
	const found = findOperation(service, resource, operation);
	if (found) return found;
	const invalid = new InvalidValueError(
		'Operation',
		`is '${String(operation)}' of '${String(resource)}', which does not exist`,
		'Choose a resource and an operation from the lists',
	);
	throw toNodeError({ node, action: 'Choose operation' }, invalid);
}

function placeOf(
	node: INode,
	service: Service,
	{ action, statusWords }: Operation,
	itemIndex: number,
): ErrorContext & { itemIndex: number } {
	const { addressField } = service;
	return { node, action, itemIndex, addressField, statusWords: { ...service.statusWords, ...statusWords } };
}

async function runItems(
	context: IExecuteFunctions,
	service: Service,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const items = context.getInputData();
	const { network, batchSize, batchInterval, callsAtOnce, wire } = await readRunSettings(
		context,
		service,
		operation,
	);

	const parametersOf = createParameterReader(context, (name, itemIndex) =>
		context.getNodeParameter(name, itemIndex, '', UNCHECKED),
	);
	const limit = pLimit(callsAtOnce);
	const signal = context.getExecutionCancelSignal();
	const results: INodeExecutionData[][] = [];
	const thrown = new Map<number, unknown>();
	const tasks: Array<Promise<void>> = [];
	for (let start = 0; start < items.length; start += batchInterval ? batchSize : items.length) {
		if (start > 0) await sleep(batchInterval, signal);
		const end = batchInterval ? Math.min(start + batchSize, items.length) : items.length;
		for (let itemIndex = start; itemIndex < end; itemIndex++) {
			const place = placeOf(node, service, operation, itemIndex);
			const work = async () => {
				if (thrown.size > 0 || signal?.aborted) return;
				try {
					results[itemIndex] = await linked(context, place, async () => {
						const run = createItemContext(context, place, wire, parametersOf(itemIndex));
						return await runItem(run, service, operation, network);
					});
				} catch (error) {
					thrown.set(itemIndex, error);
				}
			};
			tasks.push(limit(work));
		}
	}
	await Promise.all(tasks);
	if (thrown.size > 0) throw thrown.get(Math.min(...thrown.keys()));
	return [results.flat()];
}

/** What is the same for all items of a run: read once, from the first. */
export async function readRunSettings(context: IExecuteFunctions, service: Service, operation: Operation) {
	const node = context.getNode();
	try {
		const options = context.getNodeParameter('options', 0, {});
		return {
			...readRequestOptions(context.getNodeParameter('requestOptions', 0, {})),
			callsAtOnce: readCallsAtOnce(isRecord(options) ? options.callsAtOnce : undefined),
			wire: await readTimeZone(context, service, operation),
		};
	} catch (error) {
		throw toNodeError({ node, action: operation.action }, error);
	}
}

/** Links what an item gives to it; under "continue on fail" what went wrong is given, linked too. */
async function linked(
	context: Pick<IExecuteFunctions, 'continueOnFail'>,
	place: { node: INode; action: string; itemIndex: number },
	work: () => Promise<IDataObject[]>,
): Promise<INodeExecutionData[]> {
	const pairedItem = { item: place.itemIndex };
	try {
		return (await work()).map((json) => ({ json, pairedItem }));
	} catch (error) {
		const nodeError = toNodeError(place, error);
		if (!context.continueOnFail()) throw nodeError;
		return [{ ...failedItem(nodeError), pairedItem }];
	}
}

/**
 * What stands in the error output for an item that did not go through. n8n knows it by these two fields; an `error` on
 * the item itself would make it drop the details.
 */
export function failedItem(error: ReturnType<typeof toNodeError>): INodeExecutionData {
	const details = {
		description: error.description ?? '',
		...(isRecord(error.context.service) ? error.context.service : {}),
	};
	return { json: { error: error.message, details: details as IDataObject } };
}

async function runItem(
	run: ItemContext,
	service: Service,
	operation: Operation,
	network: ServiceRequest['network'],
): Promise<IDataObject[]> {
	const { kind } = operation.output;
	const limit =
		kind === 'list' && run.read('returnAll') !== true
			? readLimit(run.read('limit'))
			: Number.POSITIVE_INFINITY;
	const shape = outputShaper(run, operation);
	const request = await prepareRequest(run, service, operation, network);
	const body = operation.fetch ? await operation.fetch(run, request, limit) : (await run.call(request)).body;
	const answer = operation.postReceive ? operation.postReceive(run, body) : body;
	if (kind === 'record' && (answer === undefined || answer === null)) return [{ success: true }];
	const records = kind === 'record' ? [answer] : readList(run, answer).slice(0, limit);
	return records.map(shape);
}

/**
 * The call of one item, everything in it checked.
 *
 * @throws InvalidValueError that names the parameter as displayed
 */
export async function prepareRequest(
	run: ItemContext,
	{ credential }: Service,
	operation: Operation,
	network: ServiceRequest['network'],
): Promise<ServiceRequest> {
	const request = { ...buildRequest(run, operation), credential, network };
	applyOptions(request, run.options, operation.takesSystem ?? true);
	await operation.complete?.(run, request);
	return request;
}

/** @returns what turns a record of the service into the output that the item asks for */
export function outputShaper(run: ItemContext, { output }: Operation): (record: unknown) => IDataObject {
	const mode = (output.simplified ? run.read('output') : 'raw') as OutputMode;
	const fields = mode === 'selected' ? readChosenFields(run.read('outputFields')) : [];
	return (record) => shapeRecord(record, output, mode, fields);
}

function buildRequest(
	run: ItemContext,
	{ method, path, pathFields = [], query = [], body }: Operation,
): Omit<ServiceRequest, 'credential'> & { query: IDataObject } {
	const values = Object.fromEntries(
		pathFields.map(({ placeholder, kind, property }) => [
			placeholder,
			checkValue(run.read(property.name), kind, property.displayName),
		]),
	);
	return {
		method,
		path: fillPath(path, values),
		query: Object.assign({}, ...query.map((part) => readQuery(part, run))) as IDataObject,
		...(body ? { body: readBody(body, run.read, run.wire) } : {}),
	};
}

function readQuery({ collection, fields }: QueryPart, run: ItemContext): Record<string, unknown> {
	const values = collection ? run.read(collection.name) : readOpen(fields, run.read);
	return isRecord(values) ? toObject(fields, withoutEmpty(values), run.wire) : {};
}

function readLimit(value: unknown): number {
	const limit = Number(value === '' ? 50 : value);
	if (Number.isSafeInteger(limit) && limit >= 1) return limit;
	throw new InvalidValueError(
		'Limit',
		`is ${String(value)}`,
		"Enter a whole number from 1, or switch on 'Return All'",
	);
}

function readChosenFields(value: unknown): string[] {
	const fields = toList(value).map(String);
	if (fields.length > 0) return fields;
	throw new InvalidValueError('Fields', 'is empty', "Choose at least one field, or another 'Output'");
}

function readList(run: ItemContext, body: unknown): unknown[] {
	if (body === undefined) return [];
	if (Array.isArray(body)) return body;
	throw unreadableResponseError(run.place, 200, 'something that is not a list');
}

/** The credential's Time Zone, where an operation takes dates and times. */
async function readTimeZone(
	context: CallingContext,
	{ credential }: Service,
	{ query = [], body, parameters = [] }: Operation,
): Promise<WireContext> {
	const fields = [
		...query.flatMap((part) => part.fields),
		...(body?.sections ?? []).flatMap((section) => section.fields),
	];
	const takesTimes = fields.some(hasTime) || parameters.some(({ type }) => type === 'dateTime');
	if (!takesTimes || credential !== 'hospitalityBookingApi') return { zone: 'UTC' };
	const { timeZone } = await readRunCredentials(context, credential);
	return { zone: checkTimeZone(timeZone) };
}

function hasTime({ property, entries = [] }: Field): boolean {
	return property.type === 'dateTime' || entries.some(hasTime);
}
