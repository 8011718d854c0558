import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { responseFields } from '../contract/responseFields';
import { InvalidValueError } from '../values/invalidValue';
import { type OutputMode, type OutputShape, shapeRecord } from '../values/recordShape';
import { choice } from './declare';
import { toNames } from './formValues';
import type { FormValues } from './operation';

const OUTPUT_MODES = [
	{ name: 'Simplified', value: 'simplified', description: 'At most 10 useful fields, flattened' },
	{ name: 'Raw', value: 'raw', description: 'Everything the service returns' },
	{ name: 'Selected Fields', value: 'selected', description: 'Only the fields you choose' },
];
const MODE_NAMES = OUTPUT_MODES.map(({ value }) => value);

const OUTPUT_FIELDS = 'outputFields';

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

/**
 * Reads 'Output' and 'Fields'.
 *
 * @returns a function from a record of the service to what comes out of it
 * @throws InvalidValueError for an 'Output' or a field that there is not, and where no field is chosen
 */
export function recordShaper(read: FormValues['read'], shape: OutputShape): (record: unknown) => IDataObject {
	const { schema = '', simplified } = shape;
	const [mode = 'simplified'] = simplified ? toNames(read('output'), 'Output', MODE_NAMES) : ['raw'];
	const isSelected = mode === 'selected';
	const fields = isSelected ? toNames(read(OUTPUT_FIELDS), 'Fields', responseFields[schema] ?? []) : [];
	if (isSelected && fields.length === 0)
		throw new InvalidValueError('Fields', 'is empty', "Choose at least one field, or another 'Output'");
	return (record) => shapeRecord(record, shape, mode as OutputMode, fields);
}
