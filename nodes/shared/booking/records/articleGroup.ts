import type { OutputShape } from '../recordShape';

/** An article group as an item (first document, 'ArticleGroup'). */
export const articleGroup: OutputShape = {
	kind: 'record',
	schema: 'ArticleGroup',
	simplified: {
		name: 'name',
		type: 'type',
		sortOrder: 'sortOrder',
		color: 'color',
		accountNumber: 'accountNumber',
		hidden: 'hidden',
		onePerGuest: 'onePerGuest',
		notRelevantForCheckout: 'notRelevantForCheckout',
		changeDate: 'changeDate',
		id: 'id',
	},
};
