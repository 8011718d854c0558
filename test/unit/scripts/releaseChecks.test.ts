import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changelogSection, keptFindings, placeholders } from '../../../scripts/releaseChecks.ts';
import { manifest } from '../../support/packageSources';

const real = {
	name: manifest.name,
	version: '1.2.0',
	author: { name: 'Anna', email: 'anna@hotel.se' },
	repository: { url: 'git+https://github.com/anna/n8n-nodes-hospitality-booking.git' },
};

test('refuses a placeholder for author or repository by name, and takes real ones', () => {
	const author = { name: 'contributors', email: 'maintainers@somewhere.example' };
	const repository = { url: `git+https://github.com/${manifest.name}/${manifest.name}.git` };

	expect(placeholders(real)).toEqual([]);
	expect(placeholders({ ...real, author, repository })).toEqual([
		expect.stringContaining('"author.email" is a placeholder'),
		expect.stringContaining('"repository.url" is a placeholder'),
	]);
});

test("takes the notes of a release from the changelog's section of that version", () => {
	const changelog = '## [Unreleased]\n\n- Next\n\n## [1.2.0] - 2026-11-21\n\n- This\n\n## [1.1.0]\n';

	expect(changelogSection(changelog, '1.2.0')).toBe('- This');
	expect(changelogSection(changelog, '1.1.0')).toBeUndefined();
	expect(changelogSection(changelog, '2.0.0')).toBeUndefined();
});

test('refuses a release whose tarball is not kept, or not the one that is kept', () => {
	const base = mkdtempSync(join(tmpdir(), 'hospitality-booking-kept-'));
	const unpacked = (files: Record<string, string>) => {
		const folder = mkdtempSync(join(base, 'package-'));
		for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
		return folder;
	};
	const files = { 'package.json': 'a', 'x.js': 'b' };
	const kept = unpacked(files);
	try {
		expect(keptFindings(kept, unpacked(files))).toEqual([]);
		expect(keptFindings(undefined, kept)).toEqual([expect.stringContaining('keeps no tarball')]);
		for (const other of [{ ...files, 'x.js': 'c' }, { 'package.json': 'a' }, { ...files, 'y.js': 'd' }])
			expect(keptFindings(kept, unpacked(other))).toEqual([
				expect.stringContaining('keep-release -- --tarball'),
			]);
	} finally {
		rmSync(base, { recursive: true });
	}
});
