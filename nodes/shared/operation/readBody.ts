import get from 'lodash/get';
import has from 'lodash/has';
import isPlainObject from 'lodash/isPlainObject';
import omit from 'lodash/omit';

import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { type BodyPart, USING_JSON } from './body';
import { checkContract } from './contractCheck';
import { type Field, toObject } from './fields';
import { isEmptyValue, parseJson, toBoolean, withLabel } from './formValues';
import type { ItemContext } from './itemContext';

/** What a form is read from. */
export type FormSource = Pick<ItemContext, 'read' | 'timeZone' | 'options'>;

/**
 * Builds and checks the body of one item.
 *
 * @throws InvalidValueError that names the parameter as displayed (or the path in the JSON) and what is allowed
 */
export function readBody(part: BodyPart, form: FormSource): unknown {
	if (part.sections.length === 0) return {};
	const usesJson = form.read('bodyMode') === USING_JSON;
	const body = usesJson ? fromJson(part, form) : fromFields(part, form);
	const { allowUnknownFields = false } = form.options;
	checkContract(part, body, {
		prefix: usesJson ? 'JSON' : undefined,
		allowsUnknown: toBoolean(allowUnknownFields, 'Allow Unknown Fields'),
	});
	if (part.identifiedBy) checkChanges(part, part.identifiedBy, body, usesJson);
	return body;
}

function fromJson({ sections, json }: BodyPart, { read, timeZone }: FormSource): Record<string, unknown> {
	const given = parseJson(read('jsonBody'), 'JSON');
	if (!isRecord(given) || !isPlainObject(given))
		throw new InvalidValueError('JSON', 'is not a JSON object', 'Give one object, in curly brackets');
	const body = json ? json.toBody(given) : given;
	for (const { at, narrows, serialize } of sections.flatMap(({ fields }) => fields))
		if (narrows && has(body, at))
			withLabel(
				() => `JSON: ${at}`,
				() => serialize(get(body, at), timeZone),
			);
	const records = sections.filter(({ namesRecord }) => namesRecord).flatMap(({ fields }) => fields);
	const ids = records.map((field) => [
		field.at,
		readRecordId(field, read(field.property.name), body[field.at], timeZone),
	]);
	return { ...body, ...Object.fromEntries(ids) };
}

/** @throws InvalidValueError for an update that holds nothing besides what names the record */
function checkChanges(
	{ sections }: BodyPart,
	identifiedBy: readonly string[],
	body: Record<string, unknown>,
	usesJson: boolean,
): void {
	if (hasValue(omit(body, identifiedBy))) return;
	const titles = sections.flatMap(({ title = [] }) => title);
	throw new InvalidValueError(
		usesJson ? 'JSON' : (titles[0] ?? 'Values'),
		'has nothing to change',
		usesJson
			? 'Give at least one value besides what names the record'
			: `Add at least one field besides what names the record: ${titles.join(', ')}`,
	);
}

function hasValue(value: unknown): boolean {
	return isRecord(value) ? Object.values(value).some(hasValue) : value !== undefined;
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

function fromFields({ sections }: BodyPart, { read, timeZone }: FormSource): Record<string, unknown> {
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
