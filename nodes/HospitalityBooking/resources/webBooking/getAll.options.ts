import type { INodeProperties } from 'n8n-workflow';

import { unitFilterNameOption } from '../../../shared/booking/filterNames';

export const DEFAULT_DAYS_PER_CALL = 31;

const shownForGetAll = { show: { '/resource': ['webBooking'], '/operation': ['getAll'] } };

/** Options of 'Get many web bookings' alone: the contract does not give the names of the two filters. */
export const getAllOptions: INodeProperties[] = [
	{
		displayName: 'Article Category Filter Name',
		name: 'articleCategoryIdsName',
		type: 'string',
		default: 'articleCategoryIds',
		description: 'Name of the query parameter for article categories, if your deployment uses another one',
		displayOptions: shownForGetAll,
	},
	{
		displayName: 'Days per Call',
		name: 'daysPerCall',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_DAYS_PER_CALL,
		description: 'A longer period is fetched in slices of this many days, one call each',
		displayOptions: shownForGetAll,
	},
	{ ...unitFilterNameOption, displayOptions: shownForGetAll },
];
