import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** A valid value of a schema with every field given; of an array one item. `salt` varies texts and numbers. */
export function sampleOf(root: Schema, salt = 1, around: string[] = []): unknown {
	const name = schemaName(root);
	const schema = resolveSchema(contract, root);
	if (name !== undefined && around.includes(name)) return {};
	const within = name === undefined ? around : [...around, name];
	if (schema.enum) return schema.enum[salt % schema.enum.length];
	const [type] = typesOf(schema);
	switch (type) {
		case 'object':
			return schema.properties
				? Object.fromEntries(
						Object.entries(schema.properties).map(([field, property]) => [
							field,
							sampleOf(property, salt, within),
						]),
					)
				: { key: `value ${salt}` };
		case 'array':
			return schema.items && !(schemaName(schema.items) && within.includes(schemaName(schema.items) ?? ''))
				? [sampleOf(schema.items, salt, within)]
				: [];
		case 'boolean':
			return salt % 2 === 1;
		case 'integer':
			return 10 + salt;
		case 'number':
			return 10.5 + salt;
		default:
			return textSample(schema, salt);
	}
}

function textSample({ format }: Schema, salt: number): string {
	switch (format) {
		case 'date-time':
			return `2031-05-0${1 + (salt % 9)}T10:00:00.000Z`;
		case 'date':
			return '2031-05-01';
		case 'uuid':
			return `00000000-0000-4000-8000-00000000000${salt % 10}`;
		default:
			return `text ${salt}`;
	}
}
