import * as n8nWorkflow from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	IPairedItemData,
} from 'n8n-workflow';

import { type OutputMode, type OutputShape, shapeRecord } from '../values/recordShape';
import { responseFields } from '../contract/responseFields';
import { withoutHelp } from '../errors/help';
import { type ErrorContext, toNodeError } from '../errors/nodeErrors';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { choice } from './declare';
import { toNames } from './formValues';
import type { ItemContext } from './itemContext';

const OUTPUT_MODES = [
	{ name: 'Simplified', value: 'simplified', description: 'At most 10 useful fields, flattened' },
	{ name: 'Raw', value: 'raw', description: 'Everything the service returns' },
	{ name: 'Selected Fields', value: 'selected', description: 'Only the fields you choose' },
];

/** Name of the parameter 'Fields'. */
export const OUTPUT_FIELDS = 'outputFields';

/** The parameters 'Output' and 'Fields', for operations that return records of more than 10 fields. */
export function outputProperties({ schema, simplified }: OutputShape): INodeProperties[] {
	if (!simplified || schema === undefined) return [];
	return [
		choice('Output', 'output', OUTPUT_MODES, { description: 'How much of each record to return' }),
		{
			displayName: 'Fields',
			name: OUTPUT_FIELDS,
			type: 'multiOptions',
			options: (responseFields[schema] ?? []).map((name) => ({ name, value: name })),
			default: [],
			required: true,
			description: 'The fields to return',
			displayOptions: { show: { output: ['selected'] } },
		},
	];
}

/** An export of n8n-workflow since 2.41. */
const SINCE_DETAILS = 'checkNodesApiVersion';

/** Adds pairedItem; with Continue On Fail, a failed item comes out as a linked error item. */
export async function linkedItems(
	context: Pick<IExecuteFunctions, 'continueOnFail'>,
	errorContext: ErrorContext & { itemIndex: number },
	execute: () => Promise<IDataObject[]>,
): Promise<INodeExecutionData[]> {
	const pairedItem = { item: errorContext.itemIndex };
	try {
		return (await execute()).map((json) => ({ json, pairedItem }));
	} catch (error) {
		const nodeError = toNodeError(errorContext, error);
		if (!context.continueOnFail()) throw nodeError;
		return [failedItem(nodeError, pairedItem)];
	}
}

/**
 * The error item. n8n knows it by its fields: `error` and `details`; before 2.41 not everywhere by `details`, but by
 * `error` and `message`. (`error` on the item itself would make n8n drop all others.)
 *
 * @param host what n8n-workflow exports, which tells the two apart
 */
export function failedItem(
	error: ReturnType<typeof toNodeError>,
	pairedItem: IPairedItemData,
	host: object = n8nWorkflow,
): INodeExecutionData {
	const description = withoutHelp(error.description ?? '');
	const own = isRecord(error.context.service) ? error.context.service : {};
	const details = { details: { description, ...own } as IDataObject };
	const message = description === '' ? {} : { message: description };
	return { json: { error: error.message, ...(SINCE_DETAILS in host ? details : message) }, pairedItem };
}

/** @returns a function from a record of the service to the output that the item asks for */
export function recordShaper(item: ItemContext, output: OutputShape): (record: unknown) => IDataObject {
	const mode = (output.simplified ? item.read('output') : 'raw') as OutputMode;
	const fields = mode === 'selected' ? readChosenFields(item.read(OUTPUT_FIELDS), output) : [];
	return (record) => shapeRecord(record, output, mode, fields);
}

/** @throws InvalidValueError where none is chosen, or one that such a record does not have */
export function readChosenFields(value: unknown, { schema = '' }: OutputShape): string[] {
	const fields = toNames(value, 'Fields', responseFields[schema] ?? []);
	if (fields.length > 0) return fields;
	throw new InvalidValueError('Fields', 'is empty', "Choose at least one field, or another 'Output'");
}
