// npm run keep-release: keeps what stored workflows rest on in this version (compat/releases/<version>/): the parameters,
// credential fields and outputs of the built package, and the workflow files. test/unit/upgrade.test.ts compares all
// later versions with them.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { projectRoot } from '../harness/paths.ts';
import { type Preview, storedInterface } from './storedInterface.ts';

const root = projectRoot();
const { version, n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	version: string;
	n8n: { nodes: string[]; credentials: string[] };
};
const folder = join(root, 'compat', 'releases', version);
const require = createRequire(import.meta.url);

function build<T>(path: string): T {
	const exported = require(join(root, path)) as Record<string, new () => T>;
	const Type = exported[basename(path).replace(/\..*$/, '')];
	if (!Type) throw new Error(`${path} exports no class of its name. Run npm run build first.`);
	return new Type();
}

/** By `<node>/<resource>/<operation>`; a trigger's is `<node>`. */
function previews(): Record<string, Preview> {
	const files = globSync('dist/nodes/*/__schema__/**/*.json', { cwd: root });
	return Object.fromEntries(
		files.map((file) => {
			const place = relative('dist/nodes', file).replace(/\/__schema__\/v1\.0\.0|\.json$/g, '');
			return [place, JSON.parse(readFileSync(join(root, file), 'utf8')) as Preview];
		}),
	);
}

const nodes = n8n.nodes.map((path) => build<INodeType>(path).description);
const credentials = n8n.credentials.map((path) => build<ICredentialType>(path));
const kept = storedInterface(nodes, credentials, previews());
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'workflows'), { recursive: true });
writeFileSync(join(folder, 'interface.json'), `${JSON.stringify(kept, null, '\t')}\n`);
for (const file of globSync('workflows/*.json', { cwd: root }))
	cpSync(join(root, file), join(folder, 'workflows', basename(file)));
console.log(
	`${Object.keys(kept.parameters).length} parameters of ${version} kept in ${relative(dirname(root), folder)}`,
);
