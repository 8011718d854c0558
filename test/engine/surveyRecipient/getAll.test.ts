import { testOperation } from '../support/operation';

testOperation('surveyRecipient.getAll', {
	smallest: () => ({ parameters: {} }),
	fullest: ({ surveyId }) => ({
		parameters: { filters: { surveyId, status: [2, 4, 999] } },
		query: { surveyId, status: ['2', '4', '999'] },
	}),
});
