import type { IDataObject, ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { responseFields } from '../contract/responseFields';
import { InvalidValueError } from '../values/invalidValue';
import { type OutputMode, type OutputShape, type ShapeContext, shapeRecord } from '../booking/recordShape';
import { choice } from './declare';
import { toNames } from './formValues';
import { type ItemContext, type Service, findOperation } from './operation';

const OUTPUT_MODES = [
	{ name: 'Simplified', value: 'simplified', description: 'The most useful fields, flattened' },
	{ name: 'Raw', value: 'raw', description: 'Everything the service returns' },
	{ name: 'Selected Fields', value: 'selected', description: 'Only the fields you choose' },
];
const MODE_NAMES = OUTPUT_MODES.map(({ value }) => value);

const OUTPUT_FIELDS = 'outputFields';

/**
 * The parameters 'Output' and 'Fields', for operations that return records of more than 10 fields.
 *
 * @param method the node's method that fills 'Fields', see {@link outputFieldsOf}; by default the form contains the list
 * @param named shapes whose fields are named on the form already: n8n's AI builder reads all of it, whatever it asks for
 */
export function outputProperties(
	shape: OutputShape,
	method?: string,
	named = new Set<unknown>(),
): INodeProperties[] {
	const { schema, simplified, id = 'id' } = shape;
	if (!simplified || schema === undefined) return [];
	const propertyHint = `Simplified: ${Object.keys(simplified).join(', ')}`;
	const hint = named.has(simplified) ? {} : { builderHint: { propertyHint } };
	named.add(simplified);
	return [
		choice('Output', 'output', OUTPUT_MODES, hint).property,
		{
			displayName: 'Fields',
			name: OUTPUT_FIELDS,
			type: 'multiOptions',
			...(method === undefined
				? { options: fieldOptions(shape) }
				: { typeOptions: { loadOptionsMethod: method, loadOptionsDependsOn: ['resource', 'operation'] } }),
			default: [],
			required: true,
			description: `Fields to return besides ${id}`,
			displayOptions: { show: { output: ['selected'] } },
		},
	];
}

/**
 * For a node with many operations: n8n loads the list when a person opens it. Repeated on the form of each operation, it
 * would be most of what n8n's AI builder reads.
 */
export function outputFieldsOf(service: Service) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const [resource, operation] = ['resource', 'operation'].map((name) => this.getCurrentNodeParameter(name));
		const found = findOperation(service, resource, operation);
		return found ? fieldOptions(found.output) : [];
	};
}

function fieldOptions(shape: OutputShape): INodePropertyOptions[] {
	return selectableFields(shape).map((name) => ({ name, value: name }));
}

/** @returns the names of the fields that can be chosen, the simplified ones first */
function selectableFields({ schema = '', simplified, selectable }: OutputShape): string[] {
	return [...new Set([...Object.keys({ ...simplified, ...selectable }), ...(responseFields[schema] ?? [])])];
}

/**
 * Reads 'Output' and 'Fields'.
 *
 * @param context settings of the account for reading records
 * @returns a function from a record of the service to its output
 * @throws InvalidValueError for an unknown 'Output' or field, and if no field is chosen
 */
export function recordShaper(
	getParameter: ItemContext['getParameter'],
	shape: OutputShape,
	context: ShapeContext,
): (record: unknown) => IDataObject {
	const [mode = 'simplified'] = shape.simplified
		? toNames(getParameter('output'), 'Output', MODE_NAMES)
		: ['raw'];
	const isSelected = mode === 'selected';
	const fields = isSelected ? toNames(getParameter(OUTPUT_FIELDS), 'Fields', selectableFields(shape)) : [];
	if (isSelected && fields.length === 0)
		throw new InvalidValueError('Fields', 'is empty', "Choose at least one field, or another 'Output'");
	return (record) => shapeRecord(record, shape, mode as OutputMode, fields, context);
}
