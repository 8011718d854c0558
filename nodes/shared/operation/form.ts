import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import isEqual from 'lodash/isEqual';

import { bodyProperties, sortedByName } from './body';
import { type Operation, type Resource, type Service, findOperation, operationOption } from './operation';
import { OUTPUT_FIELDS, fieldOptions, outputProperties } from './output';

/**
 * The whole form of a node: Resource, then Operation, then what each operation needs.
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
		...formProperties(resources),
		...shared,
	];
}

/** A list to choose from, one entry chosen; not by expression, because the form depends on it. */
function choice(
	displayName: string,
	name: string,
	options: INodePropertyOptions[],
	chosen = options[0]?.value,
): INodeProperties {
	return { displayName, name, type: 'options', noDataExpression: true, options, default: chosen };
}

/** A parameter and the operations that have it. */
interface Merged {
	property: INodeProperties;
	shownFor: Array<[resource: string, operation: string]>;
}

/**
 * The parameters of all operations. n8n visits each for every item, so those that are the same for several operations
 * become one, shown for each of them. Part by part, so that every operation's form keeps its order.
 */
function formProperties(resources: readonly Resource[]): INodeProperties[] {
	const all = resources.flatMap(({ value, operations }) =>
		operations.map((operation) => ({ value, operation, parts: formParts(operation) })),
	);
	const has = (resource: string, operation: string) =>
		all.some((entry) => entry.value === resource && entry.operation.value === operation);
	const partCount = Math.max(...all.map(({ parts }) => parts.length));
	return Array.from({ length: partCount }, (_, part) => {
		const merged: Merged[] = [];
		for (const { value } of resources) {
			const own: Merged[] = [];
			for (const { operation, parts } of all.filter((entry) => entry.value === value))
				for (const property of parts[part] ?? []) add(own, property, [[value, operation.value]], () => true);
			for (const { property, shownFor } of own)
				add(merged, property, shownFor, (places) => canShow(places, has));
		}
		const forms = all.map(({ value, operation, parts }) =>
			(parts[part] ?? []).flatMap(
				(property) =>
					merged.find(
						(entry) =>
							isEqual(entry.property, property) &&
							entry.shownFor.some((place) => isEqual(place, [value, operation.value])),
					) ?? [],
			),
		);
		return inOrder(merged, forms).map(shown);
	}).flat();
}

/** Sorts parameters so that each form keeps its own order, as long as the forms do not contradict each other. */
function inOrder(merged: readonly Merged[], forms: ReadonlyArray<readonly Merged[]>): Merged[] {
	const left = [...merged];
	const isNext = (entry: Merged) =>
		forms.every((form) =>
			form.slice(0, Math.max(form.indexOf(entry), 0)).every((own) => !left.includes(own)),
		);
	return merged.map(() => {
		const [next] = left.splice(Math.max(left.findIndex(isNext), 0), 1);
		return next as Merged;
	});
}

/** Adds places to the entry with the same parameter, where there is one that can be shown for all of them. */
function add(
	merged: Merged[],
	property: INodeProperties,
	places: Merged['shownFor'],
	fits: (places: Merged['shownFor']) => boolean,
): void {
	const same = merged.find(
		(entry) => isEqual(entry.property, property) && fits([...entry.shownFor, ...places]),
	);
	if (same) same.shownFor.push(...places);
	else merged.push({ property, shownFor: [...places] });
}

/** n8n shows a parameter for every pair of the resources and operations listed: none may be another's. */
function canShow(
	places: Merged['shownFor'],
	exists: (resource: string, operation: string) => boolean,
): boolean {
	const pairs = places.flatMap(([resource]) => places.map(([, operation]) => [resource, operation] as const));
	return pairs.every(
		([resource, operation]) =>
			!exists(resource, operation) || places.some((own) => own[0] === resource && own[1] === operation),
	);
}

function shown({ property, shownFor }: Merged): INodeProperties {
	const resource = [...new Set(shownFor.map(([value]) => value))];
	const operation = [...new Set(shownFor.map(([, value]) => value))];
	return {
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { resource, operation, ...property.displayOptions?.show },
		},
	};
}

/** The form of an operation, from the record it is about to what comes out. */
function formParts({
	pathFields = [],
	query = [],
	body,
	parameters = [],
	output,
}: Operation): INodeProperties[][] {
	return [
		pathFields.map(({ property }) => property),
		query
			.filter(({ collection }) => !collection)
			.flatMap(({ fields }) => fields.map(({ property }) => property)),
		[...parameters],
		body ? bodyProperties(body) : [],
		output.kind === 'list' ? limitProperties : [],
		query.flatMap(({ collection, fields }) =>
			collection ? [{ ...collection, options: sortedByName(fields.map(({ property }) => property)) }] : [],
		),
		outputProperties(output).map(withLoadedFields),
	];
}

/** The fields of every record would be a parameter of their own for each; loaded, one serves all operations. */
function withLoadedFields(property: INodeProperties): INodeProperties {
	if (property.name !== OUTPUT_FIELDS) return property;
	const { options: _, ...rest } = property;
	return { ...rest, typeOptions: { loadOptionsMethod: 'getOutputFields' } };
}

/** The method of a node that fills 'Fields': those of the records that the chosen operation returns. */
export function outputFieldsOf(service: Service) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const [resource, operation] = ['resource', 'operation'].map((name) => this.getCurrentNodeParameter(name));
		return fieldOptions(findOperation(service, resource, operation)?.output.schema);
	};
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
