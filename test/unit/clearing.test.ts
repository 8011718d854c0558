import { readFileSync } from 'node:fs';

import get from 'lodash/get';
import uniq from 'lodash/uniq';

import { articleFields } from '../../nodes/HospitalityBooking/resources/article/articleFields';
import { type RequestSchema, requestBodies } from '../../nodes/shared/contract/calls';
import type { Field } from '../../nodes/shared/form/fields';
import { type Row, rows } from '../support/sampleForm';

/** The page's own words around the table. */
const BEGIN = '<!-- prettier-ignore-start -->\n';
const END = '<!-- prettier-ignore-end -->\n';

/** What clears a value in JSON, by the contract's type; null clears any. */
const CLEARED_WITH = ['`""`', '`[]`', '`null`'] as const;

function clearedWith({ type, format }: RequestSchema): (typeof CLEARED_WITH)[number] {
	if (type === 'array') return '`[]`';
	return type === 'string' && format === undefined ? '`""`' : '`null`';
}

/** The fields of an operation that a person may leave out, with what the contract says of each. */
function optionalFields({ id, operation: { body } }: Row): Array<[Field, RequestSchema]> {
	const root = requestBodies[body?.schema ?? ''] ?? {};
	const isBatch = id === 'article.batchUpdate';
	const schema = isBatch ? root.properties?.items?.items : root;
	const fields = isBatch ? articleFields : (body?.sections ?? []).flatMap((part) => part.fields);
	return fields
		.filter(({ property, mustNotBeEmpty }) => !property.required && !mustNotBeEmpty)
		.map((field) => {
			const place = field.path.replaceAll('.', '.properties.');
			return [field, get(schema?.properties, place) as unknown as RequestSchema];
		});
}

function lineOf(row: Row): string {
	const { operation, service } = row;
	const resource = service.resources.find(({ operations }) => operations.includes(operation));
	const fields = optionalFields(row);
	const cells = CLEARED_WITH.map((mark) => {
		const cleared = fields.filter(([, schema]) => clearedWith(schema) === mark);
		return uniq(cleared.map(([field]) => field.property.displayName)).join(', ');
	});
	return `| _${resource?.name}: ${operation.name}_ | ${cells.join(' | ')} |\n`;
}

test('the page on using the nodes lists what only JSON clears, field by field', () => {
	const page = readFileSync('docs/usage.md', 'utf8');
	const table = page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END));

	const head = `| Operation | ${CLEARED_WITH.join(' | ')} |\n| --- | --- | --- | --- |\n`;
	// Authenticate sends both of its values, or those of the credential.
	const clearing = rows.filter((row) => row.id !== 'customer.authenticate');
	const lines = clearing.filter((row) => optionalFields(row).length > 0).map(lineOf);
	expect(table).toBe(head + lines.join(''));
});
