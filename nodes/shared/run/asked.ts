import type { Section } from '../form/rows';
import { filledIn, hasNoValue } from '../form/values';
import type { ItemContext, Operation } from '../operation/operation';
import { quoted } from '../values/plainText';
import { valuesOf } from './readSections';

/** @returns what an item asks for, in the words of the form: `'Day' today, 'Search' Lind` */
export function describeAsked(item: ItemContext, operation: Operation): string {
	const { pathFields = [], parameters = [], query = [] } = operation;
	const asked: string[] = [];
	const sections: Section[] = [{ fields: pathFields }, { fields: parameters }];
	for (const section of sections.concat(query)) {
		const values = valuesOf(section, item);
		for (const { property } of section.fields) {
			if (!(property.name in values)) continue;
			const initial = section.collection ? undefined : property.default;
			const shown = filledIn(values[property.name] ?? initial);
			if (!hasNoValue(shown)) asked.push(`'${property.displayName}' ${quoted(shown)}`);
		}
	}
	return asked.join(', ');
}
