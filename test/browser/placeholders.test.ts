import type { LoggedRequest } from '../../sandbox/control/requestLog.ts';
import { describeInEditor, openNodes, useEditor } from './support/editor';

/** Expressions and JSON are in test/engine/survey: what the editor makes of a text is seen here alone. */
describeInEditor('a placeholder in the texts of a survey', () => {
	const here = useEditor();

	test('is sent when it is typed by hand', async () => {
		const { editor, connection } = here;
		const [recipient] = await connection.control<Array<{ surveyId: string }>>('GET', '/state/recipients');
		const surveyId = { __rl: true, mode: 'id', value: recipient?.surveyId };
		const survey = { resource: 'survey', operation: 'updateContent', surveyId };
		await openNodes(here, 'Placeholders', [{ name: 'By Hand', parameters: { ...survey, pages: '[]' } }]);
		await connection.control('DELETE', '/requests');
		await editor.openNode('By Hand');
		const field = editor.form.getByTestId('parameter-input-title').locator('input').first();
		await field.pressSequentially('How was it, [[name]]?');
		await editor.execute();
		const requests = await connection.control<LoggedRequest[]>('GET', '/requests');

		expect(requests.find(({ method }) => method === 'PUT')?.body).toMatchObject({
			title: 'How was it, {{name}}?',
		});
	});
});
