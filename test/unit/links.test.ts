import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorsOf } from '../support/anchors';
import { root } from '../support/packageSources';

const pages = globSync(['*.md', 'docs/**/*.md', '.github/**/*.md'], { cwd: root });
const repository = 'https://github.com/n8n-nodes-hospitality-booking/n8n-nodes-hospitality-booking';

/** The file of this project that a link leads to; undefined where it leads elsewhere. */
function fileOf(link: string, page: string): string | undefined {
	const own = new RegExp(`^${repository}/(?:blob|tree)/(?:main|master)/`);
	const workflow = new RegExp(`^${repository}/actions/workflows/([^/]+\\.yml)`).exec(link)?.[1];
	if (workflow) return `.github/workflows/${workflow}`;
	if (own.test(link)) return link.replace(own, '');
	if (/^[a-z]+:/.test(link)) return undefined;
	return join(dirname(page), link);
}

function brokenLinks(page: string, text: string): string[] {
	const plain = text.replace(/^```[\s\S]*?^```/gm, '');
	const links = [
		...[...plain.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? ''),
		...[...plain.matchAll(/(?:src|href|srcset)="([^"]+)"/g)].map(([, link]) => link ?? ''),
	];
	return links.filter((link) => {
		const [path = '', anchor] = link.split('#');
		const file = path === '' ? page : fileOf(path, page);
		if (file === undefined) return false;
		if (!existsSync(join(root, file))) return true;
		if (anchor === undefined || !file.endsWith('.md')) return false;
		return !anchorsOf(file === page ? text : readFileSync(join(root, file), 'utf8')).includes(anchor);
	});
}

test.each(pages)('every link, picture and badge of %s leads somewhere', (page) => {
	expect(brokenLinks(page, readFileSync(join(root, page), 'utf8'))).toEqual([]);
});

test('a link to nothing is found', () => {
	const text = `# Title\n[a](docs/none.md) [b](README.md#none) [c](#title) ![d](${repository}/actions/workflows/none.yml/badge.svg)`;

	expect(brokenLinks('README.md', text)).toEqual([
		'docs/none.md',
		'README.md#none',
		`${repository}/actions/workflows/none.yml/badge.svg`,
	]);
});
