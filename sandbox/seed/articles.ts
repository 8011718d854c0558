import type { Faker } from '@faker-js/faker';
import type { ArticleAttributes, Price } from '../state/records.ts';
import type { State } from '../state/state.ts';

/** The attributes of the two categories, of food and of wine. */
const ATTRIBUTES: Array<Omit<ArticleAttributes, 'salesUnit'>> = [
	{
		colorHexValue: '#2e7d32',
		allowDiscount: true,
		allowPriceOverride: false,
		keepStockBalance: false,
		isLoyaltyContributing: true,
		ageRestriction: 0,
		nonSale: false,
	},
	{
		colorHexValue: '#6a1b9a',
		allowDiscount: false,
		allowPriceOverride: false,
		keepStockBalance: true,
		isLoyaltyContributing: true,
		ageRestriction: 18,
		nonSale: false,
	},
];

/** How many articles are seeded: enough for a batch of 50 and one more. */
const ARTICLES = 60;

function price(inclVat: number, vat: number): Price {
	return { inclVat, exclVat: Math.round((inclVat / (1 + vat / 100)) * 100) / 100 };
}

/** Sixty articles in two categories; every third has its own values, the others inherit them. */
export function seedArticles(faker: Faker, state: State): void {
	for (const [index, shared] of ATTRIBUTES.entries()) {
		const { category: name = '', salesUnit = '', names = [] } = state.words.articles[index] ?? {};
		const categoryId = faker.string.uuid();
		const attributes = { ...shared, salesUnit };
		state.records.categories.put({
			categoryId,
			externalId: `category-${index + 1}`,
			name,
			attributes,
		});
		const perCategory = ARTICLES / ATTRIBUTES.length;
		for (let i = 0; i < perCategory; i++) {
			const size = Math.floor(i / names.length);
			const dish = names[i % names.length] + (size === 0 ? '' : ` ${size + 1}`);
			seedArticle(faker, state, categoryId, index * perCategory + i, dish);
		}
	}
}

function seedArticle(
	faker: Faker,
	state: State,
	categoryId: string,
	i: number,
	name: string,
): void {
	const amount = faker.number.int({ min: 6, max: 60 }) * 10;
	const articleId = faker.string.uuid();
	state.records.articles.put({
		articleId,
		categoryId,
		externalId: `article-${i + 1}`,
		articleNumber: 1000 + i,
		name,
		description: state.words.describedArticle(name),
		customerFacingName: name,
		customerFacingDescription: state.words.describedArticle(name),
		publicationStatus: 'Published',
		prices: {
			priceSource: 'Article',
			regular: price(amount, 25),
			takeAway: price(amount - 10, 12),
			conference: price(amount + 20, 25),
		},
		images: {
			imageIdOneByOneUrl: `https://images.example/${articleId}/1x1.jpg`,
			imageIdSixteenByNineUrl: `https://images.example/${articleId}/16x9.jpg`,
		},
		ownAttributes:
			i % 3 === 0 ? { colorHexValue: '#ef6c00', ageRestriction: 20, nonSale: true } : {},
	});
}
