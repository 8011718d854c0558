// node scripts/node24.mjs scripts/proof.ts: writes into docs/proof.md how many seconds the tests of each promise took in the
// last runs of `npm test`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sum from 'lodash/sum.js';
import { formatted } from '../dev/pages.ts';
import { projectRoot } from '../dev/paths.ts';
import { proofRow, rowOf } from './proofRows.ts';

const PAGE = 'docs/proof.md';
const page = join(projectRoot(), PAGE);
/** Of stages and test files; scripts/test.ts keeps it. */
const file = join(projectRoot(), '.cache', 'test', 'seconds.json');
const secondsOf = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>);
const lines = readFileSync(page, 'utf8').split('\n');
const rows = lines.flatMap((line) => proofRow(line) ?? []);

const written = lines.map((line) => {
	const row = proofRow(line);
	const secondsIn = (isOfRow: (name: string) => boolean) =>
		secondsOf.filter(([name]) => isOfRow(name)).map(([, seconds]) => seconds);
	const ofFiles = secondsIn((name) => name.endsWith('.ts') && rowOf(name, rows)?.promise === row?.promise);
	const ofStages = secondsIn((name) => row?.places.includes(name) === true);
	// Stages with tests are counted by their files.
	const all = ofFiles.length > 0 && row?.places.length === 1 ? ofFiles : [...ofStages, ...ofFiles];
	return row && all.length > 0 ? line.replace(/\|[^|]*\|$/, `| ${Math.ceil(sum(all))} |`) : line;
});
writeFileSync(page, await formatted(PAGE, written.join('\n')));
