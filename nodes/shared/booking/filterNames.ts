import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InvalidValueError } from '../values/invalidValue';

/** Name of the unit filter: the documents do not show it. */
export const unitFilterNameOption: INodeProperties = {
	displayName: 'Unit Filter Name',
	name: 'unitIdsName',
	type: 'string',
	default: 'unitIds',
	description: 'Name of the query parameter for units, if your deployment uses another one',
};

/** @throws InvalidValueError when 'Unit Filter Name' under Options is no name */
export const unitIdsName = (options: IDataObject) =>
	filterName(options, 'unitIdsName', 'Unit Filter Name', 'unitIds');

/** @throws InvalidValueError when 'Article Category Filter Name' under Options is no name */
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
