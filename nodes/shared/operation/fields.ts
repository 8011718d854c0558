import { type INodeProperties, jsonParse } from 'n8n-workflow';
import attempt from 'lodash/attempt';
import escape from 'lodash/escape';
import isEmpty from 'lodash/isEmpty';
import isEqual from 'lodash/isEqual';
import set from 'lodash/set';
import truncate from 'lodash/truncate';

import { type ValueKind, checkValue } from '../values/address';
import { toServiceDateTime } from '../values/dateTime';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { checkWellFormed } from '../values/text';

const DOCS =
	'https://github.com/n8n-nodes-hospitality-booking/n8n-nodes-hospitality-booking/blob/main/docs/operations.md';

/** One value of the service: the parameter on the form, and how it is sent. */
export interface Field {
	/** Path in the body, e.g. `contact.fname`, or the name of a query parameter. */
	at: string;
	/** The parameter; its name is derived from `at`. */
	property: INodeProperties;
	/** The codes that the contract allows, where it lists them. */
	allowed?: readonly number[];
	/** Fields of the entries, for a list of objects. The required ones make an entry. */
	entries?: readonly Field[];
	/** For a JSON parameter. Shown as a hint, and never sent. */
	example?: unknown;
	/**
	 * @param timeZone IANA name, for dates and times without an offset
	 * @returns the value as the service takes it
	 * @throws InvalidValueError that names the parameter as displayed
	 */
	serialize(value: unknown, timeZone: string): unknown;
}

type Named = ReadonlyArray<{ name: string; value: number }>;

type Look = Partial<Omit<INodeProperties, 'name' | 'displayName' | 'type'>>;

/** A text. */
export function string(displayName: string, at: string, look: Look = {}): Field {
	return field(displayName, at, 'string', '', look, (value, label) => {
		if (typeof value === 'string') {
			checkWellFormed(value, label);
			return value;
		}
		if (typeof value === 'number' && Number.isFinite(value)) return String(value);
		throw new InvalidValueError(label, 'is not a text', 'Enter a text');
	});
}

/** A whole number; the contract check knows the width. */
export function integer(displayName: string, at: string, look: Look = {}): Field {
	return field(displayName, at, 'number', 0, look, (value, label) => {
		const number = toNumber(value);
		if (Number.isSafeInteger(number)) return number;
		throw new InvalidValueError(
			label,
			'is not a whole number',
			'Enter a whole number between -9007199254740991 and 9007199254740991',
		);
	});
}

/** A number with decimals. */
export function decimal(displayName: string, at: string, look: Look = {}): Field {
	const precision = { numberPrecision: 4 };
	return field(displayName, at, 'number', 0, { typeOptions: precision, ...look }, (value, label) => {
		const number = toNumber(value);
		if (Number.isFinite(number)) return number;
		throw new InvalidValueError(label, 'is not a number', 'Enter a number, e.g. 12.50');
	});
}

/** Yes or no. The description starts with "Whether". */
export function boolean(displayName: string, at: string, description: string, look: Look = {}): Field {
	return field(displayName, at, 'boolean', false, { description, ...look }, (value, label) => {
		if (typeof value === 'boolean') return value;
		const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
		if (word === 'true' || word === 'false') return word === 'true';
		throw new InvalidValueError(
			label,
			'is neither true nor false',
			'Switch it on or off, or give true or false',
		);
	});
}

/** A date and time. */
export function dateTime(displayName: string, at: string, look: Look = {}): Field {
	return field(displayName, at, 'dateTime', '', look, (value, label, timeZone) =>
		toServiceDateTime(value, label, timeZone),
	);
}

/** A date and time for which a date alone will do. */
export function dateOrTime(displayName: string, at: string, look: Look = {}): Field {
	const note = "A date alone is the start of that day in the credential's time zone.";
	const description = look.description ? `${look.description}. ${note}` : note;
	return field(displayName, at, 'dateTime', '', { ...look, description }, (value, label, timeZone) =>
		toServiceDateTime(value, label, timeZone, 'day'),
	);
}

