// npm run payment-package: the payment node as a package of its own, in .cache/payment-package/, made of this repository's
// sources and what `npm run build` has built of them. For the case that n8n takes the payment service for another one
// (docs/verification.md).
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { projectRoot } from '../harness/paths.ts';

const NAME = 'n8n-nodes-hospitality-payment';
const NODE = 'dist/nodes/HospitalityPayment/HospitalityPayment.node.js';
const CREDENTIAL = 'dist/credentials/HospitalityPaymentApi.credentials.js';
/** What belongs to the node beside its code. */
const BESIDE = [
	'dist/nodes/HospitalityPayment/**/*.json',
	'{dist/,}icons/hospitality-payment*.svg',
	'CHANGELOG.md',
	'LICENSE',
	'tsconfig*.json',
];

const root = projectRoot();
const folder = join(root, '.cache', 'payment-package');

/** A built file and all that it requires of the package, from the root. */
function withRequired(file: string, found = new Set<string>()): Set<string> {
	if (found.has(file)) return found;
	found.add(file);
	const code = readFileSync(join(root, file), 'utf8');
	for (const [, path = ''] of code.matchAll(/require\("(\.[^"]+)"\)/g)) {
		const target = posix.join(posix.dirname(file), path);
		const required = [target, `${target}.js`, `${target}/index.js`].find(
			(one) => one.endsWith('.js') && existsSync(join(root, one)),
		);
		if (required === undefined) throw new Error(`${file} requires ${path}, which is not there.`);
		withRequired(required, found);
	}
	return found;
}

function copy(file: string): void {
	mkdirSync(dirname(join(folder, file)), { recursive: true });
	cpSync(join(root, file), join(folder, file));
}

/** The source that a built file comes from, where there is one. */
function sourceOf(file: string): string | undefined {
	const source = file.replace(/^dist\//, '').replace(/\.js$/, '.ts');
	return existsSync(join(root, source)) ? source : undefined;
}

if (!existsSync(join(root, NODE))) {
	console.error('There is no dist/ folder yet: run "npm run build" first.');
	process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
const code = [...withRequired(CREDENTIAL, withRequired(NODE))];
const sources = code.map(sourceOf).filter((source) => source !== undefined);
for (const file of [...code, ...sources, ...globSync(BESIDE, { cwd: root })]) copy(file);

const {
	name,
	scripts: _scripts,
	...manifest
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown> & {
	name: string;
	n8n: object;
	keywords: string[];
};
const own = {
	name: NAME,
	...manifest,
	description:
		'n8n node for the payment service of a hospitality business: read and cancel subscriptions, authenticate customers',
	keywords: [...manifest.keywords.slice(0, 3), 'payment', 'subscription'],
	n8n: { ...manifest.n8n, nodes: [NODE], credentials: [CREDENTIAL] },
};
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
cpSync(join(root, 'docs', 'payment-package.md'), join(folder, 'README.md'));
const codex = join(folder, NODE.replace(/\.js$/, '.json'));
writeFileSync(codex, readFileSync(codex, 'utf8').replace(`"${name}.`, `"${NAME}.`));
console.log(`${NAME}: ${code.length} built files in ${folder}`);
