import get from 'lodash/get';
import set from 'lodash/set';
import type { INodeParameters } from 'n8n-workflow';
import { bodySchema, fieldsOf, operation, sampleOf, typesOf } from '../../sandbox/support/contract';
import { type Form, rows, setField } from '../../support/sampleForm';
import { type Call, byId } from './operation';

/**
 * A body with every field that the contract has for an operation, each with a value of its own, so that a value that
 * lands in another field is seen.
 *
 * @param id e.g. `webBooking.update`
 * @param fixed values by place, where the service only takes certain ones
 */
export function fullBody(id: string, fixed: Record<string, unknown> = {}): Record<string, unknown> {
	const schema = bodySchema(operation(id));
	if (!schema) throw new Error(`${id} has no body`);
	const body = sampleOf(schema) as Record<string, unknown>;
	for (const [index, { path, schema: field }] of fieldsOf(schema).entries()) {
		const value = distinctValue(path.join('.'), index, field);
		if (value !== undefined) set(body, path, value);
	}
	for (const [place, value] of Object.entries(fixed)) set(body, place, value);
	return body;
}

/** Undefined where the sample of the contract stays: objects, lists of objects and codes. */
function distinctValue(
	place: string,
	index: number,
	field: ReturnType<typeof fieldsOf>[number]['schema'],
): unknown {
	const [type] = typesOf(field);
	if (field.enum) return undefined;
	if (field.format === 'date-time') {
		const [hour, minute] = [index % 24, index % 60].map((part) => String(part).padStart(2, '0'));
		return `2031-05-01T${hour}:${minute}:00Z`;
	}
	if (field.format === 'uuid') return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
	if (type === 'string') return `${place} é`;
	if (type === 'integer') return 1000 + index;
	if (type === 'number') return 1000.25 + index;
	if (type !== 'array' || field.items === undefined) return undefined;
	const [entry] = typesOf(field.items);
	if (entry === 'string') return [`${place} one`, `${place} two`];
	return entry === 'integer' ? [2000 + index, 3000 + index] : undefined;
}

/** A value as a person fills it in: lists with commas, lists of objects as rows, maps as rows of name and value. */
function filledIn(value: unknown, asJson: boolean): unknown {
	if (asJson) return JSON.stringify(value);
	if (Array.isArray(value)) {
		if (value.every((entry) => typeof entry !== 'object')) return value.join(', ');
		const entry = value.map((row: Record<string, unknown>) =>
			Object.fromEntries(Object.entries(row).map(([name, own]) => [name, filledIn(own, false)])),
		);
		return { entry };
	}
	if (typeof value !== 'object' || value === null) return value;
	return { entry: Object.entries(value).map(([name, own]) => ({ name, value: own as unknown })) };
}

/** The form of an operation with each value of a body where its field stands. */
function formOf(id: string, body: Record<string, unknown>): INodeParameters {
	const form: Form = { bodyMode: 'fields' };
	for (const field of rows.find((row) => row.id === id)?.fields.filter((own) => own.in === 'body') ?? []) {
		const value = filledIn(get(body, field.path), field.property.type === 'json');
		setField(form, field, field.property.type === 'resourceLocator' ? byId(value) : value);
	}
	return form as INodeParameters;
}

/**
 * The call with every field of the body filled in on the form.
 *
 * @param fixed values by place, where the service only takes certain ones
 * @param more what there is besides the body
 */
export function fullCall(
	id: string,
	fixed: Record<string, unknown> = {},
	{ parameters, ...more }: Partial<Call> = {},
): Call {
	const body = fullBody(id, fixed);
	return { ...more, parameters: { ...formOf(id, body), ...parameters }, body };
}
