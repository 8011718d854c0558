import { type Form, GUID, prepare } from '../../../../support/sampleForm';
import { rowOf } from '../../../support/execution';

const SURVEY = { surveyId: GUID, options: {} };

/** The texts of a survey, wherever they stand. */
const formsWith = (text: string): Form[] => [
	{
		...SURVEY,
		title: text,
		pages: JSON.stringify([{ title: text, sections: [{ title: text, questions: [] }] }]),
		additionalFields: { confirmationText: text },
	},
	{
		...SURVEY,
		bodyMode: 'json',
		jsonBody: {
			title: text,
			pages: [{ title: text, sections: [{ title: text, questions: [] }] }],
			confirmationText: text,
		},
	},
];

test.each([
	{ entered: 'Thank you, [[name]]!', sent: 'Thank you, {{name}}!' },
	{ entered: '[[ first_name ]] [[låt.2-b]]', sent: '{{first_name}} {{låt.2-b}}' },
	{ entered: '[name] [[two words]] [[]]', sent: '[name] [[two words]] [[]]' },
])('$entered goes out as $sent, in every text', async ({ entered, sent }) => {
	for (const form of formsWith(entered)) {
		const { body } = await prepare(rowOf('survey.updateContent'), form);

		expect(body).toMatchObject({
			title: sent,
			pages: [{ title: sent, sections: [{ title: sent }] }],
			confirmationText: sent,
		});
	}
});
