import type { QueryPart } from './operation';

/** Optional query parameters, in a collection. */
export function inQuery<F>(
	displayName: string,
	name: string,
	fields: readonly F[],
	placeholder = 'Add Field',
): QueryPart<F> {
	return { collection: { displayName, name, type: 'collection', placeholder, default: {} }, fields };
}

/** What narrows a list down. */
export function filters<F>(...fields: readonly F[]): QueryPart<F> {
	return inQuery('Filters', 'filters', fields, 'Add Filter');
}