/** A number out of a list whose values have no names in the contract. */
export function codes(displayName: string, at: string, allowed: readonly number[], look: Look = {}): Field {
	const numbers = allowed.map((value) => ({ name: String(value), value }));
	return options(displayName, at, numbers, look);
}

/** A number out of a list with names. */
export function options(displayName: string, at: string, options: Named, look: Look = {}): Field {
	return listed(displayName, at, 'options', options, look, checkCode);
}

/** A number whose names are loaded by a method of the node; an expression may give a number without a name. */
export function loadedOptions(displayName: string, at: string, method: string, look: Look = {}): Field {
	const { serialize } = integer(displayName, at);
	const note =
		'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';
	const property: INodeProperties = {
		...look,
		displayName,
		name: parameterName(at),
		type: 'options',
		typeOptions: { loadOptionsMethod: method },
		default: '',
		description: look.description ? `${look.description} ${note}.` : note,
	};
	return { at, property, serialize };
}

/** Several numbers out of a list with names. */
export function multiOptions(displayName: string, at: string, options: Named, look: Look = {}): Field {
	return listed(displayName, at, 'multiOptions', options, look, (value, label, allowed) =>
		toList(value).map((entry) => checkCode(entry, label, allowed)),
	);
}

/** An identifier of the service. */
export function identifier(displayName: string, at: string, kind: ValueKind, look: Look = {}): Field {
	return field(displayName, at, 'string', '', look, (value, label) => {
		const checked = checkValue(value, kind, label);
		return kind === 'int32' || kind === 'int64' ? Number(checked) : checked;
	});
}

/** A list of texts; an expression may give an array or a text with commas. */
export function stringList(displayName: string, at: string, look: Look = {}): Field {
	return field(displayName, at, 'string', '', commaHint(look), (value, label) =>
		toList(value).map((entry) => {
			if (typeof entry === 'string' || typeof entry === 'number') {
				checkWellFormed(String(entry), label);
				return String(entry);
			}
			throw new InvalidValueError(
				label,
				'holds something that is not a text',
				'Enter texts, with commas between them',
			);
		}),
	);
}

/** A list of whole numbers; an expression may give an array or a text with commas. */
export function integerList(displayName: string, at: string, look: Look = {}): Field {
	return field(displayName, at, 'string', '', commaHint(look), (value, label) =>
		toList(value).map((entry) => {
			const number = toNumber(entry);
			if (Number.isSafeInteger(number)) return number;
			throw new InvalidValueError(
				label,
				'holds something that is not a whole number',
				'Enter numbers, e.g. 12, 15',
			);
		}),
	);
}

/** A part of the body with more levels than a form can show well, as JSON. */
export function json(displayName: string, at: string, example: unknown, look: Look = {}): Field {
	const shown = { hint: exampleHint(example), ...look };
	const own = field(displayName, at, 'json', '', shown, (value, label) => {
		const given = parseJson(value, label);
		if (!isEqual(given, example)) return given;
		throw new InvalidValueError(label, 'still is the example', 'Give your own values instead');
	});
	return { ...own, example };
}

const MAX_HINT_LENGTH = 700;

/** @returns an example of JSON to show below a parameter; a long one is cut off, and whole in docs/operations.md */
export function exampleHint(example: unknown): string {
	const shortened = (_: string, value: unknown) =>
		typeof value === 'string' ? truncate(value, { length: 50, omission: '…' }) : (value ?? undefined);
	const text = JSON.stringify(example, shortened, 1).replace(/\s*\n\s*/g, ' ');
	if (text.length <= MAX_HINT_LENGTH) return `Example: <code>${escape(text)}</code>`;
	return `Example: <code>${escape(text.slice(0, MAX_HINT_LENGTH))} …</code> The <a href="${DOCS}">documentation</a> has all of it.`;
}

