import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import countBy from 'lodash/countBy.js';
import mapValues from 'lodash/mapValues.js';
import sortBy from 'lodash/sortBy.js';

import {
	type Operation,
	type Schema,
	readContract,
	readOperations,
	resolveSchema,
	schemaName,
} from '../contract/model.ts';
import type { ContractCall, RequestSchema } from '../nodes/shared/contract/calls.js';
import manifest from '../package.json' with { type: 'json' };
import { writePreviews } from './previews.ts';

const OUT = new URL('../nodes/shared/contract/', import.meta.url);
/** Where an address of the repository stands. */
const NAMING_REPOSITORY = [
	'package.json',
	'credentials/*.ts',
	'nodes/*/*.node.json',
	'.github/ISSUE_TEMPLATE/*.yml',
];

const contract = readContract();
const operations = readOperations(contract);
const bodyNames = new Set(operations.flatMap(requestSchemaName));
mkdirSync(OUT, { recursive: true });
writeFileSync(new URL('calls.js', OUT), describeCalls());
writeFileSync(new URL('responseFields.js', OUT), listResponseFields());
await writePreviews(contract);
nameRepository();

function requestSchemaName({ requestBody, service }: Operation): string[] {
	const schema = requestBody?.content?.['application/json']?.schema;
	const name = schema && schemaName(schema);
	return name && service !== 'auth' ? [name] : [];
}

/** What the contract says about each call and request body, `$ref`s resolved, without the words. */
function describeCalls(): string {
	const bodies = Object.fromEntries(
		[...bodyNames].map((name) => [name, describe({ $ref: `#/components/schemas/${name}` })]),
	);
	const calls = Object.fromEntries(
		operations.map((operation) => [operation.id, describeCall(operation)]),
	);
	return withoutCopies(`exports.requestBodies = ${JSON.stringify(bodies)};
const calls = ${JSON.stringify(calls)};
exports.callOf = (id) => calls[id];
`);
}

/** What stands in it more than once is written once, from the inside out: published JavaScript has a bound. */
function withoutCopies(text: string, known = 0): string {
	const innermost = /\{"[^{}[\]]{12,}\}|\["[^{}[\]]{12,}\]/g;
	const counts = countBy(text.match(innermost));
	const copies = Object.keys(counts).filter((one) => (counts[one] ?? 0) > 1);
	const names = new Map(copies.map((one, index) => [one, `s${known + index}`]));
	const written = copies.map((one) => `const ${names.get(one)} = ${one};\n`).join('');
	const rest = text.replace(innermost, (one) => names.get(one) ?? one);
	return copies.length === 0 ? text : written + withoutCopies(rest, known + copies.length);
}

function describeCall(operation: Operation): ContractCall {
	const { method, path, parameters, requestBody, responses } = operation;
	const schemasIn = (part: string) =>
		Object.fromEntries(
			parameters.flatMap((one) => (one.in === part ? [[one.name, describe(one.schema)]] : [])),
		);
	const response = recordSchema(responses);
	return {
		method,
		path,
		takesSystem: parameters.some(({ name }) => name === 'system'),
		inPath: schemasIn('path'),
		query: {
			properties: schemasIn('query'),
			required: parameters.flatMap((one) => (one.in === 'query' && one.required ? [one.name] : [])),
		},
		body: requestSchemaName(operation)[0] ?? '',
		example: requestBody?.content?.['application/json']?.example,
		output: {
			kind: response?.items ? 'list' : 'record',
			schema: response && schemaName(response.items ?? response),
		},
	};
}

function recordSchema(responses: Operation['responses']): Schema | undefined {
	const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
	return success?.content?.['application/json']?.schema;
}

function describe(schema: Schema): RequestSchema {
	const resolved = resolveSchema(contract, schema);
	const {
		format,
		minLength,
		maxItems,
		example,
		required,
		properties,
		items,
		description = '',
	} = resolved;
	const types = [resolved.type].flat();
	const { additionalProperties: values } = resolved;
	return {
		type: types.find((name) => name !== 'null'),
		isNullable: types.includes('null') || undefined,
		format,
		minLength,
		maxItems,
		codes: codesOf(resolved),
		example,
		isUnexplained: /[Mm]eaning( of the (codes|values))?: not shown/.test(description) || undefined,
		required,
		properties: properties && mapValues(properties, describe),
		items: items && describe(items),
		values: typeof values === 'object' ? describe(values) : undefined,
	};
}

/** The allowed values with their names, sorted by name if they have any. */
function codesOf({ enum: values, 'x-enum-names': names }: Schema): RequestSchema['codes'] {
	const codes = (values as number[] | undefined)?.map((value, index) => ({
		name: names?.[index] ?? String(value),
		value,
	}));
	return names ? sortBy(codes, 'name') : codes;
}

/** The top-level fields of each response record, for the choice 'Selected Fields'. */
function listResponseFields(): string {
	const lists: Record<string, string[]> = {};
	for (const { responses } of operations) {
		const schema = recordSchema(responses);
		const record = schema?.items ?? schema;
		if (!record) continue;
		const batch = resolveSchema(contract, record).properties?.items?.items;
		for (const each of [record, ...(batch ? [batch] : [])]) {
			const name = schemaName(each);
			if (name) lists[name] = Object.keys(resolveSchema(contract, each).properties ?? {});
		}
	}
	return `exports.responseFields = ${JSON.stringify(lists)};\n`;
}

/** Writes the repository that package.json names wherever an address of it stands. */
function nameRepository(): void {
	const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');
	for (const file of globSync(NAMING_REPOSITORY)) {
		const text = readFileSync(file, 'utf8');
		const named = text.replace(/https:\/\/github\.com\/[\w.-]+\/[\w-]+(?=[/#])/g, repository);
		if (named !== text) writeFileSync(file, named);
	}
}
