import { byId, testOperation } from '../support/operation';

const here = testOperation('surveyRecipient.getWithSurvey', {
	path: ({ recipientId }) => ({ id: recipientId }),
	smallest: ({ recipientId }) => ({ parameters: { surveyRecipientId: byId(recipientId) } }),
	fullest: ({ recipientId }) => ({
		parameters: {
			surveyRecipientId: byId(recipientId),
			output: 'raw',
		},
	}),
	perItem: { surveyRecipientId: byId('={{ $json.recipientId }}') },
});

test('gives a recipient who has responded without the survey', async () => {
	const recipients = await here.service.stored('recipients');
	const id = recipients.find(({ status }) => status === 4)?.id ?? '';
	const [item] = (await here.run({ surveyRecipientId: byId(id) })).json();

	expect(item).toMatchObject({ id, statusName: 'Responded', surveyTitle: null, questions: [] });
});
