import type { OutputShape } from '../recordShape';

/** Updated articles as items (second document, 'ArticleBatchResponse'). */
export const articles: OutputShape = {
	kind: 'batch',
	schema: 'Article',
	simplified: {
		name: 'name',
		articleNumber: 'articleNumber',
		regularPrice: 'prices.regular.inclVat',
		takeAwayPrice: 'prices.takeAway.inclVat',
		conferencePrice: 'prices.conference.inclVat',
		customerFacingName: 'customerFacingName',
		publicationStatus: 'publicationStatus',
		color: 'attributes.color.hexValue',
		externalId: 'externalId',
		articleId: 'articleId',
	},
};
