import { join } from 'node:path';
import isEqual from 'lodash/isEqual';
import { smtpCredential } from '../../../demo/inbox.ts';
import { credentialTypeOf, workflowFile } from '../../../demo/workflows.ts';
import type { N8nClient, WorkflowNode } from '../../../harness/n8nClient.ts';
import { bookingCredential, paymentCredential } from '../../../harness/sandbox.ts';
import type { Connection } from '../../e2e/support/stack.ts';
import { eventually } from '../../e2e/workflows/support';
import { TO_CHOOSE } from '../../e2e/workflows/toChoose';
import type { Editor } from '../../support/browser';
import { root } from '../../support/packageSources';
import { importWords, isBefore } from './editor';

/** Files that between them have every type of node that needs a credential. */
export const WITH_EVERY_TYPE = [
	'bookings-in-google-sheets',
	'booking-tools-for-ai-agents',
	'chat-that-waits-for-a-person',
	'check-my-account',
	'price-list-to-articles',
];

/**
 * From 2.36 on n8n chooses credentials on import. It leaves the choice of an account to sign in to, such as Google's, to the
 * person.
 */
const choosesAlone = (node: WorkflowNode): boolean =>
	!isBefore('2.36.0') && credentialTypeOf(node)?.includes('OAuth2') === false;

/** Whether nothing but a person starts a workflow: n8n publishes none of those. */
export function isRunByHand(name: string): boolean {
	return workflowFile(name).nodes.some(({ type }) => type === 'n8n-nodes-base.manualTrigger');
}

/** Creates a credential of each type that the files need. */
export async function createOneOfEach({ client, sandbox }: Connection, name: string): Promise<void> {
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

/** Deletes every credential of n8n. */
export async function forgetCredentials(client: N8nClient): Promise<void> {
	for (const { id } of await client.credentials()) await client.request('DELETE', `/rest/credentials/${id}`);
}

/**
 * Imports a workflow file as its page says: n8n marks the nodes that lack something and no other, has chosen what
 * credentials it can, and lets the workflow be published where nothing lacks.
 *
 * @param hasCredentials whether n8n holds any
 * @returns the workflow's ID
 */
export async function importAsDescribed(
	editor: Editor,
	name: string,
	hasCredentials: boolean,
): Promise<string> {
	const id = await editor.importWorkflow(join(root, 'workflows', `${name}.json`), importWords());
	const toChoose = Object.keys(TO_CHOOSE[name] ?? {});
	const isChosen = (node: WorkflowNode) => hasCredentials && choosesAlone(node);
	const lacking = workflowFile(name)
		.nodes.filter((node) => !node.disabled)
		.filter((node) => toChoose.includes(node.name) || (credentialTypeOf(node) && !isChosen(node)))
		.map((node) => node.name);
	await eventually(`The marks of ${lacking.length} nodes`, async () => {
		const marked = await editor.markedNodes();
		return isEqual(marked.sort(), lacking.sort()) ? marked : undefined;
	});
	const { nodes } = await editor.copyWorkflow();
	const chosen = nodes.filter(({ credentials = {} }) => Object.values(credentials).some((one) => one.id));

	if (lacking.length === 0 && !isRunByHand(name))
		await eventually('Publish', async () => (await editor.canPublish()) || undefined);
	else expect(await editor.canPublish()).toBe(false);
	expect(chosen.map((node) => node.name)).toEqual(nodes.filter(isChosen).map((node) => node.name));
	return id;
}
