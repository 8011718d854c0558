import type { INodeProperties } from 'n8n-workflow';
import get from 'lodash/get';
import isEmpty from 'lodash/isEmpty';
import map from 'lodash/map';
import omitBy from 'lodash/omitBy';
import reject from 'lodash/reject';
import set from 'lodash/set';

import type { RequestSchema } from '../contract/calls';
import { readGuid, readIdentifier } from '../values/address';
import { toServiceDateTime } from '../values/dateTime';
import { InvalidValueError } from '../values/invalidValue';
import { LongNumber } from '../values/longNumber';
import { type NumberRange, readNumber } from '../values/number';
import { isRecord } from '../values/record';
import { compareNames } from '../values/text';
import { zoneOf } from '../values/zone';
import {
	type NamedValue,
	isBlankValue,
	isEmptyValue,
	listOf,
	parseJson,
	readChoice,
	readText,
	refuseUnknownNames,
	toBoolean,
	toList,
	unwrapLocator,
} from './values';

/** One value of the service: its parameter on the form, and how it is sent. */
export interface Field {
	/** Path in the body, e.g. `contact.fname`, or the name of a query parameter or placeholder. */
	path: string;
	/** The parameter; its name is derived from `path`. */
	property: INodeProperties;
	/** Fields of the entries, for a list of objects; an entry needs the required ones. */
	entries?: readonly Field[];
	/** Set if the node does or returns something else without the value. */
	mustNotBeEmpty?: true;
	/** Set if it identifies the record: it stands above 'Specify Values', for fields and JSON alike. */
	namesRecord?: true;
	/**
	 * @param timeZone IANA name, for dates and times without an offset; UTC by default
	 * @param label what errors call it; by default its name as displayed
	 * @returns the value as the service takes it
	 * @throws InvalidValueError
	 */
	serialize(value: unknown, timeZone?: string, label?: string): unknown;
}

export type PropertyUi = Partial<Omit<INodeProperties, 'name' | 'displayName' | 'type'>>;

/** A kind of value: how the form shows it, and how the input is read. */
interface Kind extends Omit<INodeProperties, 'name' | 'displayName'> {
	entries?: readonly Field[];
	convert(value: unknown, label: string, timeZone: string, range: NumberRange): unknown;
}

const readDateTime: Kind['convert'] = (value, label, zone) => toServiceDateTime(value, label, zone);
const readDay: Kind['convert'] = (value, label, zone) =>
	toServiceDateTime(value, label, zone, 'day');

const UNEXPLAINED = 'The API does not specify the meaning';
const COMMAS = 'Separate several with commas';

const KINDS = {
	string: { type: 'string', default: '', convert: readText },
	/** The contract check knows the width. */
	integer: { type: 'number', default: '', convert: readInteger },
	decimal: {
		type: 'number',
		typeOptions: { numberPrecision: 4 },
		default: '',
		convert: (value, label, _zone, range) => readNumber(value, label, range),
	},
	boolean: { type: 'boolean', default: false, convert: toBoolean },
	dateTime: { type: 'dateTime', default: '', convert: readDateTime },
	/** A date and time; a date alone is allowed. */
	day: { type: 'dateTime', default: '', convert: readDay },
	strings: {
		type: 'string',
		default: '',
		hint: COMMAS,
		convert: (value, label) => listOf(readText)(reject(toList(value), isEmptyValue), label),
	},
	integers: { type: 'string', default: '', hint: COMMAS, convert: listOf(readInteger) },
	guid: { type: 'string', default: '', convert: readGuid },
	text: { type: 'string', default: '', convert: readIdentifier },
	/** An ID: a number without arithmetic meaning. */
	int64: { type: 'string', default: '', convert: readInteger },
	/** For values that a form cannot show well. */
	json: { type: 'json', default: '', convert: readJsonField },
} satisfies Record<string, Kind>;

