import { credentialTypeOf, workflowFile } from '../../demo/workflows.ts';
import { describeInEditor, useEditor, WORKFLOW_NAMES } from './support/editor';
import { createOneOfEach, forgetCredentials, importAsDescribed, WITH_EVERY_TYPE } from './support/imported';

const typesIn = (names: string[]) => {
	const nodes = names.flatMap((name) => workflowFile(name).nodes.filter(credentialTypeOf));
	return [...new Set(nodes.map(({ type }) => type))].sort();
};

describeInEditor.each([
	{ number: 0, text: 'no credential, marks the nodes that need one' },
	{ number: 2, text: 'two credentials, has one of them chosen' },
])('a workflow file imported as its page says into an n8n with $text', ({ number }) => {
	const here = useEditor();

	beforeAll(async () => {
		await forgetCredentials(here.connection.client);
		for (let one = 1; one <= number; one++) await createOneOfEach(here.connection, String(one));
	});

	test.each(WITH_EVERY_TYPE)('%s', async (name) => {
		expect(typesIn(WITH_EVERY_TYPE)).toEqual(typesIn(WORKFLOW_NAMES));
		await importAsDescribed(here.editor, name, number > 0);
	});
});
