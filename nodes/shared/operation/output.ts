import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { OutputShape } from '../booking/recordShape';
import { responseFields } from '../contract/responseFields';

/** Name of the parameter 'Fields'. */
export const OUTPUT_FIELDS = 'outputFields';

/** @returns the fields of a record, to choose from */
function fieldOptions(schema = ''): INodePropertyOptions[] {
	return (responseFields[schema] ?? []).map((name) => ({ name, value: name }));
}

/** The parameters 'Output' and 'Fields', for operations that return records of more than 10 fields. */
export function outputProperties({ schema, simplified }: OutputShape): INodeProperties[] {
	if (!simplified || schema === undefined) return [];
	return [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Simplified',
					value: 'simplified',
					description: 'At most 10 useful fields, flattened',
				},
				{ name: 'Raw', value: 'raw', description: 'Everything the service returns' },
				{ name: 'Selected Fields', value: 'selected', description: 'Only the fields you choose' },
			],
			default: 'simplified',
			description: 'How much of each record to return',
		},
		{
			displayName: 'Fields',
			name: OUTPUT_FIELDS,
			type: 'multiOptions',
			options: fieldOptions(schema),
			default: [],
			required: true,
			description: 'The fields to return',
			displayOptions: { show: { output: ['selected'] } },
		},
	];
}
