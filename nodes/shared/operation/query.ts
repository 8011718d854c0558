import type { Field } from './fields';
import type { QueryPart } from './operation';

/** Optional query parameters, in a collection. */
export function inQuery(
	displayName: string,
	name: string,
	fields: readonly Field[],
	placeholder = 'Add Field',
): QueryPart {
	return { collection: { displayName, name, type: 'collection', placeholder, default: {} }, fields };
}

/** What narrows a list down. */
export function filters(...fields: readonly Field[]): QueryPart {
	return inQuery('Filters', 'filters', fields, 'Add Filter');
}
