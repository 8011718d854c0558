import isEmpty from 'lodash/isEmpty';
import isPlainObject from 'lodash/isPlainObject';

import { type RequestSchema, requestBodies } from '../contract/calls';
import { NO_RECORD, isGuid, isNilGuid } from '../values/address';
import { isBlank } from '../values/blank';
import { closestName } from '../values/closestName';
import { toServiceDateTime } from '../values/dateTime';
import { InvalidValueError } from '../values/invalidValue';
import { LongNumber } from '../values/longNumber';
import { WIDTHS } from '../values/number';
import { UNPAIRED_SURROGATE, isWellFormed } from '../values/text';
import { zoneOf } from '../values/zone';
import type { Field } from './fields';
import type { Section } from './operation';

/** How a body is checked. */
interface BodyCheck {
	/** Whether names that the contract does not have are sent. */
	allowsUnknown: boolean;
	/** IANA name, for times without an offset. */
	timeZone: string;
	/** Whether it was entered as JSON: errors name its paths, and null may stand for any optional value, as in records. */
	isJson: boolean;
}

/** @returns the name of a value in errors, by its path in the body, e.g. `times[1].start`; '' for the body itself */
type LabelOf = (path: string) => string;

/**
 * Checks a body against the contract, and that JSON can hold it. List entries without a value are rejected too: they would
 * change nothing, or clear something.
 *
 * @returns the body as it is sent: local times with the offset of their time zone
 * @throws InvalidValueError that names the field and what is allowed
 */
export function checkBody(
	{ schema, sections }: { schema: string; sections: readonly Section[] },
	body: Record<string, unknown>,
	check: BodyCheck,
): Record<string, unknown> {
	const fields = sections.flatMap((section) => section.fields);
	const labelOf: LabelOf = (path) =>
		check.isJson ? (path === '' ? 'JSON' : `JSON: ${path}`) : displayedName(fields, path);
	return checked(body, requestBodies[schema] ?? {}, '', check, labelOf) as Record<string, unknown>;
}

/** @returns the value as it is sent, with all that is in it */
function checked(
	value: unknown,
	schema: RequestSchema,
	path: string,
	check: BodyCheck,
	labelOf: LabelOf,
): unknown {
	const type = jsonTypeOf(value);
	const refuse = (what: string, hint: string): never => {
		throw new InvalidValueError(labelOf(path), what, hint);
	};
	if (type === undefined)
		return refuse('cannot be represented in JSON', 'Enter text, numbers, true or false, or dates');
	if (value === null)
		return schema.type === undefined || schema.isNullable ? null : refuse(...wrongType(schema));
	if (schema.format === 'int64' && type !== 'number') {
		const long = value instanceof LongNumber ? value : LongNumber.read(value);
		return long ?? refuse(...wrongType(schema));
	}
	if (
		schema.type === 'integer' ? !Number.isInteger(value) : schema.type !== undefined && schema.type !== type
	)
		return refuse(...wrongType(schema));
	if (schema.codes && !schema.codes.some((code) => code.value === value))
		return refuse(
			'is not one of the allowed values',
			`Allowed: ${schema.codes.map((code) => code.value).join(', ')}`,
		);
	if (type === 'string') return checkedText(value, schema, path, check, labelOf);
	if (typeof value === 'number') return checkedNumber(value, schema, path, refuse);
	if (Array.isArray(value)) {
		const { items = {}, maxItems = Infinity } = schema;
		if (value.length > maxItems) return refuse('has too many entries', `Allowed: at most ${maxItems}`);
		return value.map((entry: unknown, index) => {
			const place = `${path}[${index}]`;
			if (isPlainObject(entry) && isEmpty(entry))
				throw new InvalidValueError(labelOf(place), 'is empty', 'Fill it in, or remove it');
			return checked(entry, items, place, check, labelOf);
		});
	}
	return isPlainObject(value) ? checkedObject(value as object, schema, path, check, labelOf) : value;
}

