import type { INodeProperties } from 'n8n-workflow';
import cloneDeep from 'lodash/cloneDeep';
import map from 'lodash/map';
import reject from 'lodash/reject';

import type { RequestSchema } from '../contract/calls';
import { GUID_PATTERN, readGuid, readIdentifier } from '../values/address';
import { asText } from '../values/asText';
import { isBlank } from '../values/blank';
import { toServiceDateTime } from '../values/dateTime';
import { InvalidValueError } from '../values/invalidValue';
import { LongNumber, wholeNumberPattern } from '../values/longNumber';
import { type NumberRange, WIDTHS, readNumber } from '../values/number';
import { quoted } from '../values/plainText';
import { isRecord } from '../values/record';
import { ContractCheck } from './contractCheck';
import { type Field, type PropertyUi, toObject } from './fields';
import { parseJson } from './parseJson';
import {
	type NamedValue,
	hasNoValue,
	isBlankParameter,
	readChoice,
	readText,
	refuseUnknownNames,
	toBoolean,
	toList,
	unwrapLocator,
} from './values';
import { refusePlaceholderText, takesId } from './placeholderTexts';

/**
 * @param label what errors call the field
 * @param zone for dates and times without an offset
 * @param range of a number
 * @returns the value as the contract has it
 * @throws InvalidValueError
 */
type Read = (value: unknown, label: string, zone: string, range: NumberRange) => unknown;

/** A kind of value: how the form shows it, and how what a person enters is read. */
interface Kind {
	property: Omit<INodeProperties, 'name' | 'displayName'>;
	read: Read;
}

