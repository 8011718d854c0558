import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import isEqual from 'lodash/isEqual';

import { bodyProperties } from './body';
import { type Operation, type Resource, type Service, operationOption } from './operation';
import { outputProperties } from './output';

/**
 * The whole form of a node: Resource, then Operation, then what each operation needs.
 *
 * @param shared parameters of all operations, shown last
 */
export function nodeProperties(
	{ resources }: Service,
	shared: readonly INodeProperties[],
): INodeProperties[] {
	const resource = choice(
		'Resource',
		'resource',
		resources.map(({ name, value, description }) => ({ name, value, description })),
	);
	return [
		{ ...resource, routing: { send: { paginate: true } } },
		...resources.map(({ value, operations }) => ({
			...choice('Operation', 'operation', operations.map(operationOption)),
			displayOptions: { show: { resource: [value] } },
		})),
		...resources.flatMap(resourceProperties),
		...shared,
	];
}

/** A list to choose from, the first entry chosen; not by expression, because the form depends on it. */
function choice(displayName: string, name: string, options: INodePropertyOptions[]): INodeProperties {
	const chosen = options[0]?.value;
	return { displayName, name, type: 'options', noDataExpression: true, options, default: chosen };
}

/** Parameters that are the same for several operations of a resource become one, shown for each of them. */
function resourceProperties({ value, operations }: Resource): INodeProperties[] {
	const merged: Array<{ property: INodeProperties; operations: string[] }> = [];
	for (const operation of operations) {
		for (const property of operationProperties(operation)) {
			const same = merged.find((entry) => isEqual(entry.property, property));
			if (same) same.operations.push(operation.value);
			else merged.push({ property, operations: [operation.value] });
		}
	}
	return merged.map(({ property, operations: shownFor }) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { resource: [value], operation: shownFor, ...property.displayOptions?.show },
		},
	}));
}

function operationProperties(operation: Operation): INodeProperties[] {
	const { pathFields = [], query = [], body, parameters = [], output } = operation;
	return [
		...pathFields.map(({ property }) => property),
		...query
			.filter(({ collection }) => !collection)
			.flatMap(({ fields }) => fields.map(({ property }) => property)),
		...parameters,
		...(body ? bodyProperties(body) : []),
		...(output.kind === 'list' ? limitProperties : []),
		...query.flatMap(({ collection, fields }) =>
			collection ? [{ ...collection, options: fields.map(({ property }) => property) }] : [],
		),
		...outputProperties(output),
	];
}

const limitProperties: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];
