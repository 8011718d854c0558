import { smtpCredential } from '../../demo/inbox.ts';
import { credentialTypeOf, workflowFile } from '../../demo/workflows.ts';
import { bookingCredential, paymentCredential } from '../../harness/sandbox.ts';
import { describeInEditor, useEditor, WORKFLOW_NAMES } from './support/editor';
import { forgetCredentials, importAsDescribed } from './support/imported';

/** Between them they have every type of node that needs a credential; every file is imported in everyWorkflow.test.ts. */
const WITH_EVERY_TYPE = ['bookings-in-google-sheets', 'booking-tools-for-ai-agents', 'check-my-account'];

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
		const { client, sandbox } = here.connection;
		await forgetCredentials(client);
		for (let one = 1; one <= number; one++) {
			await client.createCredential(`Bookings ${one}`, 'hospitalityBookingApi', bookingCredential(sandbox));
			await client.createCredential(`Payments ${one}`, 'hospitalityPaymentApi', paymentCredential(sandbox));
			await client.createCredential(`Mail ${one}`, 'smtp', smtpCredential({ smtpPort: 25 }));
			await client.createCredential(`Google ${one}`, 'googleSheetsOAuth2Api', {});
		}
	});

	test.each(WITH_EVERY_TYPE)('%s', async (name) => {
		expect(typesIn(WITH_EVERY_TYPE)).toEqual(typesIn(WORKFLOW_NAMES));
		await importAsDescribed(here.editor, name, number > 0);
	});
});
