import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { areaOf } from '../../compat/areas.ts';
import { outdated, wireDifferences } from '../../compat/results.ts';
import { fingerprint, onTheWire } from '../../compat/wire.ts';
import { compareVersions, n8nVersions } from '../../dev/n8nVersions.ts';
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

describe('compat/versions.json', () => {
	it('lists the oldest first: CI tries the first and the last', () => {
		const listed = versions.map(({ version }) => version);
		expect(listed).toEqual([...listed].sort(compareVersions));
	});

	it('has as the newest the n8n that npm test runs', () => {
		const { dependencies } = JSON.parse(readFileSync(join(root, 'dev', 'package.json'), 'utf8')) as {
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
			const overrides = Object.entries(versions.find((one) => one.version === version)?.overrides ?? {});
			const isOverridden = (path: string, { version: locked }: Locked) =>
				overrides.some(([name, wanted]) => path.endsWith(`node_modules/${name}`) && locked !== wanted);

			expect(own?.dependencies?.n8n).toBe(version);
			const wrong = Object.entries(others).filter(
				([path, one]) =>
					one.resolved !== undefined || (!one.inBundle && !one.integrity) || isOverridden(path, one),
			);
			expect(wrong).toEqual([]);
		},
	);
});

describe('the areas', () => {
	it('have a test for each file of workflows/ that imports and runs it', () => {
		const folder = join(root, 'test', 'e2e', 'workflows');
		const tests = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
		for (const file of readdirSync(join(root, 'workflows'))) {
			const name = file.replace('.json', '');
			expect([
				file,
				tests.some((text) => text.includes(`'${name}'`) || text.includes(`${name}.json`)),
			]).toEqual([file, true]);
			expect(areaOf('test/e2e/workflows/any.test.ts', `workflows/${file} does it`)?.id).toBe('gallery');
		}
	});
});

describe('the comparison of requests', () => {
	const print = (headers: Record<string, string> = {}, more: object = {}) => {
		const request = {
			...{ time: '2026-11-21T12:00:00Z', status: 200, tokenRequest: false },
			...{ method: 'PUT', path: '/a', query: {}, rawUrl: '/a', body: { id: 1 } },
			headers: { authorization: 'Bearer abc…', location: 'http://127.0.0.1:1234/pay/v1', ...headers },
		};
		return fingerprint([onTheWire({ ...request, ...more })]);
	};

	it('is blind to ports, tokens and what n8n adds, and to nothing else', () => {
		const [host, location] = ['127.0.0.1:999', 'http://127.0.0.1:999/pay/v1'];
		const same = { host, location, 'user-agent': 'axios', authorization: 'Bearer xyz…' };
		expect(print(same)).toBe(print());
		const others = [
			...[{ method: 'POST' }, { path: '/b' }, { query: { a: '1' } }, { body: { id: '1' } }].map((more) =>
				print({}, more),
			),
			print({ system: 'x' }),
			print({ location: 'http://127.0.0.1:1234/pay/v2' }),
		];
		expect(others).not.toContain(print());
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