/** What a person adds to a field; its type, allowed values and whether it is required come from the contract. */
export interface FieldUi
	extends PropertyUi, Pick<Field, 'mustNotBeEmpty' | 'namesRecord' | 'lookUp'> {
	/** Name of the parameter; by default derived from its path. */
	name?: string;
	/** The kind of value, if the contract does not say. */
	as?: keyof typeof KINDS | 'json';
	/** The record is chosen from a list. */
	locator?: INodeProperties;
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

const TEXT = { type: 'string', default: '' } as const;
const NUMBER = { type: 'number', default: '' } as const;
const DATE_TIME = { type: 'dateTime', default: '' } as const;
const LIST = { type: 'string', default: '', hint: 'Separate several with commas' } as const;

type ReadText = (value: unknown, label: string) => string;

/** @returns what reads a text and refuses a word that software writes for nothing */
function textReader(read: ReadText, isId: boolean): ReadText {
	return (value, label) => {
		const text = read(value, label);
		refusePlaceholderText(text, label, isId);
		return text;
	};
}

const readAnyText = textReader(readText, false);
const readIdText = textReader(readText, true);
/** An ID or a name that may stand in a path or a header. */
const readPathText = textReader(readIdentifier, true);

const KINDS = {
	string: { property: TEXT, read: readAnyText },
	/** A text that nobody writes by hand, such as an ID or an email address. */
	idText: { property: TEXT, read: readIdText },
	integer: { property: NUMBER, read: readInteger },
	decimal: {
		property: { ...NUMBER, typeOptions: { numberPrecision: 4 } },
		read: (value, label, _zone, range) => readNumber(value, label, range),
	},
	boolean: { property: { type: 'boolean', default: false }, read: toBoolean },
	dateTime: { property: DATE_TIME, read: readDateTime('dateTime') },
	/** A date and time; a date alone is allowed. */
	day: { property: DATE_TIME, read: readDateTime('day') },
	strings: { property: LIST, read: textsOf(readAnyText) },
	idTexts: { property: LIST, read: textsOf(readIdText) },
	ids: { property: LIST, read: listOf(readId) },
	guid: { property: TEXT, read: readGuid },
	text: { property: TEXT, read: readPathText },
	/** An ID: a number without arithmetic meaning. */
	id: { property: TEXT, read: readId },
	/** An ID whose name the node loads. */
	loadedId: { property: { type: 'options', default: '' }, read: readId },
	/** Several of them, of which names are taken as well. */
	namesOrIds: {
		property: { type: 'multiOptions', default: [] },
		read: listOf(readNameOrId),
	},
} satisfies Record<string, Kind>;

/**
 * @param schema what the contract says about the field
 * @param entries the fields of an entry, for a list of objects
 */
export function kindOf(row: FieldRow, schema: RequestSchema, entries?: readonly Field[]): Kind {
	if (row.locator && row.as === 'guid') return guidLocator(row.locator);
	if (row.locator) return numberLocator(row.locator, schema);
	if (row.as === 'json') return jsonKind(schema);
	if (row.as) return KINDS[row.as];
	const several = schema.items?.codes ?? row.anyOf;
	if (several) return severalOf(several);
	const one = schema.codes ?? row.oneOf;
	if (one) return oneOf(one);
	if (entries) return rowsOf(row.entry, entries);
	const isMap = schema.type === 'object' && !schema.properties;
	if (isMap) return mapOf(row.entry);
	return KINDS[plainKind(schema, row.path)];
}

/** The kind of a value that the contract alone describes. */
function plainKind(schema: RequestSchema, path: string): keyof typeof KINDS {
	const { type, format, items } = schema;
	const isId = takesId(path);
	if (items?.type === 'integer') return 'ids';
	if (items) return isId ? 'idTexts' : 'strings';
	if (format === 'int64') return 'id';
	if (format === 'date-time') return 'dateTime';
	if (format === 'uuid') return 'guid';
	if (type === 'number') return 'decimal';
	if (type === 'boolean' || type === 'integer') return type;
	return isId ? 'idText' : 'string';
}

/** @returns what reads a list with {@link toList} and each entry with `readEntry` */
function listOf(readEntry: Read): Read {
	return (value, label, zone, range) => {
		const entries = toList(value);
		return entries.map((entry) => readEntry(entry, label, zone, range));
	};
}

function textsOf(readEntry: ReadText): Read {
	return (value, label) => {
		const entries = reject(toList(value), isBlankParameter);
		return entries.map((entry) => readEntry(entry, label));
	};
}

const FIRST_YEAR = 1900;

/** Software writes a year before 1900 for no date. JSON may hold one, as records do. */
function readDateTime(precision: 'dateTime' | 'day'): Read {
	return (value, label, zone) => {
		const time = toServiceDateTime(value, label, zone, precision);
		const year = time.slice(0, 4);
		if (Number(year) >= FIRST_YEAR) return time;
		const hint = `Enter a date from ${FIRST_YEAR}. Software writes an earlier one for no date: leave the field empty instead`;
		throw new InvalidValueError(label, `is in the year ${year}`, hint);
	};
}

function readInteger(value: unknown, label: string, _zone: string, range: NumberRange) {
	return readNumber(value, label, { ...range, isWhole: true });
}

/** An ID may be longer than JavaScript can count, unless the contract has a narrower one. */
function readId(value: unknown, label: string, zone: string, range: NumberRange) {
	if (range.most === undefined) {
		const long = LongNumber.from(value);
		if (long) return long;
	}
	return readInteger(value, label, zone, range);
}

/** A name may begin with anything, as `1st seating` does; one letter within digits is a typo. */
const NAME = /^\s*\p{L}|\p{L}{2}/u;

function readNameOrId(value: unknown, label: string) {
	const isName = typeof value === 'string' && NAME.test(value);
	if (isName) return readIdText(value, label);
	return readId(value, label, 'UTC', {});
}

/** A record that is chosen from a list or named by its GUID. */
function guidLocator(property: INodeProperties): Kind {
	const hint = 'Enter a GUID, e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301';
	return {
		property: withValidation(property, GUID_PATTERN, hint),
		read: (value, label) => readGuid(unwrapLocator(value), label),
	};
}

/** A record that is chosen from a list or named by its number. */
function numberLocator(property: INodeProperties, schema: RequestSchema): Kind {
	let most: number | undefined;
	let allowed = 'from 1';
	if (schema.format === 'int32') {
		most = WIDTHS.int32.most;
		allowed = `from 1 to ${most}`;
	}
	const hint = `Enter a whole number ${allowed}, its digits alone`;
	const pattern = wholeNumberPattern(most);
	const entered = new RegExp(`^${pattern}$`);
	return {
		property: withValidation(property, pattern, hint),
		read(value, label) {
			const id = unwrapLocator(value);
			const text = asText(id);
			const hasAllDigits = typeof id === 'string' || Number.isSafeInteger(id);
			if (!hasAllDigits || !entered.test(text)) {
				const shown = isBlank(id) ? 'empty' : quoted(id);
				throw new InvalidValueError(label, `is ${shown}`, hint);
			}
			const digits = text.trim().replace(/^0+/, '');
			return LongNumber.from(digits) ?? Number(digits);
		},
	};
}

/** Lets n8n check an ID while a person types it. */
function withValidation(property: INodeProperties, regex: string, errorMessage: string) {
	const checked = cloneDeep(property);
	const byId = checked.modes?.find((mode) => mode.name === 'id');
	if (byId) {
		const properties = { regex, errorMessage };
		byId.validation = [{ type: 'regex', properties }];
	}
	return checked;
}

/** JSON within a form, for values that fields cannot show well. */
function jsonKind(schema: RequestSchema): Kind {
	return {
		property: { type: 'json', default: '' },
		read(value, label, zone) {
			// An expression that gives an empty list says nothing, and would clear what is there.
			if (Array.isArray(value) && hasNoValue(value)) {
				throw new InvalidValueError(label, 'is empty', EMPTY_LIST_HINT);
			}
			const parsed = parseJson(value, label);
			return new ContractCheck(zone).read(parsed, schema, label);
		},
	};
}

const EMPTY_LIST_HINT =
	"Check what its expression gives. To clear it, choose 'Using JSON' and enter []";

function oneOf(allowed: readonly NamedValue[]): Kind {
	return {
		property: {
			type: 'options',
			options: [...allowed],
			default: allowed[0]?.value ?? 0,
		},
		read: (value, label) => readChoice(value, label, allowed),
	};
}

function severalOf(allowed: readonly NamedValue[]): Kind {
	return {
		property: { type: 'multiOptions', options: [...allowed], default: [] },
		read: listOf((value, label) => readChoice(value, label, allowed)),
	};
}

/** A list of objects with one level of fields, as rows that can be added. */
function rowsOf(entry = '', fields: readonly Field[]): Kind {
	const values = map(fields, 'property');
	return {
		property: {
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: `Add ${entry}`,
			default: {},
			options: [{ displayName: entry, name: 'entry', values }],
		},
		read(value, label, zone) {
			const rows = rowsIn(value, label);
			return rows.map((row, index) => {
				const place = `${label} ${index + 1}`;
				return readRow(row, fields, place, zone);
			});
		},
	};
}

function rowsIn(value: unknown, label: string): unknown[] {
	let rows = value;
	if (isRecord(value)) {
		refuseUnknownNames(value, ['entry'], label);
		rows = value.entry ?? [];
	}
	if (Array.isArray(rows)) return rows;
	const hint =
		"Add rows. n8n takes no expression for the whole list: to build it with one, set 'Specify Values' to 'Using JSON'";
	throw new InvalidValueError(label, 'is not a list of rows', hint);
}

/** @throws InvalidValueError for a row without a value, which would change nothing or clear something */
function readRow(row: unknown, fields: readonly Field[], label: string, zone: string) {
	const given = isRecord(row) ? row : {};
	const names = map(fields, 'property.name');
	refuseUnknownNames(given, names, label);
	// A required field is read where it has no value, too.
	const values: Record<string, unknown> = {};
	for (const name of names) values[name] = given[name];
	const object = toObject(fields, values, zone, `${label}: `);
	if (Object.keys(object).length > 0) return object;
	throw new InvalidValueError(label, 'is empty', 'Fill it in, or remove it');
}

/** A map from names to texts, as rows that can be added. */
function mapOf(entry: string | undefined): Kind {
	const fields = [requiredText('Name', 'name'), requiredText('Value', 'value')];
	const rows = rowsOf(entry, fields);
	return {
		property: rows.property,
		read(value, label, zone, range) {
			const pairs = rows.read(value, label, zone, range) as NamedValue[];
			const entries = pairs.map((pair) => [pair.name, pair.value]);
			const texts: object = Object.fromEntries(entries);
			if (Object.keys(texts).length === pairs.length) return texts;
			const hint = 'Give each row a name of its own';
			throw new InvalidValueError(label, 'has two rows with the same name', hint);
		},
	};
}

function requiredText(displayName: string, path: string): Field {
	return {
		path,
		property: { ...TEXT, displayName, name: path, required: true },
		serialize: (value, _timeZone, label = displayName) => readAnyText(value, label),
	};
}
