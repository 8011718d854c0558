import type { INodeProperties } from 'n8n-workflow';
import get from 'lodash/get';
import map from 'lodash/map';
import omitBy from 'lodash/omitBy';

import { type Field, addValues } from '../form/fields';
import type { Section } from '../form/rows';
import { isBlankValue, refuseUnknownNames, unwrapLocator } from '../form/values';
import type { ItemContext } from '../operation/operation';

type Values = Record<string, unknown>;
type GetParameter = ItemContext['getParameter'];

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
	const blank = section.fields.filter(
		(field) => isBlankValue(values[field.property.name]) && isFilledByModel(field, stored),
	);
	for (const { property } of blank) item.omitted.blankFilters.add(property.displayName);
	const names = map(blank, 'property.name');
	return names.length === 0 ? values : omitBy(values, (_, name) => names.includes(name));
}

function isFilledByModel({ property }: Field, stored: unknown): boolean {
	return /\$fromAI\s*\(/i.test(String(unwrapLocator(get(stored, property.name))));
}

function valuesOf(section: Section, { getParameter }: ItemContext): Values {
	if (!section.collection) return valuesOfOpenFields(section, getParameter);
	const { name, displayName } = section.collection;
	const values = Object(getParameter(name)) as Values;
	refuseUnknownNames(values, map(section.fields, 'property.name'), displayName);
	return values;
}

/** @returns the values of the fields that are shown, by parameter name */
function valuesOfOpenFields({ fields }: Section, getParameter: GetParameter): Values {
	const values: Values = {};
	for (const { property } of fields)
		if (isShown(property, getParameter)) values[property.name] = getParameter(property.name);
	return values;
}

export function isShown({ displayOptions }: INodeProperties, getParameter: GetParameter): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(([name, values]) =>
		values?.includes(getParameter(name) as string),
	);
}
