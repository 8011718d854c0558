import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

/** Everything a published package may hold: what npm shows, code, codex files, output previews, icons. */
const CONTENTS = [
	/^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
	/^dist\/(nodes|credentials)\/.*\.js$/,
	/^dist\/nodes\/[^/]+\/[^/]+\.node\.json$/,
	/^dist\/nodes\/[^/]+\/__schema__\/.*\.json$/,
	/^dist\/icons\/.*\.svg$/,
];

/** Every file below a folder, as paths from there with forward slashes, sorted. */
export function filesBelow(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
		.sort();
}

function checkFile(folder: string, file: string, files: string[], foreignTexts: string[]): string[] {
	const findings: string[] = [];
	if (!CONTENTS.some((kind) => kind.test(file))) findings.push(`${file}: does not belong in the package`);
	if (/\.(test|spec)\.|tsbuildinfo$/.test(file))
		findings.push(`${file}: a file of the development, not of the package`);
	const text = readFileSync(join(folder, file), 'utf8');
	const map = /\/\/# sourceMappingURL=(\S+)/.exec(text)?.[1];
	if (map && !map.startsWith('data:') && !files.includes(posix.join(posix.dirname(file), map))) {
		findings.push(`${file}: refers to the source map ${map}, which is not in the package`);
	}
	for (const foreign of foreignTexts) {
		if (text.includes(foreign)) findings.push(`${file}: contains "${foreign}"`);
	}
	return findings;
}

/**
 * Checks an unpacked package for what n8n's own scan does not check.
 *
 * @param folder the unpacked package, with its package.json
 * @param foreignTexts texts that no file may contain, such as paths of the build machine
 * @returns one line for each finding, beginning with the file concerned; empty when all is well
 */
export function checkPackage(folder: string, foreignTexts: string[] = []): string[] {
	const files = filesBelow(folder);
	return files.flatMap((file) => checkFile(folder, file, files, foreignTexts));
}
