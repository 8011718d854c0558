import type { INodeProperties } from 'n8n-workflow';
import get from 'lodash/get';
import isEmpty from 'lodash/isEmpty';
import set from 'lodash/set';
import truncate from 'lodash/truncate';

import type { RequestSchema } from '../contract/calls';
import { readGuid, readIdentifier } from '../values/address';
import { toServiceDateTime } from '../values/dateTime';
import { InvalidValueError } from '../values/invalidValue';
import { WIDTHS, readNumber } from '../values/number';
import { isRecord } from '../values/record';
import {
	type NamedCode,
	isEmptyFilter,
	parseJson,
	listOf,
	readCode,
	readText,
	toBoolean,
	toList,
	unwrapLocator,
	withLabel,
	withoutEmpty,
} from './formValues';

/** One value of the service: the parameter on the form, and how it is sent. */
export interface Field {
	/** Path in the body, e.g. `contact.fname`, the name of a query parameter or placeholder, or {@link ALL_NAMES}. */
	at: string;
	/** The parameter; its name is derived from `at`. */
	property: INodeProperties;
	/** Fields of the entries, for a list of objects. The required ones make an entry. */
	entries?: readonly Field[];
	/** For a JSON parameter, shown below it. */
	example?: unknown;
	/** Whether the service does or returns more without the value: then it must not come out empty. */
	narrows?: true;
	/**
	 * @param timeZone IANA name, for dates and times without an offset
	 * @returns the value as the service takes it
	 * @throws InvalidValueError that names the parameter as displayed
	 */
	serialize(value: unknown, timeZone: string): unknown;
}

/** The place of a field whose value is an object with names of its own. */
export const ALL_NAMES = '*';

export type PropertyLook = Partial<Omit<INodeProperties, 'name' | 'displayName' | 'type'>>;

/** A kind of value: how it stands on the form, and how what was entered is read. */
interface Kind extends Omit<INodeProperties, 'name' | 'displayName'> {
	entries?: readonly Field[];
	read(value: unknown, label: string, timeZone: string): unknown;
}

const UNEXPLAINED = 'A number. The API does not specify what the values mean.';
const UNEXPLAINED_CODE = 'One of the listed numbers. The API does not specify their meaning.';
const COMMAS = 'Separate several with commas';
const DAY_NOTE = "A date alone is the start of that day in the credential's time zone.";
const loadedNote = (what: 'an ID' | 'IDs') =>
	`Choose from the list, or specify ${what} using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`;

const KINDS = {
	string: { type: 'string', default: '', read: readText },
	/** The contract check knows the width. */
	integer: { type: 'number', default: 0, read: readInteger },
	decimal: {
		type: 'number',
		typeOptions: { numberPrecision: 4 },
		default: 0,
		read: (value, label) => readNumber(value, label),
	},
	boolean: { type: 'boolean', default: false, read: toBoolean },
	dateTime: { type: 'dateTime', default: '', read: (...given) => toServiceDateTime(...given) },
	/** A date and time for which a date alone will do. */
	day: { type: 'dateTime', default: '', read: (...given) => toServiceDateTime(...given, 'day') },
	strings: { type: 'string', default: '', hint: COMMAS, read: listOf(readText) },
	integers: { type: 'string', default: '', hint: COMMAS, read: listOf(readInteger) },
	guid: { type: 'string', default: '', read: readGuid },
	text: { type: 'string', default: '', read: readIdentifier },
	/** An ID, which is no number to count with. */
	int32: { type: 'string', default: '', read: (value, label) => readNumber(value, label, WIDTHS.int32) },
	int64: { type: 'string', default: '', read: readInteger },
} satisfies Record<string, Kind>;

/** What only a person knows of a field; its type, its allowed values and whether it is required are the contract's. */
export interface FieldLook extends PropertyLook, Pick<Field, 'narrows'> {
	/** Name of the parameter, where it does not follow from the field's place. */
	name?: string;
	/** The kind of value, where the contract does not tell. */
	as?: keyof typeof KINDS;
	/** The record is chosen from a list. */
	locator?: INodeProperties;
	/** Method of the node that loads the names; of several numbers, `as: 'integers'`. */
	loads?: string;
	/** The allowed values by name, where the contract has none. */
	oneOf?: readonly NamedCode[];
	/** The same, for a field that takes several. */
	anyOf?: readonly NamedCode[];
	/** What an entry is called, for a list of objects or a map. */
	entry?: string;
	/** The fields of an entry, for a list of objects. */
	entries?: readonly FieldRow[];
	/** Whether it is given as JSON, for what a form cannot show well. */
	isJson?: true;
}

