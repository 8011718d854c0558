import type { WorkflowNode } from '../../harness/n8nClient.ts';
import { describeInEditor, storeCredentials, useEditor } from './support/editor';

const TEXT = 'How was it, [[name]]?';
const WANTED = 'How was it, {{name}}?';

describeInEditor('a placeholder in the texts of a survey', () => {
	const here = useEditor();

	beforeAll(async () => {
		const { hospitalityBookingApi } = await storeCredentials(here.connection);
		const [recipient] = await here.connection.control<
			Array<{
				surveyId: string;
			}>
		>('GET', '/state/recipients');
		const surveyId = { __rl: true, mode: 'id', value: recipient?.surveyId };
		const survey = { resource: 'survey', operation: 'updateContent', surveyId };
		const node = (name: string, index: number, parameters: WorkflowNode['parameters']): WorkflowNode => ({
			id: `survey${index}`,
			name,
			type: 'n8n-nodes-hospitality-booking.hospitalityBooking',
			typeVersion: 1,
			position: [index * 240, 0],
			parameters: { ...survey, ...parameters },
			credentials: hospitalityBookingApi,
		});
		const workflow = await here.connection.client.putWorkflow({
			name: 'Placeholders',
			nodes: [
				node('By Hand', 0, { pages: '[]' }),
				node('By Expression', 1, { pages: '[]', title: '=' }),
				node('In JSON', 2, { bodyMode: 'json' }),
			],
			connections: {},
			settings: {},
		});
		await here.editor.openWorkflow(workflow.id);
	});

	beforeEach(async () => {
		await here.connection.control('DELETE', '/requests');
	});

	/** The title that the one request of the open node has sent. */
	async function sentTitle(picture: string): Promise<unknown> {
		const { editor, connection } = here;
		await editor.picture(picture);
		await editor.execute();
		await editor.closeNode();
		const requests = await connection.control<
			Array<{
				method: string;
				body: unknown;
			}>
		>('GET', '/requests');
		const [update] = requests.filter(({ method }) => method === 'PUT');
		return (update?.body as { title?: unknown } | undefined)?.title;
	}

	const parameter = (name: string) => here.editor.form.locator(`[data-test-id="parameter-input-${name}"]`);

	test('is sent when it is typed by hand', async () => {
		await here.editor.openNode('By Hand');
		await parameter('title').locator('input').first().pressSequentially(TEXT);

		expect(await sentTitle('placeholder by hand')).toBe(WANTED);
	});

	test('is sent from an expression', async () => {
		await here.editor.openNode('By Expression');
		const field = parameter('title').locator('.cm-content');
		await field.click();
		await here.editor.page.keyboard.insertText("{{ 'How' }} was it, [[name]]?");

		expect(await sentTitle('placeholder by expression')).toBe(WANTED);
	});

	test('is sent within JSON', async () => {
		await here.editor.openNode('In JSON');
		const field = here.editor.form.locator('.cm-content').first();
		await field.click();
		await here.editor.page.keyboard.insertText(JSON.stringify({ title: TEXT, pages: [] }));

		expect(await sentTitle('placeholder in JSON')).toBe(WANTED);
	});
});
