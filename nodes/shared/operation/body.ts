import type { INodeProperties } from 'n8n-workflow';

import { type ContractViolation, validators } from '../contract/validators';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { type Field, parseJson, sortedByName, toObject } from './fields';

/** A part of the form for a body: fields at the top level, or a collection of optional ones. */
export interface BodySection {
	/** Title of the collection; without one the fields stand at the top level. */
	title?: string;
	/** Parameter name of the collection. */
	name?: string;
	description?: string;
	fields: readonly Field[];
}

/** The body of an operation. */
export interface BodyPart {
	/** Request schema in `contract/openapi.yaml` that every body is checked against before it is sent. */
	schema: string;
	sections: readonly BodySection[];
	/** Example for 'Using JSON'. */
	example: unknown;
	/** Where 'Using JSON' takes something other than the body itself. */
	json?: {
		description: string;
		/** @returns the body */
		toBody(json: Record<string, unknown>): Record<string, unknown>;
	};
}

const USING_FIELDS = 'fields';
const USING_JSON = 'json';

/** Fields at the top level of the form. */
export function topLevel(...fields: readonly Field[]): BodySection {
	return { fields };
}

/** Related optional fields, in a collection. */
export function collection(
	title: string,
	name: string,
	fields: readonly Field[],
	description?: string,
): BodySection {
	return { title, name, fields, description };
}

/** The parameters of a body, 'Body' first. */
export function bodyProperties({ sections, example, json }: BodyPart): INodeProperties[] {
	const mode: INodeProperties = {
		displayName: 'Body',
		name: 'bodyMode',
		type: 'options',
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
		default: JSON.stringify(example, null, 2),
		required: true,
		description: `${json?.description ?? 'All values to send, as one JSON object'}. It is checked before anything is sent.`,
		displayOptions: { show: { bodyMode: [USING_JSON] } },
	};
	const forms = sections.flatMap(sectionProperties).map((property) => ({
		...property,
		displayOptions: { show: { ...property.displayOptions?.show, bodyMode: [USING_FIELDS] } },
	}));
	return sections.length === 0 ? [] : [mode, ...forms, whole];
}

function sectionProperties({ title, name, fields, description }: BodySection): INodeProperties[] {
	const properties = fields.map(({ property }) => property);
	if (title === undefined || name === undefined) return properties;
	return [
		{
			displayName: title,
			name,
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description,
			options: sortedByName(properties),
		},
	];
}

/**
 * Builds and checks the body of one item.
 *
 * @param read reads a parameter of the item; asked once for each
 * @throws InvalidValueError that names the parameter as displayed (or the path in the JSON) and what is allowed
 */
export function readBody(part: BodyPart, read: (name: string) => unknown, timeZone: string): unknown {
	if (part.sections.length === 0) return {};
	const usesJson = read('bodyMode') === USING_JSON;
	const body = usesJson ? fromJson(part, read('jsonBody')) : fromFields(part, read, timeZone);
	checkBody(part, body, usesJson ? 'JSON' : undefined);
	return body;
}

function fromJson({ json }: BodyPart, value: unknown): Record<string, unknown> {
	const given = parseJson(value, 'JSON');
	if (!isRecord(given))
		throw new InvalidValueError('JSON', 'is not a JSON object', 'Give one object, in curly brackets');
	return json ? json.toBody(given) : given;
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
		const isEmpty = value === '' || value === undefined || value === null;
		if (isEmpty && required)
			throw new InvalidValueError(displayName, 'is empty', 'Fill it in: the service needs it');
		return [name, isEmpty ? undefined : value];
	});
	return Object.fromEntries(values) as Record<string, unknown>;
}

/**
 * Checks a body against the contract.
 *
 * @param prefix what to call the body itself in errors; by default the displayed name of the field is looked up
 */
export function checkBody(
	{ schema, sections }: Pick<BodyPart, 'schema' | 'sections'>,
	body: unknown,
	prefix?: string,
): void {
	const validate = validators[schema];
	if (!validate || validate(body)) return;
	const violation = validate.errors?.find(({ keyword }) => keyword !== '$ref');
	if (!violation) return;
	const pointer =
		violation.keyword === 'required'
			? `${violation.instancePath}/${String(violation.params.missingProperty)}`
			: violation.instancePath;
	const place = pointer
		.slice(1)
		.replace(/\/(\d+)/g, '[$1]')
		.replaceAll('/', '.');
	const fields = sections.flatMap((section) => section.fields);
	const label = prefix === undefined ? displayedName(fields, place) : `${prefix}: ${place || 'body'}`;
	throw new InvalidValueError(label, ...explain(violation));
}

/** `times[1].start` is shown as `Times 2: Start`. */
function displayedName(fields: readonly Field[], place: string): string {
	for (const { at, property, entries } of fields) {
		if (at === place) return property.displayName;
		const rest = place.startsWith(at) ? /^\[(\d+)\](?:\.(.+))?$/.exec(place.slice(at.length)) : null;
		if (rest) {
			const inner = rest[2] !== undefined && entries ? displayedName(entries, rest[2]) : rest[2];
			return `${property.displayName} ${Number(rest[1]) + 1}${inner ? `: ${inner}` : ''}`;
		}
		if (place.startsWith(`${at}.`)) return `${property.displayName}: ${place.slice(at.length + 1)}`;
	}
	return place;
}

function explain({ keyword, params }: ContractViolation): [what: string, description: string] {
	switch (keyword) {
		case 'required':
			return ['is missing', 'Fill it in: the service needs it'];
		case 'type':
			return ['is of another type', `Allowed: ${[params.type].flat().join(' or ')}`];
		case 'enum':
			return ['is not one of the allowed values', `Allowed: ${[params.allowedValues].flat().join(', ')}`];
		case 'minLength':
			return ['is empty', 'Fill it in: the service needs at least 1 character'];
		case 'minimum':
		case 'maximum':
			return ['is out of range', `Allowed: ${String(params.comparison)} ${String(params.limit)}`];
		case 'maxItems':
			return ['has too many entries', `Allowed: at most ${String(params.limit)}`];
		case 'pattern':
			return [
				'is not of the form the service takes',
				'Give a date and time like 2026-12-24T18:00:00+01:00, or a GUID where an ID is asked for',
			];
		default:
			return [`does not keep to the contract (${keyword})`, 'See the documentation of the operation'];
	}
}