/** What a person adds to a field; its type, allowed values and whether it is required come from the contract. */
export interface FieldUi extends PropertyUi, Pick<Field, 'mustNotBeEmpty' | 'namesRecord'> {
	/** Name of the parameter; by default derived from its path. */
	name?: string;
	/** The kind of value, if the contract does not say. */
	as?: keyof typeof KINDS;
	/** The record is chosen from a list. */
	locator?: INodeProperties;
	/** Method of the node that loads the names; of several numbers, `as: 'integers'`. */
	loads?: string;
	/** The allowed values by name, if the contract has none. */
	oneOf?: readonly NamedValue[];
	/** The same for a field that takes several. */
	anyOf?: readonly NamedValue[];
	/** What an entry is called, for a list of objects or a map. */
	entry?: string;
	/** The fields of an entry, for a list of objects. */
	entries?: readonly FieldRow[];
}

/** A field of the form, by its place in the contract. */
export interface FieldRow extends FieldUi {
	displayName: string;
	/** Path in the body, e.g. `contact.fname`, or the name of a query parameter or placeholder. */
	path: string;
}

/**
 * Combines a field row with what the contract says about the field.
 *
 * @param root the contract's schema of the object that contains the field
 */
export function makeField(row: FieldRow | Field, root: RequestSchema = {}): Field {
	if ('serialize' in row) return row;
	const { displayName, path, mustNotBeEmpty, namesRecord, as, locator, loads, ...others } = row;
	const { oneOf, anyOf, entry, entries: _, ...ui } = others;
	const schema = get(root.properties, path.replaceAll('.', '.properties.')) as
		RequestSchema | undefined;
	const { convert, entries, ...property } = kindOf(row, schema ?? {});
	// No record has a number below 1.
	const range = {
		least: namesRecord ? 1 : ui.typeOptions?.minValue,
		most: ui.typeOptions?.maxValue,
	};
	return {
		path,
		property: {
			name: parameterName(path),
			...property,
			...(namesRecord || root.required?.includes(path) ? { required: true } : {}),
			...(schema?.example === undefined
				? {}
				: { placeholder: `e.g. ${[schema.example].flat().join(', ')}` }),
			...(schema?.isUnexplained ? { description: UNEXPLAINED } : {}),
			...ui,
			displayName,
		},
		entries,
		namesRecord,
		mustNotBeEmpty,
		serialize(value, timeZone = 'UTC', label = displayName) {
			const isEmptied = mustNotBeEmpty && isBlankValue(value);
			const sent = isEmptied ? undefined : convert(value, label, zoneOf(path, timeZone), range);
			if (mustNotBeEmpty && isBlankValue(sent))
				throw new InvalidValueError(label, 'is empty', EMPTY_HINT);
			return sent;
		},
	};
}

const EMPTY_HINT =
	'Fill it in or remove it: without it the node would do or return more. If it has an expression, check what that gives.';

