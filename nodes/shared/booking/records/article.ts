import type { OutputShape } from '../recordShape';

/** Updated articles as items (second document, 'ArticleBatchResponse'). */
export const articles: OutputShape = {
	kind: 'batch',
	schema: 'Article',
	simplified: {
		articleId: 'articleId',
		articleNumber: 'articleNumber',
		externalId: 'externalId',
		name: 'name',
		customerFacingName: 'customerFacingName',
		publicationStatus: 'publicationStatus',
		regularPrice: 'prices.regular.inclVat',
		takeAwayPrice: 'prices.takeAway.inclVat',
		conferencePrice: 'prices.conference.inclVat',
		color: 'attributes.color.hexValue',
	},
};
