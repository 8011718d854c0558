import isEmpty from 'lodash/isEmpty';
import isPlainObject from 'lodash/isPlainObject';
import map from 'lodash/map';

import { type RequestSchema, requestBodies } from '../contract/calls';
import { readGuid } from '../values/address';
import { isBlank } from '../values/blank';
import { hintOnName } from '../values/closestName';
import { toServiceDateTime } from '../values/dateTime';
import { InvalidValueError } from '../values/invalidValue';
import { LongNumber } from '../values/longNumber';
import { WIDTHS } from '../values/number';
import { checkWellFormed } from '../values/text';
import { zoneOf } from '../values/zone';
import type { BodyPart } from '../operation/operation';
import type { Section } from '../form/rows';

/**
 * Checks a body against the contract. List entries without a value are rejected too: they would
 * change nothing, or clear something.
 *
 * @param timeZone of the account
 * @param isJson whether it was entered as JSON: errors name its paths, and null may stand for any optional value, as in records
 * @returns the body as it is sent: local times with the offset of the time zone
 * @throws InvalidValueError that names the field and what is allowed
 */
export function checkBody(
	{ schema, sections }: Pick<BodyPart, 'schema' | 'sections'>,
	body: Record<string, unknown>,
	timeZone: string,
	isJson: boolean,
): Record<string, unknown> {
	const labelOf = labelsOf(sections, isJson);
	const refuse = (path: string, what: string, hint: string): never => {
		throw new InvalidValueError(labelOf(path), what, hint);
	};

	/** @returns the value as it is sent, with all that is in it */
	function checked(value: unknown, expected: RequestSchema, path: string): unknown {
		const { type, isNullable, format, codes, minLength } = expected;
		const given = jsonTypeOf(value);
		const mayBeLong = type === 'integer' && format !== 'int32' && given === 'string';
		const long = mayBeLong ? LongNumber.from(String(value)) : undefined;
		if (long) return long;
		const isExpected =
			value === null ? isNullable : type === 'integer' ? Number.isInteger(value) : type === given;
		const problem = value === null ? 'is null' : 'is of the wrong type';
		if (!isExpected) refuse(path, problem, `Allowed: ${type}${isNullable ? ' or null' : ''}`);
		if (Array.isArray(value)) return checkedList(value, expected, path);
		if (given === 'object') return checkedObject(value as object, expected, path);
		if (codes && !codes.some((code) => code.value === value))
			refuse(
				path,
				'is not one of the allowed values',
				`Allowed: ${map(codes, 'value').join(', ')}`,
			);
		if (minLength && isBlank(value))
			refuse(path, 'is empty', 'Fill it in: the service needs at least 1 character');
		if (typeof value === 'number') checkNumber(value, format, path);
		return typeof value === 'string' ? checkedText(value, format, path) : value;
	}

	function checkedList(
		value: unknown[],
		{ items = {}, maxItems = Infinity }: RequestSchema,
		path: string,
	) {
		if (value.length > maxItems)
			refuse(path, 'has too many entries', `Allowed: at most ${maxItems}`);
		return value.map((entry, index) => {
			const place = `${path}[${index}]`;
			if (isPlainObject(entry) && isEmpty(entry))
				refuse(place, 'is empty', 'Fill it in, or remove it');
			return checked(entry, items, place);
		});
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
			if (!name.isWellFormed()) checkWellFormed(name, labelOf(place));
			if (properties && !isKnown)
				refuse(place, 'is not a field of the request', hintOnName(name, Object.keys(properties)));
			// Records come with null for any value that they lack.
			const isLacking = given === null && isJson && !required.includes(name);
			const expected = (isKnown ? properties[name] : values) ?? {};
			sent.push([name, isLacking ? null : checked(given, expected, place)]);
		}
		const missing = required.find((name) => (value as Record<string, unknown>)[name] === undefined);
		if (missing !== undefined)
			refuse(placeOf(missing), 'is missing', 'Fill it in: the service needs it');
		return Object.fromEntries(sent);
	}

	function checkNumber(value: number, format: string | undefined, path: string): void {
		if (format !== 'int32' && format !== 'int64') return;
		const { least, most } = WIDTHS[format];
		const inQuotes =
			format === 'int64' ? '. Enter a longer number in quotes: without, it loses digits' : '';
		if (value < least || value > most)
			refuse(path, 'is out of range', `Allowed: ${least} to ${most}${inQuotes}`);
	}

	function checkedText(value: string, format: string | undefined, path: string): string {
		if (!value.isWellFormed()) checkWellFormed(value, labelOf(path));
		if (format === 'uuid') return readGuid(value, labelOf(path));
		return format === 'date-time'
			? toServiceDateTime(value, labelOf(path), zoneOf(path, timeZone))
			: value;
	}

	return checked(body, requestBodies[schema] ?? {}, '') as Record<string, unknown>;
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

/** @returns what errors call a place in the body: `JSON: requirements[1].type`, of fields `Requirements[1].type` */
export function labelsOf(sections: readonly Section[], isJson: boolean): (place: string) => string {
	return (place) => {
		if (isJson) return `JSON: ${place || 'body'}`;
		const fields = sections.flatMap((section) => section.fields);
		const field = fields.find(
			({ path }) => place.startsWith(path) && /^(?:[.[]|$)/.test(place.slice(path.length)),
		);
		return field ? field.property.displayName + place.slice(field.path.length) : place;
	};
}
