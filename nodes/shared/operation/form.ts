import { type INodeProperties, type INodePropertyOptions, updateDisplayOptions } from 'n8n-workflow';
import partition from 'lodash/partition';
import pick from 'lodash/pick';

import { bodyProperties } from './body';
import { choice, parameter } from './declare';
import type { Operation, Service } from './operation';
import { outputProperties } from './output';
import { sectionProperties } from './sections';

/**
 * The form of a node: Resource, then Operation, then the parameters of each operation.
 *
 * @param shared parameters of all operations, shown last
 */
export function nodeProperties(
	{ resources, mainResource }: Service,
	shared: readonly INodeProperties[],
): INodeProperties[] {
	const resource = choice(
		'Resource',
		'resource',
		resources.map((one) => pick(one, ['name', 'value', 'description'])),
		mainResource ? { default: mainResource } : {},
	);
	return [
		{ ...resource, routing: { send: { paginate: true } } },
		...resources.map(({ value, operations, mainOperation }) => ({
			...choice('Operation', 'operation', operations.map(operationOption), {
				displayOptions: { show: { resource: [value] } },
				...(mainOperation ? { default: mainOperation } : {}),
			}),
		})),
		...resources.flatMap(({ value, operations }) =>
			operations.flatMap((operation) =>
				updateDisplayOptions(
					{ show: { resource: [value], operation: [operation.value] } },
					operationProperties(operation),
				),
			),
		),
		...shared,
	];
}

/**
 * Says under a node what it does as the form says it, e.g. `Cancel: Web Booking`.
 *
 * @returns an expression over the chosen resource and operation
 */
export function subtitleOf({ resources }: Service): string {
	const entries = resources.flatMap(({ value, name, operations }) =>
		operations.map((operation) => [`${value} ${operation.value}`, `${operation.name}: ${name}`]),
	);
	return lookedUp('$parameter["resource"] + " " + $parameter["operation"]', Object.fromEntries(entries));
}

/** @returns an n8n expression that gives the text for what `key` evaluates to */
export function lookedUp(key: string, texts: Record<string, string>): string {
	return `={{ (${JSON.stringify(texts)})[${key}] }}`;
}

/** The entry in the Operation list, with the call in n8n's declarative form. */
function operationOption({ method, path, ...operation }: Operation): INodePropertyOptions {
	return {
		...pick(operation, ['name', 'value', 'action', 'description']),
		routing: { request: { method, url: path } },
	};
}

/** The parameters of an operation, from the record it is about to what comes out. */
function operationProperties({
	pathFields = [],
	query = [],
	body,
	afterCall,
	parameters = [],
	output,
}: Operation): INodeProperties[] {
	const [collections, open] = partition(query, ({ collection }) => collection);
	return [
		...pathFields.map(({ property }) => property),
		...parameters,
		...open.flatMap(sectionProperties),
		...(body ? bodyProperties(body) : []),
		...(output.kind === 'list' ? limitProperties : []),
		...collections.flatMap(sectionProperties),
		...(afterCall ? sectionProperties(afterCall) : []),
		...outputProperties(output),
	];
}

const limitProperties: INodeProperties[] = [
	parameter('Return All', 'returnAll', {
		as: 'boolean',
		description: 'Whether to return all results or only up to a given limit',
	}),
	parameter('Limit', 'limit', {
		as: 'integer',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	}),
];
