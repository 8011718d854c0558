import { collection, topLevel } from '../../../shared/operation/body';
import { field, operation } from '../../../shared/operation/contractFields';
import { surveyInPath } from '../../../shared/booking/locators';
import { survey } from '../../../shared/booking/records/survey';
import { withPlaceholders } from './placeholders';

const PLACEHOLDER_HINT =
	"Write <code>[[name]]</code> where a value of each recipient is to stand, by its name in the recipient's 'replaceParams', e.g. <code>How was it, [[name]]?</code> This works in every text of the survey.";

const pages = [
	{
		title: 'Your visit',
		description: 'Two questions about the evening',
		sections: [
			{
				title: 'Overall',
				description: 'From 1 to 5, and in your own words',
				questions: [
					{
						id: 1,
						ref: 'overall',
						title: 'How pleased were you?',
						description: 'All in all',
						required: true,
						questionType: 2,
						questionScale: { min: 1, max: 5, minLabel: 'Not at all', maxLabel: 'Very', value: null },
					},
					{
						id: 2,
						ref: 'words',
						title: 'What should we do better?',
						required: false,
						questionType: 1,
						questionText: { multiLine: true, value: null },
					},
				],
			},
		],
	},
];

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
					example: pages,
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
		example: {
			title: 'How was your dinner?',
			description: 'It takes a minute.',
			confirmationText: 'Thank you!',
			pages,
		},
	},
	output: survey,
	preSend: (_item, request) => {
		request.body = withPlaceholders(request.body);
	},
});
