import set from 'lodash/set';
import type { INodeParameters } from 'n8n-workflow';
import { bodySchema, fieldsOf, operation, sampleOf, typesOf } from '../../sandbox/support/contract';
import { byId } from './operation';

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

/** Where the values of a body stand on the form: the open parameters under '', those of a collection under its name. */
export type Layout = Record<string, readonly string[]>;

/** Places below a parent: `under('contact', 'fname lname')`. */
export const under = (parent: string, names: string) => names.split(' ').map((name) => `${parent}.${name}`);

/** `contact.fname` is the parameter `contactFname`. */
export const parameterOf = (place: string) =>
	place.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The value at a dotted place of a body. */
export function valueAt(body: unknown, place: string): unknown {
	return place.split('.').reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], body);
}

/** A value as a person fills it in: lists with commas, lists of objects as rows, maps as rows of name and value. */
function filledIn(value: unknown, asJson: boolean): unknown {
	if (asJson) return JSON.stringify(value);
	if (Array.isArray(value)) {
		if (value.every((entry) => typeof entry !== 'object')) return value.join(', ');
		const rows = value.map((row: Record<string, unknown>) =>
			Object.fromEntries(Object.entries(row).map(([name, own]) => [name, filledIn(own, false)])),
		);
		return { entry: rows };
	}
	if (typeof value !== 'object' || value === null) return value;
	return { entry: Object.entries(value).map(([name, own]) => ({ name, value: own as unknown })) };
}

/**
 * The form of a full body.
 *
 * @param json the places that are one JSON parameter
 * @param locators the places that are chosen from a list
 */
export function fromFields(
	body: Record<string, unknown>,
	layout: Layout,
	{ json = [], locators = {} }: { json?: readonly string[]; locators?: Record<string, string> } = {},
): INodeParameters {
	const parameters: Record<string, unknown> = { bodyMode: 'fields' };
	for (const [collection, places] of Object.entries(layout)) {
		const values: Record<string, unknown> = collection === '' ? parameters : {};
		for (const place of places) {
			const value = filledIn(valueAt(body, place), json.includes(place));
			const chosen = locators[place];
			values[chosen ?? parameterOf(place)] = chosen ? byId(value) : value;
		}
		if (collection !== '') parameters[collection] = values;
	}
	return parameters as INodeParameters;
}

/** Names of a company's fields where it stands in another record, and of the address of its invoices. */
export const COMPANY =
	'id name streetaddress zipcode city orgNr phone fax email information customerNumber accountManager webpage lastChangedUtc lastChangedBy agreementLevel';
export const INVOICE_ADDRESS =
	'invoiceStreetaddress invoiceZipCode invoiceCity invoiceCode1 invoiceCode2 invoiceCode3';
/** Names of the fields about what the guest is told. */
export const MESSAGES = [
	'logMessage',
	'disableAllConfirmationMessages',
	'disableEmailConfirmationMessage',
	'disableSmsConfirmationMessage',
];
