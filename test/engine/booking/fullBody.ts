import set from 'lodash/set';
import { bodySchema, fieldsOf, operation, sampleOf, typesOf } from '../../sandbox/support/contract';

/**
 * A body with every field that the contract has for an operation, each with a value of its own, so that a value that
 * lands in another field is seen.
 *
 * @param id e.g. `webBooking.update`
 * @param fixed values by place, where the service only takes certain ones
 */
export function fullBody(id: string, fixed: Record<string, unknown> = {}): Record<string, unknown> {
	const schema = bodySchema(operation(id));
	if (!schema) throw new Error(`${id} has no body`);
	const body = sampleOf(schema) as Record<string, unknown>;
	for (const [index, { path, schema: field }] of fieldsOf(schema).entries()) {
		const value = distinctValue(path.join('.'), index, field);
		if (value !== undefined) set(body, path, value);
	}
	for (const [place, value] of Object.entries(fixed)) set(body, place, value);
	return body;
}

/** Undefined where the sample of the contract stays: objects, lists of objects and codes. */
function distinctValue(
	place: string,
	index: number,
	field: ReturnType<typeof fieldsOf>[number]['schema'],
): unknown {
	const [type] = typesOf(field);
	if (field.enum) return undefined;
	if (field.format === 'date-time') {
		const [hour, minute] = [index % 24, index % 60].map((part) => String(part).padStart(2, '0'));
		return `2031-05-01T${hour}:${minute}:00Z`;
	}
	if (field.format === 'uuid') return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
	if (type === 'string') return `${place} é`;
	if (type === 'integer') return 1000 + index;
	if (type === 'number') return 1000.25 + index;
	if (type !== 'array' || field.items === undefined) return undefined;
	const [entry] = typesOf(field.items);
	if (entry === 'string') return [`${place} one`, `${place} two`];
	return entry === 'integer' ? [2000 + index, 3000 + index] : undefined;
}
