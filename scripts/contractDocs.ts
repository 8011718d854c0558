// node scripts/contractDocs.ts [--check]: writes docs/contract.md from contract/openapi.yaml; with --check it only
// says whether the file is up to date, and ends with 1 when it is not.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Operation, Parameter, Schema, Source } from '../contract/contract.ts';
import { readContract, readOperations, resolveSchema, schemaName } from '../contract/contract.ts';

const FILE = new URL('../docs/contract.md', import.meta.url);

const contract = readContract();
const operations = readOperations(contract);

function place({ document, section }: Source): string {
	return `${document}, “${section}”`;
}

function cell(text: string): string {
	return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function row(cells: string[]): string {
	return `| ${cells.map(cell).join(' | ')} |`;
}

function table(heads: string[], rows: string[][]): string {
	return [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');
}

function link(name: string): string {
	return `[${name}](#schema-${name.toLowerCase()})`;
}

/** A type in words, e.g. `list of BookedArticle or null`. */
function typeText(schema: Schema): string {
	const name = schemaName(schema);
	if (name !== undefined) return link(name);
	const types = [schema.type ?? []].flat();
	const [type = ''] = types.filter((one) => one !== 'null');
	const nullable = types.includes('null') ? ' or null' : '';
	if (schema.items) return `list of ${typeText(schema.items)}${nullable}`;
	if (typeof schema.additionalProperties === 'object') {
		return `map of ${typeText(schema.additionalProperties)}${nullable}`;
	}
	return (schema.format ? `${type} (${schema.format})` : type) + nullable;
}

function limits(schema: Schema): string {
	return [
		schema.enum ? `one of ${schema.enum.join(', ')}` : '',
		schema.minLength ? `at least ${schema.minLength} character` : '',
		schema.maxItems ? `at most ${schema.maxItems} entries` : '',
		schema.pattern ? `matches \`${schema.pattern}\`` : '',
		schema.default === undefined ? '' : `default ${String(schema.default)}`,
	]
		.filter(Boolean)
		.join('; ');
}

function secondListing(name: string, schema: Schema): string[][] {
	const second = schema['x-second-listing'];
	return second
		? [[`\`${name}\` (second listing)`, typeText(second), '', limits(second), 'Listed again after `menus`.']]
		: [];
}

function fieldRows(schema: Schema): string[][] {
	return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
		[
			`\`${name}\``,
			typeText(property),
			schema.required?.includes(name) ? 'yes' : '',
			limits(property),
			property.description ?? '',
		],
		...secondListing(name, property),
	]);
}

function parameterRow(parameter: Parameter, operation: Operation): string[] {
	return [
		`\`${parameter.name}\``,
		parameter.in,
		typeText(parameter.schema),
		parameter.required ? 'yes' : '',
		limits(parameter.schema.items ?? parameter.schema),
		parameter.description ?? '',
		place(parameter['x-source'] ?? operation.source),
	];
}

function contentText(content: Record<string, { schema: Schema }> | undefined): string {
	return Object.entries(content ?? {})
		.map(([type, { schema }]) => `${typeText(schema)} (${type})`)
		.join(', ');
}

function operationSection(operation: Operation): string {
	const {
		id,
		method,
		path,
		service,
		summary,
		description,
		source,
		rules,
		parameters,
		requestBody,
		responses,
	} = operation;
	const address = { base: '{base_url}', auth: '{auth_url}', pay: '{pay_url}' }[service];
	return [
		`### ${id}`,
		`**${summary}** · \`${method} ${address}${path}\``,
		`Place: ${place(source)}.`,
		description,
		rules.map((rule) => `- ${rule}`).join('\n'),
		parameters.length > 0
			? table(
					['Parameter', 'In', 'Type', 'Required', 'Allowed', 'Description', 'Place'],
					parameters.map((parameter) => parameterRow(parameter, operation)),
				)
			: '',
		requestBody ? `Body: ${contentText(requestBody.content)}, required.` : '',
		table(
			['Answer', 'Body', 'Description'],
			Object.entries(responses).map(([status, response]) => [
				status,
				contentText(response.content),
				response.description ?? '',
			]),
		),
	]
		.filter(Boolean)
		.join('\n\n');
}

function schemaSection([name, schema]: [string, Schema]): string {
	const source = schema['x-source'];
	if (!source) throw new Error(`${name} does not say where the documents state it`);
	return [
		`### Schema ${name}`,
		`Place: ${place(source)}.`,
		schema.description ?? '',
		table(
			['Field', 'Type', 'Required', 'Allowed', 'Description'],
			fieldRows(resolveSchema(contract, schema)),
		),
	]
		.filter(Boolean)
		.join('\n\n');
}

const schemas = Object.entries(contract.components.schemas);
const fields = schemas.reduce((sum, [, { properties }]) => sum + Object.keys(properties ?? {}).length, 0);

const text = [
	'# The contract',
	'<!-- Written by scripts/contractDocs.ts from contract/openapi.yaml. Change that file, then run it again. -->',
	`Every operation and field of the service with its place in the two documents: ${operations.length} operations, ${schemas.length} schemas, ${fields} fields. The machine-readable form is [contract/openapi.yaml](../contract/openapi.yaml). “Not shown” is said where the documents leave something open.`,
	'## Operations',
	table(
		['Operation', 'Call', 'Body', 'Place'],
		operations.map(({ id, method, path, requestBody, source }) => [
			`[${id}](#${id.toLowerCase().replaceAll('.', '')})`,
			`\`${method} ${path}\``,
			Object.values(requestBody?.content ?? {})
				.map(({ schema }) => typeText(schema))
				.join(),
			place(source),
		]),
	),
	...operations.map(operationSection),
	'## Schemas',
	...schemas.map(schemaSection),
].join('\n\n');

const written = `${text}\n`;
if (!process.argv.includes('--check')) {
	writeFileSync(FILE, written);
} else if (readFileSync(FILE, 'utf8') !== written) {
	process.stderr.write(
		'docs/contract.md is not what contract/openapi.yaml says: run node scripts/contractDocs.ts\n',
	);
	process.exitCode = 1;
}
