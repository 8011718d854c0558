import type { ContractDocument, Schema } from './model.ts';
import { resolveSchema, schemaName } from './model.ts';

const SAMPLES: Record<string, unknown> = {
	boolean: true,
	integer: 11,
	number: 11.5,
	'date-time': '2031-05-02T10:00:00.000Z',
	date: '2031-05-01',
	uuid: '00000000-0000-4000-8000-000000000001',
};

/** The types that a schema allows, `null` left out. */
export function typesOf({ type }: Schema): string[] {
	return [type ?? []].flat().filter((one) => one !== 'null');
}

/** A valid value of a schema with every field given; of an array one item. A schema within itself is left empty. */
export function sampleOf(contract: ContractDocument, root: Schema, around: string[] = []): unknown {
	const name = schemaName(root);
	if (name !== undefined && around.includes(name)) return {};
	const { items, properties, ...schema } = resolveSchema(contract, root);
	const within = name === undefined ? around : [...around, name];
	if (schema.enum) return schema.enum[1 % schema.enum.length];
	const [type = ''] = typesOf(schema);
	if (type === 'array') {
		return items && !within.includes(schemaName(items) ?? '')
			? [sampleOf(contract, items, within)]
			: [];
	}
	if (type === 'object') {
		const fields = Object.entries(properties ?? {});
		return properties
			? Object.fromEntries(fields.map(([field, one]) => [field, sampleOf(contract, one, within)]))
			: { key: 'value 1' };
	}
	return SAMPLES[schema.format ?? type] ?? SAMPLES[type] ?? 'text 1';
}
