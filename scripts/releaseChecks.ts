import { spawnSync } from 'node:child_process';

/** The parts of package.json that a release depends on. */
export interface ReleaseManifest {
	name: string;
	version: string;
	author: { name: string; email: string };
	repository: { url: string };
}

/**
 * Finds placeholders for author and repository in package.json.
 *
 * @returns one line for each placeholder
 */
export function placeholders({ name, author, repository }: ReleaseManifest): string[] {
	const owner = /github\.com[/:]([^/]+)\//.exec(repository.url)?.[1];
	return [
		...(/\.example$/.test(author.email)
			? [`package.json: "author.email" is a placeholder: ${author.email}`]
			: []),
		...(owner === undefined || owner === name
			? [`package.json: "repository.url" is a placeholder: ${repository.url}`]
			: []),
	];
}

/**
 * The changelog's section of a version, without its heading.
 *
 * @returns undefined if it is missing or empty
 */
export function changelogSection(changelog: string, version: string): string | undefined {
	const sections = changelog.split(/^## /m).slice(1);
	const section = sections.find((text) => text.startsWith(`[${version}]`));
	const body = section?.slice(section.indexOf('\n')).trim();
	return body === '' ? undefined : body;
}

/**
 * Differences between the kept package of this version and the released one, see compat/releases/.
 *
 * @param kept its unpacked folder; undefined if it is not kept
 * @param released the other one's
 */
export function keptFindings(kept: string | undefined, released: string): string[] {
	const todo = 'run "npm run keep-release -- --tarball" and commit it';
	if (kept === undefined) return [`compat/releases keeps no tarball of this version: ${todo}`];
	const args = ['diff', '--no-index', '--no-ext-diff', '--name-status', kept, released];
	const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
	return status === 0 ? [] : [`The tarball in compat/releases is not what is released: ${todo}\n${stdout}`];
}