/** A field of the form, by its place in the contract. */
export interface FieldRow extends FieldLook {
	displayName: string;
	/** Path in the body, e.g. `contact.fname`, or the name of a query parameter or placeholder. */
	at: string;
}

/**
 * Joins what a person knows of a field with what the contract says.
 *
 * @param root what the contract says of the object that holds the field
 * @param example of that object
 */
export function makeField(row: FieldRow | Field, root: RequestSchema = {}, example?: unknown): Field {
	if ('serialize' in row) return row;
	const schema = get(root.properties, row.at.replaceAll('.', '.properties.')) as RequestSchema | undefined;
	const { displayName, at, narrows, as, locator, loads, oneOf, anyOf, entry, entries, isJson, ...look } = row;
	const own: unknown = isJson && get(example, at);
	const { read, entries: inner, ...property } = kindOf(row, schema ?? {}, own);
	const made: Field = {
		at,
		property: {
			name: parameterName(at),
			...property,
			...(root.required?.includes(at) ? { required: true } : {}),
			...(schema?.example === undefined ? {} : { placeholder: `e.g. ${[schema.example].flat().join(', ')}` }),
			...(schema?.isUnexplained ? { description: schema.codes ? UNEXPLAINED_CODE : UNEXPLAINED } : {}),
			...look,
			...noteOn(row),
			displayName,
		},
		entries: inner,
		example: own || undefined,
		serialize: (value, timeZone) => read(value, displayName, timeZone),
	};
	return narrows ? { ...made, narrows, serialize: refusingEmpty(made) } : made;
}

function kindOf(row: FieldRow, schema: RequestSchema, example: unknown): Kind {
	const { as, locator, loads, oneOf, anyOf, entry = '', entries, isJson } = row;
	const { type, format, codes = oneOf, items, properties } = schema;
	if (locator) {
		const { read } = as === 'guid' ? KINDS.guid : KINDS.int64;
		return { ...locator, read: (value, label) => read(unwrapLocator(value), label) };
	}
	if (loads !== undefined) {
		const typeOptions = { loadOptionsMethod: loads };
		return as === 'integers'
			? { type: 'multiOptions', typeOptions, default: [], read: listOf(readInteger) }
			: { type: 'options', typeOptions, default: '', read: readInteger };
	}
	if (isJson) return { type: 'json', default: '', hint: exampleHint(example), read: parseJson };
	if (as) return KINDS[as];
	const several = items?.codes ?? anyOf;
	if (several) return codesOf('multiOptions', several);
	if (codes) return codesOf('options', codes);
	if (entries) {
		const inner = entries.map((each) => makeField(each, items));
		return { ...rowsOf(entry, inner), entries: inner };
	}
	if (items) return items.type === 'integer' ? KINDS.integers : KINDS.strings;
	if (type === 'object' && !properties) return mapOf(entry);
	if (format === 'int64') return KINDS.int64;
	if (format === 'date-time') return KINDS.dateTime;
	if (type === 'number') return KINDS.decimal;
	return type === 'boolean' || type === 'integer' ? KINDS[type] : KINDS.string;
}

function readInteger(value: unknown, label: string): number {
	return readNumber(value, label, WIDTHS.int64);
}

/** One value, or several, out of a list. */
function codesOf(type: 'options' | 'multiOptions', codes: readonly NamedCode[]): Kind {
	const read = (value: unknown, label: string) => readCode(value, label, codes);
	return {
		type,
		options: codes.map(({ name, value }) => ({ name, value })),
		default: type === 'options' ? (codes[0]?.value ?? 0) : [],
		read: type === 'options' ? read : listOf(read),
	};
}

