import isEmpty from 'lodash/isEmpty';
import isPlainObject from 'lodash/isPlainObject';

import { type RequestSchema, requestBodies } from '../contract/calls';
import { type ContractViolation, validators } from '../contract/validators';
import { closestName } from '../values/closestName';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { UNPAIRED_SURROGATE, isWellFormed } from '../values/text';
import type { Field } from './fields';
import type { Section } from './sections';

interface ContractCheck {
	/** What to call the body itself in errors; by default the displayed name of the field is looked up. */
	prefix?: string;
	/** Whether names that the contract does not have are sent. */
	allowsUnknown?: boolean;
}

/**
 * Checks a body against the contract. An entry without any value is refused too: it would change nothing, or clear
 * what it stands for. So is what would arrive as something else, or not at all, and a name that the contract does not
 * have.
 *
 * @throws InvalidValueError that names the field and what is allowed
 */
export function checkContract(
	{ schema, sections }: { schema: string; sections: readonly Section[] },
	body: unknown,
	{ prefix, allowsUnknown = false }: ContractCheck = {},
): void {
	const violation =
		(allowsUnknown ? undefined : findUnknown(requestBodies[schema], body)) ??
		findViolation(schema, body) ??
		findUnfit(body);
	if (!violation) return;
	const pointer =
		violation.keyword === 'required'
			? `${violation.instancePath}/${String(violation.params.missingProperty)}`
			: violation.instancePath;
	const place = pointer
		.slice(1)
		.replace(/\/(\d+)(?=\/|$)/g, '[$1]')
		.replaceAll('/', '.');
	const fields = sections.flatMap((section) => section.fields);
	const label = prefix === undefined ? displayedName(fields, place) : `${prefix}: ${place || 'body'}`;
	throw new InvalidValueError(label, ...explain(violation));
}

function findViolation(schema: string, body: unknown): ContractViolation | undefined {
	const validate = validators[schema];
	if (!validate || validate(body)) return undefined;
	return validate.errors?.find(({ keyword }) => keyword !== '$ref');
}

/** The first name, at any depth, that the contract does not have. */
function findUnknown(
	schema: RequestSchema | undefined,
	value: unknown,
	instancePath = '',
): ContractViolation | undefined {
	if (!schema || typeof value !== 'object' || value === null) return undefined;
	const { items, properties } = schema;
	for (const [name, own] of Object.entries(value)) {
		const path = `${instancePath}/${name}`;
		if (!Array.isArray(value) && properties && !Object.hasOwn(properties, name))
			return { instancePath: path, keyword: UNKNOWN, params: { name, known: Object.keys(properties) } };
		const inner = findUnknown(Array.isArray(value) ? items : properties?.[name], own, path);
		if (inner) return inner;
	}
	return undefined;
}

/**
 * The first value, at any depth, that JSON cannot carry as it is, or that is an entry of a list without fields.
 *
 * @param instancePath of the value
 */
function findUnfit(value: unknown, instancePath = ''): ContractViolation | undefined {
	const keyword = unfitness(value);
	if (keyword) return { instancePath, keyword, params: {} };
	if (typeof value !== 'object' || value === null || isInJson(value)) return undefined;
	for (const [name, own] of Object.entries(value)) {
		const path = `${instancePath}/${name}`;
		if (!isWellFormed(name)) return { instancePath: path, keyword: HALF_CHARACTER, params: {} };
		if (Array.isArray(value) && isRecord(own) && isEmpty(own))
			return { instancePath: path, keyword: EMPTY_ENTRY, params: {} };
		const inner = findUnfit(own, path);
		if (inner) return inner;
	}
	return undefined;
}

/** What is wrong with a value itself. */
function unfitness(value: unknown): string | undefined {
	if (typeof value === 'string') return isWellFormed(value) ? undefined : HALF_CHARACTER;
	if (value === undefined || value === null || typeof value === 'boolean') return undefined;
	const isFit =
		typeof value === 'object'
			? Array.isArray(value) || isPlainObject(value) || isInJson(value)
			: Number.isFinite(value);
	return isFit ? undefined : NOT_JSON;
}

/** Whether JSON has a text for an object, as for a date that is one. */
function isInJson(value: object): boolean {
	return 'toJSON' in value && typeof value.toJSON === 'function' && typeof value.toJSON() === 'string';
}

const HALF_CHARACTER = 'halfCharacter';
const NOT_JSON = 'notJson';
const EMPTY_ENTRY = 'emptyEntry';
const UNKNOWN = 'unknown';

/** `times[1].start` is shown as `Times 2: Start`. */
function displayedName(fields: readonly Field[], place: string): string {
	for (const { at, property, entries } of fields) {
		if (at === place) return property.displayName;
		const rest = place.startsWith(at) ? /^\[(\d+)\](?:\.(.+))?$/s.exec(place.slice(at.length)) : null;
		if (rest) {
			const inner = rest[2] !== undefined && entries ? displayedName(entries, rest[2]) : rest[2];
			return `${property.displayName} ${Number(rest[1]) + 1}${inner ? `: ${inner}` : ''}`;
		}
		if (place.startsWith(`${at}.`)) return `${property.displayName}: ${place.slice(at.length + 1)}`;
	}
	return place;
}

function describeKnown(name: string, known: readonly string[]): string {
	const meant = closestName(name, known);
	const allow = "To send it as it is, switch on 'Allow Unknown Fields' under Options.";
	return `${meant === undefined ? `Fields: ${known.join(', ')}` : `Did you mean '${meant}'?`} ${allow}`;
}

function explain({ keyword, params }: ContractViolation): [what: string, description: string] {
	switch (keyword) {
		case UNKNOWN:
			return ['is not a field of the request', describeKnown(String(params.name), params.known as string[])];
		case EMPTY_ENTRY:
			return ['is empty', 'Give it a value, or remove it'];
		case HALF_CHARACTER:
			return [UNPAIRED_SURROGATE.what, UNPAIRED_SURROGATE.hint];
		case NOT_JSON:
			return ['cannot be represented in JSON', 'Give texts, numbers, true or false, or dates'];
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
			return [`does not match the API schema (${keyword})`, 'See the documentation of the operation'];
	}
}
