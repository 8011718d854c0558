import { globSync, statSync } from 'node:fs';
import sortBy from 'lodash/sortBy';

const PARTS = 3;

/**
 * Runs the engine's test files as so many test files as jest has workers. To load n8n's engine anew for each of them, as jest
 * does, takes as long as the tests themselves.
 *
 * @param part from 0
 */
export function runTogether(part: number): void {
	const files = sortBy(
		globSync('test/engine/**/*.test.ts', { cwd: process.cwd() }),
		(file) => statSync(file).size,
	);
	for (const file of files.filter((_, index) => index % PARTS === part))
		describe(file, () => {
			jest.requireActual(`${process.cwd()}/${file}`);
		});
}
