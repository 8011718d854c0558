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
import { withLabel } from './formValues';
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
	{ allowsUnknown, timeZone, isJson }: BodyCheck,
): Record<string, unknown> {
	const fields = sections.flatMap((section) => section.fields);
	const labelOf = (path: string) => (isJson ? `JSON: ${path || 'body'}` : displayedName(fields, path));

	/** @returns the value as it is sent, with all that is in it */
	function checked(value: unknown, expected: RequestSchema, path: string): unknown {
		const type = jsonTypeOf(value);
		if (type === 'object' || type === 'array') {
			const problem = problemOfType(type, value, expected);
			if (problem) throw new InvalidValueError(labelOf(path), problem.what, problem.hint);
			return Array.isArray(value)
				? value.map((entry: unknown, index) => checkedEntry(entry, expected.items, `${path}[${index}]`))
				: checkedObject(value as object, expected, path);
		}
		const mayBeLong = expected.type === 'integer' && expected.format !== 'int32' && type !== 'number';
		const long = mayBeLong ? LongNumber.read(String(value)) : undefined;
		if (long) return long;
		const problem = problemOfType(type, value, expected) ?? problemOfValue(value, expected, path);
		if (problem) throw new InvalidValueError(labelOf(path), problem.what, problem.hint);
		if (type !== 'string' || expected.format !== 'date-time') return value;
		const zone = zoneOf(path, timeZone);
		return withLabel(
			() => labelOf(path),
			() => toServiceDateTime(value, path, zone),
		);
	}

	function checkedEntry(entry: unknown, expected: RequestSchema = {}, path: string): unknown {
		if (!isPlainObject(entry) || !isEmpty(entry)) return checked(entry, expected, path);
		throw new InvalidValueError(labelOf(path), 'is empty', 'Fill it in, or remove it');
	}

	function checkedObject(
		value: object,
		{ properties, values = {}, required = [] }: RequestSchema,
		path: string,
	): object {
		const placeOf = (name: string) => (path === '' ? name : `${path}.${name}`);
		const sent: Array<[name: string, value: unknown]> = [];
		for (const [name, given] of Object.entries(value) as Array<[string, unknown]>) {
			if (given === undefined) continue;
			const place = placeOf(name);
			const isKnown = properties !== undefined && Object.hasOwn(properties, name);
			if (!isWellFormed(name))
				throw new InvalidValueError(labelOf(place), UNPAIRED_SURROGATE.what, UNPAIRED_SURROGATE.hint);
			if (properties && !isKnown && !allowsUnknown)
				throw unknownName(labelOf(place), name, Object.keys(properties));
			// Records come with null for any value that they lack.
			const isLacking = given === null && isJson && !required.includes(name);
			const expected = (isKnown ? properties[name] : values) ?? {};
			sent.push([name, isLacking ? null : checked(given, expected, place)]);
		}
		const missing = required.find((name) => (value as Record<string, unknown>)[name] === undefined);
		if (missing === undefined) return Object.fromEntries(sent);
		const hint = 'Fill it in: the service needs it';
		throw new InvalidValueError(labelOf(placeOf(missing)), 'is missing', hint);
	}

	return checked(body, requestBodies[schema] ?? {}, '') as Record<string, unknown>;
}

interface Problem {
	what: string;
	hint: string;
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

function problemOfType(
	type: string | undefined,
	value: unknown,
	{ type: expected, isNullable, maxItems = Infinity }: RequestSchema,
): Problem | undefined {
	if (type === undefined)
		return { what: 'cannot be represented in JSON', hint: 'Enter text, numbers, true or false, or dates' };
	if (Array.isArray(value) && value.length > maxItems)
		return { what: 'has too many entries', hint: `Allowed: at most ${maxItems}` };
	const isExpected =
		value === null ? isNullable : expected === 'integer' ? Number.isInteger(value) : expected === type;
	if (isExpected || expected === undefined) return undefined;
	return { what: 'is of the wrong type', hint: `Allowed: ${expected}${isNullable ? ' or null' : ''}` };
}

/** The problem of a text, number, switch or null of the right type. */
function problemOfValue(
	value: unknown,
	{ codes, format, minLength }: RequestSchema,
	path: string,
): Problem | undefined {
	if (codes && !codes.some((code) => code.value === value)) {
		const allowed = codes.map((code) => code.value).join(', ');
		return { what: 'is not one of the allowed values', hint: `Allowed: ${allowed}` };
	}
	if (minLength && isBlank(value))
		return { what: 'is empty', hint: 'Fill it in: the service needs at least 1 character' };
	if (typeof value === 'string') {
		if (!isWellFormed(value)) return UNPAIRED_SURROGATE;
		if (isNilGuid(value) && NAMES_RECORD.test(path)) return NO_RECORD;
		return format === 'uuid' && !isGuid(value) ? NO_GUID : undefined;
	}
	if (typeof value !== 'number') return undefined;
	if (value < 1 && NAMES_RECORD.test(path))
		return { what: `is ${value}`, hint: 'Enter a whole number from 1: no record has a number below' };
	if (format !== 'int32' && format !== 'int64') return undefined;
	const { least, most } = WIDTHS[format];
	if (value < least) return { what: 'is out of range', hint: `Allowed: at least ${least}` };
	if (value <= most) return undefined;
	const inQuotes = format === 'int64' ? '. Enter a longer number in quotes: without, it loses digits' : '';
	return { what: 'is out of range', hint: `Allowed: at most ${most}${inQuotes}` };
}

const NO_GUID = { what: 'is not a GUID', hint: 'Enter a GUID, e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301' };

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
