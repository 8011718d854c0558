import type { Service } from './service';

/** Records of the sandbox that calls are about. */
export type Records = Awaited<ReturnType<typeof readRecords>>;

/** Records of the sandbox that operations can be tried on; the booking is a new one. */
export async function readRecords(service: Service) {
	const [made] = await service.book();
	const bookings = await service.stored('bookings');
	const booking = bookings.find(({ web }) => web.guid === made?.guid);
	const recipient = (await service.stored('recipients')).find(({ status }) => status === 2);
	const alias = bookings.find((each) => each.alias !== undefined)?.alias;
	if (!booking || !recipient || alias === undefined) throw new Error('The sandbox lacks a record');
	return {
		guid: booking.web.guid,
		rootId: booking.rootId,
		tableIds: booking.web.articles.map(({ bookedArticleId }) => bookedArticleId),
		alias,
		surveyId: recipient.surveyId,
		recipientId: recipient.id,
		companyId: service.info.companyId,
		brandId: service.info.brandId,
		planId: String((await service.stored('subscriptions'))[0]?.PlanId),
		articleIds: (await service.stored('articles')).map(({ articleId }) => articleId),
	};
}
