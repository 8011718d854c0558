import type { INodeProperties } from 'n8n-workflow';
import attempt from 'lodash/attempt';
import get from 'lodash/get';
import omit from 'lodash/omit';

import { sourceOfId } from '../booking/idSources';
import type { RequestSchema } from '../contract/calls';
import { asText } from '../values/asText';
import { InvalidValueError } from '../values/invalidValue';
import { type NumberRange, WIDTHS } from '../values/number';
import { zoneOf } from '../values/zone';
import { type Field, parameterName } from './fields';
import { type FieldRow, kindOf } from './kinds';
import { hasNoValue } from './values';

const EMPTY_HINT =
	'Fill it in or remove it: without it the node would do or return more. If it has an expression, check what that gives.';

/**
 * Combines a field row with what the contract says about the field.
 *
 * @param root the contract's schema of the object that contains the field
 */
export function makeField(row: FieldRow | Field, root: RequestSchema = {}): Field {
	if ('serialize' in row) return row;
	const { path, displayName, mustNotBeEmpty, namesRecord, lookUp } = row;
	const schema = schemaAt(root, path);
	const entries = row.entries?.map((each) => makeField(each, schema.items));
	const kind = kindOf(row, schema, entries);
	const range = rangeOf(row, schema);
	const source = sourceOfId(displayName);
	const { required = [] } = root;
	const isRequired = namesRecord === true || required.includes(path);

	function read(value: unknown, label: string, timeZone: string) {
		const zone = zoneOf(path, timeZone);
		if (!mustNotBeEmpty) return kind.read(value, label, zone, range);
		if (!hasNoValue(value)) {
			const sent = kind.read(value, label, zone, range);
			if (!hasNoValue(sent)) return sent;
		}
		throw new InvalidValueError(label, 'is empty', EMPTY_HINT);
	}

	function serialize(value: unknown, timeZone = 'UTC', label = displayName): unknown {
		if (source === undefined) return read(value, label, timeZone);
		const id: unknown = attempt(read, value, label, timeZone);
		if (id instanceof InvalidValueError) throw id.withHint(source);
		if (id instanceof Error) throw id;
		return id;
	}

	const property: INodeProperties = {
		name: parameterName(path),
		...kind.property,
		...partsOfContract(schema, isRequired),
		...omit(row, NOT_OF_PROPERTY),
		displayName,
	};
	return { path, property, entries, namesRecord, mustNotBeEmpty, lookUp, serialize };
}

/** What a row holds besides parts of its parameter. */
const NOT_OF_PROPERTY: ReadonlyArray<keyof FieldRow> = [
	'path',
	'mustNotBeEmpty',
	'namesRecord',
	'lookUp',
	'as',
	'locator',
	'oneOf',
	'anyOf',
	'entry',
	'entries',
];

function schemaAt(root: RequestSchema, path: string): RequestSchema {
	const inContract = path.replaceAll('.', '.properties.');
	const schema: unknown = get(root.properties, inContract);
	return (schema ?? {}) as RequestSchema;
}

/** What the contract adds to a parameter. */
function partsOfContract(schema: RequestSchema, isRequired: boolean) {
	const parts: Partial<INodeProperties> = {};
	if (isRequired) parts.required = true;
	if (schema.example !== undefined) {
		const examples = [schema.example].flat().map(asText);
		parts.placeholder = `e.g. ${examples.join(', ')}`;
	}
	if (schema.isUnexplained) parts.description = 'The API does not specify the meaning';
	return parts;
}

/** What a number may be: what the form says, within the width that the contract says. */
function rangeOf(row: FieldRow, schema: RequestSchema): NumberRange {
	let least = row.typeOptions?.minValue;
	let most = row.typeOptions?.maxValue;
	// No record has a number below 1.
	if (row.namesRecord) least = 1;
	if (schema.format === 'int32') {
		least ??= WIDTHS.int32.least;
		most ??= WIDTHS.int32.most;
	}
	return { least, most };
}
