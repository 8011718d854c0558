import get from 'lodash/get';

import { USING_JSON } from '../../../shared/operation/body';
import {
	type Field,
	boolean,
	decimal,
	identifier,
	integer,
	string,
	toObject,
} from '../../../shared/operation/fields';
import { withoutEmpty } from '../../../shared/operation/formValues';
import type { ItemContext } from '../../../shared/operation/itemContext';
import type { ItemRequest } from '../../../shared/operation/operation';
import { InvalidValueError } from '../../../shared/values/invalidValue';
import { isRecord } from '../../../shared/values/record';

/** What can be changed of an article. */
export const articleFields: readonly Field[] = [
	identifier('Article ID', 'articleId', 'guid', { required: true }),
	string('Name', 'name'),
	string('Description', 'description'),
	string('Customer Facing Name', 'customerFacingName'),
	string('Customer Facing Description', 'customerFacingDescription'),
	decimal('Regular Price Incl. VAT', 'prices.regular.inclVat'),
	decimal('Regular Price Excl. VAT', 'prices.regular.exclVat'),
	decimal('Take-Away Price Incl. VAT', 'prices.takeAway.inclVat'),
	decimal('Take-Away Price Excl. VAT', 'prices.takeAway.exclVat'),
	decimal('Conference Price Incl. VAT', 'prices.conference.inclVat'),
	decimal('Conference Price Excl. VAT', 'prices.conference.exclVat'),
	string('Color (Hex)', 'attributes.colorHexValue'),
	boolean('Allow Discount', 'attributes.allowDiscount', 'Whether the article can be sold at a discount'),
	boolean(
		'Allow Price Override',
		'attributes.allowPriceOverride',
		'Whether the price can be changed when the article is sold',
	),
	string('Sales Unit', 'attributes.salesUnit'),
	boolean('Keep Stock Balance', 'attributes.keepStockBalance', 'Whether stock is kept of the article'),
	boolean(
		'Loyalty Contributing',
		'attributes.isLoyaltyContributing',
		'Whether the article counts towards the loyalty scheme',
	),
	integer('Age Restriction', 'attributes.ageRestriction'),
	boolean('Not for Sale', 'attributes.nonSale', 'Whether the article is not for sale'),
	reset('Color', 'attributes.resetColor'),
	reset('Allow Discount', 'attributes.resetAllowDiscount'),
	reset('Allow Price Override', 'attributes.resetAllowPriceOverride'),
	reset('Sales Unit', 'attributes.resetSalesUnit'),
	reset('Keep Stock Balance', 'attributes.resetKeepStockBalance'),
	reset('Loyalty Contributing', 'attributes.resetIsLoyaltyContributing'),
	reset('Age Restriction', 'attributes.resetAgeRestriction'),
	reset('Not for Sale', 'attributes.resetNonSale'),
];

function reset(displayName: string, at: string): Field {
	return boolean(`Reset ${displayName}`, at, `Whether to go back to the inherited value of '${displayName}'`);
}

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
				'has no matching fields in the input item',
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

/** @throws InvalidValueError where the item has no article, or one with nothing to change */
export function refuseUnchanged({ read }: ItemContext, { body }: ItemRequest): void {
	const { items } = body as { items: Array<Record<string, unknown>> };
	const usesJson = read('bodyMode') === USING_JSON;
	if (items.length === 0)
		throw new InvalidValueError(
			'JSON: items',
			'is empty',
			'Give at least one article, with what to change of it',
		);
	const unchanged = items.findIndex(({ articleId: _, ...changes }) => !hasValue(changes));
	if (unchanged < 0) return;
	throw new InvalidValueError(
		usesJson ? `JSON: items[${unchanged}]` : 'Article',
		'has nothing to change',
		"Give at least one value besides 'Article ID'",
	);
}

/** A false reset flag is a no-op. */
function hasValue(value: unknown): boolean {
	if (!isRecord(value)) return value !== undefined;
	return Object.entries(value).some(
		([name, own]) => !(name.startsWith('reset') && own === false) && hasValue(own),
	);
}
