import { type Field, decimal, boolean, identifier, integer, string } from '../../../shared/operation/fields';

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
