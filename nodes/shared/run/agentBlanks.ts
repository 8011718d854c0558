import get from 'lodash/get';
import omit from 'lodash/omit';

import type { Section } from '../form/rows';
import { hasNoValue, unwrapLocator } from '../form/values';
import type { ItemContext } from '../operation/operation';
import { type Values, valuesOf } from './readSections';

/**
 * Reads a section of what only reads, as valuesOf does. n8n makes every argument of a tool required, so an agent that wants no filter
 * has to send a blank one: such a filter is ignored, and the result says so. Changes are not treated like this.
 */
export function valuesWithoutAgentBlanks(section: Section, item: ItemContext): Values {
	const values = valuesOf(section, item);
	const stored: unknown = item.node.parameters[section.collection?.name ?? ''];
	const blank: string[] = [];
	for (const { property } of section.fields) {
		const { name, displayName } = property;
		if (!hasNoValue(values[name]) || !isFilledByAgent(get(stored, name))) continue;
		item.omitted.blankFilters.add(displayName);
		blank.push(name);
	}
	return omit(values, blank);
}

/** @param stored a parameter as it stands in the workflow */
function isFilledByAgent(stored: unknown): boolean {
	return /\$fromAI\s*\(/i.test(String(unwrapLocator(stored)));
}
