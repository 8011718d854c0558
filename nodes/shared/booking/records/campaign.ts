import type { OutputShape } from '../recordShape';

/** A campaign as an item (first document, 'Campaign'). */
export const campaign: OutputShape = {
	kind: 'record',
	schema: 'Campaign',
	simplified: {
		name: 'name',
		displayName: 'displayName',
		description: 'description',
		startDate: 'startDate',
		endDate: 'endDate',
		status: 'status',
		marketingEnabled: 'marketing.enabled',
		maxNumberOfOutcomes: 'maxNumberOfOutcomes',
		campaignId: 'campaignId',
		id: 'id',
	},
};
