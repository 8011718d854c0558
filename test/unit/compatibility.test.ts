import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AREAS, areaOf, compareVersions, CORE_AREAS, isInNpmTest } from '../../compat/areas.ts';
import { outdated, wireDifferences } from '../../compat/results.ts';
import { fingerprint, onTheWire } from '../../compat/wire.ts';
import { n8nVersions } from '../../harness/n8nVersions.ts';
import type { LoggedRequest } from '../../sandbox/control/requestLog.ts';
import { root } from '../support/packageSources';

const { versions } = n8nVersions();
const LOCKS = join(root, 'compat', 'locks');

interface Locked {
	version?: string;
	resolved?: string;
	integrity?: string;
	inBundle?: boolean;
	dependencies?: Record<string, string>;
}

describe('compat/results', () => {
	it('is what docs/compatibility.md and README.md say (npm run docs writes them)', () => {
		const { status, stderr } = spawnSync(process.execPath, ['compat/page.ts', '--check'], {
			cwd: root,
			encoding: 'utf8',
		});
		expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
	});
});

describe('compat/versions.json', () => {
	it('lists the oldest first, and has the oldest and the newest tried by CI for everything', () => {
		const listed = versions.map(({ version }) => version);
		expect(listed).toEqual([...listed].sort(compareVersions));
		const inCi = versions.filter((one) => one.inCi);
		expect([inCi.at(0), inCi.at(-1)]).toMatchObject([
			{ version: listed.at(0), inCi: 'all' },
			{ version: listed.at(-1), inCi: 'all' },
		]);
	});

	it('has as the newest the n8n that npm test runs', () => {
		const { dependencies } = JSON.parse(readFileSync(join(root, 'harness', 'package.json'), 'utf8')) as {
			dependencies: { n8n: string };
		};
		expect(versions.at(-1)?.version).toBe(dependencies.n8n);
	});

	it.each(readdirSync(LOCKS))(
		'has in compat/locks/%s every package by its checksum, and no address',
		(version) => {
			const text = readFileSync(join(LOCKS, version, 'package-lock.json'), 'utf8');
			const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
			const { '': own, ...others } = packages;
			const listed = versions.find((one) => one.version === version);

			expect(own?.dependencies?.n8n).toBe(version);
			for (const [name, wanted] of Object.entries(listed?.overrides ?? {})) {
				const paths = Object.keys(others).filter((path) => path.endsWith(`node_modules/${name}`));
				expect(paths.filter((path) => others[path]?.version !== wanted)).toEqual([]);
			}
			expect(Object.keys(others).filter((name) => others[name]?.resolved !== undefined)).toEqual([]);
			expect(
				Object.keys(others).filter((name) => !others[name]?.inBundle && !others[name]?.integrity),
			).toEqual([]);
		},
	);
});

describe('the areas', () => {
	it('that CI leaves to npm test are those that run the package as a user has installed it', () => {
		expect(AREAS.filter((area) => !isInNpmTest(area)).map(({ id }) => id)).toEqual([
			'operations',
			'links',
			'errorDetails',
			'batch',
		]);
	});

	it('that CI tries between the oldest and the newest are among them', () => {
		expect(AREAS.filter(({ id }) => CORE_AREAS.includes(id)).map(({ id }) => id)).toEqual(CORE_AREAS);
	});

	it('have a test for each file of workflows/ that imports and runs it', () => {
		const folder = join(root, 'test', 'e2e', 'workflows');
		const tests = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
		for (const file of readdirSync(join(root, 'workflows'))) {
			const name = file.replace('.json', '');
			const own = tests.find((text) => text.includes(`describe('workflows/${file}'`));
			expect({ file, test: own }).toEqual({
				file,
				test: expect.stringMatching(`(load|publish)\\(\\s*'${name}'`),
			});
			expect(areaOf('test/e2e/workflows/any.test.ts', `workflows/${file} does it`)?.id).toBe('gallery');
		}
	});
});

describe('the comparison of requests', () => {
	const request = {
		time: '2026-11-21T12:00:00Z',
		method: 'PUT',
		path: '/a',
		query: {},
		rawUrl: '/a',
		headers: {
			host: '127.0.0.1:1234',
			'user-agent': 'n8n',
			authorization: 'Bearer abc…',
			location: 'http://127.0.0.1:1234/pay/v1',
		},
		body: { id: 1 },
		status: 200,
		tokenRequest: false,
	} satisfies LoggedRequest;

	it('is blind to ports, tokens and what n8n adds, and to nothing else', () => {
		const same = {
			...request,
			headers: {
				...request.headers,
				host: '127.0.0.1:999',
				'user-agent': 'axios',
				authorization: 'Bearer xyz…',
				location: 'http://127.0.0.1:999/pay/v1',
			},
		};
		const print = (one: LoggedRequest) => fingerprint([onTheWire(one)]);
		expect(print(same)).toBe(print(request));
		for (const other of [
			{ ...request, method: 'POST' },
			{ ...request, path: '/b' },
			{ ...request, query: { a: '1' } },
			{ ...request, body: { id: '1' } },
			{ ...request, headers: { ...request.headers, system: 'x' } },
			{ ...request, headers: { ...request.headers, location: 'http://127.0.0.1:1234/pay/v2' } },
		]) {
			expect(print(other)).not.toBe(print(request));
		}
	});

	it('names a test that only some versions have run, or that has sent something else', () => {
		const test = (name: string) => `webBooking.${name}: sends the smallest input and nothing else`;
		const [same, other, missing] = [test('same'), test('other'), test('missing')];
		const areas = { operations: { passed: 1, failed: [] } };
		const one = { areas, wire: { [same]: '1', [other]: '1' } };
		const two = { areas, wire: { [same]: '1', [other]: '2', [missing]: '1' } };

		expect(wireDifferences([one, two])).toEqual([missing, other]);
		expect(wireDifferences([two, { areas: {}, wire: {} }])).toEqual([]);
		expect(outdated(one, two)).toEqual([other]);
		expect(outdated(one, one)).toEqual([]);
	});
});

it.each([
	['test/engine/webBooking/cancel.test.ts', 'sends the smallest input and nothing else', 'operations'],
	['test/e2e/tokens.test.ts', 'tokens, 200 items in real n8n makes 1 token request', 'tokens'],
	['test/engine/webBooking/cancel.test.ts', 'sends the same as a tool of an AI agent', undefined],
])('a test of %s belongs to one area or none', (file, title, area) => {
	expect(areaOf(file, title)?.id).toBe(area);
});
