import { topLevel } from '../../../shared/operation/body';
import { idInPath } from '../../../shared/booking/locators';
import { operation } from '../../../shared/operation/contractFields';
import { articles } from '../../../shared/booking/records/article';
import { articleMapper, refuseUnchanged } from './articleFields';
import { SET_ASIDE, executeBatches, updateOfItem } from './batchUpdate.run';

export const batchUpdate = operation('article.batchUpdate', {
	name: 'Batch Update',
	action: 'Update articles in batches',
	description:
		'Change prices, names and attributes of articles: one article an input item, sent 50 a call. Only the fields given are changed.',
	pathFields: [
		idInPath('companyId', 'guid', {
			displayName: 'Company ID',
			name: 'companyId',
			placeholder: 'e.g. 7f0c1a52-6d0e-4b8f-9a44-2f6f0b8f3c01',
			description: 'GUID of the company that the articles belong to',
		}),
		idInPath('brandId', 'guid', {
			displayName: 'Brand ID',
			name: 'brandId',
			placeholder: 'e.g. 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
			description: 'GUID of the brand of the company that the articles belong to',
		}),
	],
	parameters: [
		{
			displayName: 'On Rejected Batch',
			name: 'onRejectedBatch',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Fail',
					value: 'fail',
					description: 'All or nothing for each call of 50 articles: when one is refused, none is changed',
				},
				{
					name: 'Set Rejected Articles Aside',
					value: SET_ASIDE,
					description:
						"Update the others. Each refused one goes to the error output with the field and the reason where 'On Error' is 'Continue (using error output)'. With 'Stop Workflow' the run stops once the others are updated.",
				},
			],
			default: 'fail',
			description: 'What to do when the service refuses a batch because of some of its articles',
		},
	],
	body: {
		sections: [topLevel(articleMapper)],
		example: {
			articleId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
			name: 'Toast Skagen',
			prices: { regular: { inclVat: 185 }, takeAway: { inclVat: 165 } },
			attributes: { allowDiscount: false, resetColor: true },
		},
		json: {
			description: 'One article as a JSON object, or { "items": [ … ] } with at most 50 articles',
			toBody: (given) => ('items' in given ? given : { items: [given] }),
		},
	},
	output: articles,
	preSend: refuseUnchanged,
	sendAll: updateOfItem,
	executeBatch: executeBatches,
});