/** A list of objects with one level of fields, as rows that can be added. */
export function fixedCollection(
	displayName: string,
	at: string,
	entryName: string,
	entries: readonly Field[],
	look: Look = {},
): Field {
	const property: INodeProperties = {
		...look,
		displayName,
		name: parameterName(at),
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, ...look.typeOptions },
		default: {},
		placeholder: look.placeholder ?? `Add ${entryName}`,
		options: [
			{
				displayName: entryName,
				name: 'entry',
				values: entries.map(({ property: own }) => emptyAtFirst(own)),
			},
		],
	};
	return {
		at,
		property,
		entries,
		serialize(value, timeZone) {
			const rows = isRecord(value) ? value.entry : value;
			if (rows === undefined || rows === '') return [];
			return toList(parseJson(rows, displayName)).map((row, index) => {
				const label = `${displayName} ${index + 1}`;
				return toObject(entries, filledRow(row, entries, label), timeZone, `${label}: `);
			});
		},
	};
}

/** @throws InvalidValueError for a row that is empty or lacks a value that makes it */
function filledRow(row: unknown, entries: readonly Field[], label: string): Record<string, unknown> {
	const values = isRecord(row) ? withoutEmpty(row) : {};
	if (isEmpty(values)) throw new InvalidValueError(label, 'is empty', 'Fill it in, or remove it');
	const missing = entries.find(({ property }) => property.required && values[property.name] === undefined);
	if (!missing) return values;
	const { displayName } = missing.property;
	throw new InvalidValueError(`${label}: ${displayName}`, 'is empty', 'Fill it in, or remove the row');
}

/** A map from names to texts, as rows that can be added; an expression may give an object. */
export function stringMap(displayName: string, at: string, entryName: string, look: Look = {}): Field {
	const rows = fixedCollection(
		displayName,
		at,
		entryName,
		[
			string('Name', 'name', { required: true, description: `Name of the ${entryName.toLowerCase()}` }),
			string('Value', 'value', { description: `Value of the ${entryName.toLowerCase()}` }),
		],
		look,
	);
	return {
		at,
		property: rows.property,
		serialize(value, timeZone) {
			if (isRecord(value) && !('entry' in value)) return value;
			const entries = rows.serialize(value, timeZone) as Array<{ name: string; value?: string }>;
			return Object.fromEntries(entries.map(({ name, value: own = '' }) => [name, own]));
		},
	};
}

/** A record chosen from a list or by its ID, as a value of the body or the query. */
export function resourceLocator(at: string, kind: ValueKind, property: INodeProperties): Field {
	const { serialize } = identifier(property.displayName, at, kind);
	return { at, property, serialize: (value, timeZone) => serialize(unwrapLocator(value), timeZone) };
}

/** @returns the value of a resource locator; anything else as it is */
export function unwrapLocator(value: unknown): unknown {
	return isRecord(value) && value.__rl === true ? value.value : value;
}

/** A row shows all its fields, so an untouched number must differ from 0. */
function emptyAtFirst(property: INodeProperties): INodeProperties {
	return property.type === 'number' ? { ...property, default: '' } : property;
}

/** @returns the values that are filled in */
export function withoutEmpty(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmptyValue(value)));
}

/** @returns whether a parameter has no value: an empty text, null or undefined, also as a record that is chosen */
export function isEmptyValue(value: unknown): boolean {
	const own = unwrapLocator(value);
	return own === '' || own === undefined || own === null;
}

/**
 * Turns the values of a form into an object of the service.
 *
 * @param values by parameter name; absent and undefined ones are left out, so that the service keeps what it has
 * @param prefix of the parameter names in errors, e.g. `Times 2: `
 * @param result the object to add to
 */
export function toObject(
	fields: readonly Field[],
	values: Readonly<Record<string, unknown>>,
	timeZone: string,
	prefix = '',
	result: Record<string, unknown> = {},
): Record<string, unknown> {
	for (const { at, property, serialize } of fields) {
		const value = values[property.name];
		if (value === undefined) continue;
		set(
			result,
			at,
			value === null
				? null
				: withLabel(
						(label) => `${prefix}${label}`,
						() => serialize(value, timeZone),
					),
		);
	}
	return result;
}

