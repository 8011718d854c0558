import { byId, testOperation } from '../support/operation';

const here = testOperation('surveyRecipient.getAll', {
	smallest: () => ({ parameters: {} }),
	fullest: ({ surveyId }) => ({
		parameters: { filters: { surveyId: byId(surveyId), status: [2, 4, 999] } },
		query: { surveyId, status: ['2', '4', '999'] },
	}),
});

test.each([
	['=Opened', ['3']],
	['={{ "responded, SENT" }}', ['4', '2']],
	['={{ ["Error", 0, " 5 "] }}', ['999', '0', '5']],
	['={{ "Template, Scheduled, Canceled, Deleted" }}', ['0', '1', '5', '6']],
])('filters by the names that it gives: %s', async (status, sent) => {
	const { error } = await here.run({ filters: { status } });

	expect(error).toBeUndefined();
	const [request] = await here.service.requests();
	expect([request?.query.status].flat()).toEqual(sent);
});
