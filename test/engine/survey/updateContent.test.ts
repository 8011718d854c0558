import { fromFields, fullBody } from '../support/body';
import { byId, expressionOf, testOperation } from '../support/operation';

const body = fullBody('survey.updateContent');
const layout = { '': ['title', 'pages'], additionalFields: ['description', 'confirmationText'] };

testOperation('survey.updateContent', {
	path: ({ surveyId }) => ({ id: surveyId }),
	smallest: ({ surveyId }) => ({
		parameters: { surveyId: byId(surveyId), title: 'Dinner', pages: '[]' },
		body: { title: 'Dinner', pages: [] },
	}),
	fullest: ({ surveyId }) => ({
		parameters: { surveyId: byId(surveyId), ...fromFields(body, layout, { json: ['pages'] }) },
		body,
	}),
	refuses: [
		['an empty title', { title: expressionOf('') }, "'Title' is empty"],
		['pages that are no list', { pages: '{}' }, "'Pages' is of another type"],
		[
			'a question without a title',
			{ pages: '[{"sections":[{"questions":[{"id":1}]}]}]' },
			"'Pages 1: sections[0].questions[0].title' is missing",
		],
	],
});
