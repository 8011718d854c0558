import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { node24 } from '../../harness/node24.ts';
import { contract, operations } from './support/contract';

const ROOT = join(__dirname, '..', '..');

test('the contract lints clean with Redocly', () => {
	const cli = join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
	const args = 'lint --config contract/redocly.yaml contract/openapi.yaml --format json'.split(' ');
	const { stdout, status } = spawnSync(node24(), [cli, ...args], {
		cwd: ROOT,
		encoding: 'utf8',
		env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
	});
	const { totals } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { totals: unknown };
	expect([status, totals]).toEqual([0, { errors: 0, warnings: 0, ignored: 0 }]);
});

test("every operation, schema and shared parameter names its heading in the service's documents", () => {
	const { schemas, parameters } = contract.components;
	const places: unknown[] = [
		...operations.map(({ source }) => source),
		...Object.values(schemas).map((schema) => schema['x-source']),
		...Object.values(parameters).map((parameter) => parameter['x-source']),
	];
	expect(places.length).toBeGreaterThan(0);
	expect(places.filter((place) => typeof place !== 'string' || place.trim() === '')).toEqual([]);
});
