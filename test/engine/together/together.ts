import { globSync, statSync } from 'node:fs';
import sortBy from 'lodash/sortBy';
// Their hooks are those of all files: within the first one they would end n8n's host and the sandbox with it.
import '../support/host';
import '../support/service';

/*
 * Runs all test files of the engine in three parts, one for each worker of jest. To load n8n's engine anew
 * for each file, as jest does, takes as long as the tests themselves. Sorted by size, so that the parts take about as long.
 */
declare const PART: number;
declare const PARTS: number;

const files = sortBy(globSync('test/engine/**/*.test.ts'), (file) => statSync(file).size);

for (const file of files.filter((_, index) => index % PARTS === PART))
	describe(file, () => {
		jest.requireActual(`${process.cwd()}/${file}`);
	});
