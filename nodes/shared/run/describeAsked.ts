import type { Section } from '../form/rows';
import { filledIn, hasNoValue } from '../form/values';
import type { ItemContext, Operation } from '../operation/operation';
import { quoted } from '../values/plainText';
import { valuesOf } from './readSections';

/** @returns what an item asks for, in the words of the form: `'Day' today, 'Search' Lind` */
export function describeAsked(item: ItemContext, operation: Operation): string {
	const { pathFields = [], parameters = [], query = [] } = operation;
	const open: Section = { fields: pathFields.concat(parameters) };
	const asked: string[] = [];
	for (const section of [open].concat(query)) {
		const values = valuesOf(section, item);
		for (const { property } of section.fields) {
			const { name, displayName } = property;
			if (!(name in values)) continue;
			let value = values[name];
			// A field that stands open has its default until a person fills it in.
			if (!section.collection) value ??= property.default;
			const shown = filledIn(value);
			if (hasNoValue(shown)) continue;
			asked.push(`'${displayName}' ${quoted(shown)}`);
		}
	}
	return asked.join(', ');
}
