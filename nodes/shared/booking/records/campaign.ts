import type { OutputShape } from '../recordShape';

/** A campaign as an item (first document, 'Campaign'). */
export const campaign: OutputShape = {
	kind: 'record',
	schema: 'Campaign',
	simplified: {
		id: 'id',
		campaignId: 'campaignId',
		name: 'name',
		displayName: 'displayName',
		description: 'description',
		status: 'status',
		startDate: 'startDate',
		endDate: 'endDate',
		maxNumberOfOutcomes: 'maxNumberOfOutcomes',
		marketingEnabled: 'marketing.enabled',
	},
};
