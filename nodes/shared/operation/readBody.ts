import isEqual from 'lodash/isEqual';
import isPlainObject from 'lodash/isPlainObject';

import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { type BodyPart, USING_JSON } from './body';
import { checkContract } from './contractCheck';
import { type Field, toObject } from './fields';
import { isEmptyValue, parseJson, withLabel } from './formValues';

/**
 * Builds and checks the body of one item.
 *
 * @param read reads a parameter of the item; asked once for each
 * @throws InvalidValueError that names the parameter as displayed (or the path in the JSON) and what is allowed
 */
export function readBody(part: BodyPart, read: (name: string) => unknown, timeZone: string): unknown {
	if (part.sections.length === 0) return {};
	const usesJson = read('bodyMode') === USING_JSON;
	const body = usesJson ? fromJson(part, read, timeZone) : fromFields(part, read, timeZone);
	checkContract(part, body, usesJson ? 'JSON' : undefined);
	return body;
}

function fromJson(
	{ sections, example, formerExample = example, json }: BodyPart,
	read: (name: string) => unknown,
	timeZone: string,
): Record<string, unknown> {
	const given = parseJson(read('jsonBody'), 'JSON');
	if (!isRecord(given) || !isPlainObject(given))
		throw new InvalidValueError('JSON', 'is not a JSON object', 'Give one object, in curly brackets');
	if (isEqual(given, example) || isEqual(given, formerExample))
		throw new InvalidValueError('JSON', 'still is the example', 'Give your own values instead');
	const body = json ? json.toBody(given) : given;
	const records = sections.filter(({ namesRecord }) => namesRecord).flatMap(({ fields }) => fields);
	const ids = records.map((field) => [
		field.at,
		readRecordId(field, read(field.property.name), body[field.at], timeZone),
	]);
	return { ...body, ...Object.fromEntries(ids) };
}

/**
 * The ID of the record from the form, or from the JSON where the form has none.
 *
 * @throws InvalidValueError where neither has one, or both have different ones
 */
function readRecordId(
	{ at, property: { displayName }, serialize }: Field,
	onForm: unknown,
	inJson: unknown,
	timeZone: string,
): unknown {
	const label = `JSON: ${at}`;
	if (!isEmptyValue(inJson))
		withLabel(
			() => label,
			() => serialize(inJson, timeZone),
		);
	if (isEmptyValue(onForm)) {
		if (!isEmptyValue(inJson)) return inJson;
		throw new InvalidValueError(displayName, 'is empty', `Fill it in, or give '${at}' in the JSON`);
	}
	const id = serialize(onForm, timeZone);
	if (isEmptyValue(inJson)) return id;
	if (String(inJson).toLowerCase() === String(id).toLowerCase()) return inJson;
	throw new InvalidValueError(
		label,
		`is '${String(inJson)}', but '${displayName}' is '${String(id)}'`,
		'Leave it out of the JSON, or give the same in both places',
	);
}

function fromFields(
	{ sections }: BodyPart,
	read: (name: string) => unknown,
	timeZone: string,
): Record<string, unknown> {
	const body: Record<string, unknown> = {};
	for (const { name, fields } of sections) {
		const values = name === undefined ? readTopLevel(fields, read) : read(name);
		if (isRecord(values)) toObject(fields, values, timeZone, '', body);
	}
	return body;
}

/**
 * Reads the fields at the top level; an optional one that is empty is left out.
 *
 * @returns the values by parameter name
 * @throws InvalidValueError for a required one that is empty
 */
export function readTopLevel(
	fields: readonly Field[],
	read: (name: string) => unknown,
): Record<string, unknown> {
	const values = fields.map(({ property: { name, displayName, required } }) => {
		const value = read(name);
		const isEmpty = isEmptyValue(value);
		if (isEmpty && required)
			throw new InvalidValueError(displayName, 'is empty', 'Fill it in: the service needs it');
		return [name, isEmpty ? undefined : value];
	});
	return Object.fromEntries(values) as Record<string, unknown>;
}
