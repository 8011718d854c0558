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

/** The parts of a CycloneDX document that describe the contents of the package. */
export interface Sbom {
	bomFormat: string;
	metadata: { component: { name: string; version: string } };
	components?: unknown[];
}

/** Contradictions between an SBOM and a package without run-time components. */
export function sbomFindings(sbom: Sbom, { name, version }: ReleaseManifest): string[] {
	const { component } = sbom.metadata;
	const count = sbom.components?.length ?? 0;
	return [
		...(sbom.bomFormat === 'CycloneDX' ? [] : ['SBOM: not a CycloneDX document']),
		...(component.name === name && component.version === version
			? []
			: [`SBOM: describes ${component.name} ${component.version}`]),
		...(count === 0 ? [] : [`SBOM: ${count} run-time components; there may be none`]),
	];
}

/** The files of a tarball: hashes by path. */
export type PackedFiles = Readonly<Record<string, string>>;

/** Differences between the kept tarball of this version and the released one, see compat/releases/. */
export function keptFindings(kept: PackedFiles | undefined, released: PackedFiles): string[] {
	const todo = 'run "npm run keep-release -- --tarball" and commit it';
	if (!kept) return [`compat/releases keeps no tarball of this version: ${todo}`];
	const paths = [...new Set([...Object.keys(kept), ...Object.keys(released)])].sort();
	const different = paths.filter((path) => kept[path] !== released[path]);
	return different.length === 0
		? []
		: [
				`The tarball in compat/releases is not what is released (${different.slice(0, 3).join(', ')}${different.length > 3 ? ' …' : ''}): ${todo}`,
			];
}
