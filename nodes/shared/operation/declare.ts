import { type ContractCall, type RequestSchema, callOf, requestBodies } from '../contract/calls';
import type { Field } from '../form/fields';
import type { FieldRow } from '../form/kinds';
import { makeField } from '../form/makeField';
import type { Section } from '../form/rows';
import type { OutputShape } from '../output/recordShape';
import type { BodyPart, Operation } from './operation';

/** A field that is always shown, or a section. */
type Part = Field | FieldRow | Section<Field | FieldRow>;

/** What a person adds to an operation of the contract. */
interface OperationRow extends Omit<Operation, OfContract> {
	pathFields?: readonly FieldRow[];
	query?: readonly Part[];
	body?: BodyRow;
	/** The field that says which record is changed, unless the path or the first that names the record does. */
	recordPath?: string;
	/** What differs from the contract or adds to it. */
	output?: OutputShape;
}

/** What the contract says of an operation, alone or together with a person. */
type OfContract =
	| 'value'
	| 'method'
	| 'path'
	| 'takesSystem'
	| 'recordFields'
	| 'pathFields'
	| 'query'
	| 'body'
	| 'output';

interface BodyRow extends Omit<BodyPart, 'schema' | 'sections' | 'example'> {
	sections: readonly Part[];
}

/**
 * An operation as the contract and a person describe it.
 *
 * @param id `operationId` in `contract/openapi.yaml`: resource and operation
 */
export function operation(id: string, { recordPath, ...row }: OperationRow): Operation {
	const call = callOf(id);
	const { pathFields: pathRows = [], query: parts = [] } = row;
	const pathFields = pathRows.map((field) => makePathField(field, call.inPath));
	const query = parts.map((part) => makeSection(part, call.query));
	const body = row.body && makeBody(row.body, call);
	let recordFields = pathFields;
	if (pathFields.length === 0) recordFields = namingFields(query, body, recordPath);
	if (call.method === 'GET') recordFields = [];
	const [, value = id] = id.split('.');
	return {
		...row,
		value,
		method: call.method,
		path: call.path,
		takesSystem: call.takesSystem,
		recordFields,
		pathFields,
		query,
		body,
		output: { ...call.output, ...row.output },
	};
}

function makeBody(row: BodyRow, call: ContractCall): BodyPart {
	const root = requestBodies[call.body];
	const sections = row.sections.map((part) => makeSection(part, root));
	return { ...row, schema: call.body, sections, example: call.example };
}

/** @returns the fields of a call that say which record is changed, where its path does not */
function namingFields(query: Section[], body?: BodyPart, recordPath?: string): Field[] {
	const sections = query.concat(body?.sections ?? []);
	const fields = sections.flatMap((section) => section.fields);
	const first = fields.find((field) => field.namesRecord);
	const path = recordPath ?? first?.path;
	return fields.filter((field) => field.path === path);
}

/** A placeholder of the path names the record, by the kind of ID that the contract says. */
function makePathField(row: FieldRow, inPath: ContractCall['inPath']): Field {
	const format = inPath[row.path]?.format;
	let as: FieldRow['as'] = 'text';
	if (format === 'uuid') as = 'guid';
	if (format === 'int32' || format === 'int64') as = 'id';
	const naming: FieldRow = { namesRecord: true, as, ...row };
	return makeField(naming, { properties: inPath });
}

function makeSection(part: Part, root: RequestSchema = {}): Section {
	const section = 'fields' in part ? part : { fields: [part] };
	const fields = section.fields.map((row) => makeField(row, root));
	return { ...section, fields };
}
