import type { ContractDocument, Schema } from '../../contract/model.ts';
import { resolveSchema } from '../../contract/model.ts';

/** Changes every date-time in a copy of a value. */
export type DateMapper = (
	value: unknown,
	change: (text: string, path: string) => string,
) => unknown;

/**
 * A function that finds the date-times of one schema. `change` gets the text and its path, e.g.
 * `times[0].start`.
 */
export function createDateMapper(contract: ContractDocument, root: Schema): DateMapper {
	const holdsDates = new Map<Schema, boolean>();

	function hasDates(reference: Schema): boolean {
		const schema = resolveSchema(contract, reference);
		const known = holdsDates.get(schema);
		if (known !== undefined) return known;
		holdsDates.set(schema, false);
		const parts = [
			...Object.values(schema.properties ?? {}),
			...(schema.items ? [schema.items] : []),
		];
		const found = schema.format === 'date-time' || parts.some(hasDates);
		holdsDates.set(schema, found);
		return found;
	}

	function map(
		value: unknown,
		reference: Schema,
		path: string,
		change: (text: string, path: string) => string,
	): unknown {
		if (value === null || value === undefined || !hasDates(reference)) return value;
		const schema = resolveSchema(contract, reference);
		if (schema.format === 'date-time') {
			return typeof value === 'string' ? change(value, path) : value;
		}
		if (Array.isArray(value)) {
			const { items } = schema;
			return items ? value.map((item, i) => map(item, items, `${path}[${i}]`, change)) : value;
		}
		if (typeof value !== 'object') return value;
		const record = value as Record<string, unknown>;
		const changed: Record<string, unknown> = { ...record };
		for (const [name, property] of Object.entries(schema.properties ?? {})) {
			if (name in record) {
				changed[name] = map(record[name], property, path ? `${path}.${name}` : name, change);
			}
		}
		return changed;
	}

	return (value, change) => map(value, root, '', change);
}
