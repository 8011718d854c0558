import type { FastifySchema, FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { ContractDocument, Operation, Parameter, Schema } from '../../contract/model.ts';
import { contractSchema, createAjv } from '../../contract/model.ts';
import type { FieldError } from './serviceError.ts';
import { ServiceError } from './serviceError.ts';

/** The schema of the parameters that an operation takes in the path, the query or a header. */
export function parametersSchema({ parameters }: Operation, part: Parameter['in']): Schema {
	const own = parameters
		.filter((parameter) => parameter.in === part)
		.map((parameter) => ({
			...parameter,
			name: part === 'header' ? parameter.name.toLowerCase() : parameter.name,
		}));
	return {
		type: 'object',
		properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
		required: own.filter(({ required }) => required).map(({ name }) => name),
	};
}

/** The schema of an operation's JSON body, `$ref` unresolved. */
export function bodySchema({ requestBody }: Operation): Schema | undefined {
	return requestBody?.content?.['application/json']?.schema;
}

/** The schemas by which fastify checks the requests of an operation. */
export function requestSchema(operation: Operation): FastifySchema {
	const body = bodySchema(operation);
	return {
		params: contractSchema(parametersSchema(operation, 'path')),
		querystring: contractSchema(parametersSchema(operation, 'query')),
		headers: contractSchema(parametersSchema(operation, 'header')),
		...(body ? { body: contractSchema(body) } : {}),
	};
}

/** Compiles them: parameters are texts that are converted, a body is taken as it is. */
export function validatorCompiler(contract: ContractDocument): FastifySchemaCompiler<Schema> {
	const bodies = createAjv(contract);
	const parameters = createAjv(contract, { coerceTypes: 'array', useDefaults: true });
	return ({ schema, httpPart }) => (httpPart === 'body' ? bodies : parameters).compile(schema);
}

/** A 400 that names every field of a request that does not match the contract. */
export function notByContract(errors: FastifySchemaValidationError[]): ServiceError {
	const fields = errors.map(fieldError);
	return new ServiceError(
		400,
		fields.map(({ field, message }) => `${field} ${message}`).join('; '),
		fields,
	);
}

function fieldError({
	instancePath,
	keyword,
	params,
	message = '',
}: FastifySchemaValidationError): FieldError {
	const parts = instancePath.split('/').slice(1);
	if (keyword === 'required') parts.push(String(params['missingProperty']));
	const field = parts.reduce(
		(path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part),
		'',
	);
	const words: Record<string, string> = {
		required: 'is required',
		enum: `must be one of ${[params['allowedValues']].flat().join(', ')}`,
	};
	const errorId = keyword.charAt(0).toUpperCase() + keyword.slice(1);
	return { field: field || 'body', errorId, message: words[keyword] ?? message };
}
