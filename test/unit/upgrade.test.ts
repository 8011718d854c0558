import type { INodeProperties } from 'n8n-workflow';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import {
	type Preview,
	type StoredInterface,
	lostSince,
	storedInterface,
} from '../../compat/storedInterface.ts';
import { makeCredentialType, makeNode, manifest, root } from '../support/packageSources';

const RELEASES = join(root, 'compat', 'releases');

interface StoredNode {
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
}

function readJson<T>(file: string): T {
	return JSON.parse(readFileSync(file, 'utf8')) as T;
}

const previews = globSync('nodes/*/__schema__/**/*.json', { cwd: root }).map((file) => [
	relative('nodes', file).replace(/\/__schema__\/v1\.0\.0|\.json$/g, ''),
	readJson<Preview>(join(root, file)),
]);
const today = storedInterface(
	manifest.n8n.nodes.map((path) => makeNode(path).description),
	manifest.n8n.credentials.map(makeCredentialType),
	Object.fromEntries(previews) as Record<string, Preview>,
);
const releases = readdirSync(RELEASES);

describe.each(releases)('what was stored with %s', (release) => {
	const folder = join(RELEASES, release);
	const kept = readJson<StoredInterface>(join(folder, 'interface.json'));

	test('loses no parameter, value, default, credential field or output field', () => {
		expect(Object.keys(kept.parameters).length).toBeGreaterThan(300);
		expect(lostSince(kept, today)).toEqual([]);
	});

	test('is read in its workflows: every parameter that they hold is on a form of today', () => {
		const known = new Set(
			Object.keys(today.parameters).map((place) => place.split(' ').slice(0, 3).join(' ')),
		);
		const files = globSync('workflows/*.json', { cwd: folder }).map((file) => join(folder, file));
		const unknown = files.flatMap((file) =>
			readJson<{ nodes: StoredNode[] }>(file).nodes.flatMap(({ type, typeVersion, parameters }) => {
				if (dirname(type.replace('.', '/')) !== manifest.name) return [];
				const node = `${basename(type.replace('.', '/')).replace(/Tool$/, '')}@${typeVersion}`;
				const { resource, operation, event } = parameters;
				const places = [
					'*.*',
					`${String(resource)}.*`,
					`${String(resource)}.${String(operation)}`,
					String(event),
				];
				return Object.keys(parameters)
					.filter((name) => !places.some((place) => known.has(`${node} ${place} ${name}`)))
					.filter((name) => !N8N_OWN.includes(name))
					.map((name) => `${basename(file)} ${node}: ${name}`);
			}),
		);

		expect(files.length).toBeGreaterThan(10);
		expect(unknown).toEqual([]);
	});
});

/** Parameters that n8n adds to nodes by itself. */
const N8N_OWN = ['requestOptions', 'pollTimes', 'descriptionType', 'toolDescription'];

test('this version is kept once it is in the changelog as released', () => {
	const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
	const isReleased = changelog.includes(`## [${manifest.version}]`);

	expect(existsSync(join(RELEASES, manifest.version)) || !isReleased).toBe(true);
});

describe('the comparison', () => {
	const unit = { type: 'string', default: '', values: ['x', 'y'] };
	const before: StoredInterface = {
		versions: { node: [1], other: [1] },
		parameters: {
			'node@1 a.get gone': unit,
			'node@1 a.get unit': unit,
			'node@1 a.get times': { type: 'fixedCollection', default: {}, isList: true },
			'other@1 *.* unit': unit,
		},
		outputs: { 'node/a/get': ['guid', 'start'] },
	};

	test('names each parameter, type, default, value, list, output field and version that is gone or another one', () => {
		const after: StoredInterface = {
			versions: { node: [1], other: [2] },
			parameters: {
				'node@1 a.get unit': { type: 'number', default: 'x', values: ['x'] },
				'node@1 a.get times': { type: 'fixedCollection', default: {} },
			},
			outputs: { 'node/a/get': ['guid'] },
		};

		expect(lostSince(before, after)).toEqual([
			'other: has no version 1 any more',
			'node@1 a.get gone: is gone',
			'node@1 a.get unit: was string, is number',
			'node@1 a.get unit: its default was "", is "x"',
			'node@1 a.get unit: has no value y any more',
			'node@1 a.get times: is no list any more',
			'node/a/get: start does not come out any more',
		]);
	});

	test('lets a parameter go, or have another default, in a new version of its node', () => {
		const property: INodeProperties = { name: 'unit', displayName: 'Unit', type: 'string', default: '' };
		const only = (version: number) => ({ displayOptions: { show: { '@version': [version] } } });
		const first = storedInterface([{ name: 'node', version: 1, properties: [property] }], [], {});
		const properties = [
			{ ...property, ...only(1) },
			{ ...property, ...only(2), default: 'x' },
		];
		const second = storedInterface([{ name: 'node', version: [1, 2], properties }], [], {});

		expect(second.parameters['node@2 *.* unit']?.default).toBe('x');
		expect(lostSince(first, second)).toEqual([]);
	});
});
