import { type RequestSchema, callOf, requestBodies } from '../contract/calls';
import type { OutputShape } from '../output/recordShape';
import { type Field, type FieldRow, makeField } from '../form/fields';
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
	const { method, path, inPath, takesSystem, query, body: schema, example, output } = callOf(id);
	const pathFields = (row.pathFields ?? []).map((each) => makePathField(each, inPath));
	const querySections = (row.query ?? []).map((section) => makeSection(section, query));
	const bodySections = (row.body?.sections ?? []).map((section) =>
		makeSection(section, requestBodies[schema]),
	);
	const sections = [...querySections, ...bodySections];
	const fields = sections.flatMap((section) => section.fields);
	const named = recordPath ?? fields.find(({ namesRecord }) => namesRecord)?.path;
	const naming = fields.filter((each) => each.path === named);
	return {
		method,
		path,
		takesSystem,
		recordFields: method === 'GET' ? [] : pathFields.length > 0 ? pathFields : naming,
		...row,
		value: id.slice(id.indexOf('.') + 1),
		pathFields,
		query: querySections,
		body: row.body && { ...row.body, example, schema, sections: bodySections },
		output: { ...output, ...row.output },
	};
}

function makePathField(row: FieldRow, properties: RequestSchema['properties'] = {}): Field {
	const format = properties[row.path]?.format;
	const as = format === 'uuid' ? 'guid' : format?.startsWith('int') ? 'int64' : 'text';
	return makeField({ namesRecord: true, as, ...row }, { properties });
}

function makeSection(part: Part, root: RequestSchema = {}): Section {
	const section = 'fields' in part ? part : { fields: [part] };
	return { ...section, fields: section.fields.map((row) => makeField(row, root)) };
}
