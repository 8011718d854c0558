const { cpSync, statSync } = require('node:fs');

/** What the package keeps and tsc does not compile: icons, codex files, previews, and what is generated from the contract. */
const COPIES = [
	{ from: 'icons', to: 'dist/icons', files: /\.svg$/ },
	{
		from: 'nodes',
		to: 'dist/nodes',
		files: /\.node\.json$|__schema__.*\.json$|shared.contract.[^/\\]+\.js$/,
	},
];

/** Copies them into `dist/`. A task of gulp, which needs nothing of gulp: the build runs it by itself. */
async function copy() {
	for (const { from, to, files } of COPIES)
		cpSync(from, to, {
			recursive: true,
			filter: (path) => files.test(path) || statSync(path).isDirectory(),
		});
}

exports.default = copy;

if (require.main === module) void copy();
