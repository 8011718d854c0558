import { join } from 'node:path';
import { smtpCredential } from '../../dev/demo/inbox.ts';
import { credentialTypeOf, workflowFile } from '../../dev/demo/workflows.ts';
import { compareVersions } from '../../dev/n8nVersions.ts';
import { bookingCredential } from '../../dev/sandbox.ts';
import { chosenN8n } from '../e2e/support/stack.ts';
import { root } from '../support/packageSources';
import { eventually } from '../../dev/eventually.ts';
import { describeInEditor, useEditor } from './support/browser';

const NAME = 'new-booking-to-email-and-row';

/** Whether the n8n that is tried is older than a version. */
const isBefore = (version: string) => compareVersions(chosenN8n().version, version) < 0;

/** What README.md says to choose in the menu with the three dots; before n8n 2.0 the file has a capital. */
const IMPORT = isBefore('2.0.0')
	? ['Import from File...']
	: isBefore('2.36.0')
		? ['Import from file...']
		: ['Import', 'From file'];

/** What comes of the files is in test/e2e/workflows. */
describeInEditor.each([
	{ text: 'no credential', isThere: false },
	{ text: 'one credential of each type', isThere: true },
])('a workflow file imported into an n8n with $text', ({ isThere }) => {
	const here = useEditor();

	beforeAll(async () => {
		const { client, sandbox } = here.connection;
		for (const { id } of await client.credentials())
			await client.request('DELETE', `/rest/credentials/${id}`);
		if (!isThere) return;
		await client.createCredential('Bookings', 'hospitalityBookingApi', bookingCredential(sandbox));
		await client.createCredential('Mail', 'smtp', smtpCredential({ smtpPort: 25 }));
	});

	test('shows all its nodes, and marks those that lack a credential or a value', async () => {
		const { editor } = here;
		await editor.importWorkflow(join(root, 'workflows', `${NAME}.json`), IMPORT);
		const nodes = workflowFile(NAME).nodes.filter(({ disabled }) => !disabled);
		// From 2.36 on n8n chooses the only credential of a type by itself.
		const isChosen = isThere && !isBefore('2.36.0');
		const lacking = nodes.filter(
			(node) => node.parameters.toEmail === '' || (credentialTypeOf(node) && !isChosen),
		);
		const onCanvas = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		const marked = await eventually(`marks of ${lacking.length} nodes`, async () => {
			const names = await editor.markedNodes();
			return names.length === lacking.length && names;
		});

		expect(lacking.length).toBeGreaterThan(0);
		expect(marked.sort()).toEqual(lacking.map(({ name }) => name).sort());
		expect((await editor.canvasNodes()).sort()).toEqual(onCanvas.map(({ name }) => name).sort());
		expect(await editor.canPublish()).toBe(false);
	});
});
