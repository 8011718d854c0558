import type { IDataObject, IExecuteFunctions, IExecuteSingleFunctions, INode } from 'n8n-workflow';
import once from 'lodash/once';

import type { ErrorContext } from '../errors/nodeErrors';
import type { StatusWords } from '../errors/words';
import type { OpenAccount, ServiceRequest } from '../auth/account';
import type { ServiceResponse } from '../http/response';
import { isRecord } from '../values/record';
import { unwrapLocator } from './formValues';

/** n8n's own check of a value is skipped: it names a parameter as the workflow does, not as the form does. */
export const UNCHECKED = { skipValidation: true };

/** Per-item execution context. It is also what errors need to say where they happened. */
export interface ItemContext extends ErrorContext {
	/** n8n's functions of the run. */
	context: IExecuteFunctions | IExecuteSingleFunctions;
	account: OpenAccount;
	/** From 0. */
	itemIndex: number;
	/** IANA name: the credential's Time Zone, for dates and times without an offset. */
	timeZone: string;
	/** The 'Options' collection of the item. */
	readonly options: IDataObject;
	/** Records of the response that 'Limit' left out. */
	leftOut?: number;
	/** A parameter's value for this item; '' when it is not on the form. */
	read(name: string): unknown;
	call(request: ServiceRequest): Promise<ServiceResponse>;
}

/**
 * @param errorContext of the item
 * @param readRaw reads a parameter of the item, with '' as the fallback
 */
export function createItemContext(
	context: ItemContext['context'],
	account: OpenAccount,
	errorContext: ErrorContext & { itemIndex: number },
	timeZone: string,
	readRaw: (name: string) => unknown,
): ItemContext {
	const read = (name: string) => {
		const value = unwrapLocator(readRaw(name));
		return isAutoMapped(value) ? { ...value, value: inputJson(context, errorContext.itemIndex) } : value;
	};
	const readOptions = once(() => read('options'));
	return {
		...errorContext,
		context,
		account,
		timeZone,
		get options() {
			const options = readOptions();
			return isRecord(options) ? (options as IDataObject) : {};
		},
		read,
		call: async (request) => await account.call(request, errorContext),
	};
}

/** @returns what errors of an item need to say where they happened */
export function errorContextOf(
	node: INode,
	{ addressField, statusWords }: { addressField?: string; statusWords?: StatusWords },
	operation: { action: string; statusWords?: StatusWords; narrowedBy?: string },
	itemIndex: number,
): ErrorContext & { itemIndex: number } {
	const words = { ...statusWords, ...operation.statusWords };
	const { action, narrowedBy } = operation;
	return { node, action, itemIndex, addressField, statusWords: words, inRun: true, narrowedBy };
}

/** A resource mapper that maps automatically takes its values from the input item. */
function isAutoMapped(value: unknown): value is Record<string, unknown> {
	return isRecord(value) && value.mappingMode === 'autoMapInputData';
}

function inputJson(context: ItemContext['context'], itemIndex: number): IDataObject {
	const input = context.getInputData();
	return (Array.isArray(input) ? input[itemIndex] : input)?.json ?? {};
}
