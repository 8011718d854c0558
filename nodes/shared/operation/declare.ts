import { type ContractCall, type RequestSchema, callOf, requestBodies } from '../contract/calls';
import type { OutputShape } from '../output/recordShape';
import type { Field } from '../form/fields';
import type { FieldRow } from '../form/kinds';
import { makeField } from '../form/makeField';
import type { Section } from '../form/rows';
import type { BodyPart, Operation } from './operation';

type Said = Pick<Operation, 'name' | 'action' | 'description'>;
type OfContract = 'takesSystem' | 'recordFields' | 'pathFields' | 'query' | 'body' | 'output';

/** A field that is always shown, or a section. */
type Part = Field | FieldRow | Section<Field | FieldRow>;

/** What a person adds to an operation of the contract. */
interface OperationRow extends Said, Partial<Omit<Operation, keyof Said | OfContract>> {
	pathFields?: readonly FieldRow[];
	query?: readonly Part[];
	body?: Omit<BodyPart, 'schema' | 'sections' | 'example'> & { sections: readonly Part[] };
	/** The field that says which record is changed, unless the path or the first that names the record does. */
	recordPath?: string;
	/** What differs from the contract or adds to it. */
	output?: OutputShape;
}

/**
 * An operation as the contract and a person describe it.
 *
 * @param id `operationId` in `contract/openapi.yaml`: resource and operation
 */
export function operation(id: string, { recordPath, ...row }: OperationRow): Operation {
	const call = callOf(id);
	const pathFields = (row.pathFields ?? []).map((each) => makePathField(each, call.inPath));
	const query = (row.query ?? []).map((part) => makeSection(part, call.query));
	const body = row.body && makeBody(row.body, call);
	const recordFields = pathFields.length > 0 ? pathFields : namingFields(query, body, recordPath);
	return {
		...row,
		value: id.slice(id.indexOf('.') + 1),
		method: call.method,
		path: call.path,
		takesSystem: call.takesSystem,
		recordFields: call.method === 'GET' ? [] : recordFields,
		pathFields,
		query,
		body,
		output: { ...call.output, ...row.output },
	};
}

function makeBody(body: NonNullable<OperationRow['body']>, call: ContractCall): BodyPart {
	const schema = call.body;
	const sections = body.sections.map((part) => makeSection(part, requestBodies[schema]));
	return { ...body, schema, sections, example: call.example };
}

/** @returns the fields of a call that say which record is changed, where its path does not */
function namingFields(
	query: readonly Section[],
	body: BodyPart | undefined,
	recordPath: string | undefined,
): Field[] {
	const fields = query.concat(body?.sections ?? []).flatMap((section) => section.fields);
	const path = recordPath ?? fields.find(({ namesRecord }) => namesRecord)?.path;
	return fields.filter((each) => each.path === path);
}

function makePathField(row: FieldRow, properties: RequestSchema['properties'] = {}): Field {
	const as = idKindOf(properties[row.path]?.format);
	return makeField({ namesRecord: true, as, ...row }, { properties });
}

function idKindOf(format: string | undefined): FieldRow['as'] {
	if (format === 'uuid') return 'guid';
	return format === 'int32' || format === 'int64' ? 'id' : 'text';
}

function makeSection(part: Part, root: RequestSchema = {}): Section {
	const section = 'fields' in part ? part : { fields: [part] };
	return { ...section, fields: section.fields.map((row) => makeField(row, root)) };
}
