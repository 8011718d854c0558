import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import camelCase from 'lodash/camelCase';
import lowerCase from 'lodash/lowerCase';

import { type Field, type PropertyUi, parameterName } from './fields';
import type { FieldRow, FieldUi } from './kinds';
import { makeField } from './makeField';

/** A part of a form: fields that are always shown, or a collection of optional ones. */
export interface Section<F = Field> {
	fields: readonly F[];
	/** Without one, the fields are always shown. */
	collection?: CollectionUi & { displayName: string; name: string };
}

type CollectionUi = Pick<INodeProperties, 'description' | 'displayOptions' | 'placeholder'>;

export function field(displayName: string, path: string, ui: FieldUi = {}): FieldRow {
	return { ...ui, displayName, path };
}

/** The ID, in the path, of the record to change; for records without a list to choose from. */
export function recordId(what: string): FieldRow {
	return field(`${what} ID`, 'id', {
		name: `${camelCase(what)}Id`,
		description: `ID of the ${lowerCase(what)}`,
	});
}

/** A parameter that stands alone, such as an option. */
export function parameter(displayName: string, name: string, ui: FieldUi): Field {
	return makeField({ ...ui, displayName, path: name });
}

/** A list to choose from; the first entry is the default. No expressions, because the form depends on it. */
export function choice(
	displayName: string,
	name: string,
	oneOf: INodePropertyOptions[],
	ui: PropertyUi = {},
): Field {
	return makeField({ displayName, path: name, oneOf, noDataExpression: true, ...ui });
}

/** Fields of a nested object at a path, for a collection of their own: their names need not repeat it. */
export function within(path: string, fields: readonly FieldRow[]): FieldRow[] {
	return fields.map((row) => ({
		name: parameterName(row.path),
		...row,
		path: `${path}.${row.path}`,
	}));
}

/** Related optional fields, in a collection. */
export function collection<F>(
	displayName: string,
	name: string,
	fields: readonly F[],
	ui: CollectionUi = {},
): Section<F> {
	return { collection: { displayName, name, ...ui }, fields };
}

/** One that comes out empty would let everything through. */
export function filters(...fields: readonly FieldRow[]): Section<FieldRow> {
	const strict = fields.map((row): FieldRow => {
		return { ...row, mustNotBeEmpty: true };
	});
	return collection('Filters', 'filters', strict, { placeholder: 'Add Filter' });
}
