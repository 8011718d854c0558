import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import keys from 'lodash/keys';
import memoize from 'lodash/memoize';

import { responseFields } from '../contract/responseFields';
import type { Field } from '../form/fields';
import { makeField } from '../form/makeField';
import { type Form, readParameter } from '../form/readParameter';
import { choice, parameter } from '../form/rows';
import {
	type OutputShape,
	type RelatedData,
	type Shaper,
	selectedShaper,
	shapeRaw,
} from '../output/recordShape';
import type { ShapeContext } from '../output/recordView';
import { InvalidValueError } from '../values/invalidValue';
import { type Service, findOperation } from './operation';
import { unique } from '../values/keys';

const outputMode = choice('Output', 'output', [
	{ name: 'Simplified', value: 'simplified', description: 'The most useful fields, flattened' },
	{ name: 'Raw', value: 'raw', description: 'Everything the service returns' },
	{ name: 'Selected Fields', value: 'selected', description: 'Only the fields you choose' },
]);

/** The parameter 'Fields': the simplified ones first, then those that are computed, then those of the response. */
const outputFields = memoize((shape: OutputShape): Field => {
	const ofResponse = responseFields[shape.schema ?? ''];
	const names = unique(keys(shape.simplified).concat(keys(shape.computed), ofResponse ?? []));
	return parameter('Fields', 'outputFields', {
		anyOf: names.map((name) => ({ name, value: name })),
		required: true,
		description: `Fields to return besides ${idOf(shape)}`,
		displayOptions: { show: { output: ['selected'] } },
	});
});

/** The parameter that says which related data is asked for: with the other outputs, that follows from their fields. */
const relatedField = memoize(({ field }: RelatedData): Field =>
	makeField({ ...field, displayOptions: { show: { output: ['raw'] } } }),
);

/**
 * The parameters 'Output' and 'Fields', and what to include in 'Raw', for operations that return records of more than 10
 * fields.
 *
 * @param method the node's method that fills 'Fields', see {@link outputFieldsOf}; by default the form contains the list
 */
export function outputProperties(shape: OutputShape, method?: string): INodeProperties[] {
	const { schema, simplified, related } = shape;
	if (!simplified || schema === undefined) return [];
	const propertyHint = `Simplified: ${Object.keys(simplified).join(', ')}`;
	const mode: INodeProperties = { ...outputMode.property, builderHint: { propertyHint } };
	const fields: INodeProperties = { ...outputFields(shape).property };
	if (method !== undefined) {
		delete fields.options;
		const loadOptionsDependsOn = ['resource', 'operation'];
		fields.typeOptions = { loadOptionsMethod: method, loadOptionsDependsOn };
	}
	const properties = [mode, fields];
	if (related) properties.push(relatedField(related).property);
	return properties;
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

function idOf(shape: OutputShape): string {
	return shape.id ?? 'id';
}

/**
 * @returns the names of the fields to output, the record's ID included; undefined for 'Raw'
 * @throws InvalidValueError for an unknown 'Output' or field, and if no field is chosen
 */
function readOutputNames(form: Form, shape: OutputShape): string[] | undefined {
	if (!shape.simplified) return undefined;
	const mode = readParameter(form, outputMode);
	if (mode === 'raw') return undefined;
	if (mode === 'simplified') return Object.keys(shape.simplified);
	const fields = outputFields(shape).serialize(form.getParameter('outputFields')) as string[];
	if (fields.length > 0) return [idOf(shape)].concat(fields);
	const hint = "Choose at least one field, or another 'Output'";
	throw new InvalidValueError('Fields', 'is empty', hint);
}

/**
 * Reads 'Output' and 'Fields'.
 *
 * @param context settings of the account for reading records
 * @param about fields that are output whatever the form says, but for 'Raw'
 * @returns a function from a record of the service to its output; with names, to these fields in the form that they have there
 * @throws InvalidValueError for an unknown 'Output' or field, and if no field is chosen
 */
export function recordShaper(
	form: Form,
	shape: OutputShape,
	context: ShapeContext,
	about: readonly string[] = [],
): (record: unknown, only?: readonly string[]) => ReturnType<Shaper> {
	const names = readOutputNames(form, shape);
	if (!names) return shapeRaw;
	const shapeWhole = selectedShaper(shape, names.concat(about), context);
	return (record, only) => {
		if (!only) return shapeWhole(record);
		const shapePart = selectedShaper(shape, [idOf(shape)].concat(only), context);
		return shapePart(record);
	};
}

/**
 * Reads what the service is asked for besides the records themselves: what the output needs or, for 'Raw', what the form says.
 *
 * @returns names of flags in the query
 * @throws InvalidValueError as {@link recordShaper} does, and for an unknown flag
 */
export function readRelated(form: Form, shape: OutputShape): string[] {
	const { related } = shape;
	if (!related) return [];
	const names = readOutputNames(form, shape);
	if (names) return unique(names.flatMap((name) => related.neededBy[name] ?? []));
	const chosen = form.getParameter(related.field.path);
	return relatedField(related).serialize(chosen) as string[];
}
