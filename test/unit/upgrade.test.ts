import type { INodeProperties } from 'n8n-workflow';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { keptRelease, keptReleases, lostSinceRelease } from '../../compat/releases.ts';
import {
	type Preview,
	type StoredInterface,
	lostSince,
	storedInterface,
} from '../../compat/storedInterface.ts';
import { readState } from '../../nodes/HospitalityBookingTrigger/state/stored';
import { makeCredentialType, makeNode, manifest, root } from '../support/packageSources';

const previews = globSync('nodes/*/__schema__/**/*.json', { cwd: root }).map((file) => [
	relative('nodes', file)
		.replaceAll('\\', '/')
		.replace(/\/__schema__\/v1\.0\.0|\.json$/g, ''),
	JSON.parse(readFileSync(join(root, file), 'utf8')) as Preview,
]);
const today = storedInterface(
	manifest.n8n.nodes.map((path) => makeNode(path).description),
	manifest.n8n.credentials.map(makeCredentialType),
	Object.fromEntries(previews) as Record<string, Preview>,
);

test('no kept release loses a parameter, value, default, field, workflow file or state with this build', () => {
	const reader = {
		name: manifest.name,
		interface: today,
		readState: (state: object) => readState(state, 'Trigger'),
	};
	const lost = keptReleases().map((release) => [release.version, lostSinceRelease(release, reader)]);

	expect(lost).toEqual(keptReleases().map(({ version }) => [version, []]));
});

test('this version is kept once it is in the changelog as released', () => {
	const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
	const isReleased = changelog.includes(`## [${manifest.version}]`);

	expect(existsSync(keptRelease(manifest.version).folder) || !isReleased).toBe(true);
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
	const after: StoredInterface = {
		versions: { node: [1], other: [2] },
		parameters: {
			'node@1 a.get unit': { type: 'number', default: 'x', values: ['x'] },
			'node@1 a.get times': { type: 'fixedCollection', default: {} },
		},
		outputs: { 'node/a/get': ['guid'] },
	};
	const LOST = [
		'other: has no version 1 any more',
		'node@1 a.get gone: is gone',
		'node@1 a.get unit: was string, is number',
		'node@1 a.get unit: its default was "", is "x"',
		'node@1 a.get unit: has no value y any more',
		'node@1 a.get times: is no list any more',
		'node/a/get: start does not come out any more',
	];

	test('of a 0.2.0 with a kept 0.1.0 names each lost parameter, output, workflow file and state', () => {
		const releases = mkdtempSync(join(tmpdir(), 'hospitality-booking-releases-'));
		try {
			const [workflow, state] = ['guests.json', { event: 'bookingCreated', state: { version: 1 } }];
			const { folder } = keptRelease('0.1.0', releases);
			const stored = { resource: 'a', operation: 'get', gone: 'x', unit: 'y', pollTimes: {} };
			const nodes = [{ type: 'n8n-nodes-x.node', typeVersion: 1, parameters: stored }];
			mkdirSync(join(folder, 'workflows'), { recursive: true });
			for (const [file, content] of [
				['interface.json', before],
				['states.json', [state]],
				[join('workflows', workflow), { nodes }],
			] as const)
				writeFileSync(join(folder, file), JSON.stringify(content));
			const kept = keptReleases(releases);
			const forms = { 'node@1 *.* resource': unit, 'node@1 a.* operation': unit };
			const withForms = (one: StoredInterface) => ({ ...one, parameters: { ...one.parameters, ...forms } });
			const compare = (version: StoredInterface, read: () => void) =>
				kept.flatMap((release) =>
					lostSinceRelease(release, { name: 'n8n-nodes-x', interface: withForms(version), readState: read }),
				);
			const refuse = () => {
				throw new Error('cannot be read');
			};

			expect(kept.map(({ version }) => version)).toEqual(['0.1.0']);
			expect(compare(before, () => undefined)).toEqual([]);
			expect(compare(after, refuse)).toEqual([
				...LOST,
				'guests.json: node@1 has no parameter gone any more',
				'the stored state of bookingCreated: cannot be read',
			]);
		} finally {
			rmSync(releases, { recursive: true });
		}
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
