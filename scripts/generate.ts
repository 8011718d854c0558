import { mkdirSync, writeFileSync } from 'node:fs';

import standaloneCode from 'ajv/dist/standalone/index.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import mapValues from 'lodash/mapValues.js';
import pickBy from 'lodash/pickBy.js';
import sortBy from 'lodash/sortBy.js';

import {
	type Operation,
	type Schema,
	DATE_TIME,
	readContract,
	readOperations,
	resolveSchema,
	schemaName,
} from '../contract/contract.ts';
import type { ContractCall, RequestSchema } from '../nodes/shared/contract/calls.js';
import { readNodes } from './nodeSources.ts';
import { writePreviews } from './previews.ts';

const OUT = new URL('../nodes/shared/contract/', import.meta.url);
/** What each format allows. */
const BOUNDS: Record<string, object> = {
	int32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
	int64: { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
	'date-time': { pattern: DATE_TIME.source },
	uuid: { pattern: '^[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$' },
};

const contract = readContract();
const operations = readOperations(contract);
const bodyNames = new Set(operations.flatMap(requestSchemaName));
mkdirSync(OUT, { recursive: true });
writeFileSync(new URL('validators.js', OUT), compileValidators());
writeFileSync(new URL('calls.js', OUT), describeCalls());
writeFileSync(new URL('responseFields.js', OUT), listResponseFields());
writePreviews(contract, await readNodes());

/**
 * One validator per request schema, as plain JavaScript without libraries: the published package has no run-time
 * dependency. Formats become bounds and patterns, which need no library either.
 */
function compileValidators(): string {
	const ajv = new Ajv2020({
		allErrors: true,
		strict: false,
		unicodeRegExp: false,
		inlineRefs: false,
		unicode: false,
		logger: false,
		code: { source: true, esm: false, optimize: 2 },
	});
	ajv.addSchema({
		$id: 'contract',
		components: { schemas: mapValues(contract.components.schemas, toBounds) },
	});
	for (const name of bodyNames) ajv.addSchema({ $id: name, $ref: `contract#/components/schemas/${name}` });
	const code = standaloneCode.default(ajv, Object.fromEntries([...bodyNames].map((name) => [name, name])));
	if (code.includes('require(')) throw new Error('The validators would need a library at run time');
	return `const validators = {};\n((exports) => {${code}})(validators);\nexports.validators = validators;\n`;
}

function requestSchemaName({ requestBody, service }: Operation): string[] {
	const schema = requestBody?.content?.['application/json']?.schema;
	const name = schema && schemaName(schema);
	return name && service !== 'auth' ? [name] : [];
}

/** Formats as bounds and patterns; references into the one document; everything else as it is. */
function toBounds(schema: Schema): Record<string, unknown> {
	const { format = '', $ref, properties, items, additionalProperties, ...rest } = schema;
	return {
		...pickBy(rest, (_, key) => !key.startsWith('x-') && key !== 'description'),
		...($ref && { $ref: `contract${$ref}` }),
		...BOUNDS[format],
		...(properties && { properties: mapValues(properties, toBounds) }),
		...(items && { items: toBounds(items) }),
		...(typeof additionalProperties === 'object' && {
			additionalProperties: toBounds(additionalProperties),
		}),
	};
}

/** What the contract says about each call and request body, `$ref`s resolved, without the words. */
function describeCalls(): string {
	const bodies = Object.fromEntries(
		[...bodyNames].map((name) => [name, describe({ $ref: `#/components/schemas/${name}` })]),
	);
	const calls = Object.fromEntries(operations.map((operation) => [operation.id, describeCall(operation)]));
	return `exports.requestBodies = ${JSON.stringify(bodies)};
const calls = ${JSON.stringify(calls)};
exports.callOf = (id) => calls[id];
`;
}

function describeCall(operation: Operation): ContractCall {
	const { method, path, service, parameters, requestBody, responses } = operation;
	const schemasIn = (part: string) =>
		Object.fromEntries(
			parameters.flatMap(({ in: own, name, schema }) => (own === part ? [[name, describe(schema)]] : [])),
		);
	const response = recordSchema(responses);
	return {
		method,
		path,
		takesSystem: service !== 'base' || parameters.some(({ name }) => name === 'system'),
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
	const { type, format, minLength, example, required, properties, items, description = '' } = resolved;
	return {
		type: [type].flat().find((name) => name !== 'null'),
		format,
		minLength,
		codes: codesOf(resolved),
		example,
		isUnexplained: /[Mm]eaning( of the (codes|values))?: not shown/.test(description) || undefined,
		required,
		properties: properties && mapValues(properties, describe),
		items: items && describe(items),
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
