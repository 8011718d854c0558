import get from 'lodash/get';
import isBoolean from 'lodash/isBoolean';
import isEmpty from 'lodash/isEmpty';
import isPlainObject from 'lodash/isPlainObject';
import isString from 'lodash/isString';
import map from 'lodash/map';

import type { RequestSchema } from '../contract/calls';
import { readGuid } from '../values/address';
import { isBlank } from '../values/blank';
import { hintOnName } from '../values/closestName';
import { isInstant, toServiceDateTime } from '../values/dateTime';
import { InvalidValueError } from '../values/invalidValue';
import { LongNumber } from '../values/longNumber';
import { WIDTHS } from '../values/number';
import { checkWellFormed } from '../values/text';
import { zoneOf } from '../values/zone';
import { refusePlaceholderText, takesId } from './placeholderTexts';

/** What errors call a whole body that was entered as JSON. */
export const JSON_BODY = 'JSON';

type JsonObject = Record<string, unknown>;

/** Checks what was entered as JSON against the contract. What is entered in fields is checked by their kinds. */
export class ContractCheck {
	/** @param timeZone for dates and times without an offset */
	constructor(private readonly timeZone: string) {}

	/**
	 * @param place where the value stands, as errors call it
	 * @returns the value as it is sent, with all that is in it: local times with the offset of the time zone
	 * @throws InvalidValueError that names the place and what is allowed
	 */
	read(value: unknown, schema: RequestSchema, place: string): unknown {
		const longNumber = longNumberIn(value, schema, place);
		if (longNumber) return longNumber;
		checkType(value, schema, place);
		if (Array.isArray(value)) return this.readList(value, schema, place);
		if (isPlainObject(value)) return this.readObject(value as JsonObject, schema, place);
		checkAllowed(value, schema, place);
		if (typeof value === 'string') return this.readText(value, schema, place);
		if (typeof value === 'number') checkWidth(value, schema, place);
		return value;
	}

	private readList(list: unknown[], schema: RequestSchema, place: string) {
		const { items = {}, maxItems = Infinity } = schema;
		if (list.length > maxItems) {
			const hint = `Allowed: at most ${maxItems}`;
			throw new InvalidValueError(place, 'has too many entries', hint);
		}
		return list.map((entry, index) => {
			const inner = `${place}[${index}]`;
			// An entry without a value would change nothing, or clear something.
			const saysNothing = isPlainObject(entry) && isEmpty(entry);
			if (!saysNothing) return this.read(entry, items, inner);
			throw new InvalidValueError(inner, 'is empty', 'Fill it in, or remove it');
		});
	}

	private readObject(object: JsonObject, schema: RequestSchema, place: string) {
		const { required = [] } = schema;
		const sent: Array<[string, unknown]> = [];
		for (const [name, value] of Object.entries(object)) {
			if (value === undefined) continue;
			const inner = placeIn(place, name);
			const expected = schemaOf(name, schema, inner);
			// Records come with null for any value that they lack.
			const isLacking = value === null && !required.includes(name);
			const read = isLacking ? null : this.read(value, expected, inner);
			sent.push([name, read]);
		}
		const result = Object.fromEntries(sent);
		for (const name of required) {
			if (Object.hasOwn(result, name)) continue;
			const inner = placeIn(place, name);
			throw new InvalidValueError(inner, 'is missing', 'Fill it in: the service needs it');
		}
		return result;
	}

	private readText(text: string, schema: RequestSchema, place: string) {
		checkWellFormed(text, place);
		if (schema.format === 'uuid') return readGuid(text, place);
		if (schema.format === 'date-time') return this.readTime(text, place);
		refusePlaceholderText(text, place, takesId(place));
		return text;
	}

	/** A time with an offset is sent as entered. Records hold `0001-01-01T00:00:00` for no date: that stays as it was received. */
	private readTime(text: string, place: string) {
		const zone = zoneOf(place, this.timeZone);
		const time = toServiceDateTime(text, place, zone);
		const isNoDate = text.startsWith('0001-01-01');
		if (isNoDate || isInstant(text)) return text;
		return time;
	}
}

/** @returns what a field of an object is called: `JSON: guests`, `JSON: contact.fname`, `Requirements[0].type` */
function placeIn(place: string, name: string) {
	if (place === JSON_BODY) return `${place}: ${name}`;
	return `${place}.${name}`;
}

/** @throws InvalidValueError for a name that the contract does not have */
function schemaOf(name: string, parent: RequestSchema, place: string): RequestSchema {
	checkWellFormed(name, place);
	const { properties } = parent;
	if (!properties) return parent.values ?? {};
	if (Object.hasOwn(properties, name)) return properties[name] ?? {};
	const names = Object.keys(properties);
	const hint = hintOnName(name, names);
	throw new InvalidValueError(place, 'is not a field of the request', hint);
}

/** @returns the number of a text that JavaScript cannot count to, where the contract has one that long, or an ID of any length */
function longNumberIn(value: unknown, { type, format }: RequestSchema, place: string) {
	if (type !== 'integer') return undefined;
	const isId = format === undefined && takesId(place);
	if (format !== 'int64' && !isId) return undefined;
	if (value instanceof LongNumber) return value;
	return LongNumber.from(value);
}

type Predicate = (value: unknown) => boolean;

const IS_OF_TYPE: Readonly<Record<string, Predicate>> = {
	array: Array.isArray,
	boolean: isBoolean,
	integer: Number.isInteger,
	number: Number.isFinite,
	object: isPlainObject,
	string: (value) => isString(value) || isDate(value),
};

/** @returns whether a value is a date, by an expression, that JSON has a text for */
function isDate(value: unknown) {
	if (typeof value !== 'object') return false;
	const toJson: unknown = get(value, 'toJSON');
	if (typeof toJson !== 'function') return false;
	const json: unknown = toJson.call(value);
	return typeof json === 'string';
}

function checkType(value: unknown, schema: RequestSchema, place: string) {
	const { type = '', isNullable } = schema;
	if (value === null && isNullable) return;
	const isOfType = IS_OF_TYPE[type];
	if (isOfType?.(value)) return;
	const problem = value === null ? 'is null' : 'is of the wrong type';
	const allowed = isNullable ? `${type} or null` : type;
	throw new InvalidValueError(place, problem, `Allowed: ${allowed}`);
}

function checkAllowed(value: unknown, schema: RequestSchema, place: string) {
	const codes = map(schema.codes, 'value');
	if (schema.codes && !codes.includes(value as number)) {
		const hint = `Allowed: ${codes.join(', ')}`;
		throw new InvalidValueError(place, 'is not one of the allowed values', hint);
	}
	if (schema.minLength && isBlank(value)) {
		const hint = 'Fill it in: the service needs at least 1 character';
		throw new InvalidValueError(place, 'is empty', hint);
	}
}

function checkWidth(value: number, schema: RequestSchema, place: string) {
	const { format } = schema;
	if (format !== 'int32' && format !== 'int64') return;
	const { least, most } = WIDTHS[format];
	if (value >= least && value <= most) return;
	let hint = `Allowed: ${least} to ${most}`;
	if (format === 'int64') hint += '. Enter a longer number in quotes: without, it loses digits';
	throw new InvalidValueError(place, 'is out of range', hint);
}
