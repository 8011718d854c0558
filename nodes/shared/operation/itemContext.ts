import type { IDataObject, IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import type { ErrorContext } from '../errors/nodeErrors';
import { type WireContext, unwrapLocator } from './fields';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { type ServiceResponse, type ServiceRequest, send } from '../http/send';

/** What an operation has at hand while it works on one input item. */
export interface ItemContext {
	context: IExecuteFunctions | IExecuteSingleFunctions;
	/** From 0. */
	itemIndex: number;
	place: ErrorContext;
	/** The 'Options' collection of the item. */
	options: IDataObject;
	wire: WireContext;
	/** A parameter's value for this item, each evaluated once; '' when it is not on the form. */
	read(name: string): unknown;
	call(request: ServiceRequest): Promise<ServiceResponse>;
}

/** @param readRaw reads a parameter of the item, with '' as the fallback */
export function createItemContext(
	context: ItemContext['context'],
	place: ErrorContext & { itemIndex: number },
	wire: WireContext,
	readRaw: (name: string) => unknown,
): ItemContext {
	const read = (name: string) =>
		mapInput(unwrapLocator(readRaw(name)), () => inputJson(context, place.itemIndex));
	const options = read('options');
	return {
		context,
		place,
		itemIndex: place.itemIndex,
		options: isRecord(options) ? (options as IDataObject) : {},
		wire,
		read,
		call: async (request) => await send(context, request, place),
	};
}

/**
 * @param value the 'Calls at Once' option
 * @throws InvalidValueError outside 1–50
 */
export function readCallsAtOnce(value: unknown): number {
	if (value === undefined || value === '') return DEFAULT_CALLS_AT_ONCE;
	if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_CALLS_AT_ONCE)
		return Number(value);
	throw new InvalidValueError(
		'Calls at Once',
		`is ${String(value)}`,
		`Enter a whole number from 1 to ${MAX_CALLS_AT_ONCE}`,
	);
}

export const DEFAULT_CALLS_AT_ONCE = 10;
export const MAX_CALLS_AT_ONCE = 50;

/** A resource mapper that maps automatically takes its values from the input item. */
function mapInput(value: unknown, json: () => IDataObject): unknown {
	return isRecord(value) && value.mappingMode === 'autoMapInputData' ? { ...value, value: json() } : value;
}

function inputJson(context: ItemContext['context'], itemIndex: number): IDataObject {
	const input = context.getInputData();
	return (Array.isArray(input) ? input[itemIndex] : input)?.json ?? {};
}
