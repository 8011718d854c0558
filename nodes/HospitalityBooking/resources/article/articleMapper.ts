import get from 'lodash/get';

import { type Field, toObject } from '../../../shared/operation/fields';
import { withoutEmpty } from '../../../shared/operation/formValues';
import { InvalidValueError } from '../../../shared/values/invalidValue';
import { isRecord } from '../../../shared/values/record';
import { articleFields } from './articleFields';

/** The one article of an input item, as the list that the service takes. */
export const articleMapper: Field = {
	at: 'items',
	entries: articleFields,
	property: {
		displayName: 'Article',
		name: 'article',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		description:
			"The article and what to change of it. Empty fields are not sent. When mapping automatically, the input items' fields are matched by name, e.g. 'articleId', 'name' and 'pricesRegularInclVat' or 'prices.regular.inclVat'; others are left out.",
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getArticleFields',
				mode: 'add',
				valuesLabel: 'Values to Update',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: false,
				supportAutoMap: true,
			},
		},
	},
	serialize(value, timeZone) {
		const mapping = isRecord(value) ? value : {};
		const isAutomatic = mapping.mappingMode === 'autoMapInputData';
		const values = withoutEmpty(isAutomatic ? fromInput(mapping.value) : fromForm(mapping));
		if (values.articleId === undefined)
			throw new InvalidValueError(
				'Article ID',
				'is empty',
				isAutomatic ? "Name the input field with the article's GUID 'articleId'" : 'Enter a GUID',
			);
		if (isAutomatic && Object.keys(values).length === 1)
			throw new InvalidValueError(
				'Article',
				'finds nothing to change in the input item',
				`Name its fields as those of an article: ${articleFields.map(({ property }) => property.name).join(', ')}`,
			);
		return [toObject(articleFields, values, timeZone)];
	},
};

/** By the name of a field or by its path in the article, the latter as a dotted name or as objects. */
function fromInput(json: unknown): Record<string, unknown> {
	const item = isRecord(json) ? json : {};
	return Object.fromEntries(
		articleFields.map(({ at, property: { name } }) => [name, item[name] ?? get(item, at)]),
	);
}

/** n8n keeps a value of false for each switch, also for those that were not added to the form. */
function fromForm({ value, schema }: Record<string, unknown>): Record<string, unknown> {
	const hidden = (Array.isArray(schema) ? schema : [])
		.filter(isRecord)
		.filter(({ removed }) => removed === true)
		.map(({ id }) => id);
	const values = Object.entries(isRecord(value) ? value : {});
	return Object.fromEntries(values.filter(([name]) => !hidden.includes(name)));
}
