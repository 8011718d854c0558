// Writes the tables of docs/compatibility.md and README.md from compat/results/. With --check it writes nothing and
// fails where a page does not say what the results say.
import { parseArgs } from 'node:util';
import { n8nVersions } from '../harness/n8nVersions.ts';
import { markdownTable, pageWith, writePages } from '../harness/pages.ts';
import { AREAS } from './areas.ts';
import { HOST_FEATURES } from './host.ts';
import { readResults, type Result, wireDifferences } from './results.ts';

const BEGIN = '<!-- from compat/results, by npm run docs -->';
const END = '<!-- end -->';

const failedIn = ({ areas }: Result) => Object.values(areas).flatMap(({ failed }) => failed);
const passedIn = ({ areas }: Result) => Object.values(areas).reduce((sum, { passed }) => sum + passed, 0);

function whatFor(version: string): string {
	const what = n8nVersions().versions.find((one) => one.version === version)?.what;
	return what === undefined ? version : `${version}, ${what}`;
}

/** What an n8n does not have, in words for the table. */
function missingIn({ areas }: Result): string {
	const missing = AREAS.filter(({ id }) => areas[id]?.instead !== undefined).map(({ what }) => what);
	return missing.length === 0 ? '–' : missing.join('; ');
}

function summary(results: Result[]): string {
	const rows = results.map((result) => [
		whatFor(result.n8n),
		`${passedIn(result)} of ${passedIn(result) + failedIn(result).length} tests passed`,
		missingIn(result),
		result.date,
	]);
	return markdownTable(['n8n', 'This package', 'What that n8n does not have', 'Tested on'], rows);
}

function details(results: Result[]): string {
	const cellOf = (result: Result, id: string) => {
		const area = result.areas[id];
		if (area?.instead !== undefined) return 'not there';
		if (area === undefined || area.failed.length > 0) return `**${area?.failed.length ?? 0} failed**`;
		return `${area.passed} passed`;
	};
	const rows = AREAS.map(({ id, what }) => [what, ...results.map((result) => cellOf(result, id))]);
	const differences = wireDifferences(results);
	const operations = new Set(Object.keys(results[0]?.wire ?? {}).map((test) => test.split(':')[0]));
	const instead = AREAS.flatMap(({ id, what }) => {
		const lacking = results.filter(({ areas }) => areas[id]?.instead !== undefined);
		const seen = lacking[0]?.areas[id]?.instead;
		return seen === undefined ? [] : [`- ${what} (n8n ${lacking.map(({ n8n }) => n8n).join(', ')}): ${seen}`];
	});
	const failed = results.flatMap((result) =>
		failedIn(result).map((title) => `- n8n ${result.n8n} failed: ${title}`),
	);
	const left = n8nVersions().others.map(({ version, reason }) => `- ${version}: ${reason}.`);
	return [
		markdownTable(
			['', ...results.map(({ n8n }) => n8n)],
			[
				...rows,
				['Node.js', ...results.map(({ node }) => node)],
				['Version of this package', ...results.map((result) => result.package)],
				['Build', ...results.map(({ build }) => build)],
				['Commit', ...results.map((result) => result.commit)],
				['Tested on', ...results.map(({ date }) => date)],
			],
		),
		`What goes on the wire: ${differences.length} differences between these versions, over ${Object.keys(results[0]?.wire ?? {}).length} tests of ${operations.size} operations.`,
		...(failed.length > 0 ? [failed.join('\n')] : []),
		`What the package uses where n8n has it:`,
		markdownTable(
			['', ...results.map(({ n8n }) => n8n)],
			HOST_FEATURES.map(({ id, what }) => [what, ...results.map(({ host }) => (host[id] ? 'yes' : 'no'))]),
		),
		...(instead.length > 0
			? [`What a person sees instead of what is not there:\n\n${instead.join('\n')}`]
			: []),
		...(left.length > 0 ? [`Not promised:\n\n${left.join('\n')}`] : []),
	].join('\n\n');
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const results = readResults();
const pages = {
	'README.md': await pageWith('README.md', BEGIN, END, summary(results)),
	'docs/compatibility.md': await pageWith('docs/compatibility.md', BEGIN, END, details(results)),
};
writePages(pages, values.check, 'what compat/results says');
