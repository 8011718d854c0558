import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { type Field, sortedByName } from './fields';
import { isEmptyValue } from './formValues';

/** A part of a form: fields that stand open, or a collection of optional ones. */
export interface Section<F = Field> {
	fields: readonly F[];
	/** Without one the fields stand open. */
	collection?: CollectionLook & { displayName: string; name: string };
	/** Whether the fields name the record: they stand above 'Values' and are needed either way. */
	namesRecord?: true;
	/** The choice that the fields stand open for. */
	shownFor?: { parameter: string; value: string };
}

export type CollectionLook = Pick<INodeProperties, 'description' | 'placeholder'>;

/** The parameters of a section. */
export function sectionProperties({ collection: own, fields, shownFor }: Section): INodeProperties[] {
	const properties = fields.map(({ property }) => property);
	if (own) {
		const options = sortedByName(properties);
		return [{ placeholder: 'Add Field', ...own, type: 'collection', default: {}, options }];
	}
	if (!shownFor) return properties;
	return updateDisplayOptions({ show: { [shownFor.parameter]: [shownFor.value] } }, properties);
}

/**
 * Reads what a section holds; an optional field at the top level that is empty is left out.
 *
 * @returns the values by parameter name
 * @throws InvalidValueError for a required one at the top level that is empty
 */
export function readSection(
	{ collection: own, fields, shownFor }: Section,
	read: (name: string) => unknown,
): Record<string, unknown> {
	if (shownFor && read(shownFor.parameter) !== shownFor.value) return {};
	if (own) {
		const values = read(own.name);
		return isRecord(values) ? values : {};
	}
	const values = fields.map(({ property: { name, displayName, required } }) => {
		const value = read(name);
		const isEmpty = isEmptyValue(value);
		if (isEmpty && required)
			throw new InvalidValueError(displayName, 'is empty', 'Fill it in: the service needs it');
		return [name, isEmpty ? undefined : value];
	});
	return Object.fromEntries(values) as Record<string, unknown>;
}
