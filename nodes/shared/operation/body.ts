import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';
import get from 'lodash/get';
import has from 'lodash/has';
import isPlainObject from 'lodash/isPlainObject';
import omit from 'lodash/omit';

import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { checkContract } from './contractCheck';
import { type Field, exampleHint, toObject } from './fields';
import { isEmptyValue, parseJson, toBoolean, withLabel } from './formValues';
import type { ItemContext } from './itemContext';
import { type Section, readSection, sectionProperties } from './sections';

/** The body of an operation. */
export interface BodyPart {
	/** Request schema in `contract/openapi.yaml` that every body is checked against before it is sent. */
	schema: string;
	sections: readonly Section[];
	/** Example for 'Using JSON', shown below it. */
	example: unknown;
	/** For an update: the fields that name the record. A body with nothing else changes nothing and is refused. */
	identifiedBy?: readonly string[];
	/** Where 'Using JSON' takes something other than the body itself. */
	json?: {
		description: string;
		/** @returns the body */
		toBody(json: Record<string, unknown>): Record<string, unknown>;
	};
}

const USING_FIELDS = 'fields';
export const USING_JSON = 'json';

/** The parameters of a body: the record, 'Values', then the fields or the JSON. */
export function bodyProperties({ sections, example, json }: BodyPart): INodeProperties[] {
	if (sections.length === 0) return [];
	const own = sections.filter(({ namesRecord }) => !namesRecord).flatMap(sectionProperties);
	const mode: INodeProperties = {
		displayName: 'Values',
		name: 'bodyMode',
		type: own.length > 0 ? 'options' : 'hidden',
		noDataExpression: true,
		options: [
			{ name: 'Using Fields Below', value: USING_FIELDS },
			{ name: 'Using JSON', value: USING_JSON },
		],
		default: USING_FIELDS,
		description: 'How to give the values to send',
	};
	const whole: INodeProperties = {
		displayName: 'JSON',
		name: 'jsonBody',
		type: 'json',
		typeOptions: { rows: 12 },
		default: '',
		required: true,
		description: `${json?.description ?? 'All values to send, as one JSON object'}. It is checked before anything is sent.`,
		hint: exampleHint(example),
	};
	const records = recordFields(sections);
	return [
		...shownFor(USING_FIELDS, ...records.map(({ property }) => property)),
		...shownFor(USING_JSON, ...records.map(orInJson)),
		mode,
		...shownFor(USING_FIELDS, ...own),
		...shownFor(USING_JSON, whole),
	];
}

function shownFor(bodyMode: string, ...properties: INodeProperties[]): INodeProperties[] {
	return updateDisplayOptions({ show: { bodyMode: [bodyMode] } }, properties);
}

/** A record that the JSON may name instead, so that n8n must not ask for it. */
function orInJson({ at, property }: Field): INodeProperties {
	const description = `${property.description?.replace(/\.$/, '')}. Leave empty if the JSON contains it as '${at}'.`;
	return { ...property, required: false, description };
}

/** What a form is read from. */
type FormSource = Pick<ItemContext, 'read' | 'timeZone' | 'options'>;

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
		throw new InvalidValueError('JSON', 'is not a JSON object', 'Enter one object, in curly brackets');
	const body = json ? json.toBody(given) : given;
	for (const { at, narrows, serialize } of sections.flatMap(({ fields }) => fields))
		if (narrows && has(body, at))
			withLabel(
				() => `JSON: ${at}`,
				() => serialize(get(body, at), timeZone),
			);
	const ids = recordFields(sections).map((field) => [
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
	const titles = sections.flatMap(({ collection }) => collection?.displayName ?? []);
	throw new InvalidValueError(
		usesJson ? 'JSON' : (titles[0] ?? 'Values'),
		'has nothing to change',
		usesJson
			? 'Enter at least one value besides the ID of the record'
			: `Add at least one field besides the ID of the record: ${titles.join(', ')}`,
	);
}

/**
 * @param isNoOp whether a value, by its name, changes nothing
 * @returns whether there is anything in a value, at any depth
 */
export function hasValue(value: unknown, isNoOp = (_name: string, _value: unknown) => false): boolean {
	if (!isRecord(value)) return value !== undefined;
	return Object.entries(value).some(([name, own]) => !isNoOp(name, own) && hasValue(own, isNoOp));
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
		throw new InvalidValueError(displayName, 'is empty', `Fill it in, or enter '${at}' in the JSON`);
	}
	const id = serialize(onForm, timeZone);
	if (isEmptyValue(inJson)) return id;
	if (String(inJson).toLowerCase() === String(id).toLowerCase()) return inJson;
	throw new InvalidValueError(
		label,
		`is '${String(inJson)}', but '${displayName}' is '${String(id)}'`,
		'Leave it out of the JSON, or enter the same ID in both places',
	);
}

function fromFields({ sections }: BodyPart, { read, timeZone }: FormSource): Record<string, unknown> {
	const body: Record<string, unknown> = {};
	for (const section of sections) toObject(section.fields, readSection(section, read), timeZone, body);
	return body;
}

function recordFields(sections: readonly Section[]): Field[] {
	return sections.filter(({ namesRecord }) => namesRecord).flatMap(({ fields }) => fields);
}
