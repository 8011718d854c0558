import get from 'lodash/get';
import isEmpty from 'lodash/isEmpty';
import isPlainObject from 'lodash/isPlainObject';

import { type RequestSchema, requestBodies } from '../contract/calls';
import { type ContractViolation, validators } from '../contract/validators';
import { NO_RECORD, isNilGuid } from '../values/address';
import { closestName } from '../values/closestName';
import { isBlank } from '../values/blank';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { UNPAIRED_SURROGATE, isWellFormed } from '../values/text';
import type { Field } from './fields';
import type { Section } from './operation';

/**
 * Checks a body against the contract. It also rejects list entries without a value (they would change nothing, or clear
 * something), values that JSON would change or drop, and names that the contract does not have.
 *
 * @param allowsUnknown whether names that the contract does not have are sent
 * @param prefix what to call the body itself in errors; by default the field's displayed name
 * @throws InvalidValueError that names the field and what is allowed
 */
export function checkContract(
	{ schema, sections }: { schema: string; sections: readonly Section[] },
	body: unknown,
	allowsUnknown: boolean,
	prefix?: string,
): void {
	const problem = findUnfit(body, requestBodies[schema], allowsUnknown) ?? findViolation(schema, body);
	if (!problem) return;
	const place = problem.pointer
		.slice(1)
		.replace(/\/(\d+)(?=\/|$)/g, '[$1]')
		.replaceAll('/', '.');
	const fields = sections.flatMap((section) => section.fields);
	const label = prefix === undefined ? displayedName(fields, place) : `${prefix}: ${place || 'body'}`;
	throw new InvalidValueError(label, problem.what, problem.hint);
}

/** Why a value must not be sent. */
interface Problem {
	/** JSON pointer, e.g. `/contact/fname`. */
	pointer: string;
	what: string;
	hint: string;
}

/**
 * The first value, at any depth, that JSON cannot represent, that is a list entry without fields, or whose name the
 * contract does not have.
 *
 * @param schema undefined to allow any name, as `allowsUnknown` does everywhere
 * @param pointer to the value
 */
function findUnfit(
	value: unknown,
	schema: RequestSchema | undefined,
	allowsUnknown: boolean,
	pointer = '',
): Problem | undefined {
	if (typeof value === 'string') {
		if (schema?.minLength && isBlank(value)) return { pointer, ...EMPTY_TEXT };
		if (NAMES_RECORD.test(pointer) && isNilGuid(value)) return { pointer, ...NO_RECORD };
		return isWellFormed(value) ? undefined : { pointer, ...UNPAIRED_SURROGATE };
	}
	if (typeof value === 'number' && value < 1 && NAMES_RECORD.test(pointer))
		return {
			pointer,
			what: `is ${value}`,
			hint: 'Enter a whole number from 1: no record has a number below',
		};
	if (value === undefined || value === null || typeof value === 'boolean') return undefined;
	if (typeof value !== 'object') return Number.isFinite(value) ? undefined : { pointer, ...NOT_JSON };
	if (isInJson(value)) return schema?.type === 'object' ? { pointer, ...IS_TEXT } : undefined;
	const isList = Array.isArray(value);
	if (!isList && !isPlainObject(value)) return { pointer, ...NOT_JSON };
	const { items, properties } = schema ?? {};
	for (const [name, own] of Object.entries(value)) {
		const inside = `${pointer}/${name}`;
		if (!isWellFormed(name)) return { pointer: inside, ...UNPAIRED_SURROGATE };
		if (!allowsUnknown && !isList && properties && !Object.hasOwn(properties, name))
			return { pointer: inside, ...unknownName(name, Object.keys(properties)) };
		if (isList && isRecord(own) && isEmpty(own)) return { pointer: inside, ...EMPTY_ENTRY };
		const inner = findUnfit(own, isList ? items : get(properties, [name]), allowsUnknown, inside);
		if (inner) return inner;
	}
	return undefined;
}

/** Whether JSON can represent an object, for example a valid date. */
function isInJson(value: object): boolean {
	return 'toJSON' in value && typeof value.toJSON === 'function' && typeof value.toJSON() === 'string';
}

const NOT_JSON = {
	what: 'cannot be represented in JSON',
	hint: 'Enter text, numbers, true or false, or dates',
};
/** For a date where the contract has an object: JSON would send it as text. */
const IS_TEXT = { what: 'is of the wrong type', hint: 'Allowed: object' };
const EMPTY_TEXT = { what: 'is empty', hint: 'Fill it in: the service needs at least 1 character' };
/** Pointers to IDs of records; a temporary ID is not one. */
const NAMES_RECORD = /(\/id|(?<!\/temp)I[dD]s?)(\/\d+)?$/;
const EMPTY_ENTRY = { what: 'is empty', hint: 'Fill it in, or remove it' };

function unknownName(name: string, known: readonly string[]): Omit<Problem, 'pointer'> {
	const meant = closestName(name, known);
	const fields = meant === undefined ? `Fields: ${known.join(', ')}` : `Did you mean '${meant}'?`;
	const hint = `${fields} To send it as it is, switch on 'Allow Unknown Fields' under Options.`;
	return { what: 'is not a field of the request', hint };
}

function findViolation(schema: string, body: unknown): Problem | undefined {
	const validate = validators[schema];
	if (!validate || validate(body)) return undefined;
	const violation = validate.errors?.find(({ keyword }) => keyword !== '$ref');
	if (!violation) return undefined;
	const { keyword, params, instancePath } = violation;
	const pointer = keyword === 'required' ? `${instancePath}/${String(params.missingProperty)}` : instancePath;
	const [what, hint] = explain(violation);
	return { pointer, what, hint };
}

/** `times[1].start` is shown as `Times 2: Start`. */
function displayedName(fields: readonly Field[], place: string): string {
	for (const { path, property, entries } of fields) {
		if (path === place) return property.displayName;
		const rest = place.startsWith(path) ? /^\[(\d+)\]\.?(.*)$/s.exec(place.slice(path.length)) : null;
		if (rest) {
			const inner = entries ? displayedName(entries, rest[2] ?? '') : rest[2];
			return `${property.displayName} ${Number(rest[1]) + 1}${inner ? `: ${inner}` : ''}`;
		}
		if (place.startsWith(`${path}.`)) return `${property.displayName}: ${place.slice(path.length + 1)}`;
	}
	return place;
}

function explain({ keyword, params }: ContractViolation): [what: string, hint: string] {
	switch (keyword) {
		case 'required':
			return ['is missing', 'Fill it in: the service needs it'];
		case 'type':
			return ['is of the wrong type', `Allowed: ${[params.type].flat().join(' or ')}`];
		case 'enum':
			return ['is not one of the allowed values', `Allowed: ${[params.allowedValues].flat().join(', ')}`];
		case 'minimum':
			return ['is out of range', `Allowed: at least ${String(params.limit)}`];
		case 'maximum':
			return ['is out of range', `Allowed: at most ${String(params.limit)}`];
		case 'maxItems':
			return ['has too many entries', `Allowed: at most ${String(params.limit)}`];
		case 'pattern':
			return [
				'does not have the format that the service expects',
				'Enter a date and time like 2026-12-24T18:00:00+01:00, or a GUID if the field takes an ID',
			];
		default:
			return [`does not match the API schema (${keyword})`, 'See the documentation of the operation'];
	}
}
