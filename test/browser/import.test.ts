import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import isEqual from 'lodash/isEqual';
import { smtpCredential } from '../../demo/inbox.ts';
import { credentialTypeOf, workflowFile } from '../../demo/workflows.ts';
import type { WorkflowNode } from '../../harness/n8nClient.ts';
import { bookingCredential, paymentCredential } from '../../harness/sandbox.ts';
import { eventually } from '../e2e/workflows/support';
import { TO_CHOOSE } from '../e2e/workflows/toChoose';
import { root } from '../support/packageSources';
import { describeInEditor, useEditor } from './support/editor';

const NAMES = readdirSync(join(root, 'workflows')).map((file) => file.replace('.json', ''));

/** What the page of a workflow says to choose in the menu with the three dots of n8n's newest version. */
function importWords(name: string): string[] {
	const page = readFileSync(join(root, 'docs', 'workflows', `${name}.md`), 'utf8');
	const [, words = ''] = /((?:_[^_]+_(?: → )?)+) in the menu with the three dots/.exec(page) ?? [];
	return [...words.matchAll(/_([^_]+)_/g)].map(([, word = '']) => word);
}

const hasMapper = ({ parameters }: WorkflowNode): boolean =>
	JSON.stringify(parameters).includes('"mappingMode"');

/** n8n leaves the choice of an account to sign in to, such as Google's, to the person. */
const choosesAlone = (node: WorkflowNode): boolean => credentialTypeOf(node)?.includes('OAuth2') === false;

describeInEditor.each([
	{ number: 0, text: 'no credential, marks the nodes that need one' },
	{ number: 1, text: 'one credential, has it chosen' },
	{ number: 2, text: 'two credentials, has one of them chosen' },
])('a workflow file imported as its page says into an n8n with $text', ({ number }) => {
	const here = useEditor();

	beforeAll(async () => {
		const { client, sandbox } = here.connection;
		for (const { id } of await client.credentials())
			await client.request('DELETE', `/rest/credentials/${id}`);
		for (let one = 1; one <= number; one++) {
			await client.createCredential(`Bookings ${one}`, 'hospitalityBookingApi', bookingCredential(sandbox));
			await client.createCredential(`Payments ${one}`, 'hospitalityPaymentApi', paymentCredential(sandbox));
			await client.createCredential(`Mail ${one}`, 'smtp', smtpCredential({ smtpPort: 25 }));
			await client.createCredential(`Google ${one}`, 'googleSheetsOAuth2Api', {});
		}
	});

	test.each(NAMES)('%s', async (name) => {
		const { editor } = here;
		await editor.importWorkflow(join(root, 'workflows', `${name}.json`), importWords(name));
		const { nodes } = workflowFile(name);
		const toChoose = Object.keys(TO_CHOOSE[name] ?? {});
		const lacking = nodes
			.filter((node) => toChoose.includes(node.name) || (number === 0 && credentialTypeOf(node)))
			.map((node) => node.name);
		await eventually(`The marks of ${lacking.length} nodes`, async () => {
			const marked = await editor.markedNodes();
			return isEqual(marked.sort(), lacking.sort()) ? marked : undefined;
		});
		const before = await editor.copyWorkflow();
		const chosen = before.nodes.filter(({ credentials = {} }) =>
			Object.values(credentials).some(({ id }) => id),
		);

		if (lacking.length === 0)
			await eventually('Publish', async () => (await editor.publishButton.isEnabled()) || undefined);
		else expect(await editor.publishButton.isEnabled()).toBe(false);
		expect(chosen.map((node) => node.name)).toEqual(
			before.nodes.filter((node) => number > 0 && choosesAlone(node)).map((node) => node.name),
		);
		if (number !== 1) return;
		for (const node of nodes.filter(hasMapper)) {
			await editor.openNode(node.name);
			await editor.page.waitForLoadState('networkidle');
			await editor.closeNode();
		}
		const after = await editor.copyWorkflow();
		expect(after.nodes.map(({ parameters }) => parameters)).toEqual(
			before.nodes.map(({ parameters }) => parameters),
		);
	});
});
