const { existsSync } = require('node:fs');
const { dest, parallel, src } = require('gulp');

/** Where the package keeps what tsc does not compile: codex files, previews, icons, and the validators compiled from the contract. */
const copies = [
	{ from: 'icons/*.svg', to: 'dist/icons' },
	{ from: 'nodes/**/*.node.json', to: 'dist/nodes' },
	{ from: 'nodes/**/__schema__/**/*.json', to: 'dist/nodes' },
	{ from: 'nodes/shared/contract/*.js', to: 'dist/nodes/shared/contract' },
];

const tasks = copies
	.filter(({ from }) => existsSync(from.split('*')[0]))
	.map(({ from, to }) => {
		const copy = () => src(from, { encoding: false }).pipe(dest(to));
		copy.displayName = `copy ${from}`;
		return copy;
	});

exports.default = parallel(...tasks);
