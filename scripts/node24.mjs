// node scripts/node24.mjs <script> [arguments…]: runs a TypeScript tool of this project under this Node if new enough,
// otherwise under the toolchain's Node 24, which is fetched if missing.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const LEAST_NODE = 24;
const [script, ...rest] = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) >= LEAST_NODE) {
	process.argv.splice(1, process.argv.length, resolve(script), ...rest);
	await import(pathToFileURL(process.argv[1]).href);
} else {
	process.argv.splice(2, process.argv.length, '--', 'node', script, ...rest);
	await import('./bootstrap.mjs');
}
