import type { INodeProperties } from 'n8n-workflow';
import get from 'lodash/get';

import { type RequestSchema, callOf, requestBodies } from '../contract/calls';
import type { ValueKind } from '../values/address';
import type { BodyPart, BodySection } from './body';
import {
	type Field,
	type Look,
	boolean,
	codes,
	dateOrTime,
	dateTime,
	decimal,
	identifier,
	integer,
	integerList,
	loadedOptions,
	multiOptions,
	narrowing,
	resourceLocator,
	string,
	stringList,
} from './fields';
import { json } from './jsonField';
import type { Operation, QueryPart } from './operation';
import { fixedCollection, stringMap } from './rowFields';

/** What only a person knows of a field; its type, its allowed values and whether it is required are the contract's. */
export interface FieldLook extends Look {
	/** Whether the service does or returns more without the value: then it must not come out empty. */
	narrows?: true;
	/** What the contract does not tell: an identifier, a number to count with, or a time for which a day will do. */
	as?: ValueKind | 'number' | 'day';
	/** The record is chosen from a list. */
	locator?: INodeProperties;
	/** Method of the node that loads the names. */
	loads?: string;
	/** The allowed values by name. */
	names?: ReadonlyArray<{ name: string; value: number }>;
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
	/** Path in the body, e.g. `contact.fname`, or the name of a query parameter. */
	at: string;
}

/** A field of the form, by its place in the contract. */
export function field(displayName: string, at: string, look: FieldLook = {}): FieldRow {
	return { ...look, displayName, at };
}

/** An operation of the contract, and what only a person knows of it. */
export interface OperationRow extends Partial<Omit<Operation, 'query' | 'body'>> {
	/** Title Case, without the resource: `Get Many`. */
	name: string;
	/** Sentence case with the resource: `Get many web bookings`. */
	action: string;
	description: string;
	query?: ReadonlyArray<QueryPart<Field | FieldRow>>;
	body?: Omit<BodyPart, 'schema' | 'sections' | 'example'> & {
		/** Where the JSON is something other than the body itself; the contract's example unless set. */
		example?: unknown;
		sections: ReadonlyArray<BodySection<Field | FieldRow>>;
	};
}

/**
 * An operation as the contract and a person describe it.
 *
 * @param id `operationId` in `contract/openapi.yaml`: resource and operation
 */
export function operation(id: string, row: OperationRow): Operation {
	const { method, path, takesSystem, query, body, example, output } = callOf(id);
	const { query: queryParts = [], body: bodyPart } = row;
	return {
		method,
		path,
		output,
		...(takesSystem ? {} : { takesSystem }),
		...row,
		value: id.slice(id.indexOf('.') + 1),
		query: queryParts.map((part) => ({ ...part, fields: part.fields.map((each) => toField(each, query)) })),
		body: bodyPart && {
			example,
			...bodyPart,
			schema: body,
			sections: bodyPart.sections.map((section) => ({
				...section,
				fields: section.fields.map((each) =>
					toField(each, requestBodies[body] ?? {}, { ...section, example }),
				),
			})),
		},
	};
}

/**
 * @param namesRecord whether the field is needed though the contract lets it be left out
 * @param example of the whole body
 */
function toField(
	row: Field | FieldRow,
	root: RequestSchema,
	{ namesRecord = false, example }: { namesRecord?: boolean; example?: unknown } = {},
): Field {
	if ('serialize' in row) return row;
	const schema = get(root.properties, row.at.replaceAll('.', '.properties.')) as RequestSchema | undefined;
	const isRequired = namesRecord || root.required?.includes(row.at);
	const made = makeField(
		isRequired ? { required: true, ...row } : row,
		schema ?? {},
		get(example, row.at) as unknown,
	);
	return row.narrows ? narrowing(made) : made;
}

function makeField(row: FieldRow, schema: RequestSchema, example?: unknown): Field {
	const {
		displayName,
		at,
		narrows: _,
		as,
		locator,
		loads,
		names,
		entry = '',
		entries,
		isJson,
		...look
	} = row;
	const { type, format, enum: values, items, properties } = schema;
	if (locator) return resourceLocator(at, as === 'guid' ? as : 'int64', { ...locator, ...look });
	if (loads !== undefined) return loadedOptions(displayName, at, loads, look);
	if (isJson) return json(displayName, at, example, look);
	if (as === 'day') return dateOrTime(displayName, at, look);
	if (as === 'number') return integer(displayName, at, look);
	if (as) return identifier(displayName, at, as, look);
	if (values) return codes(displayName, at, values, look);
	if (names) return multiOptions(displayName, at, names, look);
	if (items?.properties && entries) {
		const inner = entries.map((each) => toField(each, items));
		return fixedCollection(displayName, at, entry, inner, look);
	}
	if (items) return (items.type === 'integer' ? integerList : stringList)(displayName, at, look);
	if (type === 'object' && !properties) return stringMap(displayName, at, entry, look);
	if (format === 'int64') return identifier(displayName, at, 'int64', look);
	if (format === 'date-time') return dateTime(displayName, at, look);
	if (type === 'boolean') return boolean(displayName, at, look.description ?? '', look);
	const make = type === 'integer' ? integer : type === 'number' ? decimal : string;
	return make(displayName, at, look);
}
