// npm run sizes: lines of code by part, words of each page and of all together; each with its target. Exits with 1 if a page has
// too many words; lines are only printed, as denser lines would be no gain.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readCommandLine } from '../harness/commandLine.ts';
import { projectRoot } from '../harness/paths.ts';

/** Pages that people read, by their path from the project's root. */
const PAGES = ['*.md', 'docs/**/*.md'];
const MOST_WORDS = 26_000;
/** A page of a workflow file. */
const WORKFLOW_PAGE = /^docs\/workflows\/(?!README)/;
const MOST_WORDS_OF: Record<string, number> = {
	'README.md': 1_300,
	'CHANGELOG.md': 350,
	'docs/operations.md': 5_000,
	'docs/proof.md': 600,
	'docs/workflows/build-it-yourself.md': 350,
};

/** Parts of the code by their folders, with their target in lines. */
const LINES: Array<{ what: string; folders: string[]; asked: number }> = [
	{ what: 'nodes/', folders: ['nodes'], asked: 9_500 },
	{ what: 'nodes/shared/operation/', folders: ['nodes/shared/operation'], asked: 1_800 },
	{ what: 'nodes/HospitalityBookingTrigger/', folders: ['nodes/HospitalityBookingTrigger'], asked: 2_200 },
	{
		what: 'nodes/shared/ errors/, http/ and auth/',
		folders: ['nodes/shared/errors', 'nodes/shared/http', 'nodes/shared/auth'],
		asked: 2_190,
	},
	{ what: 'test/', folders: ['test'], asked: 21_500 },
	{ what: 'bench/ and scripts/', folders: ['bench', 'scripts'], asked: 3_300 },
];

interface Size {
	what: string;
	amount: number;
	most?: number;
}

/** Words as `wc -w` counts them. */
function wordsIn(page: string): number {
	const text = readFileSync(join(projectRoot(), page), 'utf8');
	return text.split(/\s+/).filter(Boolean).length;
}

/** Lines of handwritten TypeScript and JavaScript. */
function linesIn(folders: readonly string[]): number {
	const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,js,mjs}`, { cwd: projectRoot() }));
	return files
		.filter((file) => !/contract[\\/][^\\/]+\.js$/.test(file))
		.reduce((sum, file) => sum + readFileSync(join(projectRoot(), file), 'utf8').split('\n').length - 1, 0);
}

function wordsOfPages(): Size[] {
	const pages = PAGES.flatMap((pattern) => globSync(pattern, { cwd: projectRoot() }))
		.map((page) => page.replaceAll('\\', '/'))
		.sort();
	const each = pages.map((page): Size => {
		const most = MOST_WORDS_OF[page] ?? (WORKFLOW_PAGE.test(page) ? 250 : undefined);
		return { what: `words of ${page}`, amount: wordsIn(page), most };
	});
	const all = each.reduce((sum, { amount }) => sum + amount, 0);
	return [...each, { what: 'words of all pages', amount: all, most: MOST_WORDS }];
}

readCommandLine(
	'npm run sizes: prints how large code and pages are; ends with 1 where a page is too large',
	{},
);
for (const { what, folders, asked } of LINES)
	console.log(`${linesIn(folders).toString().padStart(6)} lines of ${what}, asked ${asked}`);
for (const { what, amount, most = Infinity } of wordsOfPages()) {
	console.log(`${amount.toString().padStart(6)} ${what}${Number.isFinite(most) ? `, at most ${most}` : ''}`);
	if (amount <= most) continue;
	console.error(`Too large: ${what}, ${amount} of at most ${most}`);
	process.exitCode = 1;
}
