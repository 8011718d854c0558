import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InvalidValueError } from '../../../shared/invalidValue';

export const DEFAULT_DAYS_PER_CALL = 31;

const shownForGetAll = { show: { '/resource': ['webBooking'], '/operation': ['getAll'] } };

/** Options of 'Get many web bookings' alone: the names of the filters are not shown in the documents. */
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
	{
		displayName: 'Unit Filter Name',
		name: 'unitIdsName',
		type: 'string',
		default: 'unitIds',
		description: 'Name of the query parameter for units, if your deployment uses another one',
		displayOptions: shownForGetAll,
	},
];

export const unitIdsName = (options: IDataObject) =>
	filterName(options, 'unitIdsName', 'Unit Filter Name', 'unitIds');

export const articleCategoryIdsName = (options: IDataObject) =>
	filterName(options, 'articleCategoryIdsName', 'Article Category Filter Name', 'articleCategoryIds');

function filterName(options: IDataObject, name: string, label: string, standard: string): string {
	const value = options[name] ?? standard;
	if (typeof value === 'string' && /^[\w.[\]-]+$/.test(value)) return value;
	throw new InvalidValueError(
		label,
		'is not a usable name',
		`Enter the name of a query parameter, e.g. ${standard}`,
	);
}
