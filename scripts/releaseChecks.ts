/** The parts of package.json that a release depends on. */
export interface ReleaseManifest {
	name: string;
	version: string;
	author: { name: string; email: string };
	repository: { url: string };
}

/**
 * What in package.json is not yet a real author and a real repository.
 *
 * @returns one line for each placeholder; empty when all is real
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
 * @returns undefined where there is none or it is empty
 */
export function changelogSection(changelog: string, version: string): string | undefined {
	const sections = changelog.split(/^## /m).slice(1);
	const section = sections.find((text) => text.startsWith(`[${version}]`));
	const body = section?.slice(section.indexOf('\n')).trim();
	return body === '' ? undefined : body;
}

/** The parts of a CycloneDX document that say what is inside of the package. */
export interface Sbom {
	bomFormat: string;
	metadata: { component: { name: string; version: string } };
	components?: unknown[];
}

/** What an SBOM says that is not true of a package without run-time components. */
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

/** What a tarball holds: marks of the contents, by path. */
export type PackedFiles = Readonly<Record<string, string>>;

/** What in the tarball that is kept of this version is not what is released, see compat/releases/. */
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
