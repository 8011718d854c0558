import type { IDataObject, INodeProperties } from 'n8n-workflow';
import get from 'lodash/get';
import has from 'lodash/has';
import isNil from 'lodash/isNil';
import isPlainObject from 'lodash/isPlainObject';
import map from 'lodash/map';
import mapValues from 'lodash/mapValues';
import omit from 'lodash/omit';
import omitBy from 'lodash/omitBy';

import { fillPath } from '../values/address';
import { InvalidValueError } from '../values/invalidValue';
import { LongNumber } from '../values/longNumber';
import { isRecord } from '../values/record';
import { checkBody, labelsOf } from './checkBody';
import { toObject } from '../form/fields';
import { recordFields, usesJson } from '../operation/nodeForm';
import { filledIn, isEmptyValue, parseJson, refuseUnknownNames } from '../form/values';
import type {
	BodyPart,
	ItemContext,
	ItemRequest,
	Operation,
	RunSettings,
} from '../operation/operation';
import type { Section } from '../form/rows';
import { readSystem } from '../operation/options';
import { readOption, readParameter } from '../form/readParameter';

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
	const {
		method,
		path,
		pathFields = [],
		query = [],
		body,
		parameters = [],
		options = [],
	} = operation;
	for (const field of parameters) readParameter(item, field);
	for (const field of options) readOption(item, field);
	const pathValues = readSections([{ fields: pathFields }], item);
	const request: ItemRequest = {
		timeout,
		giveUpAfterMs,
		method,
		path: fillPath(path, pathValues),
		query: mapValues(omitBy(readSections(query, item), isNil), withAllDigits) as IDataObject,
		expects: operation.output.schema === undefined ? 'text' : operation.output.kind,
		...(body
			? { body: readBody(body, item, pathValues, pathFields[0]?.property.displayName) }
			: {}),
	};
	request.system = operation.takesSystem ? readSystem(item) : false;
	operation.preSend?.(item, request);
	request.record = recordNamed(operation, {
		...(request.body ?? {}),
		...request.query,
		...pathValues,
	});
	return request;
}

/** @returns the record that a request changes, in the words of the form; undefined if it only reads */
function recordNamed(operation: Operation, values: object): string | undefined {
	if (operation.recordFields.length === 0) return undefined;
	return operation.recordFields
		.filter(({ path }) => has(values, path))
		.map(({ path, property: { displayName } }) => `'${displayName}' ${String(get(values, path))}`)
		.join(', ');
}

function withAllDigits(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withAllDigits);
	return value instanceof LongNumber ? value.toString() : value;
}

/** @returns the values of sections as they are sent */
function readSections(
	sections: readonly Section[],
	{ getParameter, account }: ItemContext,
): Record<string, unknown> {
	const sent: Record<string, unknown> = {};
	for (const section of sections)
		toObject(section.fields, readSection(section, getParameter), account.timeZone, sent);
	return sent;
}

/**
 * @returns the values of a section by parameter name
 * @throws InvalidValueError for a name in a collection that is not sent
 */
function readSection(
	{ collection, fields }: Section,
	getParameter: ItemContext['getParameter'],
): Record<string, unknown> {
	if (!collection) {
		const shown = map(fields, 'property').filter((property) => isShown(property, getParameter));
		return Object.fromEntries(shown.map(({ name }) => [name, getParameter(name)]));
	}
	const values = Object(getParameter(collection.name)) as Record<string, unknown>;
	refuseUnknownNames(values, fields, collection.displayName);
	return values;
}

function isShown(
	{ displayOptions }: INodeProperties,
	getParameter: ItemContext['getParameter'],
): boolean {
	const { show = {} } = displayOptions ?? {};
	return Object.entries(show).every(([name, values]) =>
		values?.includes(getParameter(name) as string),
	);
}

/**
 * Builds and checks the body of one item.
 *
 * @param pathValues by placeholder
 * @throws InvalidValueError that names the parameter as displayed (or the path in the JSON) and what is allowed
 */
function readBody(
	part: BodyPart,
	item: ItemContext,
	pathValues: Record<string, unknown>,
	pathLabel = '',
): unknown {
	const { sections, repeatsId, notEnough = repeatsId, sameIds = {} } = part;
	const isJson = usesJson(item);
	const entered = isJson ? fromJson(part, item) : readSections(sections, item);
	const body = checkBody(part, entered, item.account.timeZone, isJson);
	if (notEnough !== undefined && !hasValue(omit(body, notEnough))) {
		const label = isJson ? 'JSON' : sections[0]?.collection?.displayName;
		throw new InvalidValueError(label ?? 'Specify Values', 'has nothing to send', NOTHING_HINT);
	}
	const labelOf = labelsOf(sections, isJson);
	const repeated = repeatsId === undefined ? {} : { [repeatsId]: pathValues.id };
	for (const [path, other] of Object.entries({ ...sameIds, ...mapValues(repeated, () => 'path') }))
		if (other === 'path') refuseOther(labelOf(path), get(body, path), pathLabel, pathValues.id);
		else refuseOther(labelOf(path), get(body, path), labelOf(other), get(body, other));
	return { ...body, ...repeated };
}

const NOTHING_HINT =
	"Enter at least one value; an ID or passcode alone is not enough. Empty fields are not sent; to clear a value, choose 'Using JSON'";

/** @throws InvalidValueError where no ID of the record is there, or two that differ */
function fromJson(
	{ sections }: BodyPart,
	{ getParameter, account: { timeZone } }: ItemContext,
): Record<string, unknown> {
	const given = parseJson(getParameter('jsonBody') ?? '', 'JSON');
	if (!isRecord(given) || !isPlainObject(given))
		throw new InvalidValueError(
			'JSON',
			'is not a JSON object',
			'Enter one object, in curly brackets',
		);
	const body = { ...given };
	for (const { path, serialize, mustNotBeEmpty } of sections.flatMap(({ fields }) => fields))
		if (mustNotBeEmpty && has(body, path)) serialize(get(body, path), timeZone, `JSON: ${path}`);
	for (const { path, property, serialize } of recordFields(sections)) {
		const [onForm, inJson] = [getParameter(property.name), filledIn(body[path])];
		const named = inJson === undefined ? undefined : serialize(inJson, timeZone, `JSON: ${path}`);
		refuseOther(`JSON: ${path}`, named, property.displayName, onForm);
		body[path] = named ?? serialize(onForm, timeZone);
	}
	return body;
}

/** @returns whether a value contains anything, at any depth */
export function hasValue(value: unknown): boolean {
	return isPlainObject(value) ? Object.values(value as object).some(hasValue) : value !== undefined;
}

/** @throws InvalidValueError where two IDs of a request name different records */
function refuseOther(label: string, id: unknown, otherLabel: string, otherId: unknown): void {
	if (isEmptyValue(id) || isEmptyValue(otherId)) return;
	const [one, other] = [id, otherId].map((each) => String(each).trim().toLowerCase());
	if (one === other) return;
	throw new InvalidValueError(
		label,
		`names another record than '${otherLabel}'`,
		'Leave it out, or enter the same ID in both places',
	);
}
