import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodePropertyOptions } from 'n8n-workflow';
import { EVENTS } from '../../../nodes/HospitalityBookingTrigger/events';
import { makeCredentialType, makeNode, manifest, root } from '../../support/packageSources';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** A section of a page, up to the next heading. */
function section(text: string, heading: string): string {
	const [, found = ''] = text.split(`\n${heading}\n`);
	return found.split(/\n#|\n\*\*Hospitality /)[0] ?? '';
}

/** The rows of a table: the texts of their cells. */
function rows(text: string): string[][] {
	const lines = text.split('\n').filter((line) => line.startsWith('|'));
	return lines.slice(2).map((line) =>
		line
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

const namesIn = (cell = '') => cell.replace(/ \(.*?\)/g, '').split(', ');

/** The operations of a node by resource, as its form names them. */
function operationsOf(path: string): Record<string, string[]> {
	const { properties } = makeNode(path).description;
	const resources = properties.find(({ name }) => name === 'resource')?.options as INodePropertyOptions[];
	return Object.fromEntries(
		resources.map(({ name, value }) => {
			const form = properties.find(
				({ name: field, displayOptions }) =>
					field === 'operation' && displayOptions?.show?.resource?.includes(value),
			);
			return [name, (form?.options as INodePropertyOptions[]).map((option) => option.name).sort()];
		}),
	);
}

describe('README.md', () => {
	it.each(manifest.n8n.nodes.filter((path) => !path.includes('Trigger')))(
		'names the operations of %s',
		(path) => {
			const { displayName } = makeNode(path).description;
			const table = readme.split(`\n**${displayName}**\n`)[1]?.split(/\n\n[^|]/)[0] ?? '';
			const named = rows(table).map(([resource = '', operations]) => [resource, namesIn(operations).sort()]);
			expect(Object.fromEntries(named)).toEqual(operationsOf(path));
		},
	);

	it('names the fields of the credential that a person fills in, in their order', () => {
		const [booking = ''] = manifest.n8n.credentials;
		const type = makeCredentialType(booking);
		const fields = rows(readme.split(`\n**${type.displayName}**\n`)[1]?.split(/\n\n[^|]/)[0] ?? '');
		const shown = type.properties.filter((property) => property.type !== 'hidden');
		expect(fields.flatMap(([names]) => namesIn(names))).toEqual(
			shown.map((property) => property.displayName),
		);
	});

	it('links the page of every workflow', () => {
		const gallery = section(readme, '## What people build with it');
		const names = readdirSync(join(root, 'workflows')).map((file) => file.replace('.json', ''));
		expect(names.filter((name) => !gallery.includes(`(docs/workflows/${name}.md)`))).toEqual([]);
	});
});

it('docs/trigger.md names the events of the trigger', () => {
	const page = readFileSync(join(root, 'docs', 'trigger.md'), 'utf8');
	const named = rows(section(page, '## Events')).map(([name]) => name);
	expect(named.sort()).toEqual(EVENTS.map(({ name }) => name).sort());
});

it.each(globSync(['*.md', 'docs/**/*.md'], { cwd: root }))(
	'every npm script that %s names exists',
	(page) => {
		const text = readFileSync(join(root, page), 'utf8');
		const named = [...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
		expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
	},
);
