import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectRoot } from './paths.ts';

/**
 * @param page its path from the project's root
 * @param parts texts by the name of the part: it stands between `<!-- name, by npm run docs -->` and `<!-- end of name -->`
 * @returns the page with these parts
 * @throws when the page lacks one of them
 */
export async function pageWith(page: string, parts: Readonly<Record<string, string>>): Promise<string> {
	const path = join(projectRoot(), page);
	const whole = Object.entries(parts).reduce(
		(old, [name, text]) => {
			const [begin, end] = [`<!-- ${name}, by npm run docs -->`, `<!-- end of ${name} -->`];
			const [from, to] = [old.indexOf(begin), old.indexOf(end)];
			if (from < 0 || to < from) throw new Error(`${page} has no "${begin}" … "${end}".`);
			// If Prettier aligned the columns, every row would change with the longest one.
			return `${old.slice(0, from)}${begin}\n\n<!-- prettier-ignore-start -->\n${text}\n<!-- prettier-ignore-end -->\n\n${old.slice(to)}`;
		},
		readFileSync(path, 'utf8'),
	);
	return await formatted(page, whole);
}

/** @returns a page's text as Prettier writes it */
export async function formatted(page: string, text: string): Promise<string> {
	const filepath = join(projectRoot(), page);
	return await format(text, { ...(await resolveConfig(filepath)), filepath });
}

/**
 * Writes generated pages or, to check them, prints which are stale and makes the script exit with 1.
 *
 * @param pages texts by path, from the project's root unless absolute
 * @param source what the pages should say, for the message
 */
export function writePages(pages: Record<string, string>, onlyCheck: boolean, source: string): void {
	for (const [page, text] of Object.entries(pages)) {
		const path = resolve(projectRoot(), page);
		if (!onlyCheck) {
			writeFileSync(path, text);
		} else if (readFileSync(path, 'utf8') !== text) {
			console.error(`${page} does not say ${source}: run \`npm run docs\`.`);
			process.exitCode = 1;
		}
	}
}

/** @returns a table in Markdown; in a cell, a bar and a line break would end it */
export function markdownTable(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
	return [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))].map(line).join('\n');
}
