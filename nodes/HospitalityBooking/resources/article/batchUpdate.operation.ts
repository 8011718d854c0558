import { operation } from '../../../shared/operation/declare';
import { choice, field } from '../../../shared/form/rows';
import { articleMapper, refuseUnchanged } from './articleFields';
import { ON_REJECTED_BATCH, SET_ASIDE, planBatches } from './batchUpdate.run';

export const batchUpdate = operation('article.batchUpdate', {
	name: 'Batch Update',
	action: 'Update articles in batches',
	description:
		'Change prices, names and attributes of articles: one article per input item, 50 per call. Only the fields given are changed.',
	pathFields: [
		field('Company ID', 'companyId', {
			description: 'GUID of the company that the articles belong to',
		}),
		field('Brand ID', 'brandId', {
			description: 'GUID of the brand of the company that the articles belong to',
		}),
	],
	parameters: [
		choice(
			'On Rejected Batch',
			ON_REJECTED_BATCH,
			[
				{
					name: 'Fail',
					value: 'fail',
					description:
						'All or nothing for each call of 50 articles: if one is rejected, none is changed',
				},
				{
					name: 'Set Rejected Articles Aside',
					value: SET_ASIDE,
					description:
						"Update the others. Each rejected one goes to the error output with the field and the reason if 'On Error' is 'Continue (using error output)'. With 'Stop Workflow' the run stops once the others are updated.",
				},
			],
			{
				description: 'What to do when the service rejects a batch because of some of its articles',
			},
		),
	],
	body: { sections: [articleMapper] },
	output: {
		schema: 'Article',
		id: 'articleId',
		simplified: {
			name: 'name',
			articleNumber: 'articleNumber',
			regularPrice: 'prices.regular.inclVat',
			takeAwayPrice: 'prices.takeAway.inclVat',
			conferencePrice: 'prices.conference.inclVat',
			customerFacingName: 'customerFacingName',
			publicationStatus: 'publicationStatus',
			color: 'attributes.color.hexValue',
			externalId: 'externalId',
			articleId: 'articleId',
		},
	},
	resultIsInBody: true,
	preSend: refuseUnchanged,
	planCalls: planBatches,
});
