import type { ErrorObject, ValidateFunction } from 'ajv';
import type { ContractDocument, Operation, Schema } from '../../contract/contract.ts';
import { contractSchema, createAjv } from '../../contract/contract.ts';
import type { Clock } from '../state/clock.ts';
import type { DateMapper } from './dates.ts';
import { createDateMapper } from './dates.ts';
import type { FieldError } from './serviceError.ts';
import { ServiceError } from './serviceError.ts';

/** A request that matches the contract: typed parameters, date-times in UTC. */
export interface ServiceRequest {
	path: Record<string, string | number>;
	query: Record<string, unknown>;
	body: unknown;
}

/** What came over the wire. */
export interface RawRequest {
	path: Record<string, string>;
	query: Record<string, string | string[]>;
	headers: Record<string, string | string[] | undefined>;
	/** undefined when there was none. */
	body: unknown;
}

type Part = 'path' | 'query' | 'header';

/** Makes the functions that check the requests of each operation against the contract. */
export class RequestReaders {
	private readonly contract: ContractDocument;
	private readonly clock: Clock;
	private readonly bodies;
	private readonly parameters;

	constructor(contract: ContractDocument, clock: Clock) {
		this.contract = contract;
		this.clock = clock;
		this.bodies = createAjv(contract);
		this.parameters = createAjv(contract, { coerceTypes: 'array', useDefaults: true });
	}

	/**
	 * A function that reads the requests of one operation. It throws a ServiceError 400 that names every field that does
	 * not match the contract.
	 */
	reader(operation: Operation): (raw: RawRequest) => ServiceRequest {
		const path = this.part(operation, 'path');
		const query = this.part(operation, 'query');
		const header = this.part(operation, 'header');
		const body = this.body(operation);
		return (raw) => {
			const request: ServiceRequest = {
				path: { ...raw.path },
				query: structuredClone(raw.query),
				body: raw.body,
			};
			const errors = [
				...path.check(request.path),
				...header.check(lowerCased(raw.headers)),
				...query.check(request.query),
				...body.check(request.body),
			];
			if (errors.length > 0) throw refusal(errors);
			const toUtc = (text: string, field: string) => this.toUtc(text, field);
			request.query = query.dates(request.query, toUtc) as Record<string, unknown>;
			request.body = body.dates(request.body, toUtc);
			return request;
		};
	}

	private toUtc(text: string, field: string): string {
		const instant = this.clock.read(text, field);
		if (Number.isNaN(instant)) {
			throw refusal([{ field, errorId: 'Format', message: 'must be a date-time that exists' }]);
		}
		return new Date(instant).toISOString();
	}

	private part(
		operation: Operation,
		part: Part,
	): { check: (value: unknown) => FieldError[]; dates: DateMapper } {
		const parameters = operation.parameters.filter((parameter) => parameter.in === part);
		const nameOf = (name: string) => (part === 'header' ? name.toLowerCase() : name);
		const schema: Schema = {
			type: 'object',
			properties: Object.fromEntries(parameters.map((one) => [nameOf(one.name), one.schema])),
			required: parameters.filter(({ required }) => required).map(({ name }) => nameOf(name)),
		};
		const validate = this.parameters.compile(contractSchema(schema));
		return { check: (value) => check(validate, value), dates: createDateMapper(this.contract, schema) };
	}

	private body(operation: Operation): { check: (value: unknown) => FieldError[]; dates: DateMapper } {
		const schema = operation.requestBody?.content?.['application/json']?.schema;
		if (!schema) return { check: () => [], dates: (value) => value };
		const validate = this.bodies.compile(contractSchema(schema));
		return {
			check: (value) =>
				value === undefined
					? [{ field: 'body', errorId: 'Required', message: 'is required' }]
					: check(validate, value),
			dates: createDateMapper(this.contract, schema),
		};
	}
}

function lowerCased(headers: RawRequest['headers']): Record<string, unknown> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function check(validate: ValidateFunction, value: unknown): FieldError[] {
	return validate(value) ? [] : (validate.errors ?? []).map(fieldError);
}

function fieldError(error: ErrorObject): FieldError {
	const parts = error.instancePath.split('/').slice(1);
	if (error.keyword === 'required') parts.push(String(error.params['missingProperty']));
	const field = parts.reduce(
		(path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part),
		'',
	);
	return { field: field || 'body', errorId: errorId(error.keyword), message: messageOf(error) };
}

function messageOf(error: ErrorObject): string {
	if (error.keyword === 'required') return 'is required';
	if (error.keyword === 'enum')
		return `must be one of ${(error.params['allowedValues'] as unknown[]).join(', ')}`;
	return error.message ?? 'is not allowed';
}

function errorId(keyword: string): string {
	return keyword.charAt(0).toUpperCase() + keyword.slice(1);
}

function refusal(errors: FieldError[]): ServiceError {
	return new ServiceError(400, errors.map(({ field, message }) => `${field} ${message}`).join('; '), errors);
}
