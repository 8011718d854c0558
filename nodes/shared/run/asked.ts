import type { Field } from '../form/fields';
import { filledIn, isBlankValue } from '../form/values';
import type { ItemContext, Operation } from '../operation/operation';
import { quoted } from '../values/plainText';
import { isShown } from './readSections';

/** @returns what an item asks for, in the words of the form: `'Day' today, 'Search' Lind` */
export function describeAsked(item: ItemContext, operation: Operation): string {
	const { pathFields = [], parameters = [], query = [] } = operation;
	const asked: string[] = [];

	function add({ property }: Field, value: unknown): void {
		const shown = filledIn(value);
		if (!isBlankValue(shown)) asked.push(`'${property.displayName}' ${quoted(shown)}`);
	}

	for (const { collection, fields } of [{ fields: pathFields }, { fields: parameters }, ...query]) {
		const values = collection && (Object(item.getParameter(collection.name)) as object);
		for (const field of fields) {
			const { name, default: initial } = field.property;
			if (values) add(field, values[name as keyof typeof values]);
			else if (isShown(field.property, item.getParameter))
				add(field, item.getParameter(name) ?? initial);
		}
	}
	return asked.join(', ');
}
