// Writes the results in docs/compatibility.md and README.md from compat/results/. With --check it writes nothing and
// fails where a page does not say what the results say.
import { parseArgs } from 'node:util';
import { n8nVersions } from '../dev/n8nVersions.ts';
import { markdownTable, pageWith, writePages } from '../dev/pages.ts';
import { AREAS } from './areas.ts';
import { HOST_FEATURES } from './host.ts';
import { readResults, type Result, wireDifferences } from './results.ts';

const failedIn = ({ areas }: Result) => Object.values(areas).flatMap(({ failed }) => failed);
const passedIn = ({ areas }: Result) => Object.values(areas).reduce((sum, { passed }) => sum + passed, 0);

/** One line for README.md. */
function summary(results: Result[]): string {
	const all = results.map(({ n8n }) => n8n).join(', ');
	const passed = results.reduce((sum, result) => sum + passedIn(result), 0);
	const failed = results.reduce((sum, result) => sum + failedIn(result).length, 0);
	const last = results
		.map(({ date }) => date)
		.sort()
		.at(-1);
	return `Tested on n8n ${all}: ${passed} of ${passed + failed} tests passed (${last}).`;
}

function details(results: Result[]): string {
	const cellOf = (result: Result, id: string) => {
		const area = result.areas[id];
		if (area === undefined) return 'not tried';
		if (area.instead !== undefined) return '–';
		return area.failed.length > 0 ? `**${area.failed.length} failed**` : String(area.passed);
	};
	const tried = AREAS.filter(({ id }) => results.some(({ areas }) => areas[id]));
	const rows = tried.map(({ id, what }) => [what, ...results.map((result) => cellOf(result, id))]);
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
	const same = (what: string, of: (result: Result) => string) =>
		`${what} ${[...new Set(results.map(of))].join(', ')}`;
	const run = [
		same('package', (result) => result.package),
		same('build', ({ build }) => build),
		same('commit', ({ commit }) => commit),
		same('Node.js', ({ node }) => node),
		same('tested on', ({ date }) => date),
	];
	return [
		markdownTable(['Tests passed', ...results.map(({ n8n }) => n8n)], rows),
		`With ${run.join('; ')}. Requests sent: ${differences.length} differences between these versions, over ${Object.keys(results[0]?.wire ?? {}).length} tests of ${operations.size} operations.`,
		...(failed.length > 0 ? [failed.join('\n')] : []),
		markdownTable(
			['Used where n8n has it', ...results.map(({ n8n }) => n8n)],
			HOST_FEATURES.map(({ id, what }) => [what, ...results.map(({ host }) => (host[id] ? 'yes' : 'no'))]),
		),
		...(instead.length > 0 ? [`Where a feature is missing:\n\n${instead.join('\n')}`] : []),
		...(left.length > 0 ? [`Not tested:\n\n${left.join('\n')}`] : []),
	].join('\n\n');
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const results = readResults();
const pages = {
	'README.md': await pageWith('README.md', { 'versions tested': summary(results) }),
	'docs/compatibility.md': await pageWith('docs/compatibility.md', { 'versions tested': details(results) }),
};
writePages(pages, values.check, 'what compat/results says');
