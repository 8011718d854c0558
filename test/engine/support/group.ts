import './engine';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import './service';

/** Each file of `test/engine/groups/` runs one. */
const GROUPS = 4;

const folder = join(__dirname, '..');

/**
 * Runs a part of the engine's tests as one file of jest: for each file jest loads n8n's engine anew, which takes longer
 * than most files' tests.
 *
 * @param number from 1
 */
export function testGroup(number: number): void {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.sort()
		.filter((_, index) => index % GROUPS === number - 1);
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- the files are found, not named
	describe.each(files)('%s', (file) => void require(join(folder, file)));
}
