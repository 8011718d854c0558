import merge from 'lodash/merge.js';
import { ACCOUNT } from '../info.ts';
import type { FieldError } from '../http/serviceError.ts';
import { ServiceError } from '../http/serviceError.ts';
import { sameCase } from '../state/collection.ts';
import type { ArticleAttributes, Price, StoredArticle } from '../state/records.ts';
import type { State } from '../state/state.ts';
import { ok, type Route } from './route.ts';

const RESETS = {
	resetColor: 'colorHexValue',
	resetAllowDiscount: 'allowDiscount',
	resetAllowPriceOverride: 'allowPriceOverride',
	resetSalesUnit: 'salesUnit',
	resetKeepStockBalance: 'keepStockBalance',
	resetIsLoyaltyContributing: 'isLoyaltyContributing',
	resetAgeRestriction: 'ageRestriction',
	resetNonSale: 'nonSale',
} as const satisfies Record<string, keyof ArticleAttributes>;

type Reset = keyof typeof RESETS;

const ATTRIBUTES = Object.values(RESETS);

const COLOR_NAMES: Record<string, string> = {
	'#2e7d32': 'Green',
	'#6a1b9a': 'Purple',
	'#ef6c00': 'Orange',
};

type Texts = Pick<
	StoredArticle,
	'name' | 'description' | 'customerFacingName' | 'customerFacingDescription'
>;

interface ArticleUpdate extends Partial<Texts> {
	articleId: string;
	prices?: { regular?: Partial<Price>; takeAway?: Partial<Price>; conference?: Partial<Price> };
	attributes?: Partial<ArticleAttributes> & Partial<Record<Reset, boolean>>;
}

/** Sets the given values; a reset flag then removes the article's own value in favor of the inherited one. */
function attributesAfter(
	own: Partial<ArticleAttributes>,
	update: NonNullable<ArticleUpdate['attributes']>,
): Partial<ArticleAttributes> {
	const reset = new Set(
		(Object.keys(RESETS) as Reset[]).filter((flag) => update[flag]).map((flag) => RESETS[flag]),
	);
	const values = ATTRIBUTES.filter((name) => !reset.has(name)).map((name) => [
		name,
		update[name] ?? own[name],
	]);
	return Object.fromEntries(
		values.filter(([, value]) => value !== undefined),
	) as Partial<ArticleAttributes>;
}

function updated(
	article: StoredArticle,
	{ prices, attributes = {}, ...given }: ArticleUpdate,
): StoredArticle {
	const ownAttributes = attributesAfter(article.ownAttributes, attributes);
	return {
		...article,
		...given,
		articleId: article.articleId,
		prices: merge({}, article.prices, prices),
		ownAttributes,
	};
}

/** An article as the service shows it: the contract's Article, inherited attributes filled in. */
export function articleView(state: State, { ownAttributes, ...article }: StoredArticle) {
	const { externalId, attributes: inherited } = state.category(article.categoryId);
	const { colorHexValue, ...attributes } = { ...inherited, ...ownAttributes };
	return {
		...article,
		categoryExternalId: externalId,
		attributes: {
			color: { name: COLOR_NAMES[colorHexValue] ?? colorHexValue, hexValue: colorHexValue },
			...attributes,
		},
	};
}

const batchUpdate: Route = ({ state, path, body }) => {
	const company = sameCase(String(path['companyId']));
	const brand = sameCase(String(path['brandId']));
	if (company !== ACCOUNT.companyId || brand !== ACCOUNT.brandId) {
		throw new ServiceError(403, 'The company and brand belong to another account');
	}
	const { items } = body as { items: ArticleUpdate[] };
	const unknown: FieldError[] = [];
	const changes = new Map<string, StoredArticle>();
	for (const [index, item] of items.entries()) {
		const id = sameCase(item.articleId);
		const article = changes.get(id) ?? state.records.articles.get(id);
		if (article) {
			changes.set(id, updated(article, item));
		} else {
			const message = `${item.articleId} does not exist`;
			unknown.push({ field: `items[${index}].articleId`, errorId: 'NotFound', message });
		}
	}
	if (unknown.length > 0) {
		throw new ServiceError(400, 'No article was updated: some do not exist', unknown);
	}
	for (const article of changes.values()) state.records.articles.put(article);
	const answered = items.map(({ articleId }) => changes.get(sameCase(articleId)));
	return ok({
		items: answered.flatMap((article) => (article ? [articleView(state, article)] : [])),
	});
};

export const article: Record<string, Route> = { 'article.batchUpdate': batchUpdate };
