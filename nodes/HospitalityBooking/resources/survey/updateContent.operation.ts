import { operation } from '../../../shared/operation/declare';
import { refuseEmptyReplacement } from '../../../shared/operation/replacement';
import { collection, field, recordId } from '../../../shared/form/rows';
import { timeAt } from '../../../shared/output/recordShape';
import { questionTitles } from '../../../shared/booking/outputColumns';

const PLACEHOLDER_HINT =
	"Write <code>[[name]]</code> in any text to insert a value of the recipient's 'replaceParams'";

export const updateContent = operation('survey.updateContent', {
	name: 'Update Content',
	action: 'Update content of survey, replacing all pages',
	description: 'Replace the content of a survey template: its title, texts, pages and questions',
	pathFields: [{ ...recordId('Survey'), as: 'guid' }],
	body: {
		sections: [
			field('Title', 'title', { hint: PLACEHOLDER_HINT }),
			field('Pages', 'pages', {
				as: 'json',
				typeOptions: { rows: 16 },
				hint: 'e.g. <code>[ { "title": "Visit", "sections": [ { "title": "Food", "questions": [ { "title": "Liked it?", "questionType": 2, "questionScale": { "min": 1, "max": 5 } } ] } ] } ]</code>',
				description:
					"All pages, which replace the current ones. 'questionType' is 1 with 'questionText', 2 with 'questionScale' (the API does not describe 0).",
			}),
			collection('Additional Fields', 'additionalFields', [
				field('Description', 'description', {
					description: 'Shown below the title',
				}),
				field('Confirmation Text', 'confirmationText', {
					description: 'Shown when the survey has been answered',
				}),
			]),
		],
	},
	output: {
		simplified: {
			title: 'content.title',
			questions: questionTitles,
			status: 'status',
			statusMessage: 'statusMessage',
			changedTime: timeAt('changedTime'),
			changedBy: 'changedBy',
			createdTime: timeAt('createdTime'),
			createdBy: 'createdBy',
			revision: 'revision',
			id: 'id',
		},
	},
	preSend(item, request) {
		const { pages } = Object(request.body) as Record<string, unknown>;
		refuseEmptyReplacement(item, 'Pages', pages);
		request.body = withPlaceholders(request.body);
	},
});

const IN_SQUARE_BRACKETS = /\[\[\s*([\p{L}\p{N}_.-]+)\s*\]\]/gu;

/** The service fills in `{{name}}` for each recipient, but n8n reads that as an expression: people write `[[name]]` instead. */
function withPlaceholders(body: unknown): unknown {
	return JSON.parse(JSON.stringify(body), (_name, value: unknown) =>
		typeof value === 'string' ? value.replace(IN_SQUARE_BRACKETS, '{{$1}}') : value,
	);
}
