import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';
import has from 'lodash/has';
import isNil from 'lodash/isNil';
import isPlainObject from 'lodash/isPlainObject';
import mapValues from 'lodash/mapValues';
import memoize from 'lodash/memoize';
import omit from 'lodash/omit';
import omitBy from 'lodash/omitBy';
import uniqBy from 'lodash/uniqBy';

import { requestBodies } from '../contract/calls';
import { fillPath } from '../values/address';
import { InvalidValueError } from '../values/invalidValue';
import { LongNumber } from '../values/longNumber';
import { isRecord } from '../values/record';
import { checkBody } from './contractCheck';
import { type Field, toObject } from './fields';
import { USING_JSON, bodyMode, recordFields } from './form';
import {
	checkChoice,
	filledIn,
	isEmptyValue,
	parseJson,
	refuseUnknownNames,
	toBoolean,
	withLabel,
} from './formValues';
import type {
	BodyPart,
	FormValues,
	ItemContext,
	ItemRequest,
	Operation,
	RunSettings,
	Section,
} from './operation';
import { readSystem, unknownFieldsOption } from './options';

/**
 * The request of one item, with all values checked.
 *
 * @throws InvalidValueError that names the parameter as displayed
 */
export function prepareRequest(
	item: ItemContext,
	operation: Operation,
	{ timeout, giveUpAfterMs }: RunSettings,
): ItemRequest {
	const { method, path, pathFields = [], query = [], body, takesSystem = true, output, preSend } = operation;
	for (const [at, choice] of choicesOf(operation))
		checkChoice(item.read(at), choice, has(item.node.parameters, at));
	for (const { name, displayName, known } of collectionsOf(operation)) {
		const values = item.read(name);
		if (isRecord(values)) refuseUnknownNames(values, known, displayName);
	}
	const pathValues = Object.fromEntries(
		pathFields.map(({ path: placeholder, property, serialize }) => [
			placeholder,
			serialize(item.read(property.name), item.timeZone) as string,
		]),
	);
	const pathLabel = pathFields[0]?.property.displayName ?? '';
	const request: ItemRequest = {
		timeout,
		giveUpAfterMs,
		method,
		path: fillPath(path, pathValues),
		query: Object.assign({}, ...query.map((part) => readQuery(part, item))) as IDataObject,
		expects: output.schema === undefined ? 'text' : output.kind === 'list' ? 'list' : 'record',
		...(body ? { body: readBody(body, item, { id: pathValues.id, label: pathLabel }) } : {}),
	};
	request.system = takesSystem ? readSystem(item) : false;
	preSend?.(item, request);
	request.record = recordNamed(operation, { ...request, pathValues });
	return request;
}

/** @returns the path of each choice and switch, with its parameter */
const choicesOf = memoize(({ parameters = [], body, options = [] }: Operation) => {
	const open = [...parameters, ...(body ? [bodyMode] : [])].map((one) => [one.name, one] as const);
	const inOptions = [...options, ...(body ? [unknownFieldsOption] : [])];
	return [...open, ...inOptions.map((one) => [`options.${one.name}`, one] as const)];
});

/** @returns the collections of the form with the names that each has; sections may share one */
const collectionsOf = memoize(({ query = [], body, afterCall }: Operation) => {
	const sections = [...query, ...(body?.sections ?? []), ...(afterCall ? [afterCall] : [])];
	return uniqBy(
		sections.flatMap(({ collection }) => collection ?? []),
		'name',
	).map(({ name, displayName }) => {
		const same = sections.filter(({ collection }) => collection?.name === name);
		const known = same.flatMap(({ fields }) => fields.map(({ property }) => property.name));
		return { name, displayName, known };
	});
});

/** @returns the record that a request changes, in the words of the form; undefined if it only reads */
function recordNamed(
	{ recordPath, pathFields = [], query = [], body }: Operation,
	request: object,
): string | undefined {
	if (recordPath === undefined) return undefined;
	const fields = [...query, ...(body?.sections ?? [])].flatMap((section) => section.fields);
	const naming =
		recordPath === 'path' ? pathFields : fields.filter(({ path }) => recordPath.endsWith(`.${path}`));
	const values = naming.map(({ path, property: { displayName } }) => {
		const value: unknown = get(request, recordPath === 'path' ? `pathValues.${path}` : recordPath);
		return value === undefined ? '' : `'${displayName}' ${String(value)}`;
	});
	return values.filter(Boolean).join(', ');
}

function readQuery(section: Section, { read, timeZone }: ItemContext): Record<string, unknown> {
	const values = toObject(section.fields, readSection(section, read), timeZone);
	return mapValues(omitBy(values, isNil), (value) =>
		Array.isArray(value) ? value.map(withAllDigits) : withAllDigits(value),
	);
}

function withAllDigits(value: unknown): unknown {
	return value instanceof LongNumber ? value.toString() : value;
}

/**
 * Reads the values of a section, without optional fields that are empty at the top level.
 *
 * @returns the values by parameter name
 * @throws InvalidValueError for a required field that is empty at the top level
 */
export function readSection(
	{ collection, fields, shownFor }: Section,
	read: FormValues['read'],
): Record<string, unknown> {
	if (shownFor && read(shownFor.parameter) !== shownFor.value) return {};
	if (collection) {
		const values = read(collection.name);
		return isRecord(values) ? values : {};
	}
	const values = fields.map(({ property: { name, displayName, required } }) => {
		const value = read(name);
		if (value === undefined && required)
			throw new InvalidValueError(displayName, 'is empty', 'Fill it in: the service needs it');
		return [name, value];
	});
	return Object.fromEntries(values) as Record<string, unknown>;
}

