import type { FieldType, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import filter from 'lodash/filter';
import map from 'lodash/map';
import omitBy from 'lodash/omitBy';

import { sourceOfId } from '../../../shared/booking/idSources';
import { field } from '../../../shared/form/rows';
import { usesJson } from '../../../shared/operation/nodeForm';
import { hasValue } from '../../../shared/run/readBody';
import { requestBodies } from '../../../shared/contract/calls';
import { type Field, toObject } from '../../../shared/form/fields';
import { makeField } from '../../../shared/form/makeField';
import { isBlankParameter, refuseUnknownNames } from '../../../shared/form/values';
import type { ItemContext, ItemRequest } from '../../../shared/operation/operation';
import { InvalidValueError } from '../../../shared/values/invalidValue';
import { isRecord } from '../../../shared/values/record';
import { ColumnReader } from './columns';

/** What the contract says about an article of a batch. */
const articleSchema = requestBodies.ArticleBatchRequest?.properties?.items?.items;

/** The fields of an article. A price list may name its columns after them in several ways, which `columns.ts` reads. */
export const articleFields: readonly Field[] = [
	field('Article ID', 'articleId', { as: 'guid' }),
	field('Name', 'name'),
	field('Description', 'description'),
	field('Customer Facing Name', 'customerFacingName'),
	field('Customer Facing Description', 'customerFacingDescription'),
	field('Regular Price Incl. VAT', 'prices.regular.inclVat'),
	field('Regular Price Excl. VAT', 'prices.regular.exclVat'),
	field('Take-Away Price Incl. VAT', 'prices.takeAway.inclVat'),
	field('Take-Away Price Excl. VAT', 'prices.takeAway.exclVat'),
	field('Conference Price Incl. VAT', 'prices.conference.inclVat'),
	field('Conference Price Excl. VAT', 'prices.conference.exclVat'),
	field('Color (Hex)', 'attributes.colorHexValue'),
	field('Allow Discount', 'attributes.allowDiscount'),
	field('Allow Price Override', 'attributes.allowPriceOverride'),
	field('Sales Unit', 'attributes.salesUnit'),
	field('Keep Stock Balance', 'attributes.keepStockBalance'),
	field('Loyalty Contributing', 'attributes.isLoyaltyContributing'),
	field('Age Restriction', 'attributes.ageRestriction'),
	field('Not for Sale', 'attributes.nonSale'),
	field('Reset Color', 'attributes.resetColor'),
	field('Reset Allow Discount', 'attributes.resetAllowDiscount'),
	field('Reset Allow Price Override', 'attributes.resetAllowPriceOverride'),
	field('Reset Sales Unit', 'attributes.resetSalesUnit'),
	field('Reset Keep Stock Balance', 'attributes.resetKeepStockBalance'),
	field('Reset Loyalty Contributing', 'attributes.resetIsLoyaltyContributing'),
	field('Reset Age Restriction', 'attributes.resetAgeRestriction'),
	field('Reset Not for Sale', 'attributes.resetNonSale'),
].map((row) => makeField(row, articleSchema));

const FIELD_NAMES = map(articleFields, 'property.name');

const TYPES: Partial<Record<string, FieldType>> = {
	number: 'number',
	boolean: 'boolean',
};

/** The fields of an article that can be updated, for the resource mapper. */
export async function getArticleFields(): Promise<ResourceMapperFields> {
	const fields = articleFields.map(({ property }): ResourceMapperField => {
		const { name, displayName, type, required = false } = property;
		return {
			id: name,
			displayName,
			type: TYPES[type] ?? 'string',
			required,
			display: true,
			removed: !required,
			defaultMatch: false,
			canBeUsedToMatch: required,
		};
	});
	return { fields };
}

const AUTOMATIC = 'autoMapInputData';

/** The one article of an input item, as the list that the service takes. */
export const articleMapper: Field = {
	path: 'items',
	entries: articleFields,
	property: {
		displayName: 'Article',
		name: 'article',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		description:
			"The article and its new values. Empty fields are not sent. Automatic mapping takes columns named like a field, e.g. 'Regular Price Incl. VAT' or 'prices.regular.inclVat'; other columns are not sent.",
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
	serialize(value, timeZone = 'UTC') {
		const mapping = isRecord(value) ? value : {};
		const isAutomatic = mapping.mappingMode === AUTOMATIC;
		const given = isAutomatic ? readColumns(mapping.value).values : mappedByHand(mapping);
		const values = omitBy(given, isBlankParameter);
		if (values.articleId !== undefined) return [toObject(articleFields, values, timeZone)];
		const hint = isAutomatic ? COLUMN_OF_IDS : 'Enter a GUID';
		const source = sourceOfId('Article ID') ?? '';
		throw new InvalidValueError('Article ID', 'is empty', hint).withHint(source);
	},
};

const COLUMN_OF_IDS = "Name the column with the article's GUID 'Article ID'";

const columnReader = new ColumnReader(articleFields);

function readColumns(json: unknown) {
	return columnReader.read(Object(json) as Record<string, unknown>);
}

/** @returns the columns of an input item that automatic mapping does not send; none if fields are mapped by hand */
function unsentColumns(mapping: unknown) {
	if (!isRecord(mapping) || mapping.mappingMode !== AUTOMATIC) return [];
	return readColumns(mapping.value).unmatched;
}

/** n8n stores false for each switch, including those that were not added to the form. */
function mappedByHand(mapping: Record<string, unknown>): Record<string, unknown> {
	const { value, schema } = mapping;
	const fields = Array.isArray(schema) ? schema.filter(isRecord) : [];
	const hidden = map(filter(fields, { removed: true }), 'id');
	const values = Object(value) as Record<string, unknown>;
	const mapped = omitBy(values, (_, name) => hidden.includes(name));
	refuseUnknownNames(mapped, FIELD_NAMES, 'Article');
	return mapped;
}

/** @throws InvalidValueError where the item has no article, or one with nothing to change */
export function refuseUnchanged(item: ItemContext, { body }: ItemRequest): void {
	const { items } = body as { items: Array<Record<string, unknown>> };
	const isJson = usesJson(item);
	if (!isJson) {
		const mapping = item.getParameter(articleMapper.property.name);
		for (const column of unsentColumns(mapping)) item.omitted.addColumn(column);
	}
	if (items.length === 0) {
		const hint = 'Enter at least one article with its new values';
		throw new InvalidValueError('JSON: items', 'is empty', hint);
	}
	const unchanged = items.findIndex((article) => !hasChange(article));
	if (unchanged < 0) return;
	const label = isJson ? `JSON: items[${unchanged}]` : 'Article';
	const hint = `Enter at least one value besides 'Article ID'. The fields are: ${FIELD_NAMES.join(', ')}`;
	throw new InvalidValueError(label, 'has nothing to change', hint);
}

function hasChange(article: Record<string, unknown>) {
	const { articleId: _, attributes, ...changes } = article;
	if (hasValue(changes)) return true;
	return hasValue(attributes && omitBy(attributes, isNoOp));
}

/** A false reset flag is a no-op. */
function isNoOp(value: unknown, name: string) {
	return name.startsWith('reset') && value === false;
}
