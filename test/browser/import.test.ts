import { join } from 'node:path';
import { smtpCredential } from '../../dev/demo/inbox.ts';
import { credentialTypeOf, workflowFile } from '../../dev/demo/workflows.ts';
import { bookingCredential } from '../../dev/sandbox.ts';
import { root } from '../support/packageSources';
import { eventually } from '../../dev/eventually.ts';
import { describeInEditor, useEditor } from './support/browser';

const NAME = 'new-booking-to-email-and-row';

/** What comes of the files is in test/e2e/workflows. */
describeInEditor.each([
	{ text: 'no credential', isThere: false },
	{ text: 'one credential of each type', isThere: true },
])('a workflow file imported into an n8n with $text', ({ isThere }) => {
	const here = useEditor();

	beforeAll(async () => {
		const { client, sandbox } = here.connection;
		for (const { id } of await client.credentials()) {
			await client.request('DELETE', `/rest/credentials/${id}`);
		}
		if (!isThere) return;
		await client.createCredential('Bookings', 'hospitalityBookingApi', bookingCredential(sandbox));
		await client.createCredential('Mail', 'smtp', smtpCredential({ smtpPort: 25 }));
	});

	test('shows all its nodes, and marks those that lack a credential or a value', async () => {
		const { editor } = here;
		await editor.importWorkflow(join(root, 'workflows', `${NAME}.json`));
		const nodes = workflowFile(NAME).nodes.filter(({ disabled }) => !disabled);
		// n8n chooses the only credential of a type by itself.
		const lacking = nodes.filter(
			(node) => node.parameters.toEmail === '' || (credentialTypeOf(node) && !isThere),
		);
		const onCanvas = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		const marked = await eventually(`marks of ${lacking.length} nodes`, async () => {
			const names = await editor.markedNodes();
			return names.length === lacking.length && names;
		});

		expect(lacking.length).toBeGreaterThan(0);
		expect(marked.sort()).toEqual(lacking.map(({ name }) => name).sort());
		expect((await editor.canvasNodes()).sort()).toEqual(onCanvas.map(({ name }) => name).sort());
		expect(await editor.publishButton.isEnabled()).toBe(false);
	});
});
