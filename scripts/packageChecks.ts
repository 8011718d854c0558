import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

/** Fields that would make npm install something beside the package; n8n's scan looks at `dependencies` alone. */
const DEPENDENCY_FIELDS = ['optionalDependencies', 'bundledDependencies', 'bundleDependencies'];
/** Everything a published package may hold, and what it is for. */
export const CONTENTS: ReadonlyArray<{ files: RegExp; purpose: string }> = [
	{ files: /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/, purpose: 'what npm shows of a package' },
	{ files: /^dist\/(nodes|credentials)\/.*\.js$/, purpose: 'the code that n8n runs' },
	{
		files: /^dist\/nodes\/[^/]+\/[^/]+\.node\.json$/,
		purpose: "codex: search and categories in n8n's panel",
	},
	{ files: /^dist\/nodes\/[^/]+\/__schema__\/.*\.json$/, purpose: 'output previews in the editor' },
	{ files: /^dist\/icons\/.*\.svg$/, purpose: 'icons, light and dark' },
];

type Manifest = Record<string, unknown> & { n8n?: { nodes?: string[]; credentials?: string[] } };

/** Every file below a folder, as paths from there with forward slashes, sorted. */
export function filesBelow(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
		.sort();
}

/** What n8n's scan does not ask of a manifest. */
function checkManifest(manifest: Manifest): string[] {
	const brought = DEPENDENCY_FIELDS.filter((field) => Object.keys(manifest[field] ?? {}).length > 0);
	const missing = ['homepage', 'repository'].filter((field) => !manifest[field]);
	return [
		...brought.map((field) => `package.json: "${field}" is not empty; nothing may come along`),
		...missing.map((field) => `package.json: "${field}" is missing`),
	];
}

function checkRegistrations(folder: string, files: string[], manifest: Manifest): string[] {
	const findings: string[] = [];
	const kinds = [
		{ field: 'nodes', suffix: '.node.js', registered: manifest.n8n?.nodes ?? [] },
		{ field: 'credentials', suffix: '.credentials.js', registered: manifest.n8n?.credentials ?? [] },
	];
	for (const { field, suffix, registered } of kinds) {
		if (registered.length === 0) findings.push(`package.json: "n8n.${field}" is empty`);
		for (const path of registered) {
			if (!existsSync(join(folder, path)))
				findings.push(`package.json: "n8n.${field}" names ${path}, which is not there`);
		}
		for (const file of files.filter((name) => name.endsWith(suffix) && !registered.includes(name))) {
			findings.push(`${file}: not named in "n8n.${field}" of package.json`);
		}
	}
	for (const node of manifest.n8n?.nodes ?? []) {
		const codex = node.replace(/\.js$/, '.json');
		if (!files.includes(codex)) findings.push(`${codex}: the node's codex file is missing`);
	}
	return findings;
}

function checkFile(folder: string, file: string, files: string[], foreignTexts: string[]): string[] {
	const findings: string[] = [];
	if (!CONTENTS.some(({ files: kind }) => kind.test(file)))
		findings.push(`${file}: does not belong in the package`);
	if (/\.(test|spec)\.|tsbuildinfo$/.test(file))
		findings.push(`${file}: a file of the development, not of the package`);
	const text = readFileSync(join(folder, file), 'utf8');
	const map = /\/\/# sourceMappingURL=(\S+)/.exec(text)?.[1];
	if (map && !map.startsWith('data:') && !files.includes(posix.join(posix.dirname(file), map))) {
		findings.push(`${file}: refers to the source map ${map}, which is not in the package`);
	}
	if (file.endsWith('.json')) {
		try {
			JSON.parse(text);
		} catch {
			findings.push(`${file}: not valid JSON`);
		}
	}
	for (const [, icon] of text.matchAll(/['"]file:([^'"]+\.(?:svg|png))['"]/g)) {
		const path = posix.join(posix.dirname(file), icon ?? '');
		if (file.endsWith('.js') && !files.includes(path))
			findings.push(`${file}: its icon ${path} is not in the package`);
	}
	for (const foreign of foreignTexts) {
		if (text.includes(foreign)) findings.push(`${file}: contains "${foreign}"`);
	}
	return findings;
}

/**
 * Checks an unpacked package for what n8n's own scan does not look at.
 *
 * @param folder the unpacked package, with its package.json
 * @param foreignTexts texts that may occur in no file, such as paths of the machine it was built on
 * @returns one line for each finding, beginning with the file concerned; empty when all is well
 */
export function checkPackage(folder: string, foreignTexts: string[] = []): string[] {
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
	const files = filesBelow(folder);
	return [
		...checkManifest(manifest),
		...checkRegistrations(folder, files, manifest),
		...files.flatMap((file) => checkFile(folder, file, files, foreignTexts)),
	];
}
