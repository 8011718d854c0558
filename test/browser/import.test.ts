import { credentialTypeOf, workflowFile } from '../../demo/workflows.ts';
import type { WorkflowNode } from '../../harness/n8nClient.ts';
import { isNewestN8n } from '../e2e/support/stack.ts';
import { keepPicture, TAKES_PICTURES } from '../support/pictures';
import { describeInEditor, useEditor, WORKFLOW_NAMES } from './support/editor';
import { createOneOfEach, forgetCredentials, importAsDescribed, WITH_EVERY_TYPE } from './support/imported';

const SCHEMES = ['light', 'dark'] as const;
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
			await forgetCredentials(here.connection.client);
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