/**
 * Builds and checks the body of one item.
 *
 * @throws InvalidValueError that names the parameter as displayed (or the path in the JSON) and what is allowed
 */
function readBody(part: BodyPart, form: FormValues, pathId: { id?: string; label: string }): unknown {
	if (part.sections.length === 0) return {};
	const { read, timeZone } = form;
	const isJson = read('bodyMode') === USING_JSON;
	const entered = isJson ? fromJson(part, form) : fromFields(part, form);
	const allowsUnknown = toBoolean(read('options.allowUnknownFields') ?? false, 'Allow Unknown Fields');
	const body = checkBody(part, entered, { allowsUnknown, timeZone, isJson });
	if (part.identifiedBy) checkChanges(part, part.identifiedBy, body, isJson);
	return withSameIds(part, body, pathId, isJson);
}

function fromJson({ sections, json }: BodyPart, { read, timeZone }: FormValues): Record<string, unknown> {
	const given = parseJson(read('jsonBody') ?? '', 'JSON');
	if (!isRecord(given) || !isPlainObject(given))
		throw new InvalidValueError('JSON', 'is not a JSON object', 'Enter one object, in curly brackets');
	const body = json ? json.toBody(given) : given;
	for (const { path, mustNotBeEmpty, serialize } of sections.flatMap(({ fields }) => fields))
		if (mustNotBeEmpty && has(body, path))
			withLabel(
				() => `JSON: ${path}`,
				() => serialize(get(body, path), timeZone),
			);
	const ids = recordFields(sections).map((field) => {
		const { path, property } = field;
		return [path, readRecordId(field, read(property.name), filledIn(body[path]), timeZone)];
	});
	return { ...body, ...Object.fromEntries(ids) };
}

/**
 * The ID of the record from the form, or from the JSON if the form has none.
 *
 * @throws InvalidValueError if neither has one, or if they differ
 */
function readRecordId(
	{ path, property: { displayName }, serialize }: Field,
	onForm: unknown,
	inJson: unknown,
	timeZone: string,
): unknown {
	const label = `JSON: ${path}`;
	if (onForm === undefined && inJson === undefined)
		throw new InvalidValueError(displayName, 'is empty', `Fill it in, or enter '${path}' in the JSON`);
	const readJson = () => serialize(inJson, timeZone);
	const named = inJson === undefined ? undefined : withLabel(() => label, readJson);
	if (onForm === undefined) return named;
	const id = serialize(onForm, timeZone);
	if (named !== undefined) refuseOther(label, named, displayName, id);
	return id;
}

/** @throws InvalidValueError for an update that only identifies the record */
function checkChanges(
	{ sections }: BodyPart,
	identifiedBy: readonly string[],
	body: Record<string, unknown>,
	usesJson: boolean,
): void {
	if (hasValue(omit(body, identifiedBy))) return;
	const titles = sections.flatMap(({ collection }) => collection?.displayName ?? []);
	throw new InvalidValueError(
		usesJson ? 'JSON' : (titles[0] ?? 'Specify Values'),
		'has nothing to change',
		usesJson
			? 'Enter at least one value besides the ID of the record'
			: `Fill in at least one field: ${titles.join(', ')}. Empty fields are not sent; to clear a value, choose 'Using JSON'`,
	);
}

/**
 * @param isNoOp whether a value, by its name, changes nothing
 * @returns whether a value contains anything, at any depth
 */
export function hasValue(value: unknown, isNoOp = (_name: string, _value: unknown) => false): boolean {
	if (!isRecord(value)) return value !== undefined;
	return Object.entries(value).some(([name, inner]) => !isNoOp(name, inner) && hasValue(inner, isNoOp));
}

/**
 * Writes the ID of the path where the body repeats it.
 *
 * @throws InvalidValueError where two IDs of the request name different records
 */
function withSameIds(
	{ schema, sections, repeatsId, sameIds }: BodyPart,
	body: Record<string, unknown>,
	{ id: pathId, label: pathLabel }: { id?: string; label: string },
	isJson: boolean,
): Record<string, unknown> {
	const fields = sections.flatMap((section) => section.fields);
	const labelOf = (path: string) =>
		(!isJson && fields.find((field) => field.path === path)?.property.displayName) || `JSON: ${path}`;
	const pairs = { ...sameIds, ...(repeatsId === undefined ? {} : { [repeatsId]: 'path' }) };
	for (const [path, other] of Object.entries(pairs)) {
		const [id, otherId] = [get(body, path), other === 'path' ? pathId : get(body, other)] as unknown[];
		if (isEmptyValue(id) || isEmptyValue(otherId)) continue;
		refuseOther(labelOf(path), id, other === 'path' ? pathLabel : labelOf(other), otherId);
	}
	if (repeatsId === undefined) return body;
	const isNumber = requestBodies[schema]?.properties?.[repeatsId]?.type === 'integer';
	return { ...body, [repeatsId]: isNumber ? (LongNumber.read(pathId) ?? Number(pathId)) : pathId };
}

function refuseOther(label: string, id: unknown, otherLabel: string, otherId: unknown): void {
	if (String(id).toLowerCase() === String(otherId).toLowerCase()) return;
	throw new InvalidValueError(
		label,
		`names another record than '${otherLabel}'`,
		'Leave it out, or enter the same ID in both places',
	);
}

function fromFields({ sections }: BodyPart, { read, timeZone }: FormValues): Record<string, unknown> {
	const body: Record<string, unknown> = {};
	for (const section of sections) toObject(section.fields, readSection(section, read), timeZone, body);
	return body;
}
