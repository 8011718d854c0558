import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/packageSources';
import { fingerprintOf, readPictures, textsOf } from '../../support/pictures';

const PICTURES = Object.entries(readPictures());

/** Every picture that README.md and docs/ show, by its path from the root. */
function picturesInDocuments(): string[] {
	return ['README.md', ...globSync('docs/**/*.md', { cwd: root })].flatMap((page) => {
		const text = readFileSync(join(root, page), 'utf8');
		const links = [...text.matchAll(/(?:src="|srcset="|!\[[^\]]*\]\()([^")\s]+\.png)/g)];
		return links.map(([, link = '']) => join(page, '..', link));
	});
}

describe('the pictures of the documents', () => {
	it.each(PICTURES)(
		'%s is not older than what it shows (npm run pictures takes it anew)',
		(path, picture) => {
			expect(existsSync(join(root, path))).toBe(true);
			expect(textsOf(picture.shows)).toEqual(picture.texts);
			expect(fingerprintOf(picture.shows)).toBe(picture.fingerprint);
		},
	);

	it('are all taken by the browser tests', () => {
		const taken = PICTURES.map(([path]) => path);
		const inDocuments = [...new Set(picturesInDocuments())].sort();
		expect(inDocuments.length).toBeGreaterThan(10);
		expect(inDocuments.filter((path) => !taken.includes(path))).toEqual([]);
	});

	it.each(readdirSync(join(root, 'workflows')))('show %s in light and dark, on a page of its own', (file) => {
		const name = file.replace('.json', '');
		const shown = picturesInDocuments();
		for (const ending of ['', '-dark']) expect(shown).toContain(`docs/workflows/images/${name}${ending}.png`);
		expect(existsSync(join(root, 'docs', 'workflows', `${name}.md`))).toBe(true);
	});
});