function kindOf(row: FieldRow, schema: RequestSchema): Kind {
	const { as, locator, loads, oneOf, anyOf, entry = '', entries } = row;
	const { type, format, codes, items, properties } = schema;
	if (locator) {
		const { convert }: Kind = as === 'guid' ? KINDS.guid : KINDS.int64;
		return { ...locator, convert: (value, ...rest) => convert(unwrapLocator(value), ...rest) };
	}
	if (loads !== undefined) {
		const typeOptions = { loadOptionsMethod: loads };
		return as === 'integers'
			? { type: 'multiOptions', typeOptions, default: [], convert: listOf(readInteger) }
			: { type: 'options', typeOptions, default: '', convert: readInteger };
	}
	if (as) return KINDS[as];
	const several = items?.codes ?? anyOf;
	if (several) return choiceOf('multiOptions', several);
	const one = codes ?? oneOf;
	if (one) return choiceOf('options', one);
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

/** @throws InvalidValueError for an expression that gives an empty list: it says nothing, and would clear what is there */
function readJsonField(value: unknown, label: string): unknown {
	if (!Array.isArray(value) || !isBlankValue(value)) return parseJson(value, label);
	throw new InvalidValueError(
		label,
		'is empty',
		'Check what its expression gives. To clear it, enter []',
	);
}

function readInteger(value: unknown, label: string, _zone = '', range: NumberRange = {}) {
	return LongNumber.from(value) ?? readNumber(value, label, { ...range, isWhole: true });
}

/** One or several values of a list. */
function choiceOf(type: 'options' | 'multiOptions', allowed: readonly NamedValue[]): Kind {
	const convert = (value: unknown, label: string) => readChoice(value, label, allowed);
	return {
		type,
		options: [...allowed],
		default: type === 'options' ? (allowed[0]?.value ?? 0) : [],
		convert: type === 'options' ? convert : listOf(convert),
	};
}

/** A list of objects with one level of fields, as rows that can be added. */
function rowsOf(entry: string, fields: readonly Field[]): Kind {
	return {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${entry}`,
		default: {},
		options: [{ displayName: entry, name: 'entry', values: map(fields, 'property') }],
		convert(value, label, timeZone) {
			if (isRecord(value)) refuseUnknownNames(value, [{ property: { name: 'entry' } }], label);
			const rows = isRecord(value) ? (value.entry ?? []) : value;
			if (!Array.isArray(rows))
				throw new InvalidValueError(label, 'is not a list of rows', ROWS_HINT);
			return rows.map((row: unknown, index) => {
				const rowLabel = `${label} ${index + 1}`;
				const values = isRecord(row) ? omitBy(row, isEmptyValue) : {};
				refuseUnknownNames(values, fields, rowLabel);
				const ofFields = Object.fromEntries(
					fields.map(({ property: { name } }) => [name, values[name]]),
				);
				return toObject(fields, ofFields, timeZone, {}, `${rowLabel}: `);
			});
		},
	};
}

const ROWS_HINT =
	"Add rows. n8n takes no expression for the whole list: to build it with one, set 'Specify Values' to 'Using JSON'";

/** A map from names to texts, as rows that can be added. */
function mapOf(entry: string): Kind {
	const rows = rowsOf(entry, [
		makeField({ displayName: 'Name', path: 'name', required: true }),
		makeField({ displayName: 'Value', path: 'value', required: true }),
	]);
	return {
		...rows,
		convert(value, label, timeZone, range) {
			const pairs = rows.convert(value, label, timeZone, range) as Array<{
				name: string;
				value: string;
			}>;
			const values = Object.fromEntries(pairs.map((pair) => [pair.name, pair.value]));
			if (Object.keys(values).length === pairs.length) return values;
			throw new InvalidValueError(
				label,
				'has two rows with the same name',
				'Give each row a name of its own',
			);
		},
	};
}

/**
 * Turns the values of a form into an object of the service. Blank values are left out, and the service keeps its own; null
 * clears one.
 *
 * @param values by parameter name
 * @param result the object to add to
 * @param place what stands before the name of a field in errors
 */
export function toObject(
	fields: readonly Field[],
	values: Readonly<Record<string, unknown>>,
	timeZone: string,
	result: Record<string, unknown> = {},
	place = '',
): Record<string, unknown> {
	for (const field of fields) {
		const { name, displayName } = field.property;
		if (!(name in values)) continue;
		const sent = sentBy(field, values[name], timeZone, place + displayName);
		if (sent === undefined) continue;
		if (field.path.includes('.')) set(result, field.path, sent);
		else result[field.path] = sent;
	}
	return result;
}

/** @returns what a field sends; undefined where it is blank, but for a list that the service needs */
function sentBy(field: Field, value: unknown, timeZone: string, label: string): unknown {
	const { property, serialize, mustNotBeEmpty } = field;
	if (mustNotBeEmpty) return serialize(value, timeZone, label);
	if (value === null) return null;
	if (property.required) return serialize(value, timeZone, label);
	const sent = isBlankValue(value) ? undefined : serialize(value, timeZone, label);
	const isNothing = typeof sent === 'object' && !(sent instanceof LongNumber) && isEmpty(sent);
	return isNothing ? undefined : sent;
}

/** @returns the parameter name for a path in the body: `contact.fname` is `contactFname`, `Id` is `id`. */
export function parameterName(path: string): string {
	const joined = path.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
	return joined.charAt(0).toLowerCase() + joined.slice(1);
}

/** Optional parameters, sorted by name. */
export function collectionOf(
	fields: readonly Field[],
	ui: PropertyUi & { displayName: string; name: string },
): INodeProperties {
	const options = map(fields, 'property');
	options.sort((one, other) => compareNames(one.displayName, other.displayName));
	return { ...ui, type: 'collection', default: {}, options };
}
