import get from 'lodash/get';
import omit from 'lodash/omit';

import type { Section } from '../form/rows';
import { hasNoValue, unwrapLocator } from '../form/values';
import type { ItemContext } from '../operation/operation';
import { asText } from '../values/asText';
import { type Values, valuesOf } from './readSections';

/**
 * Reads the filters of a call that only reads, without those that an AI agent has left blank. n8n makes every argument of a tool required,
 * so an agent that wants no filter has to send a blank one. The result of the tool says so, see `reportOmitted.ts`. Calls that change
 * something are not read like this.
 */
export function valuesWithoutAgentBlanks(section: Section, item: ItemContext): Values {
	const values = valuesOf(section, item);
	const parameter = section.collection?.name ?? '';
	const stored: unknown = item.node.parameters[parameter];
	const blank: string[] = [];
	for (const { property } of section.fields) {
		const { name } = property;
		if (!hasNoValue(values[name])) continue;
		const entered: unknown = get(stored, name);
		if (!isFilledByAgent(entered)) continue;
		item.omitted.blankFilters.add(property.displayName);
		blank.push(name);
	}
	return omit(values, blank);
}

/** @param entered a parameter as it stands in the workflow */
function isFilledByAgent(entered: unknown): boolean {
	const text = asText(unwrapLocator(entered));
	return /\$fromAI\s*\(/i.test(text);
}
