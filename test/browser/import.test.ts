import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import isEqual from 'lodash/isEqual';
import { smtpCredential } from '../../dev/demo/inbox.ts';
import { credentialTypeOf, workflowFile, workflowsFolder } from '../../dev/demo/workflows.ts';
import type { WorkflowNode } from '../../dev/n8nClient.ts';
import { compareVersions } from '../../dev/n8nVersions.ts';
import { bookingCredential, paymentCredential } from '../../dev/sandbox.ts';
import { chosenN8n, type Connection, isNewestN8n } from '../e2e/support/stack.ts';
import { TO_CHOOSE } from '../e2e/workflows/toChoose';
import { root } from '../support/packageSources';
import { keepPicture, TAKES_PICTURES } from '../support/pictures';
import { eventually } from '../support/progress';
import type { Editor } from './support/browser';
import { describeInEditor, useEditor } from './support/editor';

/** The names of the workflows that people import. */
const WORKFLOW_NAMES = readdirSync(workflowsFolder()).map((file) => file.replace('.json', ''));
/** Files that between them have every type of node that needs a credential. */
const WITH_EVERY_TYPE = [
	'bookings-in-google-sheets',
	'booking-tools-for-ai-agents',
	'chat-that-waits-for-a-person',
	'check-my-account',
	'price-list-to-articles',
];
const SCHEMES = ['light', 'dark'] as const;

/** Whether the n8n that is tried is older than a version. */
const isBefore = (version: string) => compareVersions(chosenN8n().version, version) < 0;

/** What the gallery says to choose in the menu with the three dots; before n8n 2.0 the file has a capital. */
function importWords(): string[] {
	if (isBefore('2.0.0')) return ['Import from File...'];
	const page = readFileSync(join(root, 'docs', 'workflows', 'README.md'), 'utf8');
	const [, earlier = '', until = ''] = /\(_([^_]+)_ before n8n ([\d.]+)\)/.exec(page) ?? [];
	if (isBefore(until)) return [earlier];
	const [, words = ''] = /((?:_[^_]+_(?: → )?)+) in the menu with the three dots/.exec(page) ?? [];
	return [...words.matchAll(/_([^_]+)_/g)].map(([, word = '']) => word);
}

/**
 * From 2.36 on n8n chooses credentials on import. It leaves the choice of an account to sign in to, such as Google's, to the
 * person.
 */
const choosesAlone = (node: WorkflowNode): boolean =>
	!isBefore('2.36.0') && credentialTypeOf(node)?.includes('OAuth2') === false;

/** Creates a credential of each type that the files need. */
async function createOneOfEach({ client, sandbox }: Connection, name: string): Promise<void> {
	const types = {
		hospitalityBookingApi: bookingCredential(sandbox),
		hospitalityPaymentApi: paymentCredential(sandbox),
		smtp: smtpCredential({ smtpPort: 25 }),
		googleSheetsOAuth2Api: {},
		httpBasicAuth: { user: 'owner', password: 'of-the-form' },
		httpBearerAuth: { token: 'of-the-agent' },
		openAiApi: { apiKey: 'of-nobody' },
	};
	for (const [type, data] of Object.entries(types))
		await client.createCredential(`${name} ${type}`, type, data);
}

/**
 * Imports a workflow file as its page says: n8n marks the nodes that lack something and no other, has chosen what
 * credentials it can, and lets the workflow be published where nothing lacks.
 *
 * @param hasCredentials whether n8n holds any
 */
async function importAsDescribed(editor: Editor, name: string, hasCredentials: boolean): Promise<void> {
	await editor.importWorkflow(join(root, 'workflows', `${name}.json`), importWords());
	const toChoose = Object.keys(TO_CHOOSE[name] ?? {});
	const isChosen = (node: WorkflowNode) => hasCredentials && choosesAlone(node);
	const file = workflowFile(name).nodes;
	// n8n publishes none that only a person starts.
	const isRunByHand = file.some(({ type }) => type === 'n8n-nodes-base.manualTrigger');
	const lacking = file
		.filter((node) => !node.disabled)
		.filter((node) => toChoose.includes(node.name) || (credentialTypeOf(node) && !isChosen(node)))
		.map((node) => node.name);
	const isMarked = async () => isEqual((await editor.markedNodes()).sort(), lacking.sort());
	await eventually(`marks of ${lacking.length} nodes`, isMarked);
	const { nodes } = await editor.copyWorkflow();
	const chosen = nodes.filter(({ credentials = {} }) => Object.values(credentials).some((one) => one.id));

	if (lacking.length === 0 && !isRunByHand)
		await eventually('the workflow can be published', () => editor.canPublish());
	else expect(await editor.canPublish()).toBe(false);
	expect(chosen.map((node) => node.name)).toEqual(nodes.filter(isChosen).map((node) => node.name));
}

const typesIn = (names: string[]) => {
	const nodes = names.flatMap((name) => workflowFile(name).nodes.filter(credentialTypeOf));
	return [...new Set(nodes.map(({ type }) => type))].sort();
};
const hasMapper = ({ parameters }: WorkflowNode): boolean =>
	JSON.stringify(parameters).includes('"mappingMode"');

/** What comes of them is in test/e2e/workflows. */
describeInEditor.each([
	{ number: 0, text: 'no credential' },
	{ number: 1, text: 'one credential of each type' },
	{ number: 2, text: 'two credentials of each type' },
])(
	'a workflow file imported as its page says into an n8n with $text is marked where it lacks one',
	({ number }) => {
		const here = useEditor();
		const takesPictures = TAKES_PICTURES && number === 1;

		beforeAll(async () => {
			const { client } = here.connection;
			for (const { id } of await client.credentials())
				await client.request('DELETE', `/rest/credentials/${id}`);
			for (let one = 1; one <= number; one++) await createOneOfEach(here.connection, String(one));
		});

		// Of a file that changes, new pictures are asked for, and they are taken here.
		test.each(takesPictures ? WORKFLOW_NAMES : WITH_EVERY_TYPE)('%s', async (name) => {
			const { editor } = here;
			expect(typesIn(WITH_EVERY_TYPE)).toEqual(typesIn(WORKFLOW_NAMES));
			await importAsDescribed(editor, name, number > 0);
			const { nodes } = workflowFile(name);
			const onCanvas = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
			expect((await editor.canvasNodes()).sort()).toEqual(onCanvas.map((node) => node.name).sort());
			for (const scheme of takesPictures ? SCHEMES : []) {
				await editor.page.emulateMedia({ colorScheme: scheme });
				const ending = scheme === 'dark' ? '-dark' : '';
				const taken = await editor.canvasPicture(`workflow ${name}${ending}`);
				keepPicture(taken, `docs/workflows/images/${name}${ending}.png`, { workflow: name });
			}
			// Earlier editors may never come to rest while a form is open.
			if (number === 1 && isNewestN8n()) await leavesAlone(nodes.find(hasMapper));
		});

		/** Opening a node whose columns are mapped changes none of its parameters. */
		async function leavesAlone(node: WorkflowNode | undefined): Promise<void> {
			if (!node) return;
			const { editor } = here;
			const before = await editor.copyWorkflow();
			await editor.openNode(node.name);
			await editor.page.waitForLoadState('networkidle');
			await editor.closeNode();
			const after = await editor.copyWorkflow();
			expect(after.nodes.map(({ parameters }) => parameters)).toEqual(
				before.nodes.map(({ parameters }) => parameters),
			);
		}
	},
);
