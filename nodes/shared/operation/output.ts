import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
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
	const { simplified, computed, schema = '' } = shape;
	const ofResponse = responseFields[schema] ?? [];
	const names = keys(simplified).concat(keys(computed), ofResponse);
	const entries = unique(names).map((name) => {
		return { name, value: name };
	});
	return parameter('Fields', 'outputFields', {
		anyOf: entries,
		required: true,
		description: `Fields to return besides ${idOf(shape)}`,
		displayOptions: { show: { output: ['selected'] } },
	});
});

/** The parameter that says which related data is asked for: with the other outputs, that follows from their fields. */
const relatedField = memoize(({ field }: RelatedData): Field => {
	const displayOptions = { show: { output: ['raw'] } };
	return makeField({ ...field, displayOptions });
});

/**
 * The parameters 'Output' and 'Fields', and what to include in 'Raw', for operations that return records of more than 10
 * fields.
 *
 * @param method the node's method that fills 'Fields', see {@link outputFieldsOf}; by default the form contains the list
 */
export function outputProperties(shape: OutputShape, method?: string): INodeProperties[] {
	const { schema, simplified, related } = shape;
	if (!simplified || schema === undefined) return [];
	const names = Object.keys(simplified);
	const mode: INodeProperties = {
		...outputMode.property,
		builderHint: { propertyHint: `Simplified: ${names.join(', ')}` },
	};
	const fields: INodeProperties = { ...outputFields(shape).property };
	if (method !== undefined) {
		delete fields.options;
		fields.typeOptions = {
			loadOptionsMethod: method,
			loadOptionsDependsOn: ['resource', 'operation'],
		};
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
		const { options } = outputFields(output).property;
		return options as INodePropertyOptions[];
	};
}

/** @returns names of fields, after that of the record's ID */
function withId(shape: OutputShape, names: readonly string[]): string[] {
	return [idOf(shape)].concat(names);
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
	const chosen = form.getParameter('outputFields');
	const fields = outputFields(shape).serialize(chosen) as string[];
	if (fields.length > 0) return withId(shape, fields);
	const hint = "Choose at least one field, or another 'Output'";
	throw new InvalidValueError('Fields', 'is empty', hint);
}

/** Turns a record of the service into its output or, with names, into these fields in the form that they have there. */
export type PartShaper = (record: unknown, only?: readonly string[]) => IDataObject;

/**
 * Reads 'Output' and 'Fields'.
 *
 * @param context settings of the account for reading records
 * @param about fields that are output whatever the form says, but for 'Raw'
 * @throws InvalidValueError for an unknown 'Output' or field, and if no field is chosen
 */
export function recordShaper(
	form: Form,
	shape: OutputShape,
	context: ShapeContext,
	about: readonly string[] = [],
): PartShaper {
	const names = readOutputNames(form, shape);
	if (!names) return shapeRaw;
	const shapeWhole = selectedShaper(shape, names.concat(about), context);
	return (record, only) => {
		if (!only) return shapeWhole(record);
		const part = withId(shape, only);
		return selectedShaper(shape, part, context)(record);
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
	if (names) {
		const needed = names.flatMap((name) => related.neededBy[name] ?? []);
		return unique(needed);
	}
	const chosen = form.getParameter(related.field.path);
	return relatedField(related).serialize(chosen) as string[];
}
