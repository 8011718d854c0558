// node scripts/node24.mjs scripts/proof.ts: writes into docs/proof.md how many seconds the tests of each promise took in the
// last runs of `npm test`.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectRoot } from '../harness/paths.ts';
import { proofRow, rowOf } from './proofRows.ts';

const root = projectRoot();
const page = join(root, 'docs', 'proof.md');
/** Where scripts/test.ts keeps jest's reports, and the seconds of the stages. */
const reports = join(root, '.cache', 'test');

interface Report {
	testResults: Array<{ name: string; startTime: number; endTime: number }>;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(reports, file), 'utf8'));

const lines = readFileSync(page, 'utf8').split('\n');
const rows = lines.flatMap((line) => proofRow(line) ?? []);
const stages = existsSync(join(reports, 'stages.json'))
	? (readJson('stages.json') as Record<string, number>)
	: {};
const files = globSync('*.json', { cwd: reports })
	.flatMap((file) => (readJson(file) as Partial<Report>).testResults ?? [])
	.map(({ name, startTime, endTime }) => ({
		row: rowOf(relative(join(root, 'test'), name), rows),
		seconds: (endTime - startTime) / 1000,
	}));

const written = lines.map((line) => {
	const row = proofRow(line);
	if (!row) return line;
	const ofStages = row.places.flatMap((place) => stages[place] ?? []);
	const ofFiles = files.filter((file) => file.row?.promise === row.promise).map(({ seconds }) => seconds);
	// Stages with tests are counted by their files.
	const all = ofFiles.length > 0 && row.places.length === 1 ? ofFiles : [...ofStages, ...ofFiles];
	if (all.length === 0) return line;
	const seconds = Math.ceil(all.reduce((sum, one) => sum + one, 0));
	return line.replace(/\|[^|]*\|$/, `| ${seconds} |`);
});
writeFileSync(page, await format(written.join('\n'), { ...(await resolveConfig(page)), parser: 'markdown' }));
