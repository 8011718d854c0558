import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import mapValues from 'lodash/mapValues';
import type { Operation, Schema } from '../../../contract/model';
import { parseContract, readOperations, resolveSchema, schemaName } from '../../../contract/model';

export const contract = parseContract(
	readFileSync(join(__dirname, '../../../contract/openapi.yaml'), 'utf8'),
);

export const operations = readOperations(contract);

/** The operation of that id. */
export function operation(id: string): Operation {
	const found = operations.find((candidate) => candidate.id === id);
	if (!found) throw new Error(`The contract has no operation ${id}`);
	return found;
}

/** The schema of an operation's JSON body, `$ref` unresolved. */
export function bodySchema({ requestBody }: Operation): Schema | undefined {
	return requestBody?.content?.['application/json']?.schema;
}

/** The types a schema allows, `null` left out. */
export function typesOf(schema: Schema): string[] {
	return [schema.type ?? []].flat().filter((type) => type !== 'null');
}

/** Whether a schema allows null. */
export function isNullable(schema: Schema): boolean {
	return [schema.type ?? []].flat().includes('null');
}

/** One field of a body: where it is, its schema, and whether the schema around it requires it. */
export interface Field {
	/** e.g. `['times', 0, 'start']` */
	path: Array<string | number>;
	schema: Schema;
	required: boolean;
	/** `Schema.field`, e.g. `WebBookingUpdateTime.start` */
	name: string;
}

/** Every field of a schema at every depth; of an array the first item. A schema within itself is not entered again. */
export function fieldsOf(root: Schema, path: Array<string | number> = [], around: string[] = []): Field[] {
	const name = schemaName(root);
	if (name !== undefined && around.includes(name)) return [];
	const schema = resolveSchema(contract, root);
	const within = name === undefined ? around : [...around, name];
	if (schema.items) return fieldsOf(schema.items, [...path, 0], within);
	return Object.entries(schema.properties ?? {}).flatMap(([field, property]) => {
		const own: Field = {
			path: [...path, field],
			schema: resolveSchema(contract, property),
			required: schema.required?.includes(field) ?? false,
			name: `${within.at(-1)}.${field}`,
		};
		return [own, ...fieldsOf(property, own.path, within)];
	});
}

/** The path of a field as error bodies write it, e.g. `times[0].start`. */
export function pathText(path: Array<string | number>): string {
	return path.reduce<string>(
		(text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
		'',
	);
}

const SAMPLES: Record<string, unknown> = {
	boolean: true,
	integer: 11,
	number: 11.5,
	'date-time': '2031-05-02T10:00:00.000Z',
	date: '2031-05-01',
	uuid: '00000000-0000-4000-8000-000000000001',
};

/** A valid value of a schema with every field given; of an array one item. */
export function sampleOf(root: Schema, around: string[] = []): unknown {
	const name = schemaName(root);
	const { items, properties, ...schema } = resolveSchema(contract, root);
	if (name !== undefined && around.includes(name)) return {};
	const within = name === undefined ? around : [...around, name];
	if (schema.enum) return schema.enum[1 % schema.enum.length];
	const [type = ''] = typesOf(schema);
	if (type === 'array')
		return items && !within.includes(schemaName(items) ?? '') ? [sampleOf(items, within)] : [];
	if (type === 'object')
		return properties ? mapValues(properties, (one) => sampleOf(one, within)) : { key: 'value 1' };
	return SAMPLES[schema.format ?? type] ?? SAMPLES[type] ?? 'text 1';
}
