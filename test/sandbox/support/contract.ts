import type { Operation, Schema } from '../../../contract/model';
import { readContract, readOperations, resolveSchema, schemaName } from '../../../contract/model';
import { sampleOf as sampleByContract } from '../../../contract/sample';

export { typesOf } from '../../../contract/sample';

export const contract = readContract();

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

/** One field of a body: where it is, and its schema. */
export interface Field {
	/** e.g. `['times', 0, 'start']` */
	path: Array<string | number>;
	schema: Schema;
}

/** Every field of a schema at every depth; of an array the first item. A schema within itself is not entered again. */
export function fieldsOf(
	root: Schema,
	path: Array<string | number> = [],
	around: string[] = [],
): Field[] {
	const name = schemaName(root);
	if (name !== undefined && around.includes(name)) return [];
	const schema = resolveSchema(contract, root);
	const within = name === undefined ? around : [...around, name];
	if (schema.items) return fieldsOf(schema.items, [...path, 0], within);
	return Object.entries(schema.properties ?? {}).flatMap(([field, property]) => {
		const own: Field = {
			path: [...path, field],
			schema: resolveSchema(contract, property),
		};
		return [own, ...fieldsOf(property, own.path, within)];
	});
}

/** The path of a field as error bodies write it, e.g. `times[0].start`. */
export function pathText(path: Array<string | number>): string {
	return path.reduce<string>(
		(text, part) =>
			typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
		'',
	);
}

/** A valid value of a schema with every field given; of an array one item. */
export function sampleOf(schema: Schema): unknown {
	return sampleByContract(contract, schema);
}
