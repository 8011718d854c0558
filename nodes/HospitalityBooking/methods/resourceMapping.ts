import type { FieldType, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';

import { articleFields } from '../resources/article/articleFields';

const TYPES: Partial<Record<string, FieldType>> = { number: 'number', boolean: 'boolean' };

/** The fields of an article that can be updated, for the resource mapper. */
export async function getArticleFields(): Promise<ResourceMapperFields> {
	return {
		fields: articleFields.map(
			({ property: { name, displayName, type, required = false } }): ResourceMapperField => ({
				id: name,
				displayName,
				type: TYPES[type] ?? 'string',
				required,
				display: true,
				removed: !required,
				defaultMatch: false,
				canBeUsedToMatch: required,
			}),
		),
	};
}
