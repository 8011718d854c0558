import type { Schema } from '../../contract/model.ts';
import { readContract, resolveSchema } from '../../contract/model.ts';
import { sampleOf, typesOf } from '../../contract/sample.ts';

const contract = readContract();
const EMPTY: Record<string, unknown> = {
	string: '',
	boolean: false,
	integer: 0,
	number: 0,
	array: [],
};

const named = (schema: string): Schema => ({ $ref: `#/components/schemas/${schema}` });

/** A record by a schema of the contract with a value in every field. */
export function sample<T>(schema: string): T {
	return sampleOf(contract, named(schema)) as T;
}

/** A record by a schema of the contract with every field empty; without its objects and times that cannot be null. */
export function blank(schema: string): Record<string, unknown> {
	const { properties = {} } = resolveSchema(contract, named(schema));
	const fields = Object.entries(properties).map(([name, property]) => {
		const { type, format, enum: allowed } = resolveSchema(contract, property);
		if ([type].flat().includes('null')) return [name, null];
		if (format === 'date-time') return [name, undefined];
		return [name, allowed && !allowed.includes(0) ? allowed[0] : EMPTY[typesOf({ type })[0] ?? '']];
	});
	return Object.fromEntries(fields) as Record<string, unknown>;
}
