import type { INodeProperties } from 'n8n-workflow';
import map from 'lodash/map';

import { addValues } from '../form/fields';
import type { Section } from '../form/rows';
import { refuseUnknownNames } from '../form/values';
import type { ItemContext } from '../operation/operation';

export type Values = Record<string, unknown>;

/**
 * @param read what reads a section's values from the form
 * @returns the values of sections as they are sent
 * @throws InvalidValueError that names the parameter as displayed
 */
export function readSections(
	sections: readonly Section[],
	item: ItemContext,
	read: (section: Section, item: ItemContext) => Values = valuesOf,
): Values {
	const sent: Values = {};
	for (const section of sections) {
		const values = read(section, item);
		addValues(sent, section.fields, values, item.account);
	}
	return sent;
}

/**
 * @returns what a section holds for an item, by parameter name; of fields that stand open, what is shown
 * @throws InvalidValueError for a name in a collection that it does not have
 */
export function valuesOf(section: Section, { getParameter }: ItemContext): Values {
	const { collection, fields } = section;
	if (collection) {
		const values = Object(getParameter(collection.name)) as Values;
		const names = map(fields, 'property.name');
		refuseUnknownNames(values, names, collection.displayName);
		return values;
	}
	const values: Values = {};
	for (const { property } of fields) {
		const { name } = property;
		if (isShown(property, getParameter)) values[name] = getParameter(name);
	}
	return values;
}

function isShown(property: INodeProperties, getParameter: ItemContext['getParameter']): boolean {
	const { show = {} } = property.displayOptions ?? {};
	return Object.entries(show).every(([name, values]) => {
		const value = getParameter(name) as string;
		return values?.includes(value);
	});
}
