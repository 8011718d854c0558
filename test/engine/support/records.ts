import type { Service } from './service';

/** Records of the sandbox that calls are about. */
export interface Records {
	guid: string;
	rootId: number;
	tableIds: number[];
	alias: string;
	surveyId: string;
	recipientId: string;
	companyId: string;
	brandId: string;
	articleIds: string[];
}

interface StoredBooking {
	rootId: number;
	alias?: string;
	web: { guid: string; articles: Array<{ articleId: number; bookedArticleId: number }> };
}

/** Records of the sandbox that operations can be tried on. */
export async function readRecords(service: Service): Promise<Records> {
	const [booking] = await service.control<StoredBooking[]>('POST', '/bookings', { count: 1 });
	const bookings = await service.control<StoredBooking[]>('GET', '/state/bookings');
	const recipients = await service.control<Array<{ id: string; surveyId: string; status: number }>>(
		'GET',
		'/state/recipients',
	);
	const articles = await service.control<Array<{ articleId: string }>>('GET', '/state/articles');
	const stored = bookings.find(({ web }) => web.guid === (booking as unknown as { guid: string }).guid);
	const recipient = recipients.find(({ status }) => status === 2);
	const alias = bookings.find((each) => each.alias !== undefined)?.alias;
	if (!stored || !recipient || alias === undefined) throw new Error('The sandbox lacks a record');
	return {
		guid: stored.web.guid,
		rootId: stored.rootId,
		tableIds: stored.web.articles.map(({ bookedArticleId }) => bookedArticleId),
		alias,
		surveyId: recipient.surveyId,
		recipientId: recipient.id,
		companyId: service.info.companyId,
		brandId: service.info.brandId,
		articleIds: articles.map(({ articleId }) => articleId),
	};
}
