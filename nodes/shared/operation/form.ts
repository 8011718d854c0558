import { type INodeProperties, type INodePropertyOptions, updateDisplayOptions } from 'n8n-workflow';

import { bodyProperties } from './body';
import { sortedByName } from './fields';
import { type Operation, type QueryPart, type Service, operationOption } from './operation';
import { outputProperties } from './output';

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
		resources.map(({ name, value, description }) => ({ name, value, description })),
		mainResource,
	);
	return [
		{ ...resource, routing: { send: { paginate: true } } },
		...resources.map(({ value, operations, mainOperation }) => ({
			...choice('Operation', 'operation', operations.map(operationOption), mainOperation),
			displayOptions: { show: { resource: [value] } },
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

/** A list to choose from; not by expression, because the form depends on it. */
function choice(
	displayName: string,
	name: string,
	options: INodePropertyOptions[],
	chosen = options[0]?.value,
): INodeProperties {
	return { displayName, name, type: 'options', noDataExpression: true, options, default: chosen };
}

/** The parameters of an operation, from the record it is about to what comes out. */
function operationProperties({
	pathFields = [],
	query = [],
	body,
	parameters = [],
	output,
}: Operation): INodeProperties[] {
	return [
		...pathFields.map(({ property }) => property),
		...parameters,
		...query.flatMap(openProperties),
		...(body ? bodyProperties(body) : []),
		...(output.kind === 'list' ? limitProperties : []),
		...query.flatMap(({ collection, fields }) =>
			collection ? [{ ...collection, options: sortedByName(fields.map(({ property }) => property)) }] : [],
		),
		...outputProperties(output),
	];
}

function openProperties({ shownFor, collection, fields }: QueryPart): INodeProperties[] {
	const properties = collection ? [] : fields.map(({ property }) => property);
	if (!shownFor) return properties;
	return updateDisplayOptions({ show: { [shownFor.parameter]: [shownFor.value] } }, properties);
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
