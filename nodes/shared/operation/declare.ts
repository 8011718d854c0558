import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import camelCase from 'lodash/camelCase';
import lowerCase from 'lodash/lowerCase';

import { type RequestSchema, callOf, requestBodies } from '../contract/calls';
import { LongNumber } from '../values/longNumber';
import { WIDTHS, readNumber } from '../values/number';
import type { OutputShape } from '../booking/recordShape';
import { type Field, type FieldUi, type FieldRow, type PropertyUi, makeField, parameterName } from './fields';
import type { BodyPart, CollectionUi, Operation, Section } from './operation';

type Said = Pick<Operation, 'name' | 'action' | 'description'>;

/** What a person adds to an operation of the contract. */
interface OperationRow
	extends Said, Partial<Omit<Operation, keyof Said | 'pathFields' | 'query' | 'body' | 'output'>> {
	pathFields?: readonly FieldRow[];
	query?: ReadonlyArray<Section<Field | FieldRow>>;
	body?: Omit<BodyPart, 'schema' | 'sections' | 'example'> & {
		/** If the JSON is not the body itself; by default the contract's example. */
		example?: unknown;
		sections: ReadonlyArray<Section<Field | FieldRow>>;
	};
	/** What differs from the contract or adds to it. */
	output?: Partial<OutputShape>;
}

/**
 * An operation as the contract and a person describe it.
 *
 * @param id `operationId` in `contract/openapi.yaml`: resource and operation
 */
export function operation(id: string, row: OperationRow): Operation {
	const { method, path, inPath, takesSystem, query, body: schema, example, output } = callOf(id);
	const { pathFields = [], body } = row;
	const named = body?.sections.find(({ namesRecord }) => namesRecord)?.fields[0];
	const place = pathFields.length > 0 ? 'path' : named && (`body.${named.path}` as const);
	return {
		method,
		path,
		...(takesSystem ? {} : { takesSystem }),
		recordPath: method === 'GET' ? undefined : place,
		...row,
		value: id.slice(id.indexOf('.') + 1),
		pathFields: pathFields.map((each) => makePathField(each, inPath)),
		query: row.query?.map((section) => makeSection(section, query)),
		body: body && {
			example,
			...body,
			schema,
			sections: body.sections.map((section) => makeSection(section, requestBodies[schema], example)),
		},
		output: { ...output, ...row.output },
	};
}

function makePathField(row: FieldRow, properties: RequestSchema['properties'] = {}): Field {
	const format = properties[row.path]?.format;
	const made = makeField({ required: true, as: format === 'uuid' ? 'guid' : 'text', ...row }, { properties });
	if (format !== 'int32' && format !== 'int64') return made;
	// No record has a number below 1.
	const range = { ...WIDTHS[format], least: 1 };
	const longOf = (value: unknown) => (format === 'int64' ? LongNumber.read(value) : undefined);
	return {
		...made,
		serialize: (value) => String(longOf(value) ?? readNumber(value, row.displayName, range)),
	};
}

function makeSection(
	section: Section<Field | FieldRow>,
	root: RequestSchema = {},
	example?: unknown,
): Section {
	const { namesRecord } = section;
	const fields = section.fields.map((row) =>
		makeField(namesRecord ? { required: true, ...row } : row, root, example),
	);
	return { ...section, fields };
}

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

/** A parameter that is read on its own, such as an option. */
export function parameter(displayName: string, name: string, ui: FieldUi): INodeProperties {
	return makeField({ ...ui, displayName, path: name }).property;
}

/** A list to choose from; the first entry is the default. No expressions, because the form depends on it. */
export function choice(
	displayName: string,
	name: string,
	options: INodePropertyOptions[],
	ui: PropertyUi = {},
): INodeProperties {
	const chosen = options[0]?.value;
	return { displayName, name, type: 'options', noDataExpression: true, options, default: chosen, ...ui };
}

/** Fields of a nested object at a path, for a collection of their own: their names need not repeat it. */
export function within(path: string, fields: readonly FieldRow[]): FieldRow[] {
	return fields.map((row) => ({ name: parameterName(row.path), ...row, path: `${path}.${row.path}` }));
}

/** Body fields that identify the record, above 'Specify Values'. The JSON may contain them instead. */
export function recordSection<F>(...fields: readonly F[]): Section<F> {
	return { fields, namesRecord: true };
}

export function topLevel<F>(...fields: readonly F[]): Section<F> {
	return { fields };
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

export function filters<F>(...fields: readonly F[]): Section<F> {
	return collection('Filters', 'filters', fields, { placeholder: 'Add Filter' });
}
