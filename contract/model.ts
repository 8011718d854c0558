import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Options } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import * as formats from 'ajv-formats';
import { parse } from 'yaml';
import { projectRoot } from '../dev/paths.ts';

/** A JSON Schema as it stands in the contract, `$ref`s unresolved. */
export interface Schema {
	$ref?: string;
	type?: string | string[];
	format?: string;
	description?: string;
	enum?: Array<string | number>;
	minLength?: number;
	maxItems?: number;
	pattern?: string;
	default?: unknown;
	required?: string[];
	example?: unknown;
	/** What the values of `enum` mean. */
	'x-enum-names'?: string[];
	properties?: Record<string, Schema>;
	additionalProperties?: Schema | boolean;
	items?: Schema;
	/** The heading in the service's documents. */
	'x-source'?: string;
	'x-second-listing'?: Schema;
}

/** A path, query or header parameter of an operation. */
export interface Parameter {
	name: string;
	in: 'path' | 'query' | 'header';
	required?: boolean;
	description?: string;
	schema: Schema;
	/** The heading in the service's documents. */
	'x-source'?: string;
}

interface Content {
	schema: Schema;
	example?: unknown;
}

/** A request body or an answer: schemas by media type. */
export interface Message {
	description?: string;
	required?: boolean;
	headers?: Record<string, { schema: Schema }>;
	content?: Record<string, Content>;
}

/** One call of the service, with parameters and answers resolved. */
export interface Operation {
	id: string;
	method: 'GET' | 'PUT' | 'POST';
	/** Path template below `service`, e.g. `/subscriptions/`. */
	path: string;
	/** Which of the three addresses the path is relative to. */
	service: 'base' | 'auth' | 'pay';
	summary: string;
	description: string;
	/** The heading in the service's documents. */
	source: string;
	/** Rules written beside the operation's tables, each by a name that stays when its words change. */
	rules: Record<string, string>;
	parameters: Parameter[];
	requestBody?: Message;
	/** Answers by status: `200`, `2XX`, `4XX` … */
	responses: Record<string, Message>;
	/** Whether the operation takes the bearer token of the booking service. */
	bearer: boolean;
}

type Reference = { $ref: string };

interface OperationSource {
	operationId: string;
	summary: string;
	description: string;
	'x-source': string;
	'x-rules'?: Record<string, string>;
	security?: Array<Record<string, string[]>>;
	parameters?: Array<Parameter | Reference>;
	requestBody?: Message;
	responses: Record<string, Message | Reference>;
}

interface PathItem {
	servers?: Array<{ url: string }>;
	get?: OperationSource;
	put?: OperationSource;
	post?: OperationSource;
}

/** `contract/openapi.yaml` as parsed. */
export interface ContractDocument {
	paths: Record<string, PathItem>;
	servers: unknown[];
	components: {
		parameters: Record<string, Parameter>;
		responses: Record<string, Message>;
		schemas: Record<string, Schema>;
		securitySchemes: Record<string, unknown>;
	};
	[key: string]: unknown;
}

/** An ISO 8601 date-time with or without an offset: returned values may lack one. */
export const DATE_TIME =
	/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

const METHODS = ['get', 'put', 'post'] as const;
// The types see the plugin one level deeper than Node does.
const addFormats = formats.default as unknown as FormatsPlugin;
const SCHEMAS = '#/components/schemas/';

function isInt64(value: number): boolean {
	return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** Reads `contract/openapi.yaml`. */
export function readContract(): ContractDocument {
	return parse(
		readFileSync(join(projectRoot(), 'contract', 'openapi.yaml'), 'utf8'),
	) as ContractDocument;
}

/** Name of the schema a `$ref` points at, or undefined for a schema in place. */
export function schemaName(schema: Schema): string | undefined {
	return schema.$ref?.startsWith(SCHEMAS) ? schema.$ref.slice(SCHEMAS.length) : undefined;
}

/** Follows the `$ref` of a schema. Throws when the contract has no schema of that name. */
export function resolveSchema(contract: ContractDocument, schema: Schema): Schema {
	const name = schemaName(schema);
	if (name === undefined) return schema;
	const target = contract.components.schemas[name];
	if (!target) throw new Error(`The contract has no schema ${name}`);
	return target;
}

function resolve<T>(contract: ContractDocument, value: T | Reference): T {
	if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T;
	const [kind = '', name = ''] = value.$ref.split('/').slice(2);
	const target = (contract.components as unknown as Record<string, Record<string, T> | undefined>)[
		kind
	]?.[name];
	if (target === undefined) throw new Error(`The contract has no ${value.$ref}`);
	return target;
}

/** All operations of the contract, in its order. */
export function readOperations(contract: ContractDocument): Operation[] {
	return Object.entries(contract.paths).flatMap(([path, item]) =>
		METHODS.flatMap((method) => {
			const source = item[method];
			if (!source) return [];
			const address = item.servers?.[0]?.url ?? '{base_url}';
			return [
				{
					id: source.operationId,
					method: method.toUpperCase() as Operation['method'],
					path,
					service: address === '{pay_url}' ? 'pay' : address === '{auth_url}' ? 'auth' : 'base',
					summary: source.summary,
					description: source.description,
					source: source['x-source'],
					rules: source['x-rules'] ?? {},
					parameters: (source.parameters ?? []).map((parameter) => resolve(contract, parameter)),
					requestBody: source.requestBody,
					responses: Object.fromEntries(
						Object.entries(source.responses).map(([status, response]) => [
							status,
							resolve(contract, response),
						]),
					),
					bearer: source.security?.some((scheme) => 'bearer' in scheme) ?? true,
				} satisfies Operation,
			];
		}),
	);
}

/**
 * An ajv that knows the contract's formats and its `x-` keywords, with the contract itself added as `contract`, so
 * that `{ $ref: 'contract#/components/schemas/WebBooking' }` compiles.
 */
export function createAjv(contract: ContractDocument, options: Options = {}): Ajv2020 {
	const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, ...options });
	addFormats(ajv);
	ajv.addFormat('date-time', DATE_TIME);
	ajv.addFormat('decimal', { type: 'number', validate: Number.isFinite });
	ajv.addFormat('int64', { type: 'number', validate: isInt64 });
	ajv.addVocabulary([
		'example',
		'x-source',
		'x-ours',
		'x-second-listing',
		'x-enum-names',
		'components',
	]);
	ajv.addSchema({ components: { schemas: contract.components.schemas } }, 'contract');
	return ajv;
}

/** A copy of a schema whose `$ref`s point into the contract added by {@link createAjv}. */
export function contractSchema(schema: Schema): Schema {
	return JSON.parse(
		JSON.stringify(schema).replaceAll('"#/components', '"contract#/components'),
	) as Schema;
}
