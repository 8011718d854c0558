import {
	type INodeProperties,
	type INodePropertyOptions,
	updateDisplayOptions,
} from 'n8n-workflow';
import escape from 'lodash/escape';
import map from 'lodash/map';
import omit from 'lodash/omit';
import partition from 'lodash/partition';

import { collectionOf } from '../form/fields';
import { type Form, readParameter } from '../form/readParameter';
import { type Section, choice, parameter } from '../form/rows';
import { groupedBy } from '../values/keys';
import { joined } from '../values/plainText';
import type { BodyPart, Operation, Resource, Service } from './operation';
import { optionsOf } from './options';
import { outputProperties } from './output';

/** The form of a node: Resource, Operation, then the parameters of each operation, Options last. */
export function nodeProperties(service: Service): INodeProperties[] {
	const { resources, main } = service;
	const entries = resources.map(({ name, value, description }) => {
		return { name, value, description };
	});
	const resource = choice('Resource', 'resource', entries, { default: main });
	const operations = resources.map(operationList);
	const others = resources.flatMap(resourceProperties);
	return [resource.property].concat(operations, others);
}

function operationList(resource: Resource): INodeProperties {
	const entries = resource.operations.map(operationEntry);
	const list = choice('Operation', 'operation', entries, {
		displayOptions: { show: { resource: [resource.value] } },
		default: resource.main.value,
	});
	return list.property;
}

/** The entry in the Operation list, with the call in n8n's declarative form. */
function operationEntry(operation: Operation): INodePropertyOptions {
	let url = operation.path;
	for (const { path, property } of operation.pathFields ?? []) {
		url = url.replace(`{${path}}`, `{{ encodeURIComponent($parameter["${property.name}"]) }}`);
	}
	if (url !== operation.path) url = `=${url}`;
	return {
		name: operation.name,
		value: operation.value,
		action: operation.action,
		description: operation.description,
		routing: { request: { method: operation.method, url } },
	};
}

function resourceProperties({ value, operations }: Resource): INodeProperties[] {
	const properties = operations.map((operation) => {
		const ofOperation = operationProperties(operation);
		return shownAt(value, [operation.value], ofOperation);
	});
	// Operations of a resource with the same options share one collection.
	for (const same of groupedBy(operations, optionNames)) {
		const options = optionsOf(same[0]);
		const names = map(same, 'value');
		properties.push(shownAt(value, names, [options]));
	}
	return properties.flat();
}

function optionNames(operation: Operation): string {
	const { options } = optionsOf(operation);
	return map(options, 'name').join();
}

function shownAt(
	resource: string,
	operation: string[],
	properties: INodeProperties[],
): INodeProperties[] {
	const show = { resource: [resource], operation };
	return updateDisplayOptions({ show }, properties);
}

/** The parameters of an operation, from its record to its output. */
function operationProperties(operation: Operation): INodeProperties[] {
	const { pathFields = [], query = [], body, parameters = [], output } = operation;
	const [collections, open] = partition(query, 'collection');
	const first = map(pathFields.concat(parameters), 'property');
	return first.concat(
		open.flatMap(sectionProperties),
		body ? bodyProperties(body) : [],
		output.kind === 'list' ? [returnAll.property, limit.property] : [],
		collections.flatMap(sectionProperties),
		outputProperties(output, 'getFields'),
	);
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
	if (readParameter(form, returnAll) === true) return Infinity;
	return Number(readParameter(form, limit));
}

function sectionProperties({ collection, fields }: Section): INodeProperties[] {
	if (!collection) return map(fields, 'property');
	return [collectionOf(fields, { placeholder: 'Add Field', ...collection })];
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
	const [ofRecord, others] = partition(sections, 'fields[0].namesRecord');
	const records = ofRecord.flatMap(sectionProperties);
	const fields = others.flatMap(sectionProperties);
	const mode: INodeProperties = { ...bodyMode.property };
	if (fields.length === 0) mode.type = 'hidden';
	const recordsBesideJson = ofRecord.flatMap(recordsInJson);
	return shownInMode(USING_FIELDS, records).concat(
		shownInMode(USING_JSON, recordsBesideJson),
		mode,
		shownInMode(USING_FIELDS, fields),
		shownInMode(USING_JSON, [wholeBody, exampleNotice(example)]),
	);
}

const wholeBody: INodeProperties = {
	displayName: 'JSON',
	name: 'jsonBody',
	type: 'json',
	typeOptions: { rows: 12 },
	default: '',
	required: true,
};

/** A notice, not a hint: hints must be short, and n8n's AI builder reads them with every operation. */
function exampleNotice(example: unknown): INodeProperties {
	const json = JSON.stringify(example, null, 1);
	const onOneLine = json.replace(/\n\s*/g, ' ');
	const displayName = `Example, not sent: <code>${escape(onOneLine)}</code>`;
	return { displayName, name: 'jsonExample', type: 'notice', default: '' };
}

function shownInMode(mode: string, properties: INodeProperties[]): INodeProperties[] {
	const show = { bodyMode: [mode] };
	return updateDisplayOptions({ show }, properties);
}

/** Records that the JSON may identify instead, so their parameters may be empty: n8n would check an ID that is empty. */
function recordsInJson({ fields }: Section): INodeProperties[] {
	return fields.map(({ path, property }) => {
		const { description, modes } = property;
		const place = `Leave empty if the JSON contains it as '${path}'`;
		return {
			...property,
			required: false,
			description: joined([description, place]),
			modes: modes?.map((mode) => omit(mode, 'validation')),
		};
	});
}
