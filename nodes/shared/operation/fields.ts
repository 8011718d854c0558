import type { INodeProperties } from 'n8n-workflow';
import isEqual from 'lodash/isEqual';
import set from 'lodash/set';

import { type ValueKind, checkValue } from '../values/address';
import { toServiceDateTime } from '../values/dateTime';
import { InvalidValueError } from '../values/invalidValue';
import { toNumber } from '../values/number';
import { checkWellFormed } from '../values/text';
import { isEmptyValue, toBoolean, toList, toNames, unwrapLocator, withLabel } from './formValues';

/** One value of the service: the parameter on the form, and how it is sent. */
export interface Field {
	/** Path in the body, e.g. `contact.fname`, the name of a query parameter, or {@link ALL_NAMES}. */
	at: string;
	/** The parameter; its name is derived from `at`. */
	property: INodeProperties;
	/** Fields of the entries, for a list of objects. The required ones make an entry. */
	entries?: readonly Field[];
	/** For a JSON parameter, shown below it. */
	example?: unknown;
	/** Whether the service does or returns more without the value: see {@link narrowing}. */
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

type Named = ReadonlyArray<{ name: string; value: number }>;

export type Look = Partial<Omit<INodeProperties, 'name' | 'displayName' | 'type'>>;

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
	return field(displayName, at, 'boolean', false, { description, ...look }, toBoolean);
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
	const description = look.description ? `${look.description.replace(/\.$/, '')}. ${note}` : note;
	return field(displayName, at, 'dateTime', '', { ...look, description }, (value, label, timeZone) =>
		toServiceDateTime(value, label, timeZone, 'day'),
	);
}

/** A number out of a list whose values have no names in the contract. */
export function codes(displayName: string, at: string, allowed: readonly number[], look: Look = {}): Field {
	const numbers = allowed.map((value) => ({ name: String(value), value }));
	return listed(displayName, at, 'options', numbers, look, checkCode);
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
			if (typeof entry === 'string' || Number.isFinite(entry)) {
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

/** Names of query parameters, to switch on several at once. */
export function flags(property: INodeProperties): Field {
	const names = (property.options ?? []).flatMap((option) => ('value' in option ? String(option.value) : []));
	return {
		at: ALL_NAMES,
		property,
		serialize: (value) =>
			Object.fromEntries(toNames(value, property.displayName, names).map((name) => [name, true])),
	};
}

/** A record chosen from a list or by its ID, as a value of the body or the query. */
export function resourceLocator(at: string, kind: ValueKind, property: INodeProperties): Field {
	const { serialize } = identifier(property.displayName, at, kind);
	return { at, property, serialize: (value, timeZone) => serialize(unwrapLocator(value), timeZone) };
}

/**
 * A field without which the service does or returns more. Once it is on the form it must not come out empty: leaving it
 * out would widen the request.
 */
export function narrowing(field: Field): Field {
	const { property, serialize } = field;
	return {
		...field,
		narrows: true,
		serialize(value, timeZone) {
			const isEmpty = isEmptyValue(value) || isEqual(value, []);
			const sent = isEmpty ? [] : serialize(value, timeZone);
			if (!isEqual(sent, [])) return sent;
			throw new InvalidValueError(
				property.displayName,
				'is empty',
				'Without it the request would cover more. Check the expression, or remove the field to mean all.',
			);
		},
	};
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
	for (const { at, property, serialize, narrows } of fields) {
		const value = values[property.name];
		const isNarrowing = narrows && property.name in values;
		if (value === undefined && !isNarrowing) continue;
		const sent = value === null && !isNarrowing ? null : serializeAs(prefix, serialize, value, timeZone);
		if (at === ALL_NAMES) Object.assign(result, sent);
		else if (at.includes('.')) set(result, at, sent);
		else result[at] = sent;
	}
	return result;
}

function serializeAs(
	prefix: string,
	serialize: Field['serialize'],
	value: unknown,
	timeZone: string,
): unknown {
	if (prefix === '') return serialize(value, timeZone);
	return withLabel(
		(label) => `${prefix}${label}`,
		() => serialize(value, timeZone),
	);
}

/** @returns the parameter name for a path in the body: `contact.fname` is `contactFname`, `Id` is `id`. */
export function parameterName(at: string): string {
	const joined = at.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
	return joined.charAt(0).toLowerCase() + joined.slice(1);
}

function listed(
	displayName: string,
	at: string,
	type: 'options' | 'multiOptions',
	options: Named,
	look: Look,
	check: (value: unknown, label: string, allowed: Named) => unknown,
): Field {
	const empty = type === 'options' ? (options[0]?.value ?? 0) : [];
	const shown = { ...look, options: [...options] };
	return field(displayName, at, type, empty, shown, (value, label) => check(value, label, options));
}

/** A parameter with one value. */
export function field(
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

/** By its number or, as a node puts it out, by its name. */
function checkCode(value: unknown, label: string, allowed: Named): number {
	const number = toNumber(value);
	const name = typeof value === 'string' ? value.trim().toLowerCase() : '';
	const found = allowed.find((one) => one.value === number || one.name.toLowerCase() === name);
	if (found) return found.value;
	const shown = allowed.map((one) =>
		toNumber(one.name) === one.value ? one.name : `${one.name} (${one.value})`,
	);
	throw new InvalidValueError(label, 'is not one of the allowed values', `Allowed: ${shown.join(', ')}`);
}

function commaHint(look: Look): Look {
	return { hint: 'Separate several with commas', ...look };
}

/** @returns the parameters in the order in which they are looked for in a collection */
export function sortedByName(properties: readonly INodeProperties[]): INodeProperties[] {
	return [...properties].sort((one, other) => one.displayName.localeCompare(other.displayName));
}
