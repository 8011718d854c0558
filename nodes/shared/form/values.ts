import { type INodePropertyOptions, jsonParse } from 'n8n-workflow';
import attempt from 'lodash/attempt';
import map from 'lodash/map';
import reject from 'lodash/reject';
import trim from 'lodash/trim';

import { hintOnName } from '../values/closestName';
import { InvalidValueError } from '../values/invalidValue';
import { toNumber } from '../values/number';
import { isRecord } from '../values/record';
import { quoted, wrongKind } from '../values/plainText';
import { isBlank } from '../values/blank';
import { checkWellFormed } from '../values/text';

/** @returns the value of a resource locator; anything else as it is */
export function unwrapLocator(value: unknown): unknown {
	if (isRecord(value) && value.__rl === true) return value.value;
	return value;
}

/** @returns whether a parameter is empty: blank text, null or undefined, also inside a resource locator */
export function isBlankParameter(value: unknown): boolean {
	return isBlank(unwrapLocator(value));
}

/** @returns the value of a parameter or of its resource locator; undefined if empty */
export function filledIn(value: unknown): unknown {
	const filled = unwrapLocator(value);
	if (isBlank(filled)) return undefined;
	return filled;
}

/** @returns whether a value says nothing: it is empty, or a list of empty values */
export function hasNoValue(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlankParameter);
	return isBlankParameter(value);
}

/**
 * @param names of the fields that are sent
 * @throws InvalidValueError for another name: its value would be lost
 */
export function refuseUnknownNames(values: object, names: readonly string[], label: string): void {
	for (const name of Object.keys(values)) {
		if (names.includes(name)) continue;
		const problem = `has no field '${quoted(name)}'`;
		throw new InvalidValueError(label, problem, hintOnName(name, names));
	}
}

/** @throws InvalidValueError that names the parameter */
export function readText(value: unknown, label: string): string {
	if (isBlank(value)) throw new InvalidValueError(label, 'is empty', 'Enter a text');
	if (typeof value === 'string') {
		checkWellFormed(value, label);
		return value;
	}
	if (typeof value === 'number') {
		const hasAllDigits = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
		if (hasAllDigits) return String(value);
	}
	const hint = 'Enter a text. A number above 9007199254740991 has lost its last digits.';
	throw new InvalidValueError(label, 'is not a text', hint);
}

/** A value that has a name on the form. */
export type NamedValue = Pick<INodePropertyOptions, 'name' | 'value' | 'description'>;

/**
 * @param value one of the allowed values; of a number also the name, which is what a node outputs
 * @throws InvalidValueError that names the parameter and lists what is allowed
 */
export function readChoice(
	value: unknown,
	label: string,
	allowed: readonly NamedValue[],
): NamedValue['value'] {
	const names: string[] = [];
	for (const choice of allowed) {
		if (choice.value === value || isNumberOf(choice, value)) return choice.value;
		const { name } = choice;
		const code = String(choice.value);
		names.push(code === name ? name : `${name} (${code})`);
	}
	const problem = wrongKind('one of the allowed values', value);
	throw new InvalidValueError(label, problem, `Allowed: ${names.join(', ')}`);
}

/** @returns whether what was entered is an allowed number, as its text or by its name */
function isNumberOf(allowed: NamedValue, entered: unknown) {
	const { name, value } = allowed;
	if (typeof value !== 'number') return false;
	if (wordIn(entered) === name.toLowerCase()) return true;
	return toNumber(entered) === value;
}

/** @returns a text in lower case, without spaces around it; anything else as it is */
function wordIn(value: unknown) {
	if (typeof value !== 'string') return value;
	return value.trim().toLowerCase();
}

/** @throws InvalidValueError that names the parameter, for anything but true and false, as values or words */
export function toBoolean(value: unknown, label: string): boolean {
	const word = wordIn(value);
	if (word === true || word === 'true') return true;
	if (word === false || word === 'false') return false;
	const problem = wrongKind('true or false', value);
	throw new InvalidValueError(label, problem, 'Switch it on or off, or enter true or false');
}

/**
 * Reads a list in any form that an expression may give.
 *
 * @param value an array, one value, JSON text of an array, or a text with commas or semicolons between its entries
 * @returns the entries as given, not yet checked; none for an empty text, null and undefined
 */
export function toList(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	if (value === undefined || value === null) return [];
	if (typeof value !== 'string') return [value];
	const fromJson: unknown = attempt(jsonParse, value);
	if (Array.isArray(fromJson)) return fromJson;
	const entries = value.split(/[,;]/);
	const texts = map(entries, trim);
	return reject(texts, isBlank);
}