/** A list of objects with one level of fields, as rows that can be added. */
function rowsOf(entry: string, fields: readonly Field[]): Kind {
	return {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${entry}`,
		default: {},
		options: [
			{ displayName: entry, name: 'entry', values: fields.map(({ property }) => emptyAtFirst(property)) },
		],
		read(value, label, timeZone) {
			const rows = isRecord(value) ? value.entry : value;
			if (rows === undefined || rows === '') return [];
			return toList(parseJson(rows, label)).map((row, index) => {
				const own = `${label} ${index + 1}`;
				const values = filledRow(row, fields, own);
				return withLabel(
					(name) => `${own}: ${name}`,
					() => toObject(fields, values, timeZone),
				);
			});
		},
	};
}

/** A row shows all its fields, so an untouched number must differ from 0. */
function emptyAtFirst(property: INodeProperties): INodeProperties {
	return property.type === 'number' ? { ...property, default: '' } : property;
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
function mapOf(entry: string): Kind {
	const what = entry.toLowerCase();
	const rows = rowsOf(entry, [
		makeField({ displayName: 'Name', at: 'name', required: true, description: `Name of the ${what}` }),
		makeField({ displayName: 'Value', at: 'value', description: `Value of the ${what}` }),
	]);
	return {
		...rows,
		read(value, label, timeZone) {
			if (isRecord(value) && !('entry' in value)) return value;
			const pairs = rows.read(value, label, timeZone) as Array<{ name: string; value?: string }>;
			return Object.fromEntries(pairs.map(({ name, value: own = '' }) => [name, own]));
		},
	};
}

function refusingEmpty({ property: { displayName }, serialize }: Field): Field['serialize'] {
	return (value, timeZone) => {
		const sent = isEmptyFilter(value) ? undefined : serialize(value, timeZone);
		if (!isEmptyFilter(sent)) return sent;
		throw new InvalidValueError(
			displayName,
			'is empty',
			'Without it the request would cover more. Check the expression, or remove the field.',
		);
	};
}

/** What has to be known of a kind of value follows the description of the field. */
function noteOn({ as, loads, description }: FieldRow): { description?: string } {
	if (as !== 'day' && loads === undefined) return {};
	const note = as === 'day' ? DAY_NOTE : loadedNote(as === 'integers' ? 'IDs' : 'an ID');
	return { description: description ? `${description.replace(/\.$/, '')}. ${note}` : note };
}

/** n8n asks for hints of at most 120 characters. */
const MAX_HINT_LENGTH = 120;

/** @returns an example as HTML on one line, long texts in it cut */
export function exampleText(example: unknown): string {
	const shortened = (_: string, value: unknown) =>
		typeof value === 'string' ? truncate(value, { length: 50, omission: '…' }) : (value ?? undefined);
	const text = JSON.stringify(example, shortened, 1).replace(/\n\s*/g, ' ');
	return `<code>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</code>`;
}

/** @returns the example of a JSON field, or where to find it */
function exampleHint(example: unknown): string {
	const hint = `e.g. ${exampleText(example)}`;
	return hint.length <= MAX_HINT_LENGTH ? hint : "The node's documentation has an example";
}

/**
 * Turns the values of a form into an object of the service.
 *
 * @param values by parameter name; absent and undefined ones are left out, so that the service keeps what it has
 * @param result the object to add to
 */
export function toObject(
	fields: readonly Field[],
	values: Readonly<Record<string, unknown>>,
	timeZone: string,
	result: Record<string, unknown> = {},
): Record<string, unknown> {
	for (const { at, property, serialize, narrows } of fields) {
		const value = values[property.name];
		const isNarrowing = narrows && property.name in values;
		if (value === undefined && !isNarrowing) continue;
		const sent = value === null && !isNarrowing ? null : serialize(value, timeZone);
		if (at === ALL_NAMES) Object.assign(result, sent);
		else if (at.includes('.')) set(result, at, sent);
		else result[at] = sent;
	}
	return result;
}

/** @returns the parameter name for a path in the body: `contact.fname` is `contactFname`, `Id` is `id`. */
function parameterName(at: string): string {
	const joined = at.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
	return joined.charAt(0).toLowerCase() + joined.slice(1);
}

/** @returns the parameters in the order in which they are looked for in a collection */
export function sortedByName(properties: readonly INodeProperties[]): INodeProperties[] {
	return [...properties].sort((one, other) => one.displayName.localeCompare(other.displayName));
}
