// npm run sizes: words of each page, and of all together; ends with 1 where one has more than it may.
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

interface Size {
	what: string;
	amount: number;
	most?: number;
}

/** Words as `wc -w` counts them: what stands between blanks. */
function wordsIn(page: string): number {
	const text = readFileSync(join(projectRoot(), page), 'utf8');
	return text.split(/\s+/).filter(Boolean).length;
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
	'node scripts/sizes.ts: prints how large the pages are; ends with 1 where one is too large',
	{},
);
for (const { what, amount, most = Infinity } of wordsOfPages()) {
	console.log(`${amount.toString().padStart(6)} ${what}${Number.isFinite(most) ? `, at most ${most}` : ''}`);
	if (amount <= most) continue;
	console.error(`Too large: ${what}, ${amount} of at most ${most}`);
	process.exitCode = 1;
}
