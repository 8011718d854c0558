import isEmpty from 'lodash/isEmpty';
import isPlainObject from 'lodash/isPlainObject';
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
		const long = longNumberIn(value, schema);
		if (long) return long;
		checkType(value, schema, place);
		if (Array.isArray(value)) return this.readList(value, schema, place);
		if (isPlainObject(value)) return this.readObject(value as object, schema, place);
		checkAllowed(value, schema, place);
		if (typeof value === 'number') checkWidth(value, schema, place);
		return typeof value === 'string' ? this.readText(value, schema, place) : value;
	}

	/** An entry without a value is refused: it would change nothing, or clear something. */
	private readList(list: unknown[], schema: RequestSchema, place: string): unknown[] {
		const { items = {}, maxItems = Infinity } = schema;
		if (list.length > maxItems)
			throw new InvalidValueError(place, 'has too many entries', `Allowed: at most ${maxItems}`);
		return list.map((entry, index) => {
			const placeOfEntry = `${place}[${index}]`;
			if (isPlainObject(entry) && isEmpty(entry))
				throw new InvalidValueError(placeOfEntry, 'is empty', 'Fill it in, or remove it');
			return this.read(entry, items, placeOfEntry);
		});
	}

	private readObject(object: object, schema: RequestSchema, place: string): object {
		const sent: Array<[name: string, value: unknown]> = [];
		for (const [name, value] of Object.entries(object) as Array<[string, unknown]>) {
			if (value === undefined) continue;
			const isRequired = schema.required?.includes(name) === true;
			// Records come with null for any value that they lack.
			const isLacking = value === null && !isRequired;
			const expected = schemaOf(name, schema, placeIn(place, name));
			sent.push([name, isLacking ? null : this.read(value, expected, placeIn(place, name))]);
		}
		const result = Object.fromEntries(sent);
		const missing = schema.required?.find((name) => !Object.hasOwn(result, name));
		if (missing === undefined) return result;
		const hint = 'Fill it in: the service needs it';
		throw new InvalidValueError(placeIn(place, missing), 'is missing', hint);
	}

	private readText(text: string, { format }: RequestSchema, place: string): string {
		checkWellFormed(text, place);
		if (format === 'uuid') return readGuid(text, place);
		if (format === 'date-time') return this.readTime(text, place);
		refusePlaceholderText(text, place, takesId(place));
		return text;
	}

	/** A time with an offset is sent as entered. Records hold `0001-01-01T00:00:00` for no date: that stays as it was received. */
	private readTime(text: string, place: string): string {
		const time = toServiceDateTime(text, place, zoneOf(place, this.timeZone));
		return isInstant(text) || text.startsWith('0001-01-01') ? text : time;
	}
}

/** @returns what a field of an object is called: `JSON: guests`, `JSON: contact.fname`, `Requirements[0].type` */
function placeIn(place: string, name: string): string {
	return place === JSON_BODY ? `${JSON_BODY}: ${name}` : `${place}.${name}`;
}

/** @throws InvalidValueError for a name that the contract does not have */
function schemaOf(name: string, { properties, values }: RequestSchema, place: string) {
	checkWellFormed(name, place);
	if (!properties) return values ?? {};
	const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
	if (schema) return schema;
	const hint = hintOnName(name, Object.keys(properties));
	throw new InvalidValueError(place, 'is not a field of the request', hint);
}

/** @returns the number of a text that JavaScript cannot count to, where the contract has one that long */
function longNumberIn(value: unknown, { type, format }: RequestSchema): LongNumber | undefined {
	if (type !== 'integer' || format === 'int32') return undefined;
	return value instanceof LongNumber ? value : LongNumber.from(value);
}

function checkType(value: unknown, { type, isNullable }: RequestSchema, place: string): void {
	const given = jsonTypeOf(value);
	if (value === null && isNullable) return;
	if (type === 'integer' ? Number.isInteger(value) : type === given) return;
	const problem = value === null ? 'is null' : 'is of the wrong type';
	throw new InvalidValueError(place, problem, `Allowed: ${type}${isNullable ? ' or null' : ''}`);
}

function checkAllowed(value: unknown, { codes, minLength }: RequestSchema, place: string): void {
	if (codes && !codes.some((code) => code.value === value)) {
		const allowed = map(codes, 'value').join(', ');
		throw new InvalidValueError(place, 'is not one of the allowed values', `Allowed: ${allowed}`);
	}
	if (!minLength || !isBlank(value)) return;
	const hint = 'Fill it in: the service needs at least 1 character';
	throw new InvalidValueError(place, 'is empty', hint);
}

function checkWidth(value: number, { format }: RequestSchema, place: string): void {
	if (format !== 'int32' && format !== 'int64') return;
	const { least, most } = WIDTHS[format];
	if (value >= least && value <= most) return;
	const inQuotes =
		format === 'int64' ? '. Enter a longer number in quotes: without, it loses digits' : '';
	throw new InvalidValueError(place, 'is out of range', `Allowed: ${least} to ${most}${inQuotes}`);
}

/** @returns the type that a value has in JSON, a text for a valid date; undefined for what JSON cannot hold */
function jsonTypeOf(value: unknown): string | undefined {
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'number') return Number.isFinite(value) ? 'number' : undefined;
	if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
	if (typeof value !== 'object' || value === null) return undefined;
	if ('toJSON' in value && typeof value.toJSON === 'function')
		return typeof value.toJSON() === 'string' ? 'string' : undefined;
	return isPlainObject(value) ? 'object' : undefined;
}
