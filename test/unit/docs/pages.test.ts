import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import mapValues from 'lodash/mapValues';
import type { INodeProperties } from 'n8n-workflow';
import { node24 } from '../../../dev/node24.ts';
import { EVENTS } from '../../../nodes/HospitalityBookingTrigger/events';
import { options, properties } from '../../../nodes/HospitalityBookingTrigger/form/properties';
import { webBookings } from '../../../nodes/shared/booking/records';
import { proofRow, rowOf } from '../../../scripts/proofRows.ts';
import { anchorsOf } from '../../support/anchors';
import { makeCredentialType, manifest, root } from '../../support/packageSources';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const pages = globSync(['*.md', 'docs/**/*.md', '.github/**/*.md'], { cwd: root });
const repository = 'https://github.com/n8n-nodes-hospitality-booking/n8n-nodes-hospitality-booking';

/** The file of this project that a link leads to; undefined where it leads elsewhere. */
function fileOf(link: string, page: string): string | undefined {
	const own = new RegExp(`^${repository}/(?:blob|tree)/(?:main|master)/`);
	const workflow = new RegExp(`^${repository}/actions/workflows/([^/]+\\.yml)`).exec(link)?.[1];
	if (workflow) return `.github/workflows/${workflow}`;
	if (own.test(link)) return link.replace(own, '');
	if (/^[a-z]+:/.test(link)) return undefined;
	return join(dirname(page), link);
}

function isBroken(link: string, page: string): boolean {
	const [path = '', anchor] = link.split('#');
	const file = path === '' ? page : fileOf(path, page);
	if (file === undefined) return false;
	if (!existsSync(join(root, file))) return true;
	return anchor !== undefined && file.endsWith('.md') && !anchorsOf(read(file)).includes(anchor);
}

describe.each(pages)('%s', (page) => {
	it('has no link, picture or badge that leads nowhere', () => {
		const plain = read(page).replace(/^```[\s\S]*?^```/gm, '');
		const links = [...plain.matchAll(/\]\(([^)\s]+)\)|(?:src|href|srcset)="([^"]+)"/g)];
		const broken = links
			.map(([, link, source]) => link ?? source ?? '')
			.filter((link) => isBroken(link, page));
		expect(broken).toEqual([]);
	});

	it('names no npm script that there is none of', () => {
		const named = [...read(page).matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)];
		expect(named.map(([, name = '']) => name).filter((name) => !(name in manifest.scripts))).toEqual([]);
	});
});

it.each(['compat/page.ts', 'scripts/operationsDocs.ts'])(
	'what %s has written is as new as what it is made from (npm run docs writes it)',
	(script) => {
		const checked = spawnSync(node24(), [script, '--check'], { cwd: root, encoding: 'utf8' });
		expect(checked).toMatchObject({ status: 0, stderr: '' });
	},
);

/** The rows of the first table below a heading: the texts of their cells. */
function rowsBelow(text: string, heading: string): string[][] {
	const [, below = ''] = text.split(`\n${heading}\n`);
	const lines = /^\|.*(?:\n\|.*)*/m.exec(below)?.[0].split('\n') ?? [];
	return lines.slice(2).map((line) =>
		line
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

describe('README.md', () => {
	it('names the fields of the credential that must be filled in, in their order', () => {
		const { displayName, properties: fields } = makeCredentialType(manifest.n8n.credentials[0] ?? '');
		const required = fields.filter((property) => property.required).map((property) => property.displayName);
		expect(rowsBelow(read('README.md'), `**${displayName}**`).map(([name]) => name)).toEqual(required);
	});

	it('links five workflows', () => {
		expect(rowsBelow(read('README.md'), '## What people build with it')).toHaveLength(5);
	});
});

it('docs/workflows/bookings-table.csv has the fields of a simplified booking as columns', () => {
	const [columns = ''] = read('docs/workflows/bookings-table.csv').split(/\r?\n/);
	expect(columns.split(',')).toEqual(Object.keys(webBookings.simplified ?? {}));
});

it('the gallery links the page of every workflow', () => {
	const gallery = read('docs/workflows/README.md');
	const names = readdirSync(join(root, 'workflows')).map((file) => file.replace('.json', ''));
	expect(names.filter((name) => !gallery.includes(`(${name}.md)`))).toEqual([]);
});

it.each(readdirSync(join(root, 'workflows')).map((file) => file.replace('.json', '.md')))(
	'the page docs/workflows/%s has at most 250 words',
	(page) => {
		const words = read(`docs/workflows/${page}`)
			.replace(/<[^>]*>/g, '')
			.split(/\s+/);
		expect(words.filter((word) => word !== '').length).toBeLessThanOrEqual(250);
	},
);

describe('docs/trigger.md', () => {
	const firstCells = (heading: string, cells: number) =>
		rowsBelow(read('docs/trigger.md'), heading).map((row) => row.slice(0, cells).join(': '));

	it('names the events of the trigger', () => {
		expect(firstCells('## Events', 1).sort()).toEqual(EVENTS.map(({ name }) => name).sort());
	});

	it('names the options of the trigger and what they are by default', () => {
		const shown = properties.find(({ name }) => name === 'options')?.options as INodeProperties[];
		const standard: Record<string, unknown> = mapValues(options, ({ property }) => property.default);
		const words = ({ displayName, name }: INodeProperties) => {
			const value = standard[name] ?? '';
			return `${displayName}: ${typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value || 'empty')}`;
		};
		expect(firstCells('## Options', 2).sort()).toEqual(shown.map(words).sort());
	});
});

it('docs/proof.md says what each test file proves, and names no tests that there are none of', () => {
	const rows = read('docs/proof.md')
		.split('\n')
		.flatMap((line) => proofRow(line) ?? []);
	const files = globSync('**/*.test.ts', { cwd: join(root, 'test') }).map((file) =>
		file.replaceAll('\\', '/'),
	);
	const places = rows.flatMap((row) => row.places);
	expect(files.filter((file) => rowOf(file, rows) === undefined)).toEqual([]);
	// What proves a promise without tests of its own.
	expect(places.filter((place) => !files.some((file) => file.startsWith(place)))).toEqual([
		...['format', 'lint', 'types', 'verify', 'compat'],
	]);
});

test("the newcomer's walk in docs/architecture.md goes from each file to one that it imports", () => {
	const walk = read('docs/architecture.md').split("## A newcomer's walk\n")[1]?.split('\n## ')[0] ?? '';
	const steps = walk.split(/^\d+\. /m).slice(1);
	const [first = [], ...rest] = steps.map((step) =>
		[...step.matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => file ?? ''),
	);
	const named = [...first];

	expect(rest.length).toBeGreaterThan(3);
	for (const file of rest.flat()) {
		expect(named.flatMap(importsOf)).toContain(file);
		named.push(file);
	}
});

/** The files of the project that a file uses, those of which it takes types only left out. */
function importsOf(file: string): string[] {
	return [...read(file).matchAll(/^import (?!type )\{?([^;]+?)\}? from '(\.[^']+)';/gm)]
		.filter(([, names = '']) => names.split(',').some((name) => /^\s*(?!type )\w/.test(name)))
		.map(([, , path = '']) => join(dirname(file), `${path}.ts`));
}
