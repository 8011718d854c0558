import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { smtpCredential } from '../../demo/inbox.ts';
import { exampleWorkflow, workflowFile } from '../../demo/workflows.ts';
import { keepPicture } from '../support/pictures';
import { root } from '../support/packageSources';
import { describeInEditor, storeCredentials, useEditor } from './support/editor';

const NAMES = readdirSync(join(root, 'workflows')).map((file) => file.replace('.json', ''));

describeInEditor('the workflows to import', () => {
	const here = useEditor();

	test.each(NAMES)('%s stands on the canvas whole, with its note', async (name) => {
		const { editor, connection } = here;
		const { client } = connection;
		const stored = await storeCredentials(connection);
		const smtp = await client.putCredential('Mail', 'smtp', smtpCredential({ smtpPort: 25 }));
		const google = await client.putCredential('Google', 'googleSheetsOAuth2Api', {});
		const own = Object.values(stored).flatMap((credential) =>
			Object.entries(credential).map(([type, { id, name: label }]) => ({ id, name: label, type })),
		);
		const workflow = await client.putWorkflow(
			exampleWorkflow(name, { credentials: [...own, smtp, google], filesFolder: '/home/node/.n8n-files' }),
		);
		for (const scheme of ['light', 'dark'] as const) {
			await editor.page.emulateMedia({ colorScheme: scheme });
			await editor.openWorkflow(workflow.id);
			const ending = scheme === 'dark' ? '-dark' : '';
			const taken = await editor.canvasPicture(`workflow ${name}${ending}`);
			keepPicture(taken, `docs/workflows/images/${name}${ending}.png`, { workflow: name });
		}
		const nodes = await editor.canvasNodes();

		expect(nodes.sort()).toEqual(
			workflowFile(name)
				.nodes.filter(({ type }) => !type.endsWith('.stickyNote'))
				.map((node) => node.name)
				.sort(),
		);
	});
});
