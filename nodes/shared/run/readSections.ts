import type { INodeProperties } from 'n8n-workflow';
import get from 'lodash/get';
import map from 'lodash/map';
import omit from 'lodash/omit';

import { addValues } from '../form/fields';
import type { Section } from '../form/rows';
import { isBlankValue, refuseUnknownNames, unwrapLocator } from '../form/values';
import type { ItemContext } from '../operation/operation';

type Values = Record<string, unknown>;

/**
 * @returns the values of sections as they are sent
 * @throws InvalidValueError that names the parameter as displayed
 */
export function readSections(sections: readonly Section[], item: ItemContext): Values {
	const sent: Values = {};
	for (const section of sections)
		addValues(sent, section.fields, valuesOf(section, item), item.account);
	return sent;
}

/**
 * Like {@link readSections}, for what only reads. n8n makes every argument of a tool required, so that a model which wants no
 * filter leaves it blank: such a filter is none, and the result says so.
 */
export function readFilters(sections: readonly Section[], item: ItemContext): Values {
	const sent: Values = {};
	for (const section of sections) {
		const values = withoutBlanksOfModel(section, valuesOf(section, item), item);
		addValues(sent, section.fields, values, item.account);
	}
	return sent;
}

function withoutBlanksOfModel(section: Section, values: Values, item: ItemContext): Values {
	const stored: unknown = item.node.parameters[section.collection?.name ?? ''];
	const blank: string[] = [];
	for (const { property } of section.fields) {
		const { name, displayName } = property;
		if (!isBlankValue(values[name]) || !isFilledByModel(get(stored, name))) continue;
		item.omitted.blankFilters.add(displayName);
		blank.push(name);
	}
	return omit(values, blank);
}

/** @param stored a parameter as it stands in the workflow */
function isFilledByModel(stored: unknown): boolean {
	return /\$fromAI\s*\(/i.test(String(unwrapLocator(stored)));
}

/**
 * @returns what a section holds for an item, by parameter name; of fields that stand open, what is shown
 * @throws InvalidValueError for a name in a collection that it does not have
 */
export function valuesOf(section: Section, { getParameter }: ItemContext): Values {
	const { collection, fields } = section;
	if (collection) {
		const values = Object(getParameter(collection.name)) as Values;
		refuseUnknownNames(values, map(fields, 'property.name'), collection.displayName);
		return values;
	}
	const values: Values = {};
	for (const { property } of fields)
		if (isShown(property, getParameter)) values[property.name] = getParameter(property.name);
	return values;
}

function isShown(property: INodeProperties, getParameter: ItemContext['getParameter']): boolean {
	const conditions = Object.entries(property.displayOptions?.show ?? {});
	return conditions.every(([name, values]) => values?.includes(getParameter(name) as string));
}
