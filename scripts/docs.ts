// npm run docs: writes the lists of operations, events and tested versions of n8n into README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import groupBy from 'lodash/groupBy.js';
import startCase from 'lodash/startCase.js';
import { format, resolveConfig } from 'prettier';
import { n8nVersions } from '../dev/n8nVersions.ts';
import { projectRoot } from '../dev/paths.ts';
import { readNodes } from './nodeSources.ts';

const PAGE = join(projectRoot(), 'README.md');

const nodes = await readNodes();
const row = (name: string, members: ReadonlyArray<{ name: string }>) =>
	`${name} (${members.map((member) => member.name).join(', ')})`;
const operations = nodes
	.filter(({ resources }) => resources.length > 0)
	.map(({ description, resources }) => {
		const all = resources.map((resource) => row(resource.name, resource.operations));
		return `**${description.displayName}**: ${all.join(' · ')}`;
	});
const subjects = groupBy(
	nodes.flatMap(({ events }) => events),
	({ output }) => startCase(output.schema?.replace('ListItem', '')),
);
const events = Object.entries(subjects).map(([subject, all]) => row(subject, all));
const { versions, othersTested } = n8nVersions();
const [oldest = '', ...newer] = versions.map(({ version }) => version);
const newest = newer.pop() ?? oldest;

const parts: Record<string, string> = {
	operations: operations.join('\n\n'),
	events: events.join(' · '),
	'versions tested': `Tested on n8n ${oldest} and ${newest} with every change, and on ${newer.join(', ')} before a release (last on ${othersTested}).`,
};
let text = readFileSync(PAGE, 'utf8');
for (const [name, part] of Object.entries(parts)) {
	const [begin, end] = [`<!-- ${name}, by npm run docs -->`, `<!-- end of ${name} -->`];
	const [from, to] = [text.indexOf(begin), text.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`README.md has no "${begin}" … "${end}".`);
	text = `${text.slice(0, from)}${begin}\n\n${part}\n\n${text.slice(to)}`;
}
writeFileSync(PAGE, await format(text, { ...(await resolveConfig(PAGE)), filepath: PAGE }));
