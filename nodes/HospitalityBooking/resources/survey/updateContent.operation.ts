import { collection, topLevel } from '../../../shared/operation/body';
import { field, operation } from '../../../shared/operation/contractFields';
import { surveyInPath } from '../../../shared/booking/locators';
import { survey } from '../../../shared/booking/records/survey';
import { withPlaceholders } from './placeholders';

const PLACEHOLDER_HINT =
	"Write <code>[[name]]</code> where a value of each recipient is to stand, by its name in the recipient's 'replaceParams', e.g. <code>How was it, [[name]]?</code> This works in every text of the survey.";

export const updateContent = operation('survey.updateContent', {
	name: 'Update Content',
	action: 'Update content of survey',
	description: 'Replace the content of a survey template: its title, texts, pages and questions',
	record: 'path',
	pathFields: [surveyInPath],
	body: {
		sections: [
			topLevel(
				field('Title', 'title', {
					required: true,
					placeholder: 'e.g. How was your dinner, [[name]]?',
					description: 'Title of the survey',
					hint: PLACEHOLDER_HINT,
				}),
				field('Pages', 'pages', {
					isJson: true,
					required: true,
					typeOptions: { rows: 16 },
					description:
						"All pages: a list of { title, description, sections }, each section { title, description, questions }. A question has a 'title' and a 'questionType': 1 with 'questionText', 2 with 'questionScale' (0 is allowed, but not described). These pages replace the present ones.",
				}),
			),
			collection('Additional Fields', 'additionalFields', [
				field('Description', 'description', {
					placeholder: 'e.g. It takes a minute.',
					description: 'Shown below the title. May hold placeholders such as [[name]].',
				}),
				field('Confirmation Text', 'confirmationText', {
					placeholder: 'e.g. Thank you, [[name]]!',
					description: 'Shown when the survey has been answered. May hold placeholders such as [[name]].',
				}),
			]),
		],
	},
	output: survey,
	preSend: (_item, request) => {
		request.body = withPlaceholders(request.body);
	},
});
