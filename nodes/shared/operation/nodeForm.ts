import {
	type INodeProperties,
	type INodePropertyOptions,
	updateDisplayOptions,
} from 'n8n-workflow';
import escape from 'lodash/escape';
import groupBy from 'lodash/groupBy';
import map from 'lodash/map';
import omit from 'lodash/omit';
import partition from 'lodash/partition';
import pick from 'lodash/pick';
import reject from 'lodash/reject';

import { joined } from '../values/plainText';
import { choice, parameter } from '../form/rows';
import { type Field, collectionOf } from '../form/fields';
import type { BodyPart, Operation, Service } from './operation';
import type { Section } from '../form/rows';
import { optionsOf } from './options';
import { type Form, readParameter } from '../form/readParameter';
import { outputProperties } from './output';

/** The form of a node: Resource, Operation, then the parameters of each operation, Options last. */
export function nodeProperties(service: Service): INodeProperties[] {
	const { resources, main } = service;
	const resource = choice(
		'Resource',
		'resource',
		resources.map((one) => pick(one, ['name', 'value', 'description'])),
		{ default: main },
	);
	return [
		resource.property,
		...resources.map(
			(one) =>
				choice('Operation', 'operation', one.operations.map(operationOption), {
					displayOptions: { show: { resource: [one.value] } },
					default: one.main.value,
				}).property,
		),
		...resources.flatMap(({ value, operations }) => [
			...operations.flatMap((operation) =>
				shownAt(value, [operation.value], operationProperties(operation)),
			),
			...Object.values(groupBy(operations, optionNames)).flatMap((same) =>
				shownAt(value, map(same, 'value'), same.slice(0, 1).map(optionsOf)),
			),
		]),
	];
}

function shownAt(
	resource: string,
	operation: string[],
	properties: INodeProperties[],
): INodeProperties[] {
	return updateDisplayOptions({ show: { resource: [resource], operation } }, properties);
}

/** Operations of a resource with the same options share one collection. */
function optionNames(operation: Operation): string {
	return map(optionsOf(operation).options, 'name').join();
}

/** The entry in the Operation list, with the call in n8n's declarative form. */
function operationOption({
	method,
	path,
	pathFields = [],
	...operation
}: Operation): INodePropertyOptions {
	const url = pathFields.reduce(
		(text, { path: placeholder, property: { name } }) =>
			text.replace(`{${placeholder}}`, `{{ encodeURIComponent($parameter["${name}"]) }}`),
		path,
	);
	return {
		...pick(operation, ['name', 'value', 'action', 'description']),
		routing: { request: { method, url: url === path ? url : `=${url}` } },
	};
}

/** The parameters of an operation, from its record to its output. */
function operationProperties(operation: Operation): INodeProperties[] {
	const { pathFields = [], query = [], body, parameters = [], output } = operation;
	const [collections, open] = partition(query, ({ collection }) => collection);
	return [
		...[...pathFields, ...parameters].map(({ property }) => property),
		...open.flatMap(sectionProperties),
		...(body ? bodyProperties(body) : []),
		...(output.kind === 'list' ? [returnAll.property, limit.property] : []),
		...collections.flatMap(sectionProperties),
		...outputProperties(output, 'getFields'),
	];
}

const returnAll = parameter('Return All', 'returnAll', {
	as: 'boolean',
	description: 'Whether to return all results or only up to a given limit',
});
const limit = parameter('Limit', 'limit', {
	as: 'integer',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
});

/** @returns the most records that an item outputs; Infinity for all */
export function readLimit(form: Form): number {
	return readParameter(form, returnAll) === true ? Infinity : Number(readParameter(form, limit));
}

function sectionProperties({ collection, fields }: Section): INodeProperties[] {
	return collection
		? [collectionOf(fields, { placeholder: 'Add Field', ...collection })]
		: map(fields, 'property');
}

const USING_FIELDS = 'fields';
const USING_JSON = 'json';

export const bodyMode = choice('Specify Values', 'bodyMode', [
	{ name: 'Using Fields Below', value: USING_FIELDS },
	{
		name: 'Using JSON',
		value: USING_JSON,
		description: 'Only JSON clears a value: give it as "", [] or null',
	},
]);

/** Whether the body comes from JSON, not from fields. */
export function usesJson(form: Form): boolean {
	return readParameter(form, bodyMode) === USING_JSON;
}

/** The parameters of a body: the record, 'Specify Values', then the fields or the JSON. */
function bodyProperties({ sections, example }: BodyPart): INodeProperties[] {
	const fields = reject(sections, 'fields[0].namesRecord').flatMap(sectionProperties);
	const whole: INodeProperties = {
		displayName: 'JSON',
		name: 'jsonBody',
		type: 'json',
		typeOptions: { rows: 12 },
		default: '',
		required: true,
	};
	const records = recordFields(sections);
	return [
		...shownInMode(USING_FIELDS, ...records.map(({ property }) => property)),
		...shownInMode(USING_JSON, ...records.map(orInJson)),
		{ ...bodyMode.property, type: fields.length > 0 ? 'options' : 'hidden' },
		...shownInMode(USING_FIELDS, ...fields),
		...shownInMode(USING_JSON, whole, exampleNotice(example)),
	];
}

/** A notice, not a hint: hints must be short, and n8n's AI builder reads them with every operation. */
function exampleNotice(example: unknown): INodeProperties {
	const onOneLine = JSON.stringify(example, null, 1).replace(/\n\s*/g, ' ');
	const displayName = `Example, not sent: <code>${escape(onOneLine)}</code>`;
	return { displayName, name: 'jsonExample', type: 'notice', default: '' };
}

function shownInMode(mode: string, ...properties: INodeProperties[]): INodeProperties[] {
	return updateDisplayOptions({ show: { bodyMode: [mode] } }, properties);
}

/** A record that the JSON may identify instead, so the parameter may be empty: n8n would check an ID that is empty. */
function orInJson({ path, property }: Field): INodeProperties {
	const place = `Leave empty if the JSON contains it as '${path}'`;
	const description = joined([property.description, place]);
	const modes = property.modes?.map((mode) => omit(mode, 'validation'));
	return { ...property, required: false, description, ...(modes && { modes }) };
}

export function recordFields(sections: readonly Section[]): Field[] {
	return sections.flatMap(({ fields }) => fields).filter(({ namesRecord }) => namesRecord);
}
