import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { proofRow, rowOf } from '../../../scripts/proofRows.ts';
import { root } from '../../support/packageSources';

/** What proves a promise without tests of its own. */
const STAGES = ['format', 'lint', 'types', 'verify'];

describe('docs/proof.md', () => {
	const page = readFileSync(join(root, 'docs', 'proof.md'), 'utf8');
	const rows = page.split('\n').flatMap((line) => proofRow(line) ?? []);
	const files = globSync('**/*.test.ts', { cwd: join(root, 'test') }).map((file) =>
		file.replaceAll('\\', '/'),
	);

	it('says what each test file proves', () => {
		expect(files.filter((file) => rowOf(file, rows) === undefined)).toEqual([]);
	});

	it('names no tests that there are none of', () => {
		const places = rows.flatMap((row) => row.places).filter((place) => !STAGES.includes(place));
		const empty = places.filter((place) => !files.some((file) => file.startsWith(place)));

		expect(places.length).toBeGreaterThan(files.length / 10);
		expect(empty).toEqual(['compat']);
	});
});
