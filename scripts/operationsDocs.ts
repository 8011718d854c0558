// npm run docs [-- --check]: writes README.md's lists of operations and events from the nodes; with --check only says
// whether they are current.
import groupBy from 'lodash/groupBy.js';
import startCase from 'lodash/startCase.js';

import { readCommandLine } from '../dev/commandLine.ts';
import { pageWith, writePages } from '../dev/pages.ts';
import { readNodes } from './nodeSources.ts';

const { values } = readCommandLine(
	'npm run docs [-- --check]: writes the operations and events in README.md, or says whether they are current',
	{ check: { type: 'boolean', default: false } },
);
const nodes = await readNodes();

const operations = nodes
	.filter(({ resources }) => resources.length > 0)
	.map(({ description, resources }) => {
		const each = resources.map(
			({ name, operations: own }) => `${name} (${own.map((one) => one.name).join(', ')})`,
		);
		return `**${description.displayName}**: ${each.join(' · ')}`;
	})
	.join('\n\n');

const subjects = groupBy(
	nodes.flatMap(({ events }) => events),
	({ output }) => startCase(output.schema?.replace('ListItem', '')),
);
const events = Object.entries(subjects)
	.map(([subject, ones]) => `${subject} (${ones.map(({ name }) => name).join(', ')})`)
	.join(' · ');

writePages(
	{ 'README.md': await pageWith('README.md', { operations, events }) },
	values.check,
	'what the nodes do',
);