/**
 * @param labelOf what to call the value in errors, from what it is called otherwise
 * @returns what `convert` returns
 */
export function withLabel<T>(labelOf: (label: string) => string, convert: () => T): T {
	const outcome = attempt(convert);
	if (!(outcome instanceof Error)) return outcome;
	if (!(outcome instanceof InvalidValueError)) throw outcome;
	throw new InvalidValueError(labelOf(outcome.label), outcome.what, outcome.description);
}

/** @returns the parameter name for a path in the body: `contact.fname` is `contactFname`, `Id` is `id`. */
export function parameterName(at: string): string {
	const joined = at.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
	return joined.charAt(0).toLowerCase() + joined.slice(1);
}

/**
 * @param value JSON text, or what an expression already gave as an object
 * @throws InvalidValueError with the place where the text stops being JSON
 */
export function parseJson(value: unknown, label: string): unknown {
	if (typeof value !== 'string') return value;
	const outcome = attempt(() => jsonParse<unknown>(value));
	if (!(outcome instanceof Error)) return outcome;
	const reason = outcome.cause instanceof Error ? outcome.cause.message : String(outcome);
	throw new InvalidValueError(label, 'is not valid JSON', `${reason}. Check quotes, commas and brackets.`);
}

function listed(
	displayName: string,
	at: string,
	type: 'options' | 'multiOptions',
	options: Named,
	look: Look,
	check: (value: unknown, label: string, allowed: readonly number[]) => unknown,
): Field {
	const allowed = options.map(({ value }) => value);
	const empty = type === 'options' ? (allowed[0] ?? 0) : [];
	const shown = { ...look, options: [...options] };
	return {
		...field(displayName, at, type, empty, shown, (value, label) => check(value, label, allowed)),
		allowed,
	};
}

function field(
	displayName: string,
	at: string,
	type: INodeProperties['type'],
	empty: INodeProperties['default'],
	look: Look,
	convert: (value: unknown, label: string, timeZone: string) => unknown,
): Field {
	return {
		at,
		property: { default: empty, ...look, displayName, name: parameterName(at), type } as INodeProperties,
		serialize: (value, timeZone) => convert(value, displayName, timeZone),
	};
}

function checkCode(value: unknown, label: string, allowed: readonly number[]): number {
	const number = toNumber(value);
	if (allowed.includes(number)) return number;
	throw new InvalidValueError(label, 'is not one of the allowed values', `Allowed: ${allowed.join(', ')}`);
}

function toNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/**
 * Reads a list that an expression may give in any common form.
 *
 * @param value an array, one value, JSON text of an array, or a text with commas between the entries
 * @returns the entries as given, not yet checked; none for an empty text, null and undefined
 */
export function toList(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	if (typeof value !== 'string') return value === undefined || value === null ? [] : [value];
	const fromJson = value.trim().startsWith('[') ? attempt(() => jsonParse<unknown>(value)) : undefined;
	if (Array.isArray(fromJson)) return fromJson;
	return value
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/**
 * Reads a list of names out of a fixed choice, e.g. 'Include'.
 *
 * @param value as {@link toList} takes it
 * @returns the chosen names, each once
 * @throws InvalidValueError that names the parameter and the first name outside the choice
 */
export function toNames(value: unknown, label: string, allowed: readonly string[]): string[] {
	const names = toList(value).map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)));
	const unknown = names.find((name) => !allowed.includes(name));
	if (unknown === undefined) return [...new Set(names)];
	throw new InvalidValueError(label, `holds '${unknown}'`, `Allowed: ${allowed.join(', ')}`);
}

function commaHint(look: Look): Look {
	return { hint: 'Separate several with commas', ...look };
}

/** @returns the parameters in the order in which they are looked for in a collection */
export function sortedByName(properties: readonly INodeProperties[]): INodeProperties[] {
	return [...properties].sort((one, other) => one.displayName.localeCompare(other.displayName));
}
