import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import memoize from 'lodash/memoize';

import { responseFields } from '../contract/responseFields';
import { InvalidValueError } from '../values/invalidValue';
import {
	type OutputMode,
	type OutputShape,
	type ShapeContext,
	shapeRecord,
} from '../output/recordShape';
import { choice, parameter } from '../form/rows';
import type { Field } from '../form/fields';
import { type Service, findOperation } from './operation';
import { type Form, readParameter } from '../form/readParameter';

const outputMode = choice('Output', 'output', [
	{ name: 'Simplified', value: 'simplified', description: 'The most useful fields, flattened' },
	{ name: 'Raw', value: 'raw', description: 'Everything the service returns' },
	{ name: 'Selected Fields', value: 'selected', description: 'Only the fields you choose' },
]);

/** The parameter 'Fields': the simplified ones first. */
const outputFields = memoize(({ schema = '', simplified, id = 'id' }: OutputShape): Field => {
	const names = [
		...new Set([...Object.keys({ ...simplified }), ...(responseFields[schema] ?? [])]),
	];
	return parameter('Fields', 'outputFields', {
		anyOf: names.map((name) => ({ name, value: name })),
		required: true,
		description: `Fields to return besides ${id}`,
		displayOptions: { show: { output: ['selected'] } },
	});
});

/**
 * The parameters 'Output' and 'Fields', for operations that return records of more than 10 fields.
 *
 * @param method the node's method that fills 'Fields', see {@link outputFieldsOf}; by default the form contains the list
 */
export function outputProperties(shape: OutputShape, method?: string): INodeProperties[] {
	const { schema, simplified } = shape;
	if (!simplified || schema === undefined) return [];
	const propertyHint = `Simplified: ${Object.keys(simplified).join(', ')}`;
	const { options, ...fields } = outputFields(shape).property;
	return [
		{ ...outputMode.property, builderHint: { propertyHint } },
		{
			...fields,
			...(method === undefined
				? { options }
				: {
						typeOptions: {
							loadOptionsMethod: method,
							loadOptionsDependsOn: ['resource', 'operation'],
						},
					}),
		},
	];
}

/**
 * For a node with many operations: n8n loads the list when a person opens it. Repeated on the form of each operation, it
 * would be most of what n8n's AI builder reads.
 */
export function outputFieldsOf(service: Service) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { output } = findOperation(service, (name) => this.getCurrentNodeParameter(name));
		return outputFields(output).property.options as INodePropertyOptions[];
	};
}

/**
 * Reads 'Output' and 'Fields'.
 *
 * @param context settings of the account for reading records
 * @returns a function from a record of the service to its output; with names, to these fields in the form that they have there
 * @throws InvalidValueError for an unknown 'Output' or field, and if no field is chosen
 */
export function recordShaper(
	form: Form,
	shape: OutputShape,
	context: ShapeContext,
): (record: unknown, names?: readonly string[]) => IDataObject {
	const mode = shape.simplified ? readParameter(form, outputMode) : 'raw';
	const { serialize } = outputFields(shape);
	const fields =
		mode === 'selected' ? (serialize(form.getParameter('outputFields')) as string[]) : [];
	if (mode === 'selected' && fields.length === 0)
		throw new InvalidValueError(
			'Fields',
			'is empty',
			"Choose at least one field, or another 'Output'",
		);
	return (record, names) =>
		names && mode !== 'raw'
			? shapeRecord(record, shape, 'selected', names, context)
			: shapeRecord(record, shape, mode as OutputMode, fields, context);
}
