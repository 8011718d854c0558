import type { LoggedRequest } from '../../sandbox/control/requestLog.ts';
import { describeInEditor, openNodes, useEditor } from './support/editor';

const TEXT = 'How was it, [[name]]?';
const WANTED = 'How was it, {{name}}?';

describeInEditor('a placeholder in the texts of a survey', () => {
	const here = useEditor();

	beforeAll(async () => {
		const [recipient] = await here.connection.control<Array<{ surveyId: string }>>(
			'GET',
			'/state/recipients',
		);
		const surveyId = { __rl: true, mode: 'id', value: recipient?.surveyId };
		const survey = { resource: 'survey', operation: 'updateContent', surveyId };
		await openNodes(here, 'Placeholders', [
			{ name: 'By Hand', parameters: { ...survey, pages: '[]' } },
			{ name: 'By Expression', parameters: { ...survey, pages: '[]', title: '=' } },
			{ name: 'In JSON', parameters: { ...survey, bodyMode: 'json' } },
		]);
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
		const requests = await connection.control<LoggedRequest[]>('GET', '/requests');
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
