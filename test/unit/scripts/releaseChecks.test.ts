import {
	changelogSection,
	keptFindings,
	placeholders,
	sbomFindings,
} from '../../../scripts/releaseChecks.ts';
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

test('refuses an SBOM that names a run-time component or another package', () => {
	const sbom = { bomFormat: 'CycloneDX', metadata: { component: { name: real.name, version: '1.2.0' } } };

	expect(sbomFindings({ ...sbom, components: [] }, real)).toEqual([]);
	expect(sbomFindings({ ...sbom, components: [{}] }, real)).toEqual([
		expect.stringContaining('1 run-time components'),
	]);
	expect(sbomFindings(sbom, { ...real, version: '1.3.0' })).toEqual([expect.stringContaining('describes')]);
});

test('refuses a release whose tarball is not kept, or not the one that is kept', () => {
	const files = { 'package.json': 'a', 'dist/x.js': 'b' };

	expect(keptFindings(files, { ...files })).toEqual([]);
	expect(keptFindings(undefined, files)).toEqual([expect.stringContaining('keeps no tarball')]);
	for (const other of [
		{ ...files, 'dist/x.js': 'c' },
		{ 'package.json': 'a' },
		{ ...files, 'dist/y.js': 'd' },
	])
		expect(keptFindings(files, other)).toEqual([expect.stringContaining('keep-release -- --tarball')]);
});