function checkedObject(
	value: object,
	{ properties, values = {}, required = [] }: RequestSchema,
	path: string,
	check: BodyCheck,
	labelOf: LabelOf,
): object {
	const placeOf = (name: string) => (path === '' ? name : `${path}.${name}`);
	const sent = Object.entries(value).flatMap(([name, given]: [string, unknown]) => {
		if (given === undefined) return [];
		const place = placeOf(name);
		const isKnown = properties !== undefined && Object.hasOwn(properties, name);
		if (!isWellFormed(name))
			throw new InvalidValueError(labelOf(place), UNPAIRED_SURROGATE.what, UNPAIRED_SURROGATE.hint);
		if (properties && !isKnown && !check.allowsUnknown)
			throw unknownName(labelOf(place), name, Object.keys(properties));
		if (given === null && check.isJson && !required.includes(name)) return [[name, null] as const];
		const schema = (isKnown ? properties[name] : values) ?? {};
		return [[name, checked(given, schema, place, check, labelOf)] as const];
	});
	const missing = required.find((name) => (value as Record<string, unknown>)[name] === undefined);
	if (missing !== undefined)
		throw new InvalidValueError(labelOf(placeOf(missing)), 'is missing', 'Fill it in: the service needs it');
	return Object.fromEntries(sent);
}

/** @returns the type that a value has in JSON, a text for a valid date; undefined for what JSON cannot hold */
function jsonTypeOf(value: unknown): string | undefined {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'number') return Number.isFinite(value) ? 'number' : undefined;
	if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
	if (typeof value !== 'object') return undefined;
	if ('toJSON' in value && typeof value.toJSON === 'function')
		return typeof value.toJSON() === 'string' ? 'string' : undefined;
	return isPlainObject(value) ? 'object' : undefined;
}

/** IDs of records by their path; a temporary ID is not one. */
const NAMES_RECORD = /(?:(?:^|\.)id|(?<!(?:^|\.)temp)I[dD]s?)(?:\[\d+\])?$/;

/** @param value a text, or a date, which JSON holds as text */
function checkedText(
	value: unknown,
	{ format, minLength }: RequestSchema,
	path: string,
	{ timeZone }: BodyCheck,
	labelOf: LabelOf,
): unknown {
	const refuse = ({ what, hint }: { what: string; hint: string }): never => {
		throw new InvalidValueError(labelOf(path), what, hint);
	};
	if (minLength && isBlank(value))
		return refuse({ what: 'is empty', hint: 'Fill it in: the service needs at least 1 character' });
	if (format === 'date-time') return toServiceDateTime(value, labelOf(path), zoneOf(path, timeZone));
	if (typeof value !== 'string') return value;
	if (!isWellFormed(value)) return refuse(UNPAIRED_SURROGATE);
	if (NAMES_RECORD.test(path) && isNilGuid(value)) return refuse(NO_RECORD);
	if (format === 'uuid' && !isGuid(value))
		return refuse({
			what: 'is not a GUID',
			hint: 'Enter a GUID, e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
		});
	return value;
}

function checkedNumber(
	value: number,
	{ format }: RequestSchema,
	path: string,
	refuse: (what: string, hint: string) => never,
): number {
	if (value < 1 && NAMES_RECORD.test(path))
		return refuse(`is ${value}`, 'Enter a whole number from 1: no record has a number below');
	if (format !== 'int32' && format !== 'int64') return value;
	const { least, most } = WIDTHS[format];
	if (value < least) return refuse('is out of range', `Allowed: at least ${least}`);
	if (value <= most) return value;
	const inQuotes = format === 'int64' ? '. Enter a longer number in quotes: without, it loses digits' : '';
	return refuse('is out of range', `Allowed: at most ${most}${inQuotes}`);
}

function wrongType({ type = '', isNullable }: RequestSchema): [what: string, hint: string] {
	return ['is of the wrong type', `Allowed: ${type}${isNullable ? ' or null' : ''}`];
}

function unknownName(label: string, name: string, known: readonly string[]): InvalidValueError {
	const meant = closestName(name, known);
	const fields = meant === undefined ? `Fields: ${known.join(', ')}` : `Did you mean '${meant}'?`;
	const hint = `${fields} To send it as it is, switch on 'Allow Unknown Fields' under Options.`;
	return new InvalidValueError(label, 'is not a field of the request', hint);
}

/** `times[1].start` is shown as `Times 2: Start`. */
function displayedName(fields: readonly Field[], place: string): string {
	for (const { path, property, entries } of fields) {
		if (path === place) return property.displayName;
		const rest = place.startsWith(path) ? /^\[(\d+)\]\.?(.*)$/s.exec(place.slice(path.length)) : null;
		if (rest) {
			const inner = entries ? displayedName(entries, rest[2] ?? '') : rest[2];
			return `${property.displayName} ${Number(rest[1]) + 1}${inner ? `: ${inner}` : ''}`;
		}
		if (place.startsWith(`${path}.`)) return `${property.displayName}: ${place.slice(path.length + 1)}`;
	}
	return place;
}
