// npm run sizes: lines of code by part, words of each page and of all together; each with its target. Exits with 1 if a page has
// too many words; lines are only printed, as denser lines would be no gain.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sumBy from 'lodash/sumBy.js';

import { readCommandLine } from '../dev/commandLine.ts';
import { projectRoot } from '../dev/paths.ts';

/** Parts of the code by their folders, with their target in lines. */
const MOST_LINES: Record<string, number> = {
	nodes: 9_500,
	'nodes/shared/operation': 1_800,
	'nodes/HospitalityBookingTrigger': 2_200,
	'nodes/shared/{errors,http,auth}': 2_190,
	test: 21_500,
	'{bench,scripts}': 3_300,
};
const MOST_WORDS = 26_000;
const MOST_WORDS_OF: Record<string, number> = {
	'README.md': 1_300,
	'CHANGELOG.md': 350,
	'docs/workflows/README.md': Infinity,
	'docs/workflows/build-it-yourself.md': 350,
};
/** Of the pages of workflow files. */
const MOST_WORDS_OF_WORKFLOW = 250;

const filesIn = (...patterns: string[]) =>
	patterns
		.flatMap((pattern) => globSync(pattern, { cwd: projectRoot() }))
		.map((file) => file.replaceAll('\\', '/'))
		.sort();
const read = (file: string) => readFileSync(join(projectRoot(), file), 'utf8');
const say = (amount: number, what: string) => console.log(`${amount.toString().padStart(6)} ${what}`);

function sayWords(amount: number, what: string, most: number): void {
	say(amount, `words of ${what}${Number.isFinite(most) ? `, at most ${most}` : ''}`);
	if (amount <= most) return;
	console.error(`Too large: words of ${what}, ${amount} of at most ${most}`);
	process.exitCode = 1;
}

readCommandLine(
	'npm run sizes: prints how large code and pages are; ends with 1 where a page is too large',
	{},
);
for (const [folders, most] of Object.entries(MOST_LINES)) {
	// Handwritten TypeScript and JavaScript.
	const files = filesIn(`${folders}/**/*.{ts,js,mjs}`).filter((file) => !/contract\/[^/]+\.js$/.test(file));
	const lines = sumBy(files, (file) => read(file).split('\n').length - 1);
	say(lines, `lines of ${folders}/, asked ${most}`);
}
const pages = filesIn('*.md', 'docs/**/*.md').map((page) => ({
	page,
	// As `wc -w` counts them.
	words: read(page).split(/\s+/).filter(Boolean).length,
}));
for (const { page, words } of pages) {
	const isOfWorkflow = page.startsWith('docs/workflows/');
	sayWords(words, page, MOST_WORDS_OF[page] ?? (isOfWorkflow ? MOST_WORDS_OF_WORKFLOW : Infinity));
}
sayWords(sumBy(pages, 'words'), 'all pages', MOST_WORDS);
