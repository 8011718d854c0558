import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../../nodes/shared/operation/fields';
import type { Section } from '../../nodes/shared/operation/operation';
import { root } from '../support/packageSources';
import { type Row, rows } from '../support/sampleForm';

/**
 * By operation, what a person reads beside a field, where its value goes, and what each choice is called. Kept by hand:
 * whoever changes a form reads the line again.
 */
const TABLE = readFileSync(join(root, 'test/unit/labels.txt'), 'utf8').trim();
const tables = new Map(
	TABLE.split('\n\n').map((table) => [table.split('\n')[0], table.split('\n').slice(1)]),
);

function linesOf({
	operation: { pathFields = [], parameters = [], query = [], body },
	fields,
}: Row): string[] {
	const isSent = ({ path }: Field) => fields.some((one) => one.path === path && one.in === 'query');
	const isResult = (field: Field) => !isSent(field);
	return [
		...pathFields.flatMap((field) => fieldLines(field, 'path ')),
		...parameters.map(({ property }) => lineOf(property, property.displayName, `form ${property.name}`)),
		...query.flatMap((section) => sectionLines(section, 'query ', isSent)),
		...query.flatMap((section) => sectionLines(section, 'result ', isResult)),
		...(body?.sections ?? []).flatMap((section) => sectionLines(section, 'body ')),
	].map((line) => `  ${line}`);
}

function lineOf({ options = [] }: INodeProperties, label: string, place: string): string {
	const choices = options.flatMap((one) =>
		'value' in one && one.name !== String(one.value) ? [`${one.name} = ${String(one.value)}`] : [],
	);
	return `${label} → ${place}${choices.length > 0 ? ` (${choices.join(', ')})` : ''}`;
}

function sectionLines(
	{ collection, fields }: Section,
	place: string,
	isShown = (_: Field) => true,
): string[] {
	const label = collection ? `${collection.displayName} › ` : '';
	return fields.filter(isShown).flatMap((field) => fieldLines(field, place, label));
}

function fieldLines({ path, property, entries = [] }: Field, place: string, label = ''): string[] {
	const name = label + property.displayName;
	return [
		lineOf(property, name, place + path),
		...entries.flatMap((entry) => fieldLines(entry, `${place}${path}[].`, `${name} › `)),
	];
}

test('the table has each operation and no other', () => {
	expect([...tables.keys()]).toEqual(rows.map(({ id }) => id));
});

test.each(rows)('each label writes the field that it names: $id', (row) => {
	expect(linesOf(row)).toEqual(tables.get(row.id));
});
