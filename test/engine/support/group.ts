import './engine';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import minBy from 'lodash/minBy';
import orderBy from 'lodash/orderBy';
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
	const files = shareOut()[number - 1] ?? [];
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- the files are found, not named
	describe.each(files)('%s', (file) => void require(join(folder, file)));
}

/** @returns the files of each group; the largest goes to where least is so far, as its tests take longest by and large */
function shareOut(): string[][] {
	const groups = Array.from({ length: GROUPS }, () => ({ bytes: 0, files: [] as string[] }));
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => ({ file, bytes: statSync(join(folder, file)).size }));
	for (const { file, bytes } of orderBy(files, ['bytes', 'file'], ['desc', 'asc'])) {
		const least = minBy(groups, (group) => group.bytes);
		least?.files.push(file);
		if (least) least.bytes += bytes;
	}
	return groups.map((group) => group.files);
}
